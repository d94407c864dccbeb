import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/**
 * Brings the schema up to date: every step not yet run, in the order of their names, all of them or none. Servers that start
 * together wait for each other.
 *
 * @returns the names of the steps that ran
 */
// biome-ignore lint/suspicious/noExplicitAny: a schema in the making has no tables to name
export const migrate = async (db: Kysely<any>, migrations: Record<string, Migration>): Promise<readonly string[]> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}
