import type { FastifyInstance } from 'fastify'
import {
  abandonAttempt,
  type Checkout,
  type CheckoutDetails,
  getAttempt,
  getCheckout,
  getTotals,
  postCheckout,
  submitCheckout,
} from '#contract/customer/checkout-calls.ts'
import { abandonMoreAttempt, getMoreAttempt, orderMore, priceMore } from '#contract/customer/order-adjustment-calls.ts'
import { deletePromo, postPromo } from '#contract/customer/promotion-codes.ts'
import { validateAddress } from '#contract/customer/validate-address.ts'
import { normalisePromotionCode, promotionSentences } from '#domain/pricing/promotion.ts'
import type { Visit } from '#server/access/grants/grants.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import { cartMeant } from '#server/carts/store/default-order-method.ts'
import type { CartOf } from '#server/carts/store/read-cart.ts'
import type { Deps } from '#server/deps.ts'
import { addressOf } from '#server/http/client-address.ts'
import { type Handler, mount } from '#server/http/mount.ts'
import { noOrder, problem } from '#server/http/problem.ts'
import { whyNotNow } from '#server/orders/sale/checkout-promotion.ts'
import { price } from '#server/orders/sale/price-sale.ts'
import { homeShipping, shippingCents } from '#server/orders/sale/shipping-choice.ts'
import { priceObjection, withdrawnObjection } from '#server/orders/sale/validate-sale.ts'
import { grantedOrder } from '#server/orders/store/granted-order.ts'
import { abandon, outcomeOfAttempt } from '../attempts/abandon-attempt.ts'
import { applyPromo, beingPaid, removePromo } from './apply-promotion.ts'
import { readSituation, type Situation } from './checkout-context.ts'
import { payableMore, payMore } from './pay-increase.ts'
import { priceMore as priceOfMore } from './quote-increase.ts'
import { keepCheckout, methodOfCheckout, orderOfCheckout } from './save-checkout.ts'
import { payableCart, submit } from './submit-checkout.ts'

type Named = { readonly checkoutId: string; readonly details: CheckoutDetails | null }

