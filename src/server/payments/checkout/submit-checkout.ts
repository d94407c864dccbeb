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

type Submitted = Infer<(typeof submitCheckout)['body']>
type Answer = CallOutcome<typeof submitCheckout>

/** The same words that began the attempt; only the bank's answer may be new. */
const isSame = (attempt: PaymentAttempt, body: Submitted): boolean =>
  attempt.checkoutId === body.checkoutId && attempt.amountCents === body.totalCents

const again = async (deps: Deps, attempt: PaymentAttempt, body: Submitted): Promise<Answer> =>
  // A request that arrives after the customer gave the attempt up.
  attempt.state === 'abandoned'
    ? attemptAnswer(deps, attempt)
    : isSame(attempt, body)
      ? await resumeAttempt(deps, attempt, body.authentication)
      : problem('refused', problems['key-reused'].sentence)

const unseenContents = 'Your order changed since you last looked. Please look it over'

/** Prices and checks the cart outside of any transaction, then begins the attempt in one, if nothing changed in between. */
const begin = async (
  deps: Deps,
  whose: CartRef,
  body: Submitted,
): Promise<PaymentAttempt | 'changed' | Exclude<Answer, { outcome: string }>> => {
  const { checkoutId, attemptId, paymentToken, totalCents, cartVersion } = body
  const situation = await readCheckoutContext(deps, whose)
  if (!situation || situation.checkout?.id !== checkoutId) return problem('not-found')
  const { details } = situation.checkout
  if (details === null) return problem('not-found')
  if (situation.cart.state !== 'open') return problem('in-flight', undefined, { retryAfterSeconds: 2 })
  const objection = validateCart(situation) ?? (await validateDetails(deps, situation, details))
  if (objection) return objection
  const totals = await priceSale(deps, situation)
  if (totals.totalCents > maxOrderCents) return problem('refused', orderTooLargeMessage)
  if (situation.cart.version !== cartVersion) return problem('totals-changed', unseenContents)
  if (totals.totalCents !== totalCents) return problem('totals-changed')
  if (totals.totalCents > 0 && paymentToken === null) {
    return problem('refused', 'Please enter your card', { fields: { paymentToken: [validationMessages.required] } })
  }
  const begun = { visit: whose, situation, attemptId, checkoutId, paymentToken, totals }
  const isBegun = await inTransaction(deps.db, (tx) => beginAttempt(tx, deps, begun))
  if (!isBegun) return 'changed'
  return (await readAttempt(deps.db, { studioId: whose.job.studioId, attemptId })) ?? 'changed'
}

const startNew = async (deps: Deps, whose: CartRef, body: Submitted): Promise<Answer> => {
  const { studioId } = whose.job
  const done = await orderOfCheckout(deps, whose, body.checkoutId)
  if (done) return orderedAnswer(done.orderNumber)
  const other = await readOpenAttempt(deps.db, { studioId, checkoutId: body.checkoutId })
  if (other && other.sessionId !== whose.session.id) return problem('not-found')
  if (other) {
    // Another attempt is under way: its outcome first, or the same cart could be paid twice. One that waits for the customer's
    // bank is ended, since they have begun anew.
    const known =
      other.state === 'requires_action' ? await closeAttempt(deps, other) : await refreshAttempt(deps, other)
    if (known.state === 'succeeded') return attemptAnswer(deps, known)
    if (known.state !== 'declined') return inFlightProblem()
  }
  const attempt = await begin(deps, whose, body)
  if (attempt === 'changed') return inFlightProblem()
  if (attempt instanceof Problem) {
    // Another submit may have ended while this one looked: its cart is then gone, and is an order.
    const since = await orderOfCheckout(deps, whose, body.checkoutId)
    return since ? orderedAnswer(since.orderNumber) : attempt
  }
  return attemptAnswer(deps, await chargeAttempt(deps, attempt))
}

/** Whether an attempt is of this session's cart, not of another session's and not for more of an order. */
const isOwnAttempt = (attempt: PaymentAttempt, { session, job }: JobSession): boolean =>
  attempt.sessionId === session.id && attempt.jobId === job.jobId && attempt.orderChange === null

/** A checkout of this visit, as what an attempt pays for. */
export const payableCart = (deps: Deps, { session, job }: JobSession, checkoutId: string): Payable => ({
  studioId: job.studioId,
  sessionId: session.id,
  isPaidBy: (attempt) => isOwnAttempt(attempt, { session, job }),
  outcome: async () => {
    const done = await orderOfCheckout(deps, { session, job }, checkoutId)
    if (done) return { state: 'ordered', orderNumber: done.orderNumber }
    return (await methodOfCheckout(deps, { session, job }, checkoutId)) ? unfinishedOutcome : problem('not-found')
  },
  lock: async (tx) => {
    const orderMethod = await methodOfCheckout({ db: tx }, { session, job }, checkoutId)
    const cart = orderMethod && (await lockCart(tx, { session, job, orderMethod }))
    return cart?.checkout_id === checkoutId ? { checkoutId, orderChange: null } : undefined
  },
})

/**
 * Pays and orders (section 7). The attempt is the key: asked again with the same one, the same outcome comes again and nothing is
 * charged twice, whatever broke off in between.
 */
export const submit = async (deps: Deps, visit: JobSession, body: Submitted): Promise<Answer> => {
  const attempt = await readAttempt(deps.db, { studioId: visit.job.studioId, attemptId: body.attemptId })
  if (attempt) return isOwnAttempt(attempt, visit) ? await again(deps, attempt, body) : problem('not-found')
  return await startNew(deps, { ...visit, orderMethod: body.orderMethod }, body)
}
