import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { increaseOrder } from '#contract/customer/order-adjustment-calls.ts'
import { problems } from '#contract/shapes/problems.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { OrderChange } from '#server/database/tables/order-tables.ts'
import type { Deps } from '#server/deps.ts'
import type { CallOutcome } from '#server/http/mount.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { lockOrder } from '#server/orders/store/move-order.ts'
import type { OrderKey } from '#server/orders/store/order-key.ts'
import { readSoldOrder } from '#server/orders/store/sold-order.ts'
import { linesAsShown } from '#server/orders/store/withdrawn-lines.ts'
import { type Payable, unfinishedOutcome } from '../attempts/abandon-attempt.ts'
import { chargeAttempt, closeAttempt, refreshAttempt } from '../attempts/charge-attempt.ts'
import {
  isOpenAttempt,
  type PaymentAttempt,
  readAttempt,
  readOpenAttempt,
  writeAttempt,
} from '../attempts/payment-attempts.ts'
import { attemptAnswer, inFlightProblem, resumeAttempt } from '../attempts/resume-attempt.ts'
import { packageQuantities } from './increase-order.ts'
import { changesOf, type IncreasePlan, planIncrease, withdrawnAmong } from './quote-increase.ts'

type IncreaseInput = Infer<(typeof increaseOrder)['body']>
type Answer = CallOutcome<typeof increaseOrder>

/** Locks an order whose payment begins or is given up, and answers the checkout it came from. */
const lockToPay = async (tx: Transaction, key: OrderKey): Promise<string | null> => {
  const { studioId, orderId } = key
  // The cart first, as settling an attempt does: transactions that lock in the same order cannot deadlock.
  await sql`
    select from carts c where c.studio_id = ${studioId} and c.id = (
      select k.cart_id from orders o join checkouts k on k.studio_id = o.studio_id and k.id = o.checkout_id
       where o.studio_id = ${studioId} and o.id = ${orderId}) for update`.execute(tx)
  return (await lockOrder(tx, key))?.checkout_id ?? null
}

type PricedIncrease = { key: OrderKey; session: Session; planned: IncreasePlan; sent: IncreaseInput }

/**
 * Writes down that money for more of an order is about to be asked for, before it is. False where the order became another one since
 * it was priced, or is being paid for already.
 */
const begin = (deps: Deps, { key, session, planned, sent }: PricedIncrease): Promise<boolean> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, orderId } = key
    const { sold, terms, totals, chargeCents } = planned
    const { attemptId, paymentToken, packages } = sent
    const checkoutId = sold.checkoutId ?? ''
    await lockToPay(tx, key)
    // Given up before its request arrived: it can never charge.
    if (await readAttempt(tx, { studioId, attemptId })) return false
    const now = await readSoldOrder(tx, key)
    if (now?.version !== sold.version || (await readOpenAttempt(tx, { studioId, checkoutId }))) return false
    // Hiding a subject or withdrawing a photo changes no order, so its version doesn't show it.
    const shown = await linesAsShown(tx, studioId, { sold: now, now: deps.clock() })
    if (withdrawnAmong(shown, changesOf(now, packages))) return false
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
      account: terms.stripe_account_id,
      commissionBasisPoints: terms.commission_basis_points,
      totals,
      more: { change, orderNumber: sold.orderNumber },
      at: deps.clock(),
    })
    return true
  })

type IncreaseRequest = { key: OrderKey; orderNumber: string; session: Session }

const isOfOrder = ({ orderChange }: PaymentAttempt, { orderId }: OrderKey): boolean => orderChange?.orderId === orderId

const isSame = ({ amountCents, orderChange }: PaymentAttempt, { chargeCents, packages }: IncreaseInput): boolean =>
  amountCents === chargeCents && isDeepStrictEqual(orderChange?.packages, packages)

const startNew = async (
  deps: Deps,
  { key, orderNumber, session }: IncreaseRequest,
  sent: IncreaseInput,
): Promise<Answer> => {
  const { studioId } = key
  const planned = await planIncrease(deps, key, sent.packages)
  // Another attempt was first, whose outcome it was: nothing is paid for twice.
  if (planned === 'as-it-is') return { outcome: 'ordered', orderNumber }
  if (planned instanceof Problem) return planned
  const other = await readOpenAttempt(deps.db, { studioId, checkoutId: planned.sold.checkoutId ?? '' })
  if (other) {
    const known =
      other.state === 'requires_action' ? await closeAttempt(deps, other) : await refreshAttempt(deps, other)
    if (isOpenAttempt(known)) return inFlightProblem()
    if (known.state === 'succeeded') return await startNew(deps, { key, orderNumber, session }, sent)
  }
  const { chargeCents } = planned
  if (chargeCents !== sent.chargeCents)
    return problem('totals-changed', `By now it is ${formatMoney(chargeCents)} more. Please look it over`)
  if (chargeCents > 0 && sent.paymentToken === null) return problem('refused', 'Please enter your card')
  if (!(await begin(deps, { key, session, planned, sent }))) return inFlightProblem()
  const attempt = await readAttempt(deps.db, { studioId, attemptId: sent.attemptId })
  return attempt ? attemptAnswer(deps, await chargeAttempt(deps, attempt)) : inFlightProblem()
}

const nothing = { packages: [], totalCents: 0 }

/** More of an order, as what an attempt pays for. */
export const payableIncrease = (key: OrderKey, session: Session): Payable => ({
  studioId: key.studioId,
  sessionId: session.id,
  isPaidBy: (attempt) => isOfOrder(attempt, key),
  outcome: async () => unfinishedOutcome,
  lock: async (tx) => {
    const checkoutId = await lockToPay(tx, key)
    const orderChange = { orderId: key.orderId, sessionId: session.id, packages: [], before: nothing }
    return checkoutId === null ? undefined : { checkoutId, orderChange }
  },
})

/**
 * Pays for more of an order's packages. The attempt is the key, as when a cart is paid for: asked again with the same one, the same
 * outcome comes again and nothing is charged twice, whatever broke off in between.
 */
export const payIncrease = async (deps: Deps, asked: IncreaseRequest, sent: IncreaseInput): Promise<Answer> => {
  const attempt = await readAttempt(deps.db, { studioId: asked.key.studioId, attemptId: sent.attemptId })
  if (!attempt) return await startNew(deps, asked, sent)
  if (!isOfOrder(attempt, asked.key)) return problem('not-found')
  // A request that arrives after the customer gave the attempt up.
  if (attempt.state === 'abandoned') return attemptAnswer(deps, attempt)
  if (!isSame(attempt, sent)) return problem('refused', problems['key-reused'].sentence)
  return await resumeAttempt(deps, attempt, sent.authentication)
}
