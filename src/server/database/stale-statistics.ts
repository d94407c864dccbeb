import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/**
 * Reads which tables of a PostgreSQL have changed so much since their last `analyze` that autovacuum cannot be at work. The embedded
 * database is analyzed by `EmbeddedMaintenance`.
 */
const readStaleTables = async ({ db }: Pick<Deps, 'db'>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
     where n_mod_since_analyze > 1000 + 0.5 * n_live_tup and schemaname = 'public'
       and coalesce(greatest(last_analyze, last_autoanalyze) < now() - interval '10 minutes', true)
     order by n_mod_since_analyze desc limit 5`.execute(db)
  return rows.map(({ name }) => name)
}

const readWarning = async (deps: Pick<Deps, 'db'>): Promise<string | undefined> => {
  const names = await readStaleTables(deps)
  if (names.length === 0) return undefined
  return `The statistics of the database are out of date (${names.join(', ')}), which makes cart calls three to eight times as slow. Turn on autovacuum, or run ANALYZE regularly`
}

/** How long a result is used, because anyone may ask for the server's health as often as they like. */
const checkedForMs = 60_000

/** Returns a function that tells the operator in a sentence if the statistics of a PostgreSQL are out of date. */
export const createStatisticsCheck = (
  deps: Pick<Deps, 'db' | 'engine' | 'clock'>,
): (() => Promise<string | undefined>) => {
  let checked: { at: number; warning: string | undefined } | undefined
  return async () => {
    if (deps.engine === 'embedded') return undefined
    const now = deps.clock().getTime()
    if (!checked || now - checked.at >= checkedForMs) checked = { at: now, warning: await readWarning(deps) }
    return checked.warning
  }
}