const shown = (deps: Deps, { checkoutId, details }: Named, situation: Situation | undefined): Checkout => ({
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

const promotionShown = (deps: Deps, situation: Situation): Checkout['promotion'] => {
  const { promotion } = situation
  if (promotion === null) return null
  const why = whyNotNow(deps, situation, promotion)
  return { code: promotion.code, why: why && promotionSentences[why] }
}

/** The checkout that became an order, shown as it was. */
const shownOrdered = async (deps: Deps, visit: Visit, checkoutId: string): Promise<Checkout | undefined> => {
  const done = await orderOfCheckout(deps, visit, checkoutId)
  return done && { ...shown(deps, { checkoutId, details: done.details }, undefined), orderNumber: done.orderNumber }
}

const show = async (deps: Deps, whose: CartOf, asked: string | undefined): Promise<Checkout> => {
  const done = asked && (await shownOrdered(deps, whose, asked))
  if (done) return done
  const situation = await readSituation(deps, whose)
  const kept = situation?.checkout
  const promoCode = { code: situation?.promotion?.code ?? null }
  const details = kept?.details ? { ...kept.details, promoCode } : null
  return shown(deps, { checkoutId: kept?.id ?? asked ?? deps.newId(), details }, situation)
}

type Posted = { readonly checkoutId: string; readonly details: CheckoutDetails; readonly address: string }

/** A code that comes with the details is put to the checkout as by its own call; details without one leave the checkout's as it is. */
const applyPosted = async (deps: Deps, whose: CartOf, { checkoutId, details, address }: Posted) => {
  const code = details.promoCode.code?.trim()
  if (!code) return undefined
  const situation = await readSituation(deps, whose)
  // A checkout that became an order is answered as it was.
  if (!situation || situation.promotion?.code === normalisePromotionCode(code)) return undefined
  return await applyPromo(deps, whose, { code, checkoutId, address })
}

const post = async (deps: Deps, whose: CartOf, named: Posted) => {
  const refused = await applyPosted(deps, whose, named)
  if (refused) return refused
  const kept = await keepCheckout(deps, whose, named)
  if (kept === 'kept') return await show(deps, whose, undefined)
  const done = await shownOrdered(deps, whose, named.checkoutId)
  if (done) return done
  if (kept === 'paying') return problem('refused', beingPaid)
  return kept === 'conflict' ? problem('conflict') : problem('refused', 'Your cart is empty')
}

const totals = async (deps: Deps, whose: CartOf) => {
  const situation = await readSituation(deps, whose)
  if (!situation || situation.cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  const { perLine: _, services: __, shipping: ___, ...sums } = await price(deps, situation)
  return withdrawnObjection(situation) ?? priceObjection(situation) ?? { ...sums, cartVersion: situation.cart.version }
}

type CartAttempt = { readonly attemptId: string; readonly checkoutId: string }

/** From the details to the order (section 7). */
export const mountCheckout = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, postCheckout, ({ session, job, request, body: { checkoutId, ...details } }) =>
    post(
      deps,
      { session, job, orderMethod: details.orderMethod },
      { checkoutId, details, address: addressOf(request) },
    ),
  )
  mount(app, deps, getCheckout, async ({ session, job, query: { orderMethod, checkoutId } }) => {
    const visit = { session, job }
    // A checkout that is named is of one cart, whichever stands in front of the customer.
    const kept = checkoutId === undefined ? undefined : await methodOfCheckout(deps, visit, checkoutId)
    return await show(deps, await cartMeant(deps, visit, orderMethod ?? kept), checkoutId)
  })
  mount(app, deps, postPromo, async ({ session, job, request, body: { orderMethod, ...wanted } }) => {
    const whose = await cartMeant(deps, { session, job }, orderMethod)
    const refused = await applyPromo(deps, whose, { ...wanted, address: addressOf(request) })
    return refused ?? (await show(deps, whose, undefined))
  })
  mount(app, deps, deletePromo, async ({ session, job, query }) => {
    const whose = await cartMeant(deps, { session, job }, query.orderMethod)
    return (await removePromo(deps, whose)) ?? (await show(deps, whose, undefined))
  })
  mount(app, deps, validateAddress, ({ body }) => deps.addresses.check(body), { repetition: 'again' })
  mount(app, deps, getTotals, async ({ session, job, query }) =>
    totals(deps, await cartMeant(deps, { session, job }, query.orderMethod)),
  )
  const found = (session: Session, { jobId, orderId }: { jobId: number; orderId: string }) =>
    grantedOrder(deps.db, session, { orderNumber: orderId, jobId, now: deps.clock() })
  const pricing: Handler<typeof priceMore> = async ({ params, body, session }) => {
    const key = await found(session, params)
    return key ? await priceOfMore(deps, key, body.packages) : noOrder()
  }
  mount(app, deps, priceMore, pricing, { repetition: 'again' })
  const paying: Handler<typeof orderMore> = async ({ params, body, session }) => {
    const key = await found(session, params)
    if (!key) return noOrder()
    return await payMore(deps, { key, orderNumber: key.orderNumber, session }, body)
  }
  mount(app, deps, orderMore, paying, { repetition: 'again' })
  const ofCart = ({ params: { attemptId, checkoutId }, session, job }: Visit & { params: CartAttempt }) => ({
    payable: payableCart(deps, { session, job }, checkoutId),
    attemptId,
  })
  mount(app, deps, getAttempt, (asked) => outcomeOfAttempt(deps, ofCart(asked)))
  mount(app, deps, abandonAttempt, (asked) => abandon(deps, ofCart(asked)), { repetition: 'again' })
  mount(app, deps, getMoreAttempt, async ({ params, session }) => {
    const key = await found(session, params)
    return key ? await outcomeOfAttempt(deps, { payable: payableMore(key, session), ...params }) : noOrder()
  })
  const abandoning: Handler<typeof abandonMoreAttempt> = async ({ params, session }) => {
    const key = await found(session, params)
    return key ? await abandon(deps, { payable: payableMore(key, session), ...params }) : noOrder()
  }
  mount(app, deps, abandonMoreAttempt, abandoning, { repetition: 'again' })
  // The attempt knows its repetitions, and each question is to hear the newest state.
  mount(app, deps, submitCheckout, ({ session, job, body }) => submit(deps, { session, job }, body), {
    repetition: 'again',
  })
}
