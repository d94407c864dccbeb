import { catalogueCache } from './cache-names.ts'

/**
 * Drops what was cached of an event for a session that is over; photos go as the new session's grants do not name them. Pages that came
 * over plain http have no caches, and one that will not open shows nothing either.
 */
export const dropCatalogue = async (jobId: number): Promise<void> => {
  if (!('caches' in globalThis)) return
  await dropEvent(jobId).catch(console.warn)
}

const dropEvent = async (jobId: number): Promise<void> => {
  const cache = await caches.open(catalogueCache)
  const ofEvent = new RegExp(`/jobs/${jobId}(/|$)`)
  for (const kept of await cache.keys())
    if (ofEvent.test(new URL(kept.url).pathname)) await cache.delete(kept, { ignoreVary: true })
}
