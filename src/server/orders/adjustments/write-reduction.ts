import type { Totals } from '#domain/pricing/pricing.ts'
import { subtractTaxParts, taxPartsOf } from '#domain/pricing/tax-parts.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import { createRefund } from '../store/create-refund.ts'
import { updateOrderPromotions } from '../store/promotion-uses.ts'
import { describeQuantityChanges, rewriteOrder } from '../store/rewrite-order.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import type { SoldOrder } from '../store/sold-order.ts'
import type { RemainingOrder } from './quote-reduction.ts'

type ReductionWrite = { sold: SoldOrder; remaining: RemainingOrder; totals: Totals; now: Date }

/** Writes the reduced order, the refund, and everything that depends on it. The caller holds the order's lock. */
export const writeReduction = async (
  tx: Transaction,
  deps: Deps,
  { key, plan, refundCents, session }: { key: OrderKey; plan: ReductionWrite; refundCents: number; session: Session },
): Promise<void> => {
  const { sold, remaining, totals, now } = plan
  await rewriteOrder(tx, key, { sold, cart: remaining.cart, totals, now })
  await updateOrderPromotions(tx, deps, { key, totals })
  const reason = 'packages removed by the customer'
  const takenOff = subtractTaxParts(taxPartsOf(sold.totals), taxPartsOf(totals))
  const refund = { amountCents: refundCents, reason, sessionId: session.id, takenOff }
  if (refundCents > 0) await createRefund(tx, deps, { key, refund })
  const { studioId } = key
  const detail = { lines: describeQuantityChanges(sold, remaining.cart), refundCents, totalCents: totals.totalCents }
  const audit = {
    studioId,
    action: 'order.reduced',
    entityId: sold.orderNumber,
    detail,
    sessionId: session.id,
  } as const
  await recordAudit(tx, deps, audit)
  await deps.jobs.enqueue(tx, 'send-changed-email', {
    ...key,
    changedAt: now.toISOString(),
    chargedOrRefundedCents: -refundCents,
  })
  await recordOrderEvents(tx, deps, studioId, [{ orderId: key.orderId, events: ['order.changed'] }])
}
