import type { Database, Db } from '#server/database/database.ts'
import { type DatabaseSettings, openDatabase } from '#server/database/open-database.ts'

const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Opens the database of a stopped product for `work`. */
export const withProductDatabase = async (
  settings: Pick<DatabaseSettings, 'dataDir' | 'databaseUrl'>,
  work: (database: Database) => Promise<unknown>,
): Promise<void> => {
  const database = await openDatabase({ ...settings, log: silentLog })
  await work(database).finally(() => database.close())
}

/** Changes the data of a stopped product, as staff would while it runs. */
export const changeProductData = (dataDir: string, change: (db: Db) => Promise<unknown>): Promise<void> =>
  withProductDatabase({ dataDir }, ({ db }) => change(db))
