import { sql } from 'kysely'
import { sumCents } from '#domain/pricing/money.ts'
import { refundedCommission } from '#domain/pricing/refund-commission.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { isCounterPayment } from './counter-payment.ts'
import type { OrderKey } from './order-key.ts'

type ChargeRow = {
  id: number
  amountCents: number
  commissionCents: number
  provider: string
  /** What of it went back, or is on its way back, and what commission went with that. */
  givenCents: number
  givenCommissionCents: number
}

/** The charges of an order with what of each was not given back yet, nor is on its way back. */
const chargesOf = async (tx: Transaction, { studioId, orderId }: OrderKey): Promise<ChargeRow[]> => {
  const { rows } = await sql<ChargeRow>`
    select c.id, c.amount_cents as "amountCents", c.commission_cents as "commissionCents", c.provider,
           coalesce(r.cents, 0)::int as "givenCents", coalesce(r.commission, 0)::int as "givenCommissionCents"
      from ledger c left join lateral (
        select sum(r.amount_cents) as cents, sum(r.commission_cents) as commission from ledger r
         where r.studio_id = c.studio_id and r.refund_of = c.id and r.state <> 'failed') r on true
     where c.studio_id = ${studioId} and c.order_id = ${orderId} and c.kind = 'charge' and c.state = 'done'
     order by c.id desc`.execute(tx)
  return rows
}

const leftOf = ({ amountCents, givenCents }: ChargeRow): number => amountCents - givenCents

/** What can still be given back of an order, in whole cents. */
export const refundableCents = async (tx: Transaction, key: OrderKey): Promise<number> =>
  sumCents((await chargesOf(tx, key)).map(leftOf))

type RefundInput = {
  readonly amountCents: number
  readonly reason: string
  readonly sessionId?: number
  readonly userId?: number
}

/**
 * Writes down that money of an order goes back, newest charge first, and has it done in the background; what was paid in cash or by check
 * staff give back themselves, so that it is done as they say so. The caller holds the order's lock, so that the same money is never owed
 * twice; throws where it is more than is left.
 */
export const createRefund = async (
  tx: Transaction,
  deps: Deps,
  { key, owed }: { key: OrderKey; owed: RefundInput },
) => {
  const { studioId, orderId } = key
  const { amountCents, reason, sessionId = null, userId = null } = owed
  let wanted = amountCents
  for (const charge of await chargesOf(tx, key)) {
    const part = Math.min(wanted, leftOf(charge))
    if (part <= 0) continue
    wanted -= part
    const refundId = deps.newId()
    const isDone = isCounterPayment(charge.provider)
    const now = deps.clock()
    const { id: refundRow } = await tx
      .insertInto('ledger')
      .values({
        studio_id: studioId,
        order_id: orderId,
        kind: 'refund',
        state: isDone ? 'done' : 'pending',
        amount_cents: part,
        commission_cents: refundedCommission(charge, part),
        provider: charge.provider,
        idempotency_key: refundId,
        refund_of: charge.id,
        reason,
        made_by: userId,
        created_at: now,
        settled_at: isDone ? now : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const detail = { orderId, amountCents: part, reason }
    await recordAudit(tx, deps, { studioId, action: 'refund.owed', entityId: refundId, detail, sessionId, userId })
    if (isDone)
      await recordAudit(tx, deps, { studioId, action: 'refund.done', entityId: refundId, detail, sessionId, userId })
    else await deps.jobs.enqueue(tx, 'settle-refund', { studioId, refundRow })
  }
  if (wanted > 0) throw new Error(`order ${orderId} has ${wanted} cents less than were to be given back`)
}
