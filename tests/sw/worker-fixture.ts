import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { createImageCheck } from '#local/store/check-cached-images.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { createRequest } from '#local/transport/request.ts'
import { canRestoreAccess } from '#sw/can-restore-access.ts'
import { type CatalogueCacheDeps, createCatalogueCache } from '#sw/catalogue-cache.ts'
import { createGrantTracker, readImageCacheRules } from '#sw/grant-tracker.ts'
import { createImageCache } from '#sw/image-cache.ts'
import { createCaches, createNetwork, origin } from './memory-cache-storage.ts'

/** Milliseconds by which the clock advances with each read. */
type ClockOptions = { tick: number }

/**
 * The worker's two caches over one device, wired as the worker wires them. `overrides`: dependencies of the catalogue
 * that a test replaces.
 */
export const workerParts = (
  { tick }: ClockOptions,
  overrides: (network: ReturnType<typeof createNetwork>) => Partial<CatalogueCacheDeps> = () => ({}),
) => {
  const db = openLocalDatabase('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
  const caches = createCaches()
  const network = createNetwork()
  const time = { now: Date.UTC(2027, 3, 1) }
  const clock = () => {
    time.now += tick
    return time.now
  }
  const photos = createImageCache({
    caches,
    fetch: network.fetch,
    rules: () => readImageCacheRules(db, clock()),
    clock,
  })
  const pageNotifications: number[] = []
  const grants = createGrantTracker({
    db,
    clock,
    withdraw: photos.tidy,
    notifyAllPages: async () => void pageNotifications.push(time.now),
  })
  const catalogue = createCatalogueCache({
    ...{ caches, fetch: network.fetch, notifyPages: async () => {}, listen: grants.listen },
    canRestoreAccess: (jobId, reason) => canRestoreAccess(db, jobId, reason),
    ...overrides(network),
  })
  const checkImages = createImageCheck({
    db,
    ask: createRequest(async ({ url, method, headers, body }) => {
      const response = await network.fetch(new Request(new URL(url, origin), { method, headers, body: body ?? null }))
      return { status: response.status, text: await response.text(), retryAfter: null }
    }),
    stored: async () => [...(await photos.paths()), ...(await catalogue.cachedImageUrls())],
    remove: async (withdrawn) => {
      await photos.withdraw(withdrawn)
      await catalogue.withdraw(withdrawn)
    },
    notifyAllPages: async () => void pageNotifications.push(time.now),
  })
  return { db, caches, network, time, photos, grants, catalogue, checkImages, pageNotifications }
}
