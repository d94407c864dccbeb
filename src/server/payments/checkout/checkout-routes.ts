import type { FastifyInstance } from 'fastify'
import { findPlace, validateAddress } from '#contract/customer/address-calls.ts'
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
import { type Arrival, arrivalText } from '#domain/orders/arrival.ts'
import { promotionCodesLabel } from '#domain/pricing/discounts.ts'
import { normalisePromotionCode, promotionErrorMessages } from '#domain/pricing/promotion.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import { resolveCart } from '#server/carts/store/default-order-method.ts'
import type { CartRef } from '#server/carts/store/read-cart.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { type Handler, mount } from '#server/http/mount.ts'
import { orderNotFound, problem } from '#server/http/problem.ts'
import { typedCodeError } from '#server/orders/sale/checkout-promotion.ts'
import { priceSale, sumsOf } from '#server/orders/sale/price-sale.ts'
import { homeShipping, shippingCents } from '#server/orders/sale/shipping-choice.ts'
import { blockedLinesProblem, offerChangedProblem } from '#server/orders/sale/validate-sale.ts'
import { grantedOrder } from '#server/orders/store/granted-order.ts'
import type { PostalAddress } from '#server/ports/address-check.ts'
import { abandon, readAttemptOutcome } from '../attempts/abandon-attempt.ts'
import { applyPromotion, beingPaidMessage, removePromotion } from './apply-promotion.ts'
import { type CheckoutContext, readCheckoutContext } from './checkout-context.ts'
import { payableIncrease, payIncrease } from './pay-increase.ts'
import { quoteIncrease as priceIncrease } from './quote-increase.ts'
import { methodOfCheckout, orderOfCheckout, saveCheckout } from './save-checkout.ts'
import { payableCart, submit } from './submit-checkout.ts'

type CheckoutDraft = { readonly checkoutId: string; readonly details: CheckoutDetails | null }

const arrivalOf = (arrival: Arrival | null | undefined): string | null => (arrival ? arrivalText(arrival) : null)

const toCheckout = (
  deps: Deps,
  { checkoutId, details }: CheckoutDraft,
  context: CheckoutContext | undefined,
): Checkout => ({
  checkoutId,
  details,
  shippingOptions: context
    ? homeShipping(context).map((option) => ({
        code: option.code,
        name: option.label,
        priceCents: shippingCents(option, context.cart),
      }))
    : [],
  delivery: context?.delivery ?? { batch: false, home: false },
  arrivals: {
    batch: arrivalOf(context?.arrivals.batch),
    home: arrivalOf(context?.arrivals.home),
  },
  payment: {
    provider: deps.payment.name,
    publishableKey: deps.payment.publishableKey,
    account: context?.paymentAccount ?? null,
  },
  ...(context?.takesCodes && { promotion: toPromotion(deps, context) }),
  orderNumber: null,
})

const toPromotion = (deps: Deps, context: CheckoutContext): Checkout['promotion'] => {
  const { promotion } = context
  if (promotion === null) return null
  const error = typedCodeError(deps, context)
  return { code: promotion.code, why: error && promotionErrorMessages[error] }
}

/** Reads the checkout of an order as it was when the order was placed. */
const readOrderedCheckout = async (
  deps: Deps,
  jobSession: JobSession,
  checkoutId: string,
): Promise<Checkout | undefined> => {
  const ordered = await orderOfCheckout(deps, jobSession, checkoutId)
  return (
    ordered && {
      ...toCheckout(deps, { checkoutId, details: ordered.details }, undefined),
      orderNumber: ordered.orderNumber,
    }
  )
}

const readCheckout = async (deps: Deps, cartRef: CartRef, requestedId: string | undefined): Promise<Checkout> => {
  const ordered = requestedId && (await readOrderedCheckout(deps, cartRef, requestedId))
  if (ordered) return ordered
  const context = await readCheckoutContext(deps, cartRef)
  const saved = context?.checkout
  const promoCode = { code: context?.promotion?.code ?? null }
  const details = saved?.details ? { ...saved.details, promoCode } : null
  return toCheckout(deps, { checkoutId: saved?.id ?? requestedId ?? deps.newId(), details }, context)
}

type PostedCheckout = { readonly checkoutId: string; readonly details: CheckoutDetails; readonly address: string }

/**
 * Applies a code that is sent with the details, by the same rules as the route for codes. Details without a code leave the promotion of the
 * checkout unchanged.
 */
const applyPostedCode = async (deps: Deps, cartRef: CartRef, { checkoutId, details, address }: PostedCheckout) => {
  const code = details.promoCode.code?.trim()
  if (!code) return undefined
  const context = await readCheckoutContext(deps, cartRef)
  // For a checkout that became an order there is no context; the caller returns it unchanged.
  if (!context || context.promotion?.code === normalisePromotionCode(code)) return undefined
  return await applyPromotion(deps, cartRef, { code, checkoutId, address })
}

