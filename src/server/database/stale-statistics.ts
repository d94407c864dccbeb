import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { pauseMs } from '../queue/queue.ts'

/** How much of a table has changed since its last `analyze`: this number of rows, and this share of all. */
type Staleness = { readonly rows: number; readonly share: number }

/** From here on the product analyzes a table itself: a little later than autovacuum would. */
const due: Staleness = { rows: 100, share: 0.2 }

/** From here on the statistics mislead the planner, and health warns. */
const misleading: Staleness = { rows: 1000, share: 0.5 }

/** Reads the tables of a PostgreSQL that have changed this much, the most changed first. */
const readStaleTables = async ({ db }: Pick<Deps, 'db'>, { rows, share }: Staleness): Promise<string[]> => {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
     where n_mod_since_analyze > ${rows}::float8 + ${share}::float8 * n_live_tup and schemaname = 'public'
     order by n_mod_since_analyze desc`.execute(db)
  return tables.rows.map(({ name }) => name)
}

/**
 * Analyzes the tables of a PostgreSQL that have changed much, one at a time, for databases without autovacuum: with the statistics of
 * an empty table a cart call reads the whole table. A table that another transaction analyzes is skipped. `EmbeddedMaintenance` does
 * the same for the embedded database.
 */
export const analyzeStaleTables = async (deps: Pick<Deps, 'db' | 'engine' | 'wait'>): Promise<void> => {
  if (deps.engine === 'embedded') return
  for (const name of await readStaleTables(deps, due)) {
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
      const names = await readStaleTables(deps, misleading)
      staleSince = new Map(names.slice(0, 5).map((name) => [name, staleSince.get(name) ?? now]))
    }
    const names = [...staleSince].flatMap(([name, since]) => (now - since >= toleratedMs ? [name] : []))
    if (names.length === 0) return undefined
    return `The statistics of the database are out of date (${names.join(', ')}), which makes cart calls three to eight times as slow. Turn on autovacuum, or run ANALYZE regularly`
  }
}
