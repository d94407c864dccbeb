import { type DeviceFailed, surviving } from '../recovery/with-database-retry.ts'
import type { DeviceFinished } from '../transport/worker-messages.ts'
import type { LocalDatabase } from './database.ts'
import { dropPersonal } from './delete-personal-caches.ts'
import { countSession, sessionCount } from './session-count.ts'

const clear = (db: LocalDatabase): Promise<undefined> =>
  db.transaction('rw', db.tables, async () => {
    const sessions = await sessionCount(db)
    for (const table of db.tables) await table.clear()
    await db.device.put({ key: 'session', value: sessions })
    await countSession(db)
    return undefined
  })

/**
 * "Finish on this device", for shared tablets: carts, drafts, codes, orders, cached answers and photos go, in every tab; the product
 * itself stays. The session cookie is the server's to end. Answers still on their way find a later session and are not taken. Answers a
 * problem where the device's database would not let go; nobody was told then that it is over.
 */
export const finishOnThisDevice = async (
  db: LocalDatabase,
  { caches, otherTabs }: { caches: CacheStorage | undefined; otherTabs: Pick<BroadcastChannel, 'postMessage'> },
): Promise<DeviceFailed | undefined> => {
  const failed = await surviving(db, () => clear(db))
  await dropPersonal(caches)
  if (failed) return failed
  otherTabs.postMessage({ type: 'finished' } satisfies DeviceFinished)
  return undefined
}
