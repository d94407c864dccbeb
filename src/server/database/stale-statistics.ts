import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** Reads the tables of a PostgreSQL that have changed much since their last `analyze`. `EmbeddedMaintenance` analyzes the embedded database. */
const readStaleTables = async ({ db }: Pick<Deps, 'db'>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
     where n_mod_since_analyze > 1000 + 0.5 * n_live_tup and schemaname = 'public'
     order by n_mod_since_analyze desc limit 5`.execute(db)
  return rows.map(({ name }) => name)
}

/** How long a result is used, because anyone may ask for the server's health as often as they like. */
const checkedForMs = 60_000

/** Autovacuum analyzes a table within minutes; one that stays out of date for longer shows that it is not running. */
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
      const names = await readStaleTables(deps)
      staleSince = new Map(names.map((name) => [name, staleSince.get(name) ?? now]))
    }
    const names = [...staleSince].flatMap(([name, since]) => (now - since >= toleratedMs ? [name] : []))
    if (names.length === 0) return undefined
    return `The statistics of the database are out of date (${names.join(', ')}), which makes cart calls three to eight times as slow. Turn on autovacuum, or run ANALYZE regularly`
  }
}
