import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/** The names of the executed migrations, in order; empty for a new database. */
// biome-ignore lint/suspicious/noExplicitAny: a schema in the making has no tables to name
const stepsRun = async (db: Kysely<any>): Promise<readonly string[]> => {
  const { rows: tables } = await sql<{ isThere: boolean }>`
    select to_regclass('kysely_migration') is not null as "isThere"`.execute(db)
  if (!tables[0]?.isThere) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name).sort()
}

/**
 * Brings the schema up to date: every step not yet run, in the order of their names, all of them or none. Servers that start
 * together wait for each other.
 *
 * @returns the names of the steps that ran
 */
// biome-ignore lint/suspicious/noExplicitAny: a schema in the making has no tables to name
export const migrate = async (db: Kysely<any>, migrations: Record<string, Migration>): Promise<readonly string[]> => {
  // The migrator reads the whole catalogue several times before it finds nothing to do: half a second of each start.
  if (isDeepStrictEqual(await stepsRun(db), Object.keys(migrations).sort())) return []
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}
