import type { FastifyInstance } from 'fastify'
import { deleteCart, getCart, getCartDetails, listCarts, openCart, syncCart } from '#contract/customer/cart-calls.ts'
import { lineCents, servicesCents } from '#domain/cart/add-ons.ts'
import { sumCents } from '#domain/pricing/money.ts'
import type { JobAccess } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { type CallRequest, mount } from '../http/mount.ts'
import { JsonText, problem } from '../http/problem.ts'
import { CartCache, etagOf, parseCart } from './cart-cache.ts'
import { type CartDeps, changeCart, currentCart, readFreshCart } from './current-cart.ts'
import { mountCartLines } from './rest/line-routes.ts'
import { mountCartServices } from './rest/order-service-routes.ts'
import { rejectionProblem, restCommand } from './rest/rest-commands.ts'
import { resolveOnlyCart } from './store/default-order-method.ts'
import { ensureCart } from './store/live-carts.ts'
import type { CartRef } from './store/read-cart.ts'
import { parseMutation } from './sync/parse-mutation.ts'
import { readProcessedMutations } from './sync/processed-mutations.ts'
import { readMutationContext } from './sync/read-mutation-context.ts'

/** Returns the cart, and creates it if the order method is open. An existing cart of a closed method stays readable. */
const openOrReadCart = async (cartDeps: CartDeps, cartRef: CartRef, access: JobAccess): Promise<JsonText> => {
  const { deps } = cartDeps
  const current = await currentCart(cartDeps, cartRef, access)
  if (current.id !== null) return new JsonText(current.json)
  const cart = parseCart(current)
  const context = await readMutationContext(deps.db, cartRef, { mutations: [], cart, now: deps.clock() })
  if (context.closed) return new JsonText(current.json)
  await ensureCart(deps.db, cartRef, deps.clock())
  return new JsonText((await currentCart(cartDeps, cartRef, access)).json)
}

type SyncRequest = Pick<CallRequest<typeof syncCart>, 'session' | 'job' | 'body' | 'access'>

/** Applies the mutations of a request. The results are in the order of the request; those of `sentBefore` come last. */
const applySync = async (cartDeps: CartDeps, { session, job, body, access }: SyncRequest): Promise<JsonText> => {
  const { orderMethod, cartId, mutations, sentBefore = [], base } = body
  const cartRef = { session, job, orderMethod }
  const parsed = mutations.map(parseMutation)
  const commands = parsed.flatMap((item) => ('mutations' in item ? [item] : []))
  const { results, current, changesSince } = await changeCart(cartDeps, {
    target: { ...cartRef, cartId },
    access,
    commands,
  })
  const applied = results.values()
  const processedMutations = await readProcessedMutations(
    cartDeps.deps.db,
    cartRef,
    sentBefore.map((id) => ({ id })),
  )
  // One of them may have been processed after the cart was read, and the returned cart must contain the effects of all results.
  const isCurrent = processedMutations.size === 0
  const cart = isCurrent ? current : await readFreshCart(cartDeps, cartRef, access)
  const changes = isCurrent && base !== undefined ? changesSince(base) : null
  const allResults = [
    // Keeps the order of the request: the result of a mutation that could not be parsed stays at its position.
    ...parsed.map((item) => ('mutations' in item ? (applied.next().value ?? throwMissingResult()) : item)),
    ...[...processedMutations.values()].map(({ answer }) => answer),
  ]
  const cartJson = changes ? `"changes":${JSON.stringify(changes)}` : `"cart":${cart.json}`
  return new JsonText(`{"results":${JSON.stringify(allResults)},"etag":${JSON.stringify(etagOf(cart))},${cartJson}}`)
}

const throwMissingResult = (): never => {
  throw new Error('an applied mutation has no result')
}

const ambiguousCartMessage = 'Two carts here hold packages. Say which one to empty: orderMethod is gallery or prepay'

/** The cart calls of devices (section 7). Each call sees only the carts of its own session. */
export const mountCarts = (app: FastifyInstance, deps: Deps): void => {
  const cartDeps = { deps, cache: new CartCache() }
  mount(app, deps, openCart, ({ session, job, body, access }) =>
    openOrReadCart(cartDeps, { session, job, orderMethod: body.orderMethod }, access),
  )
  mount(app, deps, listCarts, async ({ access }) => [...access.carts])
  // Each mutation id is its own idempotency key, so a replay is applied the same way and gets the current cart.
  mount(app, deps, syncCart, (callRequest) => applySync(cartDeps, callRequest), { repetition: 'rerun' })
  mount(app, deps, getCart, async ({ session, job, query, access }) => {
    const cartRef = { session, job, orderMethod: query.orderMethod }
    const current = await currentCart(cartDeps, cartRef, access)
    return new JsonText(current.json, etagOf(current))
  })
  mount(app, deps, getCartDetails, async ({ session, job, query, access }) => {
    const cart = parseCart(await currentCart(cartDeps, { session, job, orderMethod: query.orderMethod }, access))
    const packagesCents = sumCents(cart.cartPackages.map(lineCents))
    const serviceTotalCents = servicesCents(cart)
    return { cart, packagesCents, servicesCents: serviceTotalCents, totalCents: packagesCents + serviceTotalCents }
  })
  mount(app, deps, deleteCart, async ({ session, job, query, request, key, access }) => {
    const cartRef = await resolveOnlyCart(deps, { session, job }, query.orderMethod)
    if (!cartRef) return problem('refused', ambiguousCartMessage)
    if (!access.carts.some(({ orderMethod }) => orderMethod === cartRef.orderMethod)) return {}
    const command = restCommand(
      deps,
      { session, request, key },
      { kind: 'cart.clear', changes: () => [{ do: 'cart.clear' }] },
    )
    const { results } = await changeCart(cartDeps, { target: cartRef, access, commands: [command] })
    return rejectionProblem(results[0]) ?? {}
  })
  mountCartLines(app, cartDeps)
  mountCartServices(app, cartDeps)
}
