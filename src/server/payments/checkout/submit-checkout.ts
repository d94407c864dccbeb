import type { Infer } from 'superstruct'
import type { submitCheckout } from '#contract/customer/checkout-calls.ts'
import { problems } from '#contract/shapes/problems.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { CartRef } from '#server/carts/store/read-cart.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { CallOutcome } from '#server/http/mount.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { maxOrderCents, orderTooLargeMessage, priceSale } from '#server/orders/sale/price-sale.ts'
import { type Payable, unfinishedOutcome } from '../attempts/abandon-attempt.ts'
import { chargeAttempt, closeAttempt, refreshAttempt } from '../attempts/charge-attempt.ts'
import { beginAttempt, type PaymentAttempt, readAttempt, readOpenAttempt } from '../attempts/payment-attempts.ts'
import { attemptResponse, inFlightProblem, orderedResponse, resumeAttempt } from '../attempts/resume-attempt.ts'
import { readCheckoutContext } from './checkout-context.ts'
import { lockCart, methodOfCheckout, orderOfCheckout } from './save-checkout.ts'
import { validateCart } from './validate-cart.ts'
import { validateDetails } from './validate-details.ts'

type SubmitInput = Infer<(typeof submitCheckout)['body']>
type SubmitResponse = CallOutcome<typeof submitCheckout>

/** Whether a retry is for the same payment; its checkout and amount must be the same. */
const isSamePayment = (attempt: PaymentAttempt, body: SubmitInput): boolean =>
  attempt.checkoutId === body.checkoutId && attempt.amountCents === body.totalCents

const respondToRetry = async (deps: Deps, attempt: PaymentAttempt, body: SubmitInput): Promise<SubmitResponse> =>
  // The request arrived after the customer abandoned the attempt.
  attempt.state === 'abandoned'
    ? attemptResponse(deps, attempt)
    : isSamePayment(attempt, body)
      ? await resumeAttempt(deps, attempt, body.authentication)
      : problem('refused', problems['key-reused'].message)

const orderChangedMessage = 'Your order changed since you last looked. Please check it'

/** Prices and validates the cart outside any transaction. Then begins the attempt in a transaction if nothing changed meanwhile. */
const beginPayment = async (
  deps: Deps,
  cartRef: CartRef,
  body: SubmitInput,
): Promise<PaymentAttempt | 'changed' | Exclude<SubmitResponse, { outcome: string }>> => {
  const { checkoutId, attemptId, paymentToken, totalCents, cartVersion } = body
  const context = await readCheckoutContext(deps, cartRef)
  if (!context || context.checkout?.id !== checkoutId) return problem('not-found')
  const { details } = context.checkout
  if (details === null) return problem('not-found')
  if (context.cart.state !== 'open') return problem('in-flight', undefined, { retryAfterSeconds: 2 })
  const checkoutProblem = validateCart(context) ?? (await validateDetails(deps, context, details))
  if (checkoutProblem) return checkoutProblem
  const totals = await priceSale(deps, context)
  if (totals.totalCents > maxOrderCents) return problem('refused', orderTooLargeMessage)
  if (context.cart.version !== cartVersion) return problem('totals-changed', orderChangedMessage)
  if (totals.totalCents !== totalCents) return problem('totals-changed')
  if (totals.totalCents > 0 && paymentToken === null) {
    return problem('refused', 'Please enter your card', { fields: { paymentToken: [validationMessages.required] } })
  }
  const pricedCheckout = { jobSession: cartRef, context, attemptId, checkoutId, paymentToken, totals }
  const isBegun = await inTransaction(deps.db, (tx) => beginAttempt(tx, deps, pricedCheckout))
  if (!isBegun) return 'changed'
  return (await readAttempt(deps.db, { studioId: cartRef.job.studioId, attemptId })) ?? 'changed'
}

const startAttempt = async (deps: Deps, cartRef: CartRef, body: SubmitInput): Promise<SubmitResponse> => {
  const { studioId } = cartRef.job
  const order = await orderOfCheckout(deps, cartRef, body.checkoutId)
  if (order) return orderedResponse(order.orderNumber)
  const openAttempt = await readOpenAttempt(deps.db, { studioId, checkoutId: body.checkoutId })
  if (openAttempt && openAttempt.sessionId !== cartRef.session.id) return problem('not-found')
  if (openAttempt) {
    // The outcome of the open attempt must be known first, or the cart could be paid twice. An attempt that waits for authentication is
    // closed, because the customer has started again.
    const settled =
      openAttempt.state === 'requires_action'
        ? await closeAttempt(deps, openAttempt)
        : await refreshAttempt(deps, openAttempt)
    if (settled.state === 'succeeded') return attemptResponse(deps, settled)
    if (settled.state !== 'declined') return inFlightProblem()
  }
  const attempt = await beginPayment(deps, cartRef, body)
  if (attempt === 'changed') return inFlightProblem()
  if (attempt instanceof Problem) {
    // Another submit may have finished meanwhile, so that this cart has become an order.
    const orderPlacedMeanwhile = await orderOfCheckout(deps, cartRef, body.checkoutId)
    return orderPlacedMeanwhile ? orderedResponse(orderPlacedMeanwhile.orderNumber) : attempt
  }
  return attemptResponse(deps, await chargeAttempt(deps, attempt))
}

/** Whether an attempt pays for a cart of this session, and not for an increase of an order. */
const isOwnAttempt = (attempt: PaymentAttempt, { session, job }: JobSession): boolean =>
  attempt.sessionId === session.id && attempt.jobId === job.jobId && attempt.orderChange === null

/** A checkout of this session, as what a payment pays for. */
export const payableCart = (deps: Deps, { session, job }: JobSession, checkoutId: string): Payable => ({
  studioId: job.studioId,
  sessionId: session.id,
  isPaidBy: (attempt) => isOwnAttempt(attempt, { session, job }),
  outcome: async () => {
    const order = await orderOfCheckout(deps, { session, job }, checkoutId)
    if (order) return { state: 'ordered', orderNumber: order.orderNumber }
    return (await methodOfCheckout(deps, { session, job }, checkoutId)) ? unfinishedOutcome : problem('not-found')
  },
  lock: async (tx) => {
    const orderMethod = await methodOfCheckout({ db: tx }, { session, job }, checkoutId)
    const cart = orderMethod && (await lockCart(tx, { session, job, orderMethod }))
    return cart?.checkout_id === checkoutId ? { checkoutId, orderChange: null } : undefined
  },
})

/**
 * Pays for a cart and orders it (section 7). The attempt id is the idempotency key: a retry returns the same outcome and charges nothing a
 * second time.
 */
export const submit = async (deps: Deps, jobSession: JobSession, body: SubmitInput): Promise<SubmitResponse> => {
  const attempt = await readAttempt(deps.db, { studioId: jobSession.job.studioId, attemptId: body.attemptId })
  if (attempt)
    return isOwnAttempt(attempt, jobSession) ? await respondToRetry(deps, attempt, body) : problem('not-found')
  return await startAttempt(deps, { ...jobSession, orderMethod: body.orderMethod }, body)
}
