import { sql } from 'kysely'
import { sumCents } from '#domain/pricing/money.ts'
import { refundedPlatformFee } from '#domain/pricing/refund-platform-fee.ts'
import { refundTaxParts, shareTaxParts, subtractTaxParts, type TaxPart } from '#domain/pricing/tax-parts.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import { issueCreditNote } from './issue-credit-note.ts'
import { insertLedgerTaxes, readPaidTaxParts } from './ledger-taxes.ts'
import type { OrderKey } from './sold-lines.ts'
import { isCounterPayment } from './sold-order.ts'

type ChargeRow = {
  id: number
  amountCents: number
  platformFeeCents: number
  provider: string
  /** The amount and the platform fee of refunds that were made or are pending. */
  refundedCents: number
  refundedPlatformFeeCents: number
}

/** The charges of an order, newest first, with the amount of each that was or is being refunded. */
const chargesOf = async (tx: Transaction, { studioId, orderId }: OrderKey): Promise<ChargeRow[]> => {
  const { rows } = await sql<ChargeRow>`
    select c.id, c.amount_cents as "amountCents", c.platform_fee_cents as "platformFeeCents", c.provider,
           coalesce(r.cents, 0)::int as "refundedCents", coalesce(r.fee, 0)::int as "refundedPlatformFeeCents"
      from ledger c left join lateral (
        select sum(r.amount_cents) as cents, sum(r.platform_fee_cents) as fee from ledger r
         where r.studio_id = c.studio_id and r.refund_of = c.id and r.state <> 'failed') r on true
     where c.studio_id = ${studioId} and c.order_id = ${orderId} and c.kind = 'charge' and c.state = 'done'
     order by c.id desc`.execute(tx)
  return rows
}

const refundableOf = ({ amountCents, refundedCents }: ChargeRow): number => amountCents - refundedCents

/** The cents of an order that can still be refunded. */
export const refundableCents = async (tx: Transaction, key: OrderKey): Promise<number> =>
  sumCents((await chargesOf(tx, key)).map(refundableOf))

type RefundInput = {
  readonly amountCents: number
  readonly reason: string
  readonly sessionId?: number
  readonly userId?: number
  /** What was taken off the order; without it, a share of all that was paid for is refunded. */
  readonly takenOff?: readonly TaxPart[]
}

/**
 * Records a refund, newest charge first, and settles it in the background. Staff hand out refunds of cash and checks
 * themselves, so those are done immediately. The caller holds the lock of the order, so that the same amount is not
 * refunded twice. Throws if the requested amount exceeds the refundable amount.
 */
export const createRefund = async (
  tx: Transaction,
  deps: Deps,
  { key, refund }: { key: OrderKey; refund: RefundInput },
) => {
  const { studioId, orderId } = key
  const { amountCents, reason, sessionId = null, userId = null } = refund
  let remainingCents = amountCents
  const paid = await readPaidTaxParts(tx, key)
  let remainingParts = refundTaxParts(amountCents, { paid, takenOff: refund.takenOff ?? paid })
  for (const charge of await chargesOf(tx, key)) {
    const partCents = Math.min(remainingCents, refundableOf(charge))
    if (partCents <= 0) continue
    remainingCents -= partCents
    const idempotencyKey = deps.newId()
    const isDone = isCounterPayment(charge.provider)
    const now = deps.clock()
    const { id: refundLedgerId } = await tx
      .insertInto('ledger')
      .values({
        studio_id: studioId,
        order_id: orderId,
        kind: 'refund',
        state: isDone ? 'done' : 'pending',
        amount_cents: partCents,
        platform_fee_cents: refundedPlatformFee(charge, partCents),
        provider: charge.provider,
        idempotency_key: idempotencyKey,
        refund_of: charge.id,
        reason,
        made_by: userId,
        created_at: now,
        settled_at: isDone ? now : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const taxParts = shareTaxParts(partCents, remainingParts)
    remainingParts = subtractTaxParts(remainingParts, taxParts)
    await insertLedgerTaxes(tx, { studioId, ledgerId: refundLedgerId }, taxParts)
    const detail = { orderId, amountCents: partCents, reason }
    await recordAudit(tx, deps, {
      studioId,
      action: 'refund.owed',
      entityId: idempotencyKey,
      detail,
      sessionId,
      userId,
    })
    if (isDone) {
      await issueCreditNote(tx, { studioId, refundId: refundLedgerId, issuedAt: now })
      await recordAudit(tx, deps, {
        studioId,
        action: 'refund.done',
        entityId: idempotencyKey,
        detail,
        sessionId,
        userId,
      })
      const refunded = { orderId, events: ['order.refunded'], detail: { amountCents: partCents } } as const
      await recordOrderEvents(tx, deps, studioId, [refunded])
    } else await deps.jobs.enqueue(tx, 'settle-refund', { studioId, refundLedgerId })
  }
  if (remainingCents > 0) throw new Error(`order ${orderId} has ${remainingCents} cents less than the refund`)
}
