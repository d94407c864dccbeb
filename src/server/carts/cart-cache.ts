import { LRUCache } from 'lru-cache'
import type { Cart } from '#domain/cart/cart.ts'
import type { JobAccess } from '#server/access/sessions/sessions.ts'
import { hashOf } from '#server/http/hash.ts'
import type { CartRef } from './store/read-cart.ts'
import type { MutationContext } from './sync/mutation-context.ts'

/** A cart as it was read, with what was read to check its mutations. */
export type CachedCart = {
  readonly cart: Cart
  /** The cart as JSON. */
  readonly json: string
  /** Contexts by what their mutations refer to. */
  readonly contexts: Map<string, MutationContext>
  /** The instant in milliseconds from which the cart may look different without a change of data; Infinity if never. */
  readonly validUntil: number
}

type CacheEntry = CachedCart & {
  /** The state of the data in which the cart was read. */
  readonly state: string
}

/** Limits in characters of JSON; in memory a cart takes about four times as much. */
const limits = { maxSize: 16_000_000, maxEntrySize: 500_000 } as const

/** Names of children do not stay in memory for longer than this without a request for the cart. */
const lifetimeMilliseconds = 10 * 60_000

const nameOf = ({ session, job, orderMethod }: CartRef): string => `${session.id} ${job.jobId} ${orderMethod}`

type State = Pick<JobAccess, 'imagesVersion' | 'changes'>

/** The state of the data that a cart depends on. A cart that was read in the same state is still valid. */
const stateOf = ({ imagesVersion, changes }: State, version: number): string => `${version} ${changes} ${imagesVersion}`

/** Identifies what a cart looks like, so that a device that has it need not get it again. */
export const etagOf = ({ json }: CachedCart): string => hashOf(json)

/**
 * Carts that this process read, to save reading them again for every request. `JobAccess`, which every request reads, tells whether a
 * cached cart is still valid: by the version of the cart, the number of changes in its job, and what the session may see. So any number of
 * servers may cache the same cart.
 */
export class CartCache {
  readonly #carts = new LRUCache<string, CacheEntry>({
    ...limits,
    sizeCalculation: ({ json }) => json.length,
    ttl: lifetimeMilliseconds,
    updateAgeOnGet: true,
  })

  /** Returns a cart that is as it would be if it were read now; undefined if it has to be read. */
  find(cartRef: CartRef, access: JobAccess, now: Date): CachedCart | undefined {
    const live = access.carts.find(({ orderMethod }) => orderMethod === cartRef.orderMethod)
    const entry = live && this.#carts.get(nameOf(cartRef))
    if (!entry || live.id !== entry.cart.id || entry.validUntil <= now.getTime()) return undefined
    return entry.state === stateOf(access, live.version) ? entry : undefined
  }

  /** Stores a cart that was read or changed after `state` was read. */
  store(cartRef: CartRef, state: State, cached: CachedCart): void {
    this.#carts.set(nameOf(cartRef), { ...cached, state: stateOf(state, cached.cart.version) })
  }
}
