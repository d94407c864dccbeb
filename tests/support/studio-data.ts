import { type Db, openDatabase } from '../../src/server/database/database.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Changes what a product that is stopped has kept, as its staff would while it runs. */
export const changeData = async (dataDir: string, change: (db: Db) => Promise<unknown>): Promise<void> => {
  const database = await openDatabase({ dataDir, log: quiet })
  try {
    await change(database.db)
  } finally {
    await database.close()
  }
}
