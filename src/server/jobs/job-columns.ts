import { type RawBuilder, sql } from 'kysely'
import type { JobState } from '#domain/studio/job-states.ts'
import { isoTimestamp } from '../database/timestamps.ts'
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

/** The closing day of a batch, in the time zone of studio `s`: the batch closes at the midnight that ends this day. */
export const closingDayOf = (closesAt: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${closesAt} at time zone s.time_zone - interval '1 microsecond', 'YYYY-MM-DD')`

/** The columns of a row in a list of jobs; needs `joinJobCounts`. Subjects that a customer typed in count once they are ordered for. */
export const jobRowColumns = (now: Date): RawBuilder<unknown> => sql`
  j.id, j.name, j.organization_id as "organizationId", o.name as "organizationName", o.type as "organizationType",
  j.event_date as "eventDate", ${codeOfJob} as code, ${jobStateAt(now)} as state, j.prepay_enabled as prepay,
  j.gallery_enabled as gallery, k.subjects, k.with_images as "withImages", k.orders,
  ${isoTimestamp(sql`j.created_at`)} as "createdAt"`
