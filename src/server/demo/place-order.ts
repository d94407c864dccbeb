import { addDays } from 'date-fns/addDays'
import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { EntryDraft } from '#contract/studio/order-entry.ts'
import { type Change, type Mutation, stampChange } from '#domain/cart/mutation.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { imageChoicesByNode } from '#domain/orders/paper-order.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import { grantAccess, type JobSession } from '../access/grants/grants.ts'
import type { User } from '../access/tokens/access-token.ts'
import { applyMutations } from '../carts/sync/apply-mutations.ts'
import { contentHash } from '../carts/sync/command.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../http/problem.ts'
import { enterOrder } from '../orders/entry/enter-order.ts'
import { buildEntrySale } from '../orders/entry/entry-sale.ts'
import { priceSale } from '../orders/sale/price-sale.ts'
import { applyPromotion } from '../payments/checkout/apply-promotion.ts'
import { readCheckoutContext } from '../payments/checkout/checkout-context.ts'
import { saveCheckout } from '../payments/checkout/save-checkout.ts'
import { submit } from '../payments/checkout/submit-checkout.ts'
import { type DemoOrder, homes } from './demo-orders.ts'

/** An order with what the job has of it: its subject with an image, its packages, and the retouching that it may add. */
export type OrderRequest = {
  readonly job: JobKey
  readonly order: DemoOrder
  readonly subjectId: number
  readonly imageId: number
  readonly packages: readonly Package[]
  readonly retouchId: number
  readonly staff: User
}

/** Throws if the product refused something: the orders of the demo are valid. */
export const accepted = <Result>(result: Result): Exclude<Result, Problem> => {
  if (result instanceof Problem) throw new Error(`The demo was refused: ${JSON.stringify(result)}`)
  return result as Exclude<Result, Problem> // not a problem, as checked above
}

const buyerOf = ({ customer, home }: DemoOrder) => {
  const [firstName = '', lastName = ''] = customer.split(' ')
  const email = `${firstName}.${lastName}@example.com`.toLowerCase()
  return {
    customer: { firstName, lastName, email, phone: '937-555-0117' },
    address: { firstName, lastName, address2: '', ...homes[home] },
  }
}

/** Enters an order that was paid at the counter, by cash or check. */
export const enterPaperOrder = async (
  deps: Deps,
  { job, order, subjectId, imageId, packages, retouchId, staff }: OrderRequest,
): Promise<void> => {
  const service = { subjectId, orderServiceId: retouchId, imageId: null, personalization: null }
  const draft: EntryDraft = {
    ...{ ...buyerOf(order), orderMethod: 'gallery', shippingOption: 'standard', promoCode: order.promoCode ?? '' },
    lines: packages.map(({ id: packageId }) => ({ subjectId, packageId, quantity: 1, imageId, texts: [] })),
    services: order.isRetouched ? [service] : [],
  }
  const entryKey = deps.newId()
  const { sale } = accepted(await buildEntrySale(deps, job, { draft, entryKey }))
  const { totalCents } = await priceSale(deps, sale)
  const method = order.payment === 'check' ? 'check' : 'cash'
  const payment = { method, receivedCents: totalCents, checkNumber: method === 'check' ? '1042' : '' } as const
  const form = { entryKey, draft, totalCents, payment }
  accepted(await enterOrder(deps, { job, user: staff, form }))
}

/** As long as a browser allows for its cookie. */
const sessionDays = 400

/** Opens the session of a customer who sees the subject. */
const openSession = (deps: Deps, { job, subjectId }: OrderRequest): Promise<JobSession> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const times = { created_at: now, seen_at: now, expires_at: addDays(now, sessionDays) }
    const insert = tx.insertInto('customer_sessions').values(times)
    const jobSession = { job, session: await insert.returning('id').executeTakeFirstOrThrow() }
    await grantAccess(tx, deps, jobSession, { kind: 'subject', subjectId })
    return jobSession
  })

const changesOf = ({ newId }: Deps, { order, subjectId, imageId, packages }: OrderRequest): Change[] => [
  ...packages.map(
    (offered): Change => ({
      ...{ do: 'line.add', lineId: newId(), packageId: offered.id, packageVersion: offered.version, quantity: 1 },
      ...{ subjectId, personId: null, greenScreenBackgroundId: null, dataFields: [], textNodes: [] },
      imageNodes: imageChoicesByNode(offered, { subjectImageId: imageId, groupImageId: null }),
    }),
  ),
  ...(order.choosesPose ? [{ do: 'pose.set', subjectId, imageId } as const] : []),
]

const commandOf = (mutation: Mutation) => {
  const { id, do: kind } = mutation
  return { id, kind, bodyHash: contentHash(mutation), mutations: () => [mutation], autofills: true } as const
}

const detailsOf = (order: DemoOrder): CheckoutDetails => {
  const { customer, address } = buyerOf(order)
  return {
    ...{ customer, billingAddress: address, shippingAddress: address, shippingAddressSameAsBillingAddress: true },
    ...{ payMethod: 'card', shippingOption: { code: 'standard' }, isPartOfBatchOrder: false, mailToHome: true },
    ...{ promoCode: { code: null }, paymentToken: null, orderMethod: 'gallery', recreatePaymethod: false },
    ...{ jobVersion: { major: 3, minor: 0 }, isV3Job: true },
  }
}

/**
 * Fills a cart in the gallery and pays for it by card, or places it without a payment if it is free. Returns the
 * customer's session and the checkout.
 */
export const checkOut = async (
  deps: Deps,
  request: OrderRequest,
): Promise<Pick<JobSession, 'session'> & { checkoutId: string }> => {
  const { order } = request
  const cartRef = { ...(await openSession(deps, request)), orderMethod: 'gallery' } as const
  const stamp = { newId: deps.newId, now: () => deps.clock().toISOString() }
  const commands = changesOf(deps, request).map((change) => commandOf(stampChange(change, stamp)))
  const results = await applyMutations(deps, cartRef, commands)
  if (results.some(({ status }) => status !== 'done'))
    throw new Error(`The demo was refused: ${JSON.stringify(results)}`)
  const checkoutId = deps.newId()
  await saveCheckout(deps, cartRef, { checkoutId, details: detailsOf(order) })
  if (order.promoCode !== undefined)
    accepted(await applyPromotion(deps, cartRef, { code: order.promoCode, checkoutId, address: '127.0.0.1' }))
  const checkout = await readCheckoutContext(deps, cartRef)
  if (!checkout) throw new Error('The demo has no cart to pay for')
  const { totalCents } = await priceSale(deps, checkout)
  const payment = { attemptId: deps.newId(), paymentToken: totalCents > 0 ? 'test_visa' : null, totalCents }
  const form = { orderMethod: 'gallery', checkoutId, cartVersion: checkout.cart.version, ...payment } as const
  accepted(await submit(deps, cartRef, form))
  return { session: cartRef.session, checkoutId }
}
