import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import { recordAudit } from '#server/audit/audit-log.ts'
import { reportOrderError } from '#server/audit/order-errors.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { Refund, RefundOutcome } from '#server/payments/port/payment-provider.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import { idPerPeriod } from '#server/queue/queue.ts'
import type { queues } from '#server/queue/queues.ts'
import { recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import { issueCreditNote } from '../store/issue-credit-note.ts'

export type RefundKey = { readonly studioId: number; readonly refundLedgerId: number }

type RefundRow = {
  order_id: number
  order_number: string
  job_id: number
  state: 'pending' | 'done' | 'failed'
  amount_cents: number
  platform_fee_cents: number
  refund_id: string
  provider: string
  reference: string
  account: string | null
}

const readRefund = async (tx: Deps['db'] | Transaction, { studioId, refundLedgerId }: RefundKey) => {
  const { rows } = await sql<RefundRow>`
    select r.order_id, o.order_number, o.job_id, r.state, r.amount_cents, r.platform_fee_cents, r.idempotency_key as refund_id,
           c.provider, c.provider_reference as reference, c.account
      from ledger r
      join ledger c on c.studio_id = r.studio_id and c.id = r.refund_of
      join orders o on o.studio_id = r.studio_id and o.id = r.order_id
     where r.studio_id = ${studioId} and r.id = ${refundLedgerId} and r.kind = 'refund'`.execute(tx)
  return rows[0]
}

const writeOutcome = async (
  tx: Transaction,
  deps: Deps,
  {
    key,
    refund,
    outcome,
  }: { key: RefundKey; refund: RefundRow; outcome: Exclude<RefundOutcome, { state: 'pending' }> },
): Promise<void> => {
  const { studioId, refundLedgerId } = key
  const now = deps.clock()
  const { numUpdatedRows } = await tx
    .updateTable('ledger')
    .set({
      state: outcome.state,
      provider_reference: 'reference' in outcome ? outcome.reference : null,
      settled_at: now,
    })
    .where('studio_id', '=', studioId)
    .where('id', '=', refundLedgerId)
    .where('state', '=', refund.state)
    .executeTakeFirst()
  // Another run has already written an outcome.
  if (numUpdatedRows === 0n) return
  const message = 'message' in outcome ? outcome.message : null
  const detail = { orderId: refund.order_id, amountCents: refund.amount_cents, ...(message && { message }) }
  await recordAudit(tx, deps, { studioId, action: `refund.${outcome.state}`, entityId: refund.refund_id, detail })
  if (outcome.state === 'done') {
    await issueCreditNote(tx, { studioId, refundId: refundLedgerId, issuedAt: now })
    const change = { orderId: refund.order_id, detail: { amountCents: refund.amount_cents } }
    await recordOrderEvents(tx, deps, studioId, [{ ...change, events: ['order.refunded'] }])
  }
  if (message !== null) await reportRefundError(tx, deps, { studioId, refund, message })
}

const reportRefundError = (
  tx: Transaction,
  deps: Deps,
  { studioId, refund, message }: { studioId: number; refund: RefundRow; message: string },
): Promise<void> =>
  reportOrderError(tx, deps, {
    studioId,
    ...{ jobId: refund.job_id, orderNumber: refund.order_number, stage: 'refund', message },
    ...{ attemptOrRefundId: refund.refund_id, amountCents: refund.amount_cents },
  })

/** Thrown while the outcome of a refund is unknown, so that the queue retries it later. */
export class RefundPending extends Error {
  override name = 'RefundPending'
}

/** Refunds through the provider that took the payment; another provider cannot. */
const requestRefund = async ({ payment }: Deps, provider: string, refund: Refund): Promise<RefundOutcome> => {
  if (provider === payment.name) return await payment.refund(refund)
  return { state: 'failed', message: `This was paid by way of “${provider}”, which is not set up here any more` }
}

/**
 * Refunds through the provider, outside any transaction, and stores the outcome. Idempotent. A refund that succeeded
 * may still fail days later, for example if the card's account was closed.
 */
export const settleRefund = async (deps: Deps, key: RefundKey): Promise<void> => {
  const refund = await readRefund(deps.db, key)
  if (!refund || refund.state === 'failed') return
  const { refund_id: refundId, reference, account } = refund
  const amounts = { amountCents: refund.amount_cents, platformFeeCents: refund.platform_fee_cents }
  const outcome = await requestRefund(deps, refund.provider, { refundId, reference, account, ...amounts })
  if (outcome.state === refund.state && outcome.state === 'done') return
  if (outcome.state === 'pending') throw new RefundPending(`refund ${refundId} is under way`)
  await inTransaction(deps.db, (tx) => writeOutcome(tx, deps, { key, refund, outcome }))
}

/** Longer than a job is retried, so that the jobs of a refund do not pile up. */
const requeueEveryHours = 36

/**
 * Requeues refunds that have been pending for a day, for example because the provider is down, and reports each to staff once. A refund is
 * retried until its outcome is known.
 */
export const requeueStalledRefunds = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const cutoff = subHours(now, 24)
    const rows = await tx
      .selectFrom('ledger')
      .select(['studio_id as studioId', 'id as refundLedgerId'])
      .where('kind', '=', 'refund')
      .where('state', '=', 'pending')
      .where('created_at', '<=', cutoff)
      .orderBy('created_at')
      .limit(500)
      .execute()
    for (const key of rows) {
      const refund = await readRefund(tx, key)
      if (!refund) continue
      const job = `settle-refund ${key.studioId} ${key.refundLedgerId}`
      await deps.jobs.enqueue(tx, 'settle-refund', key, { id: idPerPeriod(job, { now, hours: requeueEveryHours }) })
      const message = 'The payment provider has not said for a day whether this refund was made'
      await reportRefundError(tx, deps, { studioId: key.studioId, refund, message })
    }
  })

export const startRefundWorkers = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('requeue-stalled-refunds', 1, () => requeueStalledRefunds(deps))
  await jobs.work('settle-refund', 2, ({ payload }) => settleRefund(deps, payload))
}
