import { sql } from 'kysely'
import { recordAudit } from '#server/audit/audit-log.ts'
import { latePaymentMessage, reportOrderError } from '#server/audit/order-errors.ts'
import { setCartState } from '#server/carts/store/live-carts.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { increaseOrder } from '../checkout/increase-order.ts'
import { placeOrder } from '../checkout/place-order.ts'
import { releasePromotionUses } from '../checkout/promotion-uses.ts'
import type { ChargeOutcome } from '../port/payment-provider.ts'
import { type AttemptKey, isOpenAttempt, type PaymentAttempt, readAttempt } from './payment-attempts.ts'

type AttemptSettlement = { readonly deps: Deps; readonly attempt: PaymentAttempt }

const lockAttempt = async (tx: Transaction, { studioId, attemptId }: AttemptKey): Promise<PaymentAttempt> => {
  // Locks the cart first, as all transactions do, because the same order of locks prevents deadlocks.
  await sql`
    select from carts c where c.studio_id = ${studioId} and c.id = (
      select k.cart_id from payment_attempts a join checkouts k on k.studio_id = a.studio_id and k.id = a.checkout_id
       where a.studio_id = ${studioId} and a.id = ${attemptId}) for update`.execute(tx)
  const attempt = await readAttempt(tx, { studioId, attemptId })
  if (!attempt) throw new Error(`there is no attempt ${attemptId}`)
  return attempt
}

type AttemptChange = {
  state: 'requires_action' | 'succeeded' | 'declined'
  provider_reference?: string | null
  decline_code?: string
  decline_message?: string
  card_ending?: string | null
  next_action?: string | null
}

const recordChange = async (
  tx: Transaction,
  { deps, attempt }: AttemptSettlement,
  change: AttemptChange,
): Promise<void> => {
  const now = deps.clock()
  const isSettled = change.state === 'succeeded' || change.state === 'declined'
  await tx
    .updateTable('payment_attempts')
    // Deletes the token and the client secret, which are no longer needed.
    .set({ ...change, updated_at: now, ...(isSettled && { settled_at: now, payment_token: null, next_action: null }) })
    .where('studio_id', '=', attempt.studioId)
    .where('id', '=', attempt.attemptId)
    .execute()
  await auditChange(tx, { deps, attempt }, change)
}

const auditChange = async (
  tx: Transaction,
  { deps, attempt }: AttemptSettlement,
  change: AttemptChange,
): Promise<void> => {
  const { studioId, attemptId, amountCents, sessionId } = attempt
  const { state, provider_reference: reference = null, decline_code: code } = change
  const action = state === 'requires_action' ? 'payment.requires-action' : (`payment.${state}` as const)
  const detail = { amountCents, reference, ...(code !== undefined && { code }) }
  await recordAudit(tx, deps, { studioId, action, entityId: attemptId, detail, sessionId })
}

const writeOutcome = async (tx: Transaction, settlement: AttemptSettlement, outcome: ChargeOutcome): Promise<void> => {
  const { deps, attempt } = settlement
  if (outcome.state === 'requires-action') {
    const { reference, clientSecret } = outcome
    const next_action = clientSecret === null ? null : JSON.stringify({ clientSecret })
    await recordChange(tx, settlement, { state: 'requires_action', provider_reference: reference, next_action })
    return
  }
  if (outcome.state === 'declined') {
    const { code, message, reference } = outcome
    await recordChange(tx, settlement, {
      state: 'declined',
      provider_reference: reference,
      decline_code: code,
      decline_message: message,
    })
    // An order that was to be increased is unchanged.
    if (attempt.orderChange) return
    await releasePromotionUses(tx, deps, attempt)
    await setCartState(tx, attempt, { state: 'open', at: deps.clock() })
    return
  }
  const { reference, cardEnding } = outcome
  await recordChange(tx, settlement, { state: 'succeeded', provider_reference: reference, card_ending: cardEnding })
  if (attempt.orderChange) return await increaseOrder(tx, deps, { attempt, change: attempt.orderChange, reference })
  await placeOrder(tx, deps, { attempt, reference, cardEnding })
  await setCartState(tx, attempt, { state: 'ordered', at: deps.clock() })
}

/** Reports a payment for a declined attempt. It belongs to no order, so staff have to refund it. */
const reportUnexpectedPayment = (tx: Transaction, { deps, attempt }: AttemptSettlement): Promise<void> => {
  const { studioId, jobId, attemptId, amountCents } = attempt
  return reportOrderError(tx, deps, {
    studioId,
    jobId,
    orderNumber: null,
    stage: 'payment',
    message: latePaymentMessage,
    attemptOrRefundId: attemptId,
    amountCents,
  })
}

/**
 * The second of a payment's two transactions: stores the outcome, the order, the email to send and the state of the
 * cart together. Every process that gets an outcome runs it: the request, a retry, a background
 * job. The first one settles the attempt; the others find it settled.
 */
export const settleAttempt = (deps: Deps, key: AttemptKey, outcome: ChargeOutcome): Promise<PaymentAttempt> =>
  inTransaction(deps.db, async (tx) => {
    const attempt = await lockAttempt(tx, key)
    if (!isOpenAttempt(attempt)) {
      if (attempt.state === 'declined' && outcome.state === 'succeeded')
        await reportUnexpectedPayment(tx, { deps, attempt })
      return attempt
    }
    await writeOutcome(tx, { deps, attempt }, outcome)
    return (await readAttempt(tx, key)) ?? attempt
  })

/** Marks an attempt as having an unknown outcome, so that staff see it. A background job continues to query the provider. */
export const markAttemptUnknown = (deps: Deps, { studioId, attemptId }: AttemptKey): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const marked = await tx
      .updateTable('payment_attempts')
      .set({ state: 'unknown', updated_at: deps.clock() })
      .where('studio_id', '=', studioId)
      .where('id', '=', attemptId)
      .where('state', '=', 'charging')
      .returning('amount_cents as amountCents')
      .executeTakeFirst()
    if (marked)
      await recordAudit(tx, deps, { studioId, action: 'payment.unknown', entityId: attemptId, detail: marked })
  })
