import { LRUCache } from 'lru-cache'
import type { Cart } from '#domain/cart/cart.ts'
import type { ClosedReason } from '#domain/catalogue/job-availability.ts'
import type { JobAccess } from '#server/access/sessions/sessions.ts'
import { hashOf } from '#server/http/hash.ts'
import type { CartRef } from './store/read-cart.ts'

/** A cart as it was read. */
export type CachedCart = Pick<Cart, 'id' | 'version'> & {
  /** The cart as JSON: in memory, ten times smaller than its objects. `parseCart` reads it. */
  readonly json: string
  /** Why its order method is closed, null if it is open; undefined if that was not read. */
  readonly closed: ClosedReason | null | undefined
  /** The instant in milliseconds from which the cart may look different without a change of data; Infinity if never. */
  readonly validUntil: number
}

type CacheEntry = CachedCart & {
  /** The version of the data from which the cart was read. */
  readonly dataVersion: string
}

/** Limits in bytes of memory, estimated from the length of the JSON. */
const limits = { maxSize: 48_000_000, maxEntrySize: 4_000_000 } as const

/** A cart, with the names of children, is deleted from memory this long after its last use. */
const lifetimeMs = 10 * 60_000

const nameOf = ({ session, job, orderMethod }: CartRef): string => `${session.id} ${job.jobId} ${orderMethod}`

/** The version of the data that a cart depends on. A cart that was read from the same version is still valid. */
const dataVersionOf = ({ imagesVersion, changes }: JobAccess, cartVersion: number): string =>
  `${cartVersion} ${changes} ${imagesVersion}`

export const parseCart = ({ json }: CachedCart): Cart => JSON.parse(json) as Cart // written from a cart

const etags = new WeakMap<CachedCart, string>()

/** The value of a cart's `ETag` header, hashed once: a device that has the same cart need not download it again. */
export const etagOf = (cached: CachedCart): string => {
  const etag = etags.get(cached) ?? `W/"${hashOf(cached.json)}"`
  etags.set(cached, etag)
  return etag
}

/**
 * Caches the carts that this process read. `JobAccess`, which every request reads, shows whether a cached cart is still
 * valid: by the version of the cart, the number of changes in its job, and the version of the images. So any number of
 * servers may cache the same cart.
 */
export class CartCache {
  readonly #carts = new LRUCache<string, CacheEntry>({
    ...limits,
    sizeCalculation: ({ json }) => json.length,
    ttl: lifetimeMs,
    updateAgeOnGet: true,
    ttlAutopurge: true,
  })

  /** Returns the cached cart if it equals the cart in the database; otherwise undefined. */
  find(cartRef: CartRef, access: JobAccess): CachedCart | undefined {
    const live = access.carts.find(({ orderMethod }) => orderMethod === cartRef.orderMethod)
    const entry = live && this.#carts.get(nameOf(cartRef))
    if (!entry || live.id !== entry.id || entry.validUntil <= access.at.getTime()) return undefined
    return entry.dataVersion === dataVersionOf(access, live.version) ? entry : undefined
  }

  /** Stores a cart that was read or changed after `access` was read, and returns it as `find` will. */
  store(cartRef: CartRef, access: JobAccess, cached: CachedCart): CachedCart {
    const entry = { ...cached, dataVersion: dataVersionOf(access, cached.version) }
    this.#carts.set(nameOf(cartRef), entry)
    return entry
  }
}
