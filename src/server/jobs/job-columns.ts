import { type RawBuilder, sql } from 'kysely'
import type { JobState } from '#domain/studio/job-states.ts'
import { isCurrent } from '../images/store/current-images.ts'
import { orderAvailabilityColumns } from './store/order-availability.ts'

/** Joins to jobs `j` the studio `s`, and `w` with when orders are taken. */
export const joinOrderAvailability = (now: Date): RawBuilder<unknown> => sql`
  join studios s on s.id = j.studio_id
  cross join lateral (select ${orderAvailabilityColumns(now)}) w`

/** Joins to jobs `j` their organization `o`, if any. */
export const joinOrganization: RawBuilder<unknown> = sql`
  left join organizations o on o.studio_id = j.studio_id and o.id = j.organization_id`

/**
 * The `from` clause over a studio's jobs `j`: the studio `s`, the organization `o`, and `w` with when orders are taken.
 */
export const fromJobs = (now: Date): RawBuilder<unknown> =>
  sql`from jobs j ${joinOrderAvailability(now)} ${joinOrganization}`

const takesOrders = (method: 'prepay' | 'gallery', now: Date): RawBuilder<boolean> => sql`(
  ${sql.ref(`w.${method}_enabled`)}
  and coalesce(${sql.ref(`w.${method}_opens_at`)} <= ${now}::timestamptz, true)
  and coalesce(${sql.ref(`w.${method}_closes_at`)} > ${now}::timestamptz, true))`

const willTakeOrders = (method: 'prepay' | 'gallery', now: Date): RawBuilder<boolean> => sql`(
  ${sql.ref(`w.${method}_enabled`)} and ${sql.ref(`w.${method}_opens_at`)} > ${now}::timestamptz
  and coalesce(${sql.ref(`w.${method}_closes_at`)} > ${sql.ref(`w.${method}_opens_at`)}, true))`

/** A job's state at a time, from `j` and `w`. */
export const jobStateAt = (now: Date): RawBuilder<JobState> => sql`
  case when j.archived_at is not null then 'archived'
       when not coalesce(j.published_at <= ${now}::timestamptz, false) then 'draft'
       when ${takesOrders('prepay', now)} or ${takesOrders('gallery', now)} then 'open'
       when ${willTakeOrders('prepay', now)} or ${willTakeOrders('gallery', now)} then 'upcoming'
       else 'closed' end`

/** The job's own code, from `j`. */
export const codeOfJob: RawBuilder<string | null> = sql`(
  select c.code from access_codes c where c.studio_id = j.studio_id and c.job_id = j.id and c.subject_id is null)`

/**
 * How many subjects are listed in the job, from `j`. Subjects that a customer typed in count once something is ordered
 * for them.
 */
export const subjectCount: RawBuilder<number> = sql`(
  select count(*) from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.state = 'listed')`

/** How many subjects have an image of their own, from `j`. */
export const withImagesCount: RawBuilder<number> = sql`(
  select count(distinct i.subject_id) from image_lookups i
   where i.studio_id = j.studio_id and i.job_id = j.id and i.kind = 'hosted-individual' and i.subject_id is not null
     and ${isCurrent})`

/** Whether an image `i` is of a single subject but not matched to one; the studio matches it. */
export const isUnmatched: RawBuilder<boolean> = sql`(
  i.kind = 'hosted-individual' and i.subject_id is null and i.group_id is null and i.state <> 'refused' and ${isCurrent})`

const orderCount: RawBuilder<number> = sql`(
  select count(*) from orders r where r.studio_id = j.studio_id and r.job_id = j.id and r.state <> 'cancelled')`

/** A timestamp as responses format it. */
export const asInstant = (at: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The columns of a row in a list of jobs, with counts. Only the rows of the page are counted. */
export const jobRowColumns = (now: Date): RawBuilder<unknown> => sql`
  j.id, j.name, j.organization_id as "organizationId", o.name as "organizationName", o.type as "organizationType",
  j.event_date as "eventDate", ${codeOfJob} as code, ${jobStateAt(now)} as state, j.prepay_enabled as prepay,
  j.gallery_enabled as gallery, ${subjectCount} as subjects, ${withImagesCount} as "withImages", ${orderCount} as orders,
  ${asInstant(sql`j.created_at`)} as "createdAt"`
