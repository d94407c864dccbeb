import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import type { DeviceClearedMessage } from '../transport/worker-messages.ts'
import { deletePersonalCaches } from './cache-names.ts'
import type { LocalDatabase } from './database.ts'
import { incrementSessionCount, sessionCount } from './device-entries.ts'

const clearTables = (db: LocalDatabase): Promise<undefined> =>
  db.transaction('rw', db.tables, async () => {
    const sessions = await sessionCount(db)
    for (const table of db.tables) await table.clear()
    await db.device.put({ key: 'session', value: sessions })
    await incrementSessionCount(db)
    return undefined
  })

/**
 * "Finish on this device", for shared tablets: deletes carts, drafts, codes, orders, cached responses and images, in
 * every tab; the application stays. The server ends the session cookie. Responses still in flight belong to an earlier
 * session and are ignored. Returns a failure if the database could not be cleared; then the other tabs are not
 * notified.
 */
export const clearDevice = async (
  db: LocalDatabase,
  { caches, otherTabs }: { caches: CacheStorage | undefined; otherTabs: Pick<BroadcastChannel, 'postMessage'> },
): Promise<DeviceFailure | undefined> => {
  const failure = await withDatabaseRetry(db, () => clearTables(db))
  await deletePersonalCaches(caches)
  if (failure) return failure
  otherTabs.postMessage({ type: 'finished' } satisfies DeviceClearedMessage)
  return undefined
}
