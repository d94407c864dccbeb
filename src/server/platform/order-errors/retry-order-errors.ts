import { sql } from 'kysely'
import type { OrderErrorKind } from '#domain/orders/order-error-kinds.ts'
import { decideOrderError } from '#server/audit/order-error-decisions.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { requeueRefusedImages } from '#server/images/store/requeue-images.ts'
import { createRefund, refundableCents } from '#server/orders/store/create-refund.ts'
import { readTaxParts } from '#server/orders/store/ledger-taxes.ts'
import { lockOrder } from '#server/orders/store/move-order.ts'
import { redriveDeadLetters } from '#server/queue/dead-letters.ts'
import { auditOrderError, type OrderErrorAction, type Refusal } from './decide-order-errors.ts'
import { retryEmail } from './retry-email.ts'

/** Retries of other features, which are handed in. */
export type FeatureRetries = {
  /** Requeues a failed packet. Idempotent. */
  readonly retryPacket: (deps: Deps, key: { studioId: number; jobId: number; packetId: number }) => Promise<void>
}

type Retry = (action: OrderErrorAction, retries: FeatureRetries) => Promise<Refusal>

const isGone = 'It was resolved meanwhile'

/** Retries in a transaction that also writes the audit trail. */
const inOneTransaction =
  (retry: (tx: Transaction, action: OrderErrorAction) => Promise<Refusal>): Retry =>
  (action) =>
    inTransaction(action.deps.db, async (tx) => {
      const refusal = await retry(tx, action)
      if (refusal === undefined) await auditOrderError(tx, action, { verb: 'retried' })
      return refusal
    })

const studioOf = ({ entry }: OrderErrorAction): number => entry.studioId ?? 0

const retryPayment = inOneTransaction(async (tx, action) => {
  const { deps, entry } = action
  await deps.jobs.enqueue(tx, 'reconcile-payment', { studioId: studioOf(action), attemptId: entry.id })
  return undefined
})

/** A refund without an outcome is requested again; one that failed is replaced by another, because its key never pays. */
const retryRefund = inOneTransaction(async (tx, action) => {
  const { deps, entry, user } = action
  const studioId = studioOf(action)
  const readRefund = () =>
    tx
      .selectFrom('ledger')
      .select(['order_id as orderId', 'state', 'amount_cents as amountCents', 'reason'])
      .where('studio_id', '=', studioId)
      .where('id', '=', Number(entry.id))
      .where('kind', '=', 'refund')
      .executeTakeFirst()
  const found = await readRefund()
  const key = { studioId, orderId: found?.orderId ?? 0 }
  await lockOrder(tx, key)
  const refund = await readRefund()
  if (!refund || refund.state === 'done') return isGone
  if (refund.state === 'pending') {
    await deps.jobs.enqueue(tx, 'settle-refund', { studioId, refundLedgerId: Number(entry.id) })
    return undefined
  }
  const { rows } = await sql`
    select from order_error_decisions d where d.kind = 'refund' and d.entry_id = ${entry.id} and d.decision = 'retried'`.execute(
    tx,
  )
  if (rows.length > 0) return isGone
  if ((await refundableCents(tx, key)) < refund.amountCents)
    return 'Less than this amount is left to refund. Refund the rest in the order, then ignore this error'
  const reason = refund.reason ?? 'retried'
  const takenOff = await readTaxParts(tx, { studioId, ledgerId: Number(entry.id) })
  await createRefund(tx, deps, { key, refund: { amountCents: refund.amountCents, reason, userId: user.id, takenOff } })
  await decideOrderError(tx, deps, { ...entry, decision: 'retried', reason, userId: user.id })
  return undefined
})

const retryFailedPacket: Retry = async (action, { retryPacket }) => {
  const { deps, entry } = action
  await retryPacket(deps, { studioId: studioOf(action), jobId: entry.jobId ?? 0, packetId: Number(entry.id) })
  await inTransaction(deps.db, (tx) => auditOrderError(tx, action, { verb: 'retried' }))
  return undefined
}

const retryImage = inOneTransaction(async (tx, action) => {
  const isEntry = sql`i.studio_id = ${studioOf(action)} and i.id = ${action.entry.id}::bigint`
  return (await requeueRefusedImages(tx, action.deps, isEntry)) > 0 ? undefined : isGone
})

/** The error is reported again if the file is still missing. */
const retryDownload = inOneTransaction(async (tx, { deps, entry, user }) => {
  const { rows } = await sql<{ studioId: number; orderId: number }>`
    update order_errors e set resolved_at = ${deps.clock()}, resolved_by = ${user.id}, resolution = 'retried'
      from orders o
     where e.id = ${entry.id}::bigint and e.stage = 'download' and e.resolved_at is null
       and o.studio_id = e.studio_id and o.order_number = e.order_number
    returning o.studio_id as "studioId", o.id as "orderId"`.execute(tx)
  const [order] = rows
  if (!order) return isGone
  await deps.jobs.enqueue(tx, 'compose-downloads', order)
  return undefined
})

const retryBackgroundJob = inOneTransaction(async (tx, { deps, entry }) => {
  const count = await redriveDeadLetters(tx, deps, sql`d.id = ${entry.id}::uuid`)
  return count > 0 ? undefined : 'This version of the server does not do this work any more'
})

const retries: Readonly<Record<OrderErrorKind, Retry>> = {
  payment: retryPayment,
  'late-payment': async () => 'Refund it at the payment provider, then ignore this error with a note',
  refund: retryRefund,
  packet: retryFailedPacket,
  email: retryEmail,
  image: retryImage,
  download: retryDownload,
  'background-job': retryBackgroundJob,
}

/** Retries one error by the mechanism of its source. Returns why it cannot be retried. */
export const retryOrderError = (action: OrderErrorAction, featureRetries: FeatureRetries): Promise<Refusal> =>
  retries[action.entry.kind](action, featureRetries)
