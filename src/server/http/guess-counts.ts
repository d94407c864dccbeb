import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** Whom a failure counts against. Keys of targets are hashes: a count needs no e-mail address. */
export type Counted = { readonly kind: 'session' | 'target' | 'address'; readonly key: string }

const minute = 60_000
/** How long a failure counts (section 4). */
const windows = { session: 10 * minute, target: 60 * minute, address: 10 * minute } as const

type Counting = Pick<Deps, 'db' | 'clock'>

/** The failures that still count, by kind; of several targets the most. */
export const countFailures = async (
  { db, clock }: Counting,
  counted: readonly Counted[],
): Promise<Record<Counted['kind'], number>> => {
  const now = clock().getTime()
  const since = (kind: Counted['kind']) => new Date(now - windows[kind])
  const { rows } = await sql<{ kind: Counted['kind']; failures: number }>`
    select kind, sum(failures) as failures from guess_counters
     where (kind, key) in (${sql.join(counted.map(({ kind, key }) => sql`(${kind}, ${key})`))})
       and window_started_at > case kind when 'target' then ${since('target')}::timestamptz
                                         else ${since('session')}::timestamptz end
     group by kind, key`.execute(db)
  const most = { session: 0, target: 0, address: 0 }
  for (const { kind, failures } of rows) most[kind] = Math.max(most[kind], failures)
  return most
}

/** Counts one failure against each, in buckets of a minute: so the windows slide. */
export const addFailure = async ({ db, clock }: Counting, counted: readonly Counted[]): Promise<void> => {
  const now = clock()
  const started = new Date(Math.floor(now.getTime() / minute) * minute)
  // Always in the same order: two upserts of several rows must not wait for each other.
  const sorted = counted.toSorted((one, other) => (one.kind + one.key < other.kind + other.key ? -1 : 1))
  await db
    .insertInto('guess_counters')
    .values(sorted.map((one) => ({ ...one, window_started_at: started, failed_at: now })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key', 'window_started_at']).doUpdateSet({
        failures: sql`guess_counters.failures + 1`,
        failed_at: now,
      }),
    )
    .execute()
}

/** Forgets failures that count no more. */
export const purgeGuessCounts = async ({ db, clock }: Counting): Promise<void> => {
  const before = new Date(clock().getTime() - windows.target)
  await db.deleteFrom('guess_counters').where('window_started_at', '<', before).execute()
}
