import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import { maxMissesPerDay, maxQuickLookupsInJob, missCounter } from '../access/brute-force/brute-force-guard.ts'
import { dayMinutes, type FailureCounter } from '../access/brute-force/failure-counts.ts'
import type { JobSession } from '../access/grants/grants.ts'
import type { Deps } from '../deps.ts'

/** A session, a job it has opened, and the client address of the request. */
export type JobSessionAtAddress = JobSession & { readonly address: string }

type UnusualCount = {
  readonly counter: FailureCounter
  readonly minutes: number
  /** The number from which on a count is unusual. */
  readonly usualLimit: number
  readonly column: 'misses' | 'people'
}

/**
 * Adds one to a job's row of the day if the count is unusual. The first row in a window starts with the count of the whole
 * window, because the usual searches before it were not recorded.
 */
const countBeyondUsual = async (
  { db, clock }: Deps,
  { job }: JobSessionAtAddress,
  { counter, minutes, usualLimit, column }: UnusualCount,
): Promise<void> => {
  const now = clock()
  const windowStart = new Date(now.getTime() - minutes * 60_000)
  const columnRef = sql.ref(column)
  await sql`
    insert into unusual_searches as u (studio_id, job_id, day, ${columnRef}, first_at, last_at)
    select ${job.studioId}, ${job.jobId}, (${now}::timestamptz at time zone s.time_zone)::date, case when y.found then 1 else c.failures + 1 end, c.first_at,
           ${now}::timestamptz
      from studios s
     cross join (select coalesce(sum(failures), 0)::integer as failures, min(window_started_at) as first_at
                   from guess_counters
                  where kind = ${counter.kind} and key = ${counter.key} and window_started_at > ${windowStart}::timestamptz) c
     cross join (select exists (select from unusual_searches r
                                 where r.studio_id = ${job.studioId} and r.job_id = ${job.jobId}
                                   and r.${columnRef} > 0 and r.last_at > ${windowStart}::timestamptz) as found) y
     where s.id = ${job.studioId} and c.failures >= ${usualLimit}
    on conflict (studio_id, job_id, day) do update
       set ${columnRef} = case u.${columnRef} when 0 then excluded.${columnRef} else u.${columnRef} + 1 end, last_at = excluded.last_at`.execute(
    db,
  )
}

/** Records a search without a result, if its address had more of them in a day than families cause. */
export const recordMiss = (deps: Deps, sessionAtAddress: JobSessionAtAddress): Promise<void> =>
  countBeyondUsual(deps, sessionAtAddress, {
    counter: missCounter(sessionAtAddress.job.jobId, sessionAtAddress.address),
    minutes: dayMinutes,
    usualLimit: maxMissesPerDay,
    column: 'misses',
  })

/** Records a new subject, if its address opened more of them in ten minutes than a hall of families does. */
export const recordNewSubject = (
  deps: Deps,
  sessionAtAddress: JobSessionAtAddress,
  counter: FailureCounter,
): Promise<void> =>
  countBeyondUsual(deps, sessionAtAddress, { counter, minutes: 10, usualLimit: maxQuickLookupsInJob, column: 'people' })

/** Days for which a record is stored. */
const retentionDays = 90

/** Deletes records after `retentionDays`. */
export const purgeUnusualSearches = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const cutoff = subHours(clock(), retentionDays * 24)
  await db.deleteFrom('unusual_searches').where('last_at', '<', cutoff).execute()
}
