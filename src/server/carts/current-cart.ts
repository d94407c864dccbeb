import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import type { JobAccess } from '../access/sessions/sessions.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { JsonText } from '../http/json-text.ts'
import { type Problem, problem } from '../http/problem.ts'
import type { CachedCart, CartCache } from './cart-cache.ts'
import { type CartRef, earlierOrders, readDatedCart } from './store/read-cart.ts'
import { applyAtOnce } from './sync/apply-at-once.ts'
import { applyMutations } from './sync/apply-mutations.ts'
import type { CartTarget } from './sync/cart-closed.ts'
import type { CartCommand } from './sync/command.ts'
import type { MutationContext } from './sync/mutation-context.ts'
import { contextKey, readMutationContext } from './sync/read-mutation-context.ts'

export type CartDeps = { readonly deps: Deps; readonly cache: CartCache }

/**
 * Creates an empty cart, unsaved, with the job's setting for retouching per image and the earlier carts that became
 * orders.
 */
const readEmptyCart = async (db: Db, cartRef: CartRef): Promise<Cart> => {
  const { job, orderMethod } = cartRef
  const newCart = emptyCart(job.jobId, orderMethod)
  const { image_level_service: imageLevel, ordered } = await db
    .selectFrom('jobs')
    .select(['image_level_service', earlierOrders(cartRef).as('ordered')])
    .where('studio_id', '=', job.studioId)
    .where('id', '=', job.jobId)
    .executeTakeFirstOrThrow()
  const cartOrderServicesDetails = { ...newCart.cartOrderServicesDetails, imageLevel }
  return { ...newCart, cartOrderServicesDetails, ...(ordered && { orderedCarts: ordered }) }
}

const toCached = (cart: Cart, validUntil: Date | null): CachedCart => ({
  cart,
  json: JSON.stringify(cart),
  contexts: new Map(),
  validUntil: validUntil?.getTime() ?? Number.POSITIVE_INFINITY,
})

/** Reads the cart from the database; `access` was read before. */
export const readFreshCart = async (
  { deps, cache }: CartDeps,
  cartRef: CartRef,
  access: JobAccess,
): Promise<CachedCart> => {
  const dated = await readDatedCart(deps.db, cartRef, deps.clock())
  if (!dated) return toCached(await readEmptyCart(deps.db, cartRef), null)
  const cached = toCached(dated.cart, dated.validUntil)
  cache.store(cartRef, access, cached)
  return cached
}

/** Returns the current cart: the cached copy if it is still valid, otherwise read from the database. */
export const currentCart = async (cartDeps: CartDeps, cartRef: CartRef, access: JobAccess): Promise<CachedCart> =>
  cartDeps.cache.find(cartRef, access, cartDeps.deps.clock()) ?? (await readFreshCart(cartDeps, cartRef, access))

/** Limits on the contexts cached with a cart: their number, and the length of a key, which the device determines. */
const contextLimits = { count: 8, keyLength: 4_000 }

const contextOf = async (
  { deps }: CartDeps,
  cartRef: CartRef,
  { cart, contexts }: Pick<CachedCart, 'cart' | 'contexts'>,
  mutations: readonly Mutation[],
): Promise<MutationContext> => {
  const key = contextKey(mutations, cart)
  const known = contexts.get(key)
  if (known) return known
  const context = await readMutationContext(deps.db, cartRef, { mutations, cart, now: deps.clock() })
  if (contexts.size >= contextLimits.count) contexts.clear()
  if (key.length <= contextLimits.keyLength) contexts.set(key, context)
  return context
}

/** Whether a changed cart is the same as if it were read: quantities changed, but no line came or went. */
const isComplete = (mutations: readonly Mutation[], before: Cart, after: Cart): boolean =>
  mutations.every((mutation) => mutation.do === 'line.quantity') &&
  before.cartPackages.length === after.cartPackages.length

/** The cart that mutations start from. Without a live cart there is nothing to read; a new one has version 1. */
const cartBefore = async (cartDeps: CartDeps, target: CartTarget, access: JobAccess): Promise<CachedCart> =>
  access.carts.some(({ orderMethod }) => orderMethod === target.orderMethod)
    ? await currentCart(cartDeps, target, access)
    : toCached({ ...emptyCart(target.job.jobId, target.orderMethod), version: 1 }, null)

/**
 * Applies commands to a cart (section 7). Returns their results in order, and the cart afterwards. If all of them can be applied to the
 * cart as this process knows it, one statement writes them; otherwise each is applied in its own transaction.
 */
export const changeCart = async (
  cartDeps: CartDeps,
  target: CartTarget,
  access: JobAccess,
  commands: readonly CartCommand[],
): Promise<{ results: readonly MutationResult[]; current: CachedCart }> => {
  const { deps, cache } = cartDeps
  if (commands.length === 0) return { results: [], current: await currentCart(cartDeps, target, access) }
  const before = await cartBefore(cartDeps, target, access)
  const mutations = commands.flatMap((command) => command.mutations(before.cart))
  const context = await contextOf(cartDeps, target, before, mutations)
  const outcome = await applyAtOnce(deps, target, commands, { cart: before.cart, context })
  if (!outcome) {
    const results = await applyMutations(deps, target, commands)
    return { results, current: await readFreshCart(cartDeps, target, access) }
  }
  const { results, cart } = outcome
  if (!isComplete(mutations, before.cart, cart))
    return { results, current: await readFreshCart(cartDeps, target, access) }
  const current = { ...before, cart, json: JSON.stringify(cart) }
  cache.store(target, access, current)
  return { results, current }
}

/** The answer to a change of a cart. It may have become an order since: then there is none. */
export const cartAnswer = ({ cart, json }: CachedCart): JsonText | Problem<'not-found'> =>
  cart.id === null ? problem('not-found') : new JsonText(json)
