import { sql } from 'kysely'
import { maxMissesPerDay, maxQuickLookupsInJob, missCounter } from '../access/brute-force/brute-force-guard.ts'
import { dayMinutes, type FailureCounter } from '../access/brute-force/failure-counts.ts'
import type { JobSession } from '../access/grants/grants.ts'
import type { Deps } from '../deps.ts'

/** A session and its job, and the address it comes from. */
export type JobSessionAtAddress = JobSession & { readonly address: string }

type Count = {
  readonly counter: FailureCounter
  readonly minutes: number
  /** The number that is still usual. */
  readonly usual: number
  readonly column: 'misses' | 'people'
}

/** Adds one to a job's row of the day, where more were counted than usual; a new row starts with the whole count. */
const note = async (
  { db, clock }: Deps,
  { job }: JobSessionAtAddress,
  { counter, minutes, usual, column }: Count,
): Promise<void> => {
  const now = clock()
  const since = new Date(now.getTime() - minutes * 60_000)
  const counted = sql.ref(column)
  await sql`
    insert into unusual_searches as u (studio_id, job_id, day, ${counted}, first_at, last_at)
    select ${job.studioId}, ${job.jobId}, (${now}::timestamptz at time zone s.time_zone)::date, case when y.found then 1 else c.failures + 1 end, c.first_at,
           ${now}::timestamptz
      from studios s
     cross join (select coalesce(sum(failures), 0)::integer as failures, min(window_started_at) as first_at
                   from guess_counters
                  where kind = ${counter.kind} and key = ${counter.key} and window_started_at > ${since}::timestamptz) c
     cross join (select exists (select from unusual_searches r
                                 where r.studio_id = ${job.studioId} and r.job_id = ${job.jobId}
                                   and r.${counted} > 0 and r.last_at > ${since}::timestamptz) as found) y
     where s.id = ${job.studioId} and c.failures >= ${usual}
    on conflict (studio_id, job_id, day) do update
       set ${counted} = case u.${counted} when 0 then excluded.${counted} else u.${counted} + 1 end, last_at = excluded.last_at`.execute(
    db,
  )
}

/** Records a search without a result, once an address had more of them in a day than families have. */
export const recordMiss = (deps: Deps, at: JobSessionAtAddress): Promise<void> =>
  note(deps, at, {
    counter: missCounter(at.job.jobId, at.address),
    minutes: dayMinutes,
    usual: maxMissesPerDay,
    column: 'misses',
  })

/** Records a new subject opened from an address that opened more in ten minutes than a hall of families does. */
export const recordNewSubject = (deps: Deps, at: JobSessionAtAddress, counter: FailureCounter): Promise<void> =>
  note(deps, at, { counter, minutes: 10, usual: maxQuickLookupsInJob, column: 'people' })

const keptDays = 90

/** Deletes old records. */
export const purgeUnusualSearches = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const before = new Date(clock().getTime() - keptDays * 24 * 60 * 60 * 1000)
  await db.deleteFrom('unusual_searches').where('last_at', '<', before).execute()
}
