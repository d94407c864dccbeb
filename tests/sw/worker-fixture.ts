import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { createPhotoCheck } from '#local/store/check-cached-images.ts'
import { openLocal } from '#local/store/database.ts'
import { askBy } from '#local/transport/request.ts'
import { mayOpenAgain } from '#sw/can-restore-access.ts'
import { type CatalogueParts, createCatalogue } from '#sw/catalogue-cache.ts'
import { createGrants, photoRules } from '#sw/grant-tracker.ts'
import { createPhotos } from '#sw/image-cache.ts'
import { createCaches, createNetwork, origin } from './memory-cache-storage.ts'

/** Milliseconds by which the clock goes on at each look at it. */
type Ticking = { tick: number }

/** The worker's two caches over one device, wired as the worker wires them. `own`: what a test wants otherwise of the catalogue. */
export const workerParts = (
  { tick }: Ticking,
  own: (network: ReturnType<typeof createNetwork>) => Partial<CatalogueParts> = () => ({}),
) => {
  const db = openLocal('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
  const caches = createCaches()
  const network = createNetwork()
  const time = { now: Date.UTC(2027, 3, 1) }
  const clock = () => {
    time.now += tick
    return time.now
  }
  const photos = createPhotos({
    caches,
    fetch: network.fetch,
    rules: () => photoRules(db, clock()),
    clock,
  })
  const toldAll: number[] = []
  const grants = createGrants({ db, clock, withdraw: photos.tidy, tellAll: async () => void toldAll.push(time.now) })
  const catalogue = createCatalogue({
    ...{ caches, fetch: network.fetch, tell: async () => {}, listen: grants.listen },
    mayOpenAgain: (jobId, reason) => mayOpenAgain(db, jobId, reason),
    ...own(network),
  })
  const checkPhotos = createPhotoCheck({
    db,
    ask: askBy(async ({ url, method, headers, body }) => {
      const response = await network.fetch(new Request(new URL(url, origin), { method, headers, body: body ?? null }))
      return { status: response.status, text: await response.text(), retryAfter: null }
    }),
    stored: async () => [...(await photos.paths()), ...(await catalogue.photosNamed())],
    remove: async (withdrawn) => {
      await photos.withdraw(withdrawn)
      await catalogue.withdraw(withdrawn)
    },
    tellAll: async () => void toldAll.push(time.now),
  })
  return { db, caches, network, time, photos, grants, catalogue, checkPhotos, toldAll }
}
