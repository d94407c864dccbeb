import type { Infer } from 'superstruct'
import type { submitCheckout } from '#contract/customer/checkout-calls.ts'
import { problems } from '#contract/shapes/problems.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { CartRef } from '#server/carts/store/read-cart.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import type { CallOutcome } from '#server/http/mount.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { maxOrderCents, orderTooLargeMessage, priceSale } from '#server/orders/sale/price-sale.ts'
import { type Payable, unfinishedOutcome } from '../attempts/abandon-attempt.ts'
import { chargeAttempt, closeAttempt, refreshAttempt } from '../attempts/charge-attempt.ts'
import { beginAttempt, type PaymentAttempt, readAttempt, readOpenAttempt } from '../attempts/payment-attempts.ts'
import { attemptAnswer, inFlightProblem, orderedAnswer, resumeAttempt } from '../attempts/resume-attempt.ts'
import { readCheckoutContext } from './checkout-context.ts'
import { lockCart, methodOfCheckout, orderOfCheckout } from './save-checkout.ts'
import { validateCart } from './validate-cart.ts'
import { validateDetails } from './validate-details.ts'

type SubmitInput = Infer<(typeof submitCheckout)['body']>
type Answer = CallOutcome<typeof submitCheckout>

/** Whether a retry is for the same payment; only the bank's answer may differ. */
const isSamePayment = (attempt: PaymentAttempt, body: SubmitInput): boolean =>
  attempt.checkoutId === body.checkoutId && attempt.amountCents === body.totalCents

const retryAttempt = async (deps: Deps, attempt: PaymentAttempt, body: SubmitInput): Promise<Answer> =>
  // The request arrived after the customer abandoned the attempt.
  attempt.state === 'abandoned'
    ? attemptAnswer(deps, attempt)
    : isSamePayment(attempt, body)
      ? await resumeAttempt(deps, attempt, body.authentication)
      : problem('refused', problems['key-reused'].sentence)

const orderChangedMessage = 'Your order changed since you last looked. Please look it over'

/**
 * Prices and validates the cart outside any transaction, then begins the attempt in one if nothing changed meanwhile.
 */
const beginPayment = async (
  deps: Deps,
  cartRef: CartRef,
  body: SubmitInput,
): Promise<PaymentAttempt | 'changed' | Exclude<Answer, { outcome: string }>> => {
  const { checkoutId, attemptId, paymentToken, totalCents, cartVersion } = body
  const context = await readCheckoutContext(deps, cartRef)
  if (!context || context.checkout?.id !== checkoutId) return problem('not-found')
  const { details } = context.checkout
  if (details === null) return problem('not-found')
  if (context.cart.state !== 'open') return problem('in-flight', undefined, { retryAfterSeconds: 2 })
  const invalid = validateCart(context) ?? (await validateDetails(deps, context, details))
  if (invalid) return invalid
  const totals = await priceSale(deps, context)
  if (totals.totalCents > maxOrderCents) return problem('refused', orderTooLargeMessage)
  if (context.cart.version !== cartVersion) return problem('totals-changed', orderChangedMessage)
  if (totals.totalCents !== totalCents) return problem('totals-changed')
  if (totals.totalCents > 0 && paymentToken === null) {
    return problem('refused', 'Please enter your card', { fields: { paymentToken: [validationMessages.required] } })
  }
  const pricedCheckout = { visit: cartRef, situation: context, attemptId, checkoutId, paymentToken, totals }
  const isBegun = await inTransaction(deps.db, (tx) => beginAttempt(tx, deps, pricedCheckout))
  if (!isBegun) return 'changed'
  return (await readAttempt(deps.db, { studioId: cartRef.job.studioId, attemptId })) ?? 'changed'
}

const startNew = async (deps: Deps, cartRef: CartRef, body: SubmitInput): Promise<Answer> => {
  const { studioId } = cartRef.job
  const ordered = await orderOfCheckout(deps, cartRef, body.checkoutId)
  if (ordered) return orderedAnswer(ordered.orderNumber)
  const other = await readOpenAttempt(deps.db, { studioId, checkoutId: body.checkoutId })
  if (other && other.sessionId !== cartRef.session.id) return problem('not-found')
  if (other) {
    // Another attempt is open: learn its outcome first, or the cart could be paid twice. One that waits for
    // authentication is closed, because the customer has started over.
    const settled =
      other.state === 'requires_action' ? await closeAttempt(deps, other) : await refreshAttempt(deps, other)
    if (settled.state === 'succeeded') return attemptAnswer(deps, settled)
    if (settled.state !== 'declined') return inFlightProblem()
  }
  const attempt = await beginPayment(deps, cartRef, body)
  if (attempt === 'changed') return inFlightProblem()
  if (attempt instanceof Problem) {
    // Another submit may have finished meanwhile, so that this cart is an order by now.
    const orderedMeanwhile = await orderOfCheckout(deps, cartRef, body.checkoutId)
    return orderedMeanwhile ? orderedAnswer(orderedMeanwhile.orderNumber) : attempt
  }
  return attemptAnswer(deps, await chargeAttempt(deps, attempt))
}

/** Whether an attempt pays for a cart of this session, and not for an increase of an order. */
const isOwnAttempt = (attempt: PaymentAttempt, { session, job }: JobSession): boolean =>
  attempt.sessionId === session.id && attempt.jobId === job.jobId && attempt.orderChange === null

/** A checkout of this session, as something an attempt can pay for. */
export const payableCart = (deps: Deps, { session, job }: JobSession, checkoutId: string): Payable => ({
  studioId: job.studioId,
  sessionId: session.id,
  isPaidBy: (attempt) => isOwnAttempt(attempt, { session, job }),
  outcome: async () => {
    const ordered = await orderOfCheckout(deps, { session, job }, checkoutId)
    if (ordered) return { state: 'ordered', orderNumber: ordered.orderNumber }
    return (await methodOfCheckout(deps, { session, job }, checkoutId)) ? unfinishedOutcome : problem('not-found')
  },
  lock: async (tx) => {
    const orderMethod = await methodOfCheckout({ db: tx }, { session, job }, checkoutId)
    const cart = orderMethod && (await lockCart(tx, { session, job, orderMethod }))
    return cart?.checkout_id === checkoutId ? { checkoutId, orderChange: null } : undefined
  },
})

/**
 * Pays and orders (section 7). The attempt id is the idempotency key: a retry returns the same outcome and charges
 * nothing twice.
 */
export const submit = async (deps: Deps, visit: JobSession, body: SubmitInput): Promise<Answer> => {
  const attempt = await readAttempt(deps.db, { studioId: visit.job.studioId, attemptId: body.attemptId })
  if (attempt) return isOwnAttempt(attempt, visit) ? await retryAttempt(deps, attempt, body) : problem('not-found')
  return await startNew(deps, { ...visit, orderMethod: body.orderMethod }, body)
}
