import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'

/** A counter of failures. Keys of targets are hashes, so that no e-mail address is stored. */
export type FailureCounter = { readonly kind: 'session' | 'target' | 'address'; readonly key: string }

const minute = 60_000
/** Minutes for which a failure counts (section 4). */
const windowMinutes = { session: 10, target: 60, address: 10 } as const
/** Minutes of the longest window, in which the misses of an address are counted a second time. */
export const dayMinutes = 24 * 60

type Counting = Pick<Deps, 'db' | 'clock'>

/** Returns the failures of each counter, in the same order. `minutes` replaces the default window. */
export const countFailures = async (
  { db, clock }: Counting,
  counters: readonly (FailureCounter & { readonly minutes?: number })[],
): Promise<number[]> => {
  const now = clock().getTime()
  const windowStarts = counters.map(({ kind, minutes }) =>
    new Date(now - (minutes ?? windowMinutes[kind]) * minute).toISOString(),
  )
  const { rows } = await sql<{ failures: number }>`
    select coalesce(sum(g.failures), 0)::integer as failures
      from unnest(${counters.map(({ kind }) => kind)}::text[], ${counters.map(({ key }) => key)}::text[], ${windowStarts}::text[])
           with ordinality as c (kind, key, since, place)
      left join guess_counters g on g.kind = c.kind and g.key = c.key and g.window_started_at > c.since::timestamptz
     group by c.place order by c.place`.execute(db)
  return rows.map(({ failures }) => failures)
}

/** Adds one failure to each counter, in buckets of a minute, so that the windows slide. */
export const recordFailure = async ({ db, clock }: Counting, counters: readonly FailureCounter[]): Promise<void> => {
  const now = clock()
  const windowStart = new Date(Math.floor(now.getTime() / minute) * minute)
  // A fixed order: two upserts of several rows must not deadlock.
  const sortedCounters = counters.toSorted((a, b) => (a.kind + a.key < b.kind + b.key ? -1 : 1))
  await db
    .insertInto('guess_counters')
    .values(sortedCounters.map(({ kind, key }) => ({ kind, key, window_started_at: windowStart, failed_at: now })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key', 'window_started_at']).doUpdateSet({
        failures: sql`guess_counters.failures + 1`,
        failed_at: now,
      }),
    )
    .execute()
}

/** Deletes failures outside every window. */
export const purgeFailureCounts = async ({ db, clock }: Counting): Promise<void> => {
  const cutoff = new Date(clock().getTime() - dayMinutes * minute)
  await db.deleteFrom('guess_counters').where('window_started_at', '<', cutoff).execute()
}
