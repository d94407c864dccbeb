import type { FastifyInstance } from 'fastify'
import { deleteCart, getCart, getCartDetails, listCarts, openCart, syncCart } from '#contract/customer/cart-calls.ts'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { lineCents, servicesCents } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { sumCents } from '#domain/pricing/money.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { mountCartLines } from './rest/line-routes.ts'
import { mountCartServices } from './rest/order-service-routes.ts'
import { rejectionProblem, restCommand } from './rest/rest-commands.ts'
import { resolveOnlyCart } from './store/default-order-method.ts'
import { readEmptyCart } from './store/empty-cart.ts'
import { ensureCart, liveCarts } from './store/live-carts.ts'
import { type CartRef, readCart } from './store/read-cart.ts'
import { applyMutations } from './sync/apply-mutations.ts'
import type { CartTarget } from './sync/cart-closed.ts'
import { readMutationContext } from './sync/mutation-context.ts'
import { parseMutation } from './sync/parse-mutation.ts'

const currentCart = async ({ db, clock }: Deps, whose: CartRef): Promise<Cart> =>
  (await readCart(db, whose, clock())) ?? (await readEmptyCart(db, whose))

/** An order method that has closed gets no new cart; an existing one stays readable. */
const open = async (deps: Deps, whose: CartRef): Promise<Cart> => {
  const cart = await currentCart(deps, whose)
  if (cart.id !== null) return cart
  const facts = await readMutationContext(deps.db, whose, { mutations: [], cart, now: deps.clock() })
  if (facts.closed) return cart
  await ensureCart(deps.db, whose, deps.clock())
  return await currentCart(deps, whose)
}

const sync = async (deps: Deps, whose: CartTarget, mutations: readonly unknown[]): Promise<MutationResult[]> => {
  const read = mutations.map(parseMutation)
  const told = read.flatMap((one) => ('mutations' in one ? [one] : []))
  const results = (await applyMutations(deps, whose, told)).values()
  // In the order of the request: a mutation that could not be parsed keeps its position.
  return read.map((one) => ('mutations' in one ? (results.next().value ?? notTold()) : one))
}

const notTold = (): never => {
  throw new Error('a mutation was told and has no result')
}

const whichCart = 'Two carts here hold packages. Say which one to empty: orderMethod is gallery or prepay'

/** The cart calls of devices (section 7). Each call sees only the carts of its own session. */
export const mountCarts = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, openCart, ({ session, job, body }) => open(deps, { session, job, orderMethod: body.orderMethod }))
  mount(app, deps, listCarts, ({ session, job }) => liveCarts(deps.db, { session, job }))
  // Each mutation id is its own idempotency key, so a replay is applied the same way and gets the current cart.
  mount(
    app,
    deps,
    syncCart,
    async ({ session, job, body }) => {
      const whose = { session, job, orderMethod: body.orderMethod }
      return {
        results: await sync(deps, { ...whose, cartId: body.cartId }, body.mutations),
        cart: await currentCart(deps, whose),
      }
    },
    { repetition: 'again' },
  )
  mount(app, deps, getCart, ({ session, job, query }) =>
    currentCart(deps, { session, job, orderMethod: query.orderMethod }),
  )
  mount(app, deps, getCartDetails, async ({ session, job, query }) => {
    const cart = await currentCart(deps, { session, job, orderMethod: query.orderMethod })
    const packagesCents = sumCents(cart.cartPackages.map(lineCents))
    const ofServices = servicesCents(cart)
    return { cart, packagesCents, servicesCents: ofServices, totalCents: packagesCents + ofServices }
  })
  mount(app, deps, deleteCart, async ({ session, job, query, request, key }) => {
    const whose = await resolveOnlyCart(deps, { session, job }, query.orderMethod)
    if (!whose) return problem('refused', whichCart)
    if ((await currentCart(deps, whose)).id === null) return {}
    const told = restCommand(
      deps,
      { session, request, key },
      { kind: 'cart.clear', changes: () => [{ do: 'cart.clear' }] },
    )
    const [result] = await applyMutations(deps, whose, [told])
    return rejectionProblem(result) ?? {}
  })
  mountCartLines(app, deps)
  mountCartServices(app, deps)
}
