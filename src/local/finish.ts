import { catalogueCache, personalCaches } from './cache-names.ts'
import type { LocalDatabase } from './database.ts'
import { type DeviceFinished, deviceChannel } from './messages.ts'
import { countSession, sessionCount } from './session.ts'

/** How much would be lost by finishing now, for the warning before it: mutations the server has not settled. */
export const unsentCount = (db: LocalDatabase): Promise<number> => db.outbox.where('state').anyOf('new', 'sent').count()

/**
 * Drops what was cached of an event for a session that is over; photos go as the new session's grants do not name them. Pages that came
 * over plain http have no caches.
 */
export const dropCatalogue = async (jobId: number): Promise<void> => {
  if (!('caches' in globalThis)) return
  const cache = await caches.open(catalogueCache)
  const ofEvent = new RegExp(`/jobs/${jobId}(/|$)`)
  for (const kept of await cache.keys())
    if (ofEvent.test(new URL(kept.url).pathname)) await cache.delete(kept, { ignoreVary: true })
}

/**
 * "Finish on this device", for shared tablets: carts, drafts, codes, orders, cached answers and photos go, in every tab; the product
 * itself stays. The session cookie is the server's to end. Answers still on their way find a later session and are not taken.
 */
export const finishOnThisDevice = async (db: LocalDatabase, caches: CacheStorage): Promise<void> => {
  await db.transaction('rw', db.tables, async () => {
    const sessions = await sessionCount(db)
    for (const table of db.tables) await table.clear()
    await db.device.put({ key: 'session', value: sessions })
    await countSession(db)
  })
  for (const name of personalCaches) await caches.delete(name)
  const channel = new BroadcastChannel(deviceChannel)
  channel.postMessage({ type: 'finished' } satisfies DeviceFinished)
  channel.close()
}
