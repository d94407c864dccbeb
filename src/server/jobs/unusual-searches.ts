import { type RawBuilder, sql } from 'kysely'
import { asInstant } from './job-columns.ts'

const shownDays = 7

/** Unusual search activity in a studio's jobs during the last week: `(job_id, misses, people, since)`. */
export const unusualSearches = (studioId: number, now: Date): RawBuilder<unknown> => {
  const after = new Date(now.getTime() - shownDays * 24 * 60 * 60 * 1000)
  return sql`(
    select r.job_id, sum(r.misses)::integer as misses, sum(r.people)::integer as people,
           ${asInstant(sql`min(r.first_at)`)} as since
      from unusual_searches r
     where r.studio_id = ${studioId} and r.last_at > ${after}::timestamptz
     group by r.job_id)`
}
