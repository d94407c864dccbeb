import { type RawBuilder, sql } from 'kysely'
import type { JobState } from '#domain/studio/job-states.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import { isCurrent } from '../images/store/image-conditions.ts'
import { orderAvailabilityColumns } from './store/order-availability.ts'

/** Joins to jobs `j` their studio `s`, and `w` with the columns of order availability. */
export const joinOrderAvailability = (now: Date): RawBuilder<unknown> => sql`
  join studios s on s.id = j.studio_id
  cross join lateral (select ${orderAvailabilityColumns(now)}) w`

/** Joins to jobs `j` their organization `o`, if any. */
export const joinOrganization: RawBuilder<unknown> = sql`
  left join organizations o on o.studio_id = j.studio_id and o.id = j.organization_id`

/** The `from` clause over a studio's jobs `j`: the studio `s`, the organization `o`, and `w` with the columns of order availability. */
export const fromJobs = (now: Date): RawBuilder<unknown> =>
  sql`from jobs j ${joinOrderAvailability(now)} ${joinOrganization}`

const takesOrders = (method: 'prepay' | 'gallery', now: Date): RawBuilder<boolean> => sql`(
  ${sql.ref(`w.${method}_enabled`)}
  and coalesce(${sql.ref(`w.${method}_opens_at`)} <= ${now}::timestamptz, true)
  and coalesce(${sql.ref(`w.${method}_closes_at`)} > ${now}::timestamptz, true))`

const willTakeOrders = (method: 'prepay' | 'gallery', now: Date): RawBuilder<boolean> => sql`(
  ${sql.ref(`w.${method}_enabled`)} and ${sql.ref(`w.${method}_opens_at`)} > ${now}::timestamptz
  and coalesce(${sql.ref(`w.${method}_closes_at`)} > ${sql.ref(`w.${method}_opens_at`)}, true))`

/** The state of job `j` at a time; needs `w`. */
export const jobStateAt = (now: Date): RawBuilder<JobState> => sql`
  case when j.archived_at is not null then 'archived'
       when not coalesce(j.published_at <= ${now}::timestamptz, false) then 'draft'
       when ${takesOrders('prepay', now)} or ${takesOrders('gallery', now)} then 'open'
       when ${willTakeOrders('prepay', now)} or ${willTakeOrders('gallery', now)} then 'upcoming'
       else 'closed' end`

/** The code of job `j`. */
export const codeOfJob: RawBuilder<string | null> = sql`(
  select c.code from access_codes c where c.studio_id = j.studio_id and c.job_id = j.id and c.subject_id is null)`

/** How many subjects are listed in job `j`. Subjects that a customer typed in count once something is ordered for them. */
export const subjectCount: RawBuilder<number> = sql`(
  select count(*) from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.state = 'listed')`

/** How many subjects of job `j` have an image of their own. */
export const subjectsWithImagesCount: RawBuilder<number> = sql`(
  select count(distinct i.subject_id) from image_lookups i
   where i.studio_id = j.studio_id and i.job_id = j.id and i.kind = 'hosted-individual' and i.subject_id is not null
     and ${isCurrent})`

/** Whether image `i` shows a single subject and is not matched to a subject yet. */
export const isUnmatched: RawBuilder<boolean> = sql`(
  i.kind = 'hosted-individual' and i.subject_id is null and i.group_id is null and i.state <> 'refused' and ${isCurrent})`

const orderCount: RawBuilder<number> = sql`(
  select count(*) from orders r where r.studio_id = j.studio_id and r.job_id = j.id and r.state <> 'cancelled')`

/** The closing day of a batch, in the time zone of studio `s`: the batch closes at the midnight that ends this day. */
export const closingDayOf = (closesAt: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${closesAt} at time zone s.time_zone - interval '1 microsecond', 'YYYY-MM-DD')`

/** The columns of a row in a list of jobs, with counts. */
export const jobRowColumns = (now: Date): RawBuilder<unknown> => sql`
  j.id, j.name, j.organization_id as "organizationId", o.name as "organizationName", o.type as "organizationType",
  j.event_date as "eventDate", ${codeOfJob} as code, ${jobStateAt(now)} as state, j.prepay_enabled as prepay,
  j.gallery_enabled as gallery, ${subjectCount} as subjects, ${subjectsWithImagesCount} as "withImages", ${orderCount} as orders,
  ${isoTimestamp(sql`j.created_at`)} as "createdAt"`
