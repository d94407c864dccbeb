import type { FastifyInstance } from 'fastify'
import { deleteCart, getCart, getCartDetails, listCarts, openCart, syncCart } from '#contract/customer/cart-calls.ts'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { lineCents, servicesCents } from '#domain/cart/add-ons.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { sumCents } from '#domain/pricing/money.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { mountCartLines } from './rest/line-routes.ts'
import { mountCartServices } from './rest/order-service-routes.ts'
import { rejectionProblem, restCommand } from './rest/rest-commands.ts'
import { resolveOnlyCart } from './store/default-order-method.ts'
import { ensureCart, liveCarts } from './store/live-carts.ts'
import { type CartRef, earlierOrders, readCart } from './store/read-cart.ts'
import { applyMutations } from './sync/apply-mutations.ts'
import type { CartTarget } from './sync/cart-closed.ts'
import { parseMutation } from './sync/parse-mutation.ts'
import { readProcessedMutations } from './sync/processed-mutations.ts'
import { readMutationContext } from './sync/read-mutation-context.ts'

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

const currentCart = async ({ db, clock }: Deps, cartRef: CartRef): Promise<Cart> =>
  (await readCart(db, cartRef, clock())) ?? (await readEmptyCart(db, cartRef))

/** Returns the cart, and creates it if the order method is open. An existing cart of a closed method stays readable. */
const openOrReadCart = async (deps: Deps, cartRef: CartRef): Promise<Cart> => {
  const cart = await currentCart(deps, cartRef)
  if (cart.id !== null) return cart
  const context = await readMutationContext(deps.db, cartRef, { mutations: [], cart, now: deps.clock() })
  if (context.closed) return cart
  await ensureCart(deps.db, cartRef, deps.clock())
  return await currentCart(deps, cartRef)
}

const syncMutations = async (
  deps: Deps,
  cartRef: CartTarget,
  mutations: readonly unknown[],
): Promise<MutationResult[]> => {
  const parsed = mutations.map(parseMutation)
  const commands = parsed.flatMap((item) => ('mutations' in item ? [item] : []))
  const results = (await applyMutations(deps, cartRef, commands)).values()
  // Keeps the order of the request: the result of a mutation that could not be parsed stays at its position.
  return parsed.map((item) => ('mutations' in item ? (results.next().value ?? throwMissingResult()) : item))
}

const throwMissingResult = (): never => {
  throw new Error('an applied mutation has no result')
}

const ambiguousCartMessage = 'Two carts here hold packages. Say which one to empty: orderMethod is gallery or prepay'

/** The cart calls of devices (section 7). Each call sees only the carts of its own session. */
export const mountCarts = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, openCart, ({ session, job, body }) =>
    openOrReadCart(deps, { session, job, orderMethod: body.orderMethod }),
  )
  mount(app, deps, listCarts, ({ session, job }) => liveCarts(deps.db, { session, job }))
  // Each mutation id is its own idempotency key, so a replay is applied the same way and gets the current cart.
  mount(
    app,
    deps,
    syncCart,
    async ({ session, job, body }) => {
      const { orderMethod, cartId, mutations, sentBefore = [] } = body
      const cartRef = { session, job, orderMethod }
      const results = await syncMutations(deps, { ...cartRef, cartId }, mutations)
      const processedMutations = await readProcessedMutations(
        deps.db,
        cartRef,
        sentBefore.map((id) => ({ id })),
      )
      return {
        results: [...results, ...[...processedMutations.values()].map(({ answer }) => answer)],
        cart: await currentCart(deps, cartRef),
      }
    },
    { repetition: 'rerun' },
  )
  mount(app, deps, getCart, ({ session, job, query }) =>
    currentCart(deps, { session, job, orderMethod: query.orderMethod }),
  )
  mount(app, deps, getCartDetails, async ({ session, job, query }) => {
    const cart = await currentCart(deps, { session, job, orderMethod: query.orderMethod })
    const packagesCents = sumCents(cart.cartPackages.map(lineCents))
    const serviceTotalCents = servicesCents(cart)
    return { cart, packagesCents, servicesCents: serviceTotalCents, totalCents: packagesCents + serviceTotalCents }
  })
  mount(app, deps, deleteCart, async ({ session, job, query, request, key }) => {
    const cartRef = await resolveOnlyCart(deps, { session, job }, query.orderMethod)
    if (!cartRef) return problem('refused', ambiguousCartMessage)
    if ((await currentCart(deps, cartRef)).id === null) return {}
    const command = restCommand(
      deps,
      { session, request, key },
      { kind: 'cart.clear', changes: () => [{ do: 'cart.clear' }] },
    )
    const [result] = await applyMutations(deps, cartRef, [command])
    return rejectionProblem(result) ?? {}
  })
  mountCartLines(app, deps)
  mountCartServices(app, deps)
}
