import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { increaseOrder } from '#contract/customer/order-adjustment-calls.ts'
import { problems } from '#contract/shapes/problems.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { OrderChange } from '#server/database/tables/order-tables.ts'
import type { Deps } from '#server/deps.ts'
import type { CallOutcome } from '#server/http/mount.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { lockOrder } from '#server/orders/store/move-order.ts'
import type { OrderKey } from '#server/orders/store/sold-lines.ts'
import { readSoldOrder } from '#server/orders/store/sold-order.ts'
import { readLinesWithWithdrawnContent } from '#server/orders/store/withdrawn-lines.ts'
import { type Payable, unfinishedOutcome } from '../attempts/abandon-attempt.ts'
import { chargeAttempt, closeAttempt, refreshAttempt } from '../attempts/charge-attempt.ts'
import {
  isOpenAttempt,
  type PaymentAttempt,
  readAttempt,
  readOpenAttempt,
  writeAttempt,
} from '../attempts/payment-attempts.ts'
import { attemptResponse, inFlightProblem, resumeAttempt } from '../attempts/resume-attempt.ts'
import { packageQuantities } from './increase-order.ts'
import { changesOf, type IncreasePlan, planIncrease, withdrawnProblem } from './quote-increase.ts'

type IncreaseInput = Infer<(typeof increaseOrder)['body']>
type IncreaseResponse = CallOutcome<typeof increaseOrder>

/** Locks an order whose payment begins or is abandoned, and returns the id of its checkout. */
const lockForPayment = async (tx: Transaction, key: OrderKey): Promise<string | null> => {
  const { studioId, orderId } = key
  // Locks the cart first, as the settlement of an attempt does, because the same order of locks prevents deadlocks.
  await sql`
    select from carts c where c.studio_id = ${studioId} and c.id = (
      select k.cart_id from orders o join checkouts k on k.studio_id = o.studio_id and k.id = o.checkout_id
       where o.studio_id = ${studioId} and o.id = ${orderId}) for update`.execute(tx)
  return (await lockOrder(tx, key))?.checkout_id ?? null
}

type PricedIncrease = { key: OrderKey; session: Session; plan: IncreasePlan; input: IncreaseInput }

/**
 * Records an attempt to pay for an increase before the provider is called. Returns false if the order changed since it
 * was priced or is being paid already.
 */
const beginIncrease = (deps: Deps, { key, session, plan, input }: PricedIncrease): Promise<boolean> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, orderId } = key
    const { sold, terms, totals, chargeCents } = plan
    const { attemptId, paymentToken, packages } = input
    const checkoutId = sold.checkoutId ?? ''
    await lockForPayment(tx, key)
    // The attempt was abandoned, or begun by another request, before this one: this request must not charge.
    if (await readAttempt(tx, { studioId, attemptId })) return false
    const current = await readSoldOrder(tx, key)
    if (current?.version !== sold.version || (await readOpenAttempt(tx, { studioId, checkoutId }))) return false
    // Hiding a subject or withdrawing an image does not change the order's version, so both are checked here.
    const currentLines = await readLinesWithWithdrawnContent(tx, studioId, { sold: current, now: deps.clock() })
    if (withdrawnProblem(currentLines, changesOf(current, packages))) return false
    const change: OrderChange = {
      orderId,
      sessionId: session.id,
      packages,
      before: { packages: packageQuantities(sold), totalCents: sold.totalCents },
    }
    await writeAttempt(tx, deps, {
      studioId,
      attemptId,
      checkoutId,
      sessionId: session.id,
      paymentToken,
      amountCents: chargeCents,
      account: terms.payment_account_id,
      platformFeeBasisPoints: terms.platform_fee_basis_points,
      totals,
      increase: { change, orderNumber: sold.orderNumber },
      at: deps.clock(),
    })
    return true
  })

type IncreaseRequest = { key: OrderKey; orderNumber: string; session: Session }

const isOfOrder = ({ orderChange }: PaymentAttempt, { orderId }: OrderKey): boolean => orderChange?.orderId === orderId

const isSamePayment = (
  { amountCents, orderChange }: PaymentAttempt,
  { chargeCents, packages }: IncreaseInput,
): boolean => amountCents === chargeCents && isDeepStrictEqual(orderChange?.packages, packages)

const startAttempt = async (
  deps: Deps,
  { key, orderNumber, session }: IncreaseRequest,
  input: IncreaseInput,
): Promise<IncreaseResponse> => {
  const { studioId } = key
  const plan = await planIncrease(deps, key, input.packages)
  // Another attempt has already paid for the increase.
  if (plan === 'unchanged') return { outcome: 'ordered', orderNumber }
  if (plan instanceof Problem) return plan
  const openAttempt = await readOpenAttempt(deps.db, { studioId, checkoutId: plan.sold.checkoutId ?? '' })
  if (openAttempt) {
    const settled =
      openAttempt.state === 'requires_action'
        ? await closeAttempt(deps, openAttempt)
        : await refreshAttempt(deps, openAttempt)
    if (isOpenAttempt(settled)) return inFlightProblem()
    if (settled.state === 'succeeded') return await startAttempt(deps, { key, orderNumber, session }, input)
  }
  const { chargeCents } = plan
  if (chargeCents !== input.chargeCents)
    return problem('totals-changed', `The difference is now ${formatMoney(chargeCents)}. Please check it`)
  if (chargeCents > 0 && input.paymentToken === null) return problem('refused', 'Please enter your card')
  if (!(await beginIncrease(deps, { key, session, plan, input }))) return inFlightProblem()
  const attempt = await readAttempt(deps.db, { studioId, attemptId: input.attemptId })
  return attempt ? attemptResponse(deps, await chargeAttempt(deps, attempt)) : inFlightProblem()
}

const noChange = { packages: [], totalCents: 0 }

/** An increase of an order, as what a payment pays for. */
export const payableIncrease = (key: OrderKey, session: Session): Payable => ({
  studioId: key.studioId,
  sessionId: session.id,
  isPaidBy: (attempt) => isOfOrder(attempt, key),
  outcome: async () => unfinishedOutcome,
  lock: async (tx) => {
    const checkoutId = await lockForPayment(tx, key)
    const orderChange = { orderId: key.orderId, sessionId: session.id, packages: [], before: noChange }
    return checkoutId === null ? undefined : { checkoutId, orderChange }
  },
})

/**
 * Pays for an increase of an order. The attempt id is the idempotency key: a retry returns the same outcome and charges nothing a second
 * time.
 */
export const payIncrease = async (
  deps: Deps,
  request: IncreaseRequest,
  input: IncreaseInput,
): Promise<IncreaseResponse> => {
  const attempt = await readAttempt(deps.db, { studioId: request.key.studioId, attemptId: input.attemptId })
  if (!attempt) return await startAttempt(deps, request, input)
  if (!isOfOrder(attempt, request.key)) return problem('not-found')
  // The request arrived after the customer abandoned the attempt.
  if (attempt.state === 'abandoned') return attemptResponse(deps, attempt)
  if (!isSamePayment(attempt, input)) return problem('refused', problems['key-reused'].message)
  return await resumeAttempt(deps, attempt, input.authentication)
}
