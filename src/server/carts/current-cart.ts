import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { type CartChanges, cartChanges } from '#domain/cart/cart-changes.ts'
import type { Mutation, SubjectKey } from '#domain/cart/mutation.ts'
import type { ClosedReason } from '#domain/catalogue/job-availability.ts'
import type { JobAccess } from '../access/sessions/sessions.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { JsonText, type Problem, problem } from '../http/problem.ts'
import { type CachedCart, type CartCache, etagOf, parseCart } from './cart-cache.ts'
import { type CartRef, earlierOrders, type NewCartDetails, readDatedCart } from './store/read-cart.ts'
import { applyAtOnce } from './sync/apply-at-once.ts'
import { applyMutations } from './sync/apply-mutations.ts'
import type { CartTarget } from './sync/cart-closed.ts'
import type { CartCommand } from './sync/command.ts'
import { ownCartContext } from './sync/mutation-context.ts'
import { isOfOwnCart } from './sync/mutation-handlers.ts'
import { readMutationContext } from './sync/read-mutation-context.ts'

export type CartDeps = { readonly deps: Deps; readonly cache: CartCache }

const withDetails = (cart: Cart, { imageLevel, poses, ordered }: NewCartDetails): Cart => ({
  ...cart,
  cartOrderServicesDetails: { ...cart.cartOrderServicesDetails, imageLevel },
  yearBookPoses: poses,
  ...(ordered && { orderedCarts: ordered }),
})

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
  return withDetails(newCart, { imageLevel, ordered, poses: [] })
}

const toCached = (
  cart: Cart,
  { closed, validUntil }: { closed?: ClosedReason | null; validUntil?: Date | null } = {},
): CachedCart => ({
  id: cart.id,
  version: cart.version,
  json: JSON.stringify(cart),
  closed,
  validUntil: validUntil?.getTime() ?? Number.POSITIVE_INFINITY,
})

/** Reads the cart from the database. Dates are compared with the instant of the access, so that both agree. */
export const readFreshCart = async (
  { deps, cache }: CartDeps,
  cartRef: CartRef,
  access: JobAccess,
): Promise<CachedCart> => {
  const dated = await readDatedCart(deps.db, cartRef, access.at)
  if (!dated) return toCached(await readEmptyCart(deps.db, cartRef))
  return cache.store(cartRef, access, toCached(dated.cart, dated))
}

/** Returns the current cart: the cached copy if it is still valid, otherwise read from the database. */
export const currentCart = async (cartDeps: CartDeps, cartRef: CartRef, access: JobAccess): Promise<CachedCart> =>
  cartDeps.cache.find(cartRef, access) ?? (await readFreshCart(cartDeps, cartRef, access))

/** A cart that the first change creates. */
const newCart = ({ job, orderMethod }: CartRef): CachedCart =>
  toCached({ ...emptyCart(job.jobId, orderMethod), version: 1 })

/** The cart that mutations start from. Without a live cart nothing is read; a live one may become an order meanwhile. */
const cartBefore = async (cartDeps: CartDeps, target: CartTarget, access: JobAccess): Promise<CachedCart> => {
  if (!access.carts.some(({ orderMethod }) => orderMethod === target.orderMethod)) return newCart(target)
  const current = await currentCart(cartDeps, target, access)
  return current.id === null ? newCart(target) : current
}

/**
 * Whether the changed cart equals what a read would return: only quantities changed and lines were added, without a
 * background, for subjects that were in the cart already; a new cart may have any subject. A read may order the keys of a
 * crop differently, so its ETag may differ.
 */
const isSameAsRead = (mutations: readonly Mutation[], before: Cart, after: Cart): boolean => {
  const isKnown = ({ subjectId }: SubjectKey): boolean =>
    before.id === null || before.cartPackages.some((line) => line.subjectId === subjectId)
  const additions = mutations.filter((mutation) => mutation.do === 'line.add')
  return (
    mutations.every(({ do: kind }) => kind === 'line.quantity' || kind === 'line.add') &&
    additions.every((addition) => addition.greenScreenBackgroundId === null && isKnown(addition)) &&
    after.cartPackages.length === before.cartPackages.length + additions.length
  )
}

type CartCommands = {
  readonly target: CartTarget
  readonly access: JobAccess
  readonly commands: readonly CartCommand[]
}

type ChangedCart = {
  /** In the order of the commands. */
  readonly results: readonly MutationResult[]
  readonly current: CachedCart
  /** What a device needs that has the cart with this etag; null unless that was the cart before the commands. */
  readonly changesSince: (etag: string) => CartChanges | null
}

/**
 * Applies commands to a cart (section 7). If all of them can be applied to the cart as this process knows it, one statement
 * writes them; otherwise each is applied in its own transaction.
 */
export const changeCart = async (
  cartDeps: CartDeps,
  { target, access, commands }: CartCommands,
): Promise<ChangedCart> => {
  const { deps, cache } = cartDeps
  if (commands.length === 0)
    return { results: [], current: await currentCart(cartDeps, target, access), changesSince: () => null }
  const initial = await cartBefore(cartDeps, target, access)
  const before = parseCart(initial)
  const mutations = commands.flatMap((command) => command.mutations(before))
  const context =
    initial.closed !== undefined && mutations.every(isOfOwnCart)
      ? ownCartContext(initial.closed)
      : await readMutationContext(deps.db, target, { mutations, cart: before, now: access.at })
  const snapshot = { cart: before, context }
  const outcome = await applyAtOnce(deps, { target, changes: access.changes, commands }, snapshot)
  const results = outcome?.results ?? (await applyMutations(deps, target, commands))
  const changed = (current: CachedCart, after?: Cart): ChangedCart => ({
    results,
    current,
    changesSince: (etag) => (etag === etagOf(initial) ? cartChanges(before, after ?? parseCart(current)) : null),
  })
  if (!outcome || !isSameAsRead(mutations, before, outcome.cart))
    return changed(await readFreshCart(cartDeps, target, access))
  const { cart } = outcome
  // Not cached: when the clock will make a new cart look different is only known when it is read.
  if (context.newCart) return changed(toCached(withDetails(cart, context.newCart)))
  const current = { ...initial, version: cart.version, json: JSON.stringify(cart), closed: context.closed }
  return changed(cache.store(target, access, current), cart)
}

/** The answer to a change of a cart: not found if the cart has become an order in the meantime. */
export const cartAnswer = ({ id, json }: CachedCart): JsonText | Problem<'not-found'> =>
  id === null ? problem('not-found') : new JsonText(json)
