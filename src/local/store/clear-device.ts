import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import type { DeviceClearedMessage } from '../transport/worker-messages.ts'
import type { LocalDatabase } from './database.ts'
import { deletePersonalCaches } from './delete-personal-caches.ts'
import { incrementSessionCount, sessionCount } from './session-count.ts'

const clearTables = (db: LocalDatabase): Promise<undefined> =>
  db.transaction('rw', db.tables, async () => {
    const sessions = await sessionCount(db)
    for (const table of db.tables) await table.clear()
    await db.device.put({ key: 'session', value: sessions })
    await incrementSessionCount(db)
    return undefined
  })

/**
 * "Finish on this device", for shared tablets: carts, drafts, codes, orders, cached answers and photos go, in every tab; the product
 * itself stays. The server ends the session cookie. Responses still under way find a later session and are ignored. Returns a
 * failure where the database could not be cleared; the other tabs are not notified then.
 */
export const clearDevice = async (
  db: LocalDatabase,
  { caches, otherTabs }: { caches: CacheStorage | undefined; otherTabs: Pick<BroadcastChannel, 'postMessage'> },
): Promise<DeviceFailure | undefined> => {
  const failed = await withDatabaseRetry(db, () => clearTables(db))
  await deletePersonalCaches(caches)
  if (failed) return failed
  otherTabs.postMessage({ type: 'finished' } satisfies DeviceClearedMessage)
  return undefined
}
