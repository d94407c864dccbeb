import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { pauseMs } from '../queue/queue.ts'

/**
 * SQL: whether a table of `pg_class c` is much larger than at its last `analyze` or `vacuum`. The counts of its changes do not survive a
 * crash, and on the embedded database no restart.
 */
export const hasGrown = `c.relkind = 'r' and pg_relation_size(c.oid) / current_setting('block_size')::integer > 10 + 1.2 * c.relpages`

/** When the product analyzes a table itself: a little later than autovacuum would. */
const isDue = sql<boolean>`n_mod_since_analyze > 100 + 0.2 * n_live_tup or ${sql.raw(hasGrown)}`

/** When the statistics of a table mislead the planner, so that health warns. */
const isMisleading = sql<boolean>`n_mod_since_analyze > 1000 + 0.5 * n_live_tup`

/** Reads the tables of a PostgreSQL that meet a condition, the most changed first. */
const readStaleTables = async ({ db }: Pick<Deps, 'db'>, condition: RawBuilder<boolean>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select s.relname as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where schemaname = 'public' and (${condition})
     order by n_mod_since_analyze desc`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Analyzes the tables of a PostgreSQL that have changed much, one at a time, for databases without autovacuum: with the statistics of
 * an empty table a cart call reads the whole table. A table that another transaction analyzes is skipped. `EmbeddedMaintenance` does
 * the same for the embedded database.
 */
export const analyzeStaleTables = async (deps: Pick<Deps, 'db' | 'engine' | 'wait'>): Promise<void> => {
  if (deps.engine === 'embedded') return
  for (const name of await readStaleTables(deps, isDue)) {
    await sql`analyze (skip_locked) ${sql.table(name)}`.execute(deps.db)
    await deps.wait(pauseMs)
  }
}

/** How long a result is used, because anyone may ask for the server's health as often as they like. */
const checkedForMs = 60_000

/** The product and autovacuum analyze a table within minutes; one that stays out of date for longer shows that neither does. */
const toleratedMs = 10 * 60_000

/** Creates a check that returns a sentence for the operator while the statistics of a PostgreSQL stay out of date. */
export const createStatisticsCheck = (
  deps: Pick<Deps, 'db' | 'engine' | 'clock'>,
): (() => Promise<string | undefined>) => {
  let staleSince: ReadonlyMap<string, number> = new Map()
  let checkedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (deps.engine === 'embedded') return undefined
    const now = deps.clock().getTime()
    if (now - checkedAt >= checkedForMs) {
      checkedAt = now
      const names = await readStaleTables(deps, isMisleading)
      staleSince = new Map(names.slice(0, 5).map((name) => [name, staleSince.get(name) ?? now]))
    }
    const names = [...staleSince].flatMap(([name, since]) => (now - since >= toleratedMs ? [name] : []))
    if (names.length === 0) return undefined
    return `The statistics of the database are out of date (${names.join(', ')}), which makes cart calls three to eight times as slow. Turn on autovacuum, or run ANALYZE regularly`
  }
}
