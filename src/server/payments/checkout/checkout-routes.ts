import type { FastifyInstance } from 'fastify'
import {
  abandonPaymentAttempt,
  type Checkout,
  type CheckoutDetails,
  getCheckout,
  getPaymentAttempt,
  getTotals,
  postCheckout,
  submitCheckout,
} from '#contract/customer/checkout-calls.ts'
import {
  abandonIncreaseAttempt,
  getIncreaseAttempt,
  increaseOrder,
  quoteIncrease,
} from '#contract/customer/order-adjustment-calls.ts'
import { deletePromotionCode, postPromotionCode } from '#contract/customer/promotion-codes.ts'
import { validateAddress } from '#contract/customer/validate-address.ts'
import { normalisePromotionCode, promotionErrorMessages } from '#domain/pricing/promotion.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import { resolveCart } from '#server/carts/store/default-order-method.ts'
import type { CartRef } from '#server/carts/store/read-cart.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { type Handler, mount } from '#server/http/mount.ts'
import { orderNotFound, problem } from '#server/http/problem.ts'
import { promotionError } from '#server/orders/sale/checkout-promotion.ts'
import { priceSale } from '#server/orders/sale/price-sale.ts'
import { homeShipping, shippingCents } from '#server/orders/sale/shipping-choice.ts'
import { pricesChangedProblem, withdrawnLinesProblem } from '#server/orders/sale/validate-sale.ts'
import { grantedOrder } from '#server/orders/store/granted-order.ts'
import { abandon, readAttemptOutcome } from '../attempts/abandon-attempt.ts'
import { applyPromotion, beingPaidMessage, removePromotion } from './apply-promotion.ts'
import { type CheckoutContext, readCheckoutContext } from './checkout-context.ts'
import { payableIncrease, payIncrease } from './pay-increase.ts'
import { quoteIncrease as priceOfMore } from './quote-increase.ts'
import { methodOfCheckout, orderOfCheckout, saveCheckout } from './save-checkout.ts'
import { payableCart, submit } from './submit-checkout.ts'

type CheckoutDraft = { readonly checkoutId: string; readonly details: CheckoutDetails | null }

const shown = (
  deps: Deps,
  { checkoutId, details }: CheckoutDraft,
  situation: CheckoutContext | undefined,
): Checkout => ({
  checkoutId,
  details,
  shippingOptions: situation
    ? homeShipping(situation).map((option) => ({
        code: option.code,
        name: option.label,
        priceCents: shippingCents(option, situation.cart),
      }))
    : [],
  delivery: situation?.delivery ?? { batch: false, home: false },
  payment: {
    provider: deps.payment.name,
    publishableKey: deps.payment.publishableKey,
    account: situation?.stripeAccount ?? null,
  },
  ...(situation?.takesCodes && { promotion: promotionShown(deps, situation) }),
  orderNumber: null,
})

const promotionShown = (deps: Deps, situation: CheckoutContext): Checkout['promotion'] => {
  const { promotion } = situation
  if (promotion === null) return null
  const why = promotionError(deps, situation, promotion)
  return { code: promotion.code, why: why && promotionErrorMessages[why] }
}

/** The checkout that became an order, shown as it was. */
const shownOrdered = async (deps: Deps, visit: JobSession, checkoutId: string): Promise<Checkout | undefined> => {
  const done = await orderOfCheckout(deps, visit, checkoutId)
  return done && { ...shown(deps, { checkoutId, details: done.details }, undefined), orderNumber: done.orderNumber }
}

const show = async (deps: Deps, whose: CartRef, asked: string | undefined): Promise<Checkout> => {
  const done = asked && (await shownOrdered(deps, whose, asked))
  if (done) return done
  const situation = await readCheckoutContext(deps, whose)
  const kept = situation?.checkout
  const promoCode = { code: situation?.promotion?.code ?? null }
  const details = kept?.details ? { ...kept.details, promoCode } : null
  return shown(deps, { checkoutId: kept?.id ?? asked ?? deps.newId(), details }, situation)
}

type PostedCheckout = { readonly checkoutId: string; readonly details: CheckoutDetails; readonly address: string }

/** A code that comes with the details is put to the checkout as by its own call; details without one leave the checkout's as it is. */
const applyPosted = async (deps: Deps, whose: CartRef, { checkoutId, details, address }: PostedCheckout) => {
  const code = details.promoCode.code?.trim()
  if (!code) return undefined
  const situation = await readCheckoutContext(deps, whose)
  // A checkout that became an order is answered as it was.
  if (!situation || situation.promotion?.code === normalisePromotionCode(code)) return undefined
  return await applyPromotion(deps, whose, { code, checkoutId, address })
}

