import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './database.ts'
import { baseline } from './migrations/baseline/baseline.ts'

/** Every migration, in order. A released one is never edited: each change of the schema is a new migration. */
export const migrations: Record<string, Migration> = {
  '0001-baseline': baseline,
}

/** The names of the executed migrations, in order; empty for a new database. */
const readExecutedNames = async (db: Db): Promise<readonly string[]> => {
  const { rows: tables } = await sql<{ hasTable: boolean }>`
    select to_regclass('kysely_migration') is not null as "hasTable"`.execute(db)
  if (!tables[0]?.hasTable) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name).sort()
}

/**
 * Brings the schema up to date: runs all pending migrations in the order of their names, or none if one fails. Servers that start at
 * the same time wait for each other.
 *
 * @returns the names of the migrations that ran
 */
export const migrate = async (db: Db, migrations: Record<string, Migration>): Promise<readonly string[]> => {
  // Saves half a second of each start: the migrator reads the system catalogue several times before it finds nothing to
  // do.
  const executedNames = await readExecutedNames(db)
  if (isDeepStrictEqual(executedNames, Object.keys(migrations).sort())) return []
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  // A migration may have rewritten tables. In a new database, whose tables are empty, statistics would mislead the planner.
  if (executedNames.length > 0) await sql`analyze`.execute(db)
  return (results ?? []).map((result) => result.migrationName)
}
