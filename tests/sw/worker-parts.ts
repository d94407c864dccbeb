import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { openLocal } from '../../src/local/database.ts'
import type { Photo } from '../../sw/caching.ts'
import { type CatalogueParts, createCatalogue } from '../../sw/catalogue.ts'
import { createGrants, photoRules } from '../../sw/grants.ts'
import { mayOpenAgain } from '../../sw/open-again.ts'
import { createPhotos } from '../../sw/photos.ts'
import { isWithdrawn } from '../../sw/withdrawn.ts'
import { createCaches, createNetwork, origin } from './memory-caches.ts'

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
  const askIfWithdrawn = (photo: Photo) =>
    isWithdrawn(photo, { db, origin, askAfresh: (request) => catalogue.askAfresh(request) })
  const photos = createPhotos({
    caches,
    fetch: network.fetch,
    rules: () => photoRules(db, clock()),
    clock,
    isWithdrawn: askIfWithdrawn,
  })
  const toldAll: number[] = []
  const grants = createGrants({ db, clock, withdraw: photos.tidy, tellAll: async () => void toldAll.push(time.now) })
  const catalogue = createCatalogue({
    ...{ caches, fetch: network.fetch, tell: async () => {}, listen: grants.listen, replaced: photos.replaced },
    mayOpenAgain: (jobId, reason) => mayOpenAgain(db, jobId, reason),
    ...own(network),
  })
  return { db, caches, network, time, photos, grants, catalogue, toldAll }
}