const saveDetails = async (deps: Deps, cartRef: CartRef, input: PostedCheckout) => {
  const promotionProblem = await applyPostedCode(deps, cartRef, input)
  if (promotionProblem) return promotionProblem
  const result = await saveCheckout(deps, cartRef, input)
  if (result === 'saved') return await readCheckout(deps, cartRef, undefined)
  const ordered = await readOrderedCheckout(deps, cartRef, input.checkoutId)
  if (ordered) return ordered
  if (result === 'paying') return problem('refused', beingPaidMessage)
  return result === 'conflict' ? problem('conflict') : problem('refused', 'Your cart is empty')
}

const readTotals = async (deps: Deps, cartRef: CartRef) => {
  const context = await readCheckoutContext(deps, cartRef)
  if (!context || context.cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  const totals = await priceSale(deps, context)
  const shown = { ...sumsOf(totals), promotionCode: promotionCodesLabel(totals.promotions) }
  return blockedLinesProblem(context) ?? offerChangedProblem(context) ?? { ...shown, cartVersion: context.cart.version }
}

const checkAddress = async ({ addresses }: Deps, address: PostalAddress) => {
  const { warning, ...checkedAddress } = await addresses.check(address)
  return { ...checkedAddress, warning }
}

type CartAttempt = { readonly attemptId: string; readonly checkoutId: string }

/** Mounts the routes of the checkout, from its details to the order (section 7). */
export const mountCheckout = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, postCheckout, ({ session, job, request, body: { checkoutId, ...details } }) =>
    saveDetails(
      deps,
      { session, job, orderMethod: details.orderMethod },
      { checkoutId, details, address: clientAddressOf(request) },
    ),
  )
  mount(app, deps, getCheckout, async ({ session, job, query: { orderMethod, checkoutId } }) => {
    const jobSession = { session, job }
    // A checkout id determines the cart, even if the customer sees another one.
    const savedMethod = checkoutId === undefined ? undefined : await methodOfCheckout(deps, jobSession, checkoutId)
    return await readCheckout(deps, await resolveCart(deps, jobSession, orderMethod ?? savedMethod), checkoutId)
  })
  mount(app, deps, postPromotionCode, async ({ session, job, request, body: { orderMethod, ...input } }) => {
    const cartRef = await resolveCart(deps, { session, job }, orderMethod)
    const promotionProblem = await applyPromotion(deps, cartRef, { ...input, address: clientAddressOf(request) })
    return promotionProblem ?? (await readCheckout(deps, cartRef, undefined))
  })
  mount(app, deps, deletePromotionCode, async ({ session, job, query }) => {
    const cartRef = await resolveCart(deps, { session, job }, query.orderMethod)
    return (await removePromotion(deps, cartRef)) ?? (await readCheckout(deps, cartRef, undefined))
  })
  mount(app, deps, findPlace, async ({ params }) => ({ place: await deps.addresses.findPlace(params.zip) }))
  mount(app, deps, validateAddress, ({ body }) => checkAddress(deps, body), { repetition: 'rerun' })
  mount(app, deps, getTotals, async ({ session, job, query }) =>
    readTotals(deps, await resolveCart(deps, { session, job }, query.orderMethod)),
  )
  const findOrder = (session: Session, { jobId, orderId }: { jobId: number; orderId: string }) =>
    grantedOrder(deps.db, session, { orderNumber: orderId, jobId, now: deps.clock() })
  const quoteHandler: Handler<typeof quoteIncrease> = async ({ params, body, session }) => {
    const key = await findOrder(session, params)
    return key ? await priceIncrease(deps, key, body.packages) : orderNotFound()
  }
  mount(app, deps, quoteIncrease, quoteHandler, { repetition: 'rerun' })
  const payHandler: Handler<typeof increaseOrder> = async ({ params, body, session }) => {
    const key = await findOrder(session, params)
    if (!key) return orderNotFound()
    return await payIncrease(deps, { key, orderNumber: key.orderNumber, session }, body)
  }
  mount(app, deps, increaseOrder, payHandler, { repetition: 'rerun' })
  const cartAttempt = ({ params: { attemptId, checkoutId }, session, job }: JobSession & { params: CartAttempt }) => ({
    payable: payableCart(deps, { session, job }, checkoutId),
    attemptId,
  })
  mount(app, deps, getPaymentAttempt, (call) => readAttemptOutcome(deps, cartAttempt(call)))
  mount(app, deps, abandonPaymentAttempt, (call) => abandon(deps, cartAttempt(call)), {
    repetition: 'rerun',
  })
  mount(app, deps, getIncreaseAttempt, async ({ params, session }) => {
    const key = await findOrder(session, params)
    return key ? await readAttemptOutcome(deps, { payable: payableIncrease(key, session), ...params }) : orderNotFound()
  })
  const abandonHandler: Handler<typeof abandonIncreaseAttempt> = async ({ params, session }) => {
    const key = await findOrder(session, params)
    return key ? await abandon(deps, { payable: payableIncrease(key, session), ...params }) : orderNotFound()
  }
  mount(app, deps, abandonIncreaseAttempt, abandonHandler, { repetition: 'rerun' })
  // Attempts are idempotent, and each request must return the current state.
  mount(app, deps, submitCheckout, ({ session, job, body }) => submit(deps, { session, job }, body), {
    repetition: 'rerun',
  })
}
