import type { PaymentAttemptOutcome } from '#contract/customer/checkout-calls.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { OrderChange } from '#server/database/tables/order-tables.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { closeAttempt, refreshAttempt } from './charge-attempt.ts'
import { isOpenAttempt, type PaymentAttempt, readAttempt } from './payment-attempts.ts'
import { notAddedMessage } from './resume-attempt.ts'

type Outcome = PaymentAttemptOutcome | Problem<'not-found' | 'refused'>

/** What a payment pays for: a cart, or an increase of an order. */
export type Payable = {
  readonly studioId: number
  readonly sessionId: number
  readonly isPaidBy: (attempt: PaymentAttempt) => boolean
  /** The outcome of all attempts to pay for this. It is also returned for an attempt whose request has not arrived. */
  readonly outcome: () => Promise<Outcome>
  /**
   * Takes the same locks as a request that begins an attempt, so that the later of the two sees the row of the earlier. Returns undefined
   * if such a request would find nothing to charge for.
   */
  readonly lock: (tx: Transaction) => Promise<{ checkoutId: string; orderChange: OrderChange | null } | undefined>
}

type AttemptRequest = { readonly payable: Payable; readonly attemptId: string }

const abandonedMessage = 'You chose not to pay this. You weren’t charged'

export const unfinishedOutcome: PaymentAttemptOutcome = { state: 'unfinished', orderNumber: null }
const endedOutcome: PaymentAttemptOutcome = { state: 'ended', orderNumber: null }

const outcomeOf = (attempt: PaymentAttempt): Outcome => {
  const { state, orderNumber, orderChange } = attempt
  if (orderChange?.isDone === false) return problem('refused', notAddedMessage(attempt))
  // An order to be increased has its number from the start.
  if (orderNumber !== null && (state === 'succeeded' || orderChange === null)) return { state: 'ordered', orderNumber }
  if (state === 'requires_action') return unfinishedOutcome
  return state === 'declined' || state === 'abandoned' ? endedOutcome : { state: 'charging', orderNumber: null }
}

/** Reads the outcome of an attempt, and queries the provider while the attempt is open. Charges nothing. */
export const readAttemptOutcome = async (deps: Deps, { payable, attemptId }: AttemptRequest): Promise<Outcome> => {
  const attempt = await readAttempt(deps.db, { studioId: payable.studioId, attemptId })
  if (attempt && !payable.isPaidBy(attempt)) return problem('not-found')
  const payableOutcome = await payable.outcome()
  if (!attempt || ('state' in payableOutcome && payableOutcome.state === 'ordered')) return payableOutcome
  return outcomeOf(isOpenAttempt(attempt) ? await refreshAttempt(deps, attempt) : attempt)
}

/** Records an attempt as abandoned before its request arrives, so that the request can never charge. */
const recordAbandoned = async (tx: Transaction, deps: Deps, { payable, attemptId }: AttemptRequest): Promise<void> => {
  const { studioId, sessionId } = payable
  const checkout = await payable.lock(tx)
  if (!checkout) return
  const { checkoutId, orderChange } = checkout
  const now = deps.clock()
  const inserted = await tx
    .insertInto('payment_attempts')
    .values({
      studio_id: studioId,
      id: attemptId,
      checkout_id: checkoutId,
      state: 'abandoned',
      pay_method: 'card',
      provider: deps.payment.name,
      amount_cents: 0,
      totals: '{}',
      order_change: orderChange && JSON.stringify(orderChange),
      decline_message: abandonedMessage,
      settled_at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return
  const detail = { checkoutId }
  await recordAudit(tx, deps, { studioId, action: 'payment.abandoned', entityId: attemptId, detail, sessionId })
}

/** Abandons an attempt for good. If it was charged meanwhile, returns its order; if the provider does not respond, it stays `charging`. */
export const abandon = async (deps: Deps, request: AttemptRequest): Promise<Outcome> => {
  const outcome = await readAttemptOutcome(deps, request)
  if (!('state' in outcome) || outcome.state === 'ordered' || outcome.state === 'ended') return outcome
  const key = { studioId: request.payable.studioId, attemptId: request.attemptId }
  if (!(await readAttempt(deps.db, key))) await inTransaction(deps.db, (tx) => recordAbandoned(tx, deps, request))
  const attempt = await readAttempt(deps.db, key)
  if (!attempt) return endedOutcome
  return outcomeOf(isOpenAttempt(attempt) ? await closeAttempt(deps, attempt) : attempt)
}
