import { sql } from 'kysely'
import { recordAudit } from '#server/audit/audit-log.ts'
import { reportOrderError } from '#server/audit/order-errors.ts'
import { setCartState } from '#server/carts/store/live-carts.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { increaseOrder } from '../checkout/increase-order.ts'
import { placeOrder } from '../checkout/place-order.ts'
import { releasePromotionUse } from '../checkout/promotion-uses.ts'
import type { ChargeOutcome } from '../port/payment-provider.ts'
import { type AttemptKey, isOpenAttempt, type PaymentAttempt, readAttempt } from './payment-attempts.ts'

type AttemptSettlement = { readonly deps: Deps; readonly attempt: PaymentAttempt }

const lock = async (tx: Transaction, { studioId, attemptId }: AttemptKey): Promise<PaymentAttempt> => {
  // The cart first, as everywhere: two that lock in the same order never wait for each other in a ring.
  await sql`
    select from carts c where c.studio_id = ${studioId} and c.id = (
      select k.cart_id from payment_attempts a join checkouts k on k.studio_id = a.studio_id and k.id = a.checkout_id
       where a.studio_id = ${studioId} and a.id = ${attemptId}) for update`.execute(tx)
  const attempt = await readAttempt(tx, { studioId, attemptId })
  if (!attempt) throw new Error(`there is no attempt ${attemptId}`)
  return attempt
}

type Change = {
  state: 'requires_action' | 'succeeded' | 'declined'
  provider_reference?: string | null
  decline_code?: string
  decline_message?: string
  card_ending?: string | null
  next_action?: string | null
}

const record = async (tx: Transaction, { deps, attempt }: AttemptSettlement, change: Change): Promise<void> => {
  const now = deps.clock()
  const isSettled = change.state === 'succeeded' || change.state === 'declined'
  await tx
    .updateTable('payment_attempts')
    // The token has done its work, and what asked the bank.
    .set({ ...change, updated_at: now, ...(isSettled && { settled_at: now, payment_token: null, next_action: null }) })
    .where('studio_id', '=', attempt.studioId)
    .where('id', '=', attempt.attemptId)
    .execute()
  await noteChange(tx, { deps, attempt }, change)
}

const noteChange = async (tx: Transaction, { deps, attempt }: AttemptSettlement, change: Change): Promise<void> => {
  const { studioId, attemptId, amountCents, sessionId } = attempt
  const { state, provider_reference: reference = null, decline_code: code } = change
  const action = state === 'requires_action' ? 'payment.requires-action' : (`payment.${state}` as const)
  const detail = { amountCents, reference, ...(code !== undefined && { code }) }
  await recordAudit(tx, deps, { studioId, action, entityId: attemptId, detail, sessionId })
}

const write = async (tx: Transaction, settling: AttemptSettlement, outcome: ChargeOutcome): Promise<void> => {
  const { deps, attempt } = settling
  if (outcome.state === 'requires-action') {
    const { reference, clientSecret } = outcome
    const next_action = clientSecret === null ? null : JSON.stringify({ clientSecret })
    await record(tx, settling, { state: 'requires_action', provider_reference: reference, next_action })
    return
  }
  if (outcome.state === 'declined') {
    const { code, message, reference } = outcome
    await record(tx, settling, {
      state: 'declined',
      provider_reference: reference,
      decline_code: code,
      decline_message: message,
    })
    // The order that was to grow stands as it is.
    if (attempt.orderChange) return
    await releasePromotionUse(tx, deps, attempt)
    await setCartState(tx, attempt, { state: 'open', at: deps.clock() })
    return
  }
  const { reference, cardEnding } = outcome
  await record(tx, settling, { state: 'succeeded', provider_reference: reference, card_ending: cardEnding })
  if (attempt.orderChange) return await increaseOrder(tx, deps, { attempt, change: attempt.orderChange, reference })
  await placeOrder(tx, deps, { attempt, reference, cardEnding })
  await setCartState(tx, attempt, { state: 'ordered', at: deps.clock() })
}

/** Money for an attempt that was given up is for no order: staff have it given back. */
const showStray = (tx: Transaction, { deps, attempt }: AttemptSettlement): Promise<void> => {
  const { studioId, jobId, attemptId: about, amountCents } = attempt
  const message = 'A payment went through after it was given up: there is no order for it, and it has to be given back'
  return reportOrderError(tx, deps, {
    studioId,
    jobId,
    orderNumber: null,
    stage: 'payment',
    message,
    about,
    amountCents,
  })
}

/**
 * The second of a payment's two transactions: outcome, order, mail-to-send and the cart's state together (section 7). Whoever
 * learns an outcome runs it: the request, a repetition, the background. The first one settles; to the others it is settled.
 */
export const settleAttempt = (deps: Deps, key: AttemptKey, outcome: ChargeOutcome): Promise<PaymentAttempt> =>
  inTransaction(deps.db, async (tx) => {
    const attempt = await lock(tx, key)
    if (!isOpenAttempt(attempt)) {
      if (attempt.state === 'declined' && outcome.state === 'succeeded') await showStray(tx, { deps, attempt })
      return attempt
    }
    await write(tx, { deps, attempt }, outcome)
    return (await readAttempt(tx, key)) ?? attempt
  })

/** Nobody knows yet: said in the attempt, so that staff see it; the background goes on asking. */
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