const post = async (deps: Deps, whose: CartRef, named: PostedCheckout) => {
  const refused = await applyPosted(deps, whose, named)
  if (refused) return refused
  const kept = await saveCheckout(deps, whose, named)
  if (kept === 'kept') return await show(deps, whose, undefined)
  const done = await shownOrdered(deps, whose, named.checkoutId)
  if (done) return done
  if (kept === 'paying') return problem('refused', beingPaidMessage)
  return kept === 'conflict' ? problem('conflict') : problem('refused', 'Your cart is empty')
}

const totals = async (deps: Deps, whose: CartRef) => {
  const situation = await readCheckoutContext(deps, whose)
  if (!situation || situation.cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  const { perLine: _, services: __, shipping: ___, ...sums } = await priceSale(deps, situation)
  return (
    withdrawnLinesProblem(situation) ??
    pricesChangedProblem(situation) ?? { ...sums, cartVersion: situation.cart.version }
  )
}

type CartAttempt = { readonly attemptId: string; readonly checkoutId: string }

/** From the details to the order (section 7). */
export const mountCheckout = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, postCheckout, ({ session, job, request, body: { checkoutId, ...details } }) =>
    post(
      deps,
      { session, job, orderMethod: details.orderMethod },
      { checkoutId, details, address: clientAddressOf(request) },
    ),
  )
  mount(app, deps, getCheckout, async ({ session, job, query: { orderMethod, checkoutId } }) => {
    const visit = { session, job }
    // A checkout that is named is of one cart, whichever stands in front of the customer.
    const kept = checkoutId === undefined ? undefined : await methodOfCheckout(deps, visit, checkoutId)
    return await show(deps, await resolveCart(deps, visit, orderMethod ?? kept), checkoutId)
  })
  mount(app, deps, postPromotionCode, async ({ session, job, request, body: { orderMethod, ...wanted } }) => {
    const whose = await resolveCart(deps, { session, job }, orderMethod)
    const refused = await applyPromotion(deps, whose, { ...wanted, address: clientAddressOf(request) })
    return refused ?? (await show(deps, whose, undefined))
  })
  mount(app, deps, deletePromotionCode, async ({ session, job, query }) => {
    const whose = await resolveCart(deps, { session, job }, query.orderMethod)
    return (await removePromotion(deps, whose)) ?? (await show(deps, whose, undefined))
  })
  mount(app, deps, validateAddress, ({ body }) => deps.addresses.check(body), { repetition: 'again' })
  mount(app, deps, getTotals, async ({ session, job, query }) =>
    totals(deps, await resolveCart(deps, { session, job }, query.orderMethod)),
  )
  const found = (session: Session, { jobId, orderId }: { jobId: number; orderId: string }) =>
    grantedOrder(deps.db, session, { orderNumber: orderId, jobId, now: deps.clock() })
  const pricing: Handler<typeof quoteIncrease> = async ({ params, body, session }) => {
    const key = await found(session, params)
    return key ? await priceOfMore(deps, key, body.packages) : orderNotFound()
  }
  mount(app, deps, quoteIncrease, pricing, { repetition: 'again' })
  const paying: Handler<typeof increaseOrder> = async ({ params, body, session }) => {
    const key = await found(session, params)
    if (!key) return orderNotFound()
    return await payIncrease(deps, { key, orderNumber: key.orderNumber, session }, body)
  }
  mount(app, deps, increaseOrder, paying, { repetition: 'again' })
  const ofCart = ({ params: { attemptId, checkoutId }, session, job }: JobSession & { params: CartAttempt }) => ({
    payable: payableCart(deps, { session, job }, checkoutId),
    attemptId,
  })
  mount(app, deps, getPaymentAttempt, (asked) => readAttemptOutcome(deps, ofCart(asked)))
  mount(app, deps, abandonPaymentAttempt, (asked) => abandon(deps, ofCart(asked)), { repetition: 'again' })
  mount(app, deps, getIncreaseAttempt, async ({ params, session }) => {
    const key = await found(session, params)
    return key ? await readAttemptOutcome(deps, { payable: payableIncrease(key, session), ...params }) : orderNotFound()
  })
  const abandoning: Handler<typeof abandonIncreaseAttempt> = async ({ params, session }) => {
    const key = await found(session, params)
    return key ? await abandon(deps, { payable: payableIncrease(key, session), ...params }) : orderNotFound()
  }
  mount(app, deps, abandonIncreaseAttempt, abandoning, { repetition: 'again' })
  // The attempt knows its repetitions, and each question is to hear the newest state.
  mount(app, deps, submitCheckout, ({ session, job, body }) => submit(deps, { session, job }, body), {
    repetition: 'again',
  })
}
