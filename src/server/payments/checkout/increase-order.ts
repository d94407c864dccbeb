import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Cart } from '#domain/cart/cart.ts'
import { withLineQuantities } from '#domain/cart/cart-rules.ts'
import { orderLockReason } from '#domain/orders/order-states.ts'
import { shareTaxParts, subtractTaxParts, taxPartsOf } from '#domain/pricing/tax-parts.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import type { OrderChange } from '#server/database/tables/order-tables.ts'
import type { Deps } from '#server/deps.ts'
import { createRefund } from '#server/orders/store/create-refund.ts'
import { lockOrder } from '#server/orders/store/move-order.ts'
import { updateOrderPromotions } from '#server/orders/store/promotion-uses.ts'
import { describeQuantityChanges, rewriteOrder } from '#server/orders/store/rewrite-order.ts'
import { readSoldOrder, type SoldOrder } from '#server/orders/store/sold-order.ts'
import { recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import { insertCharge } from '../attempts/insert-charge.ts'
import type { PaymentAttempt } from '../attempts/payment-attempts.ts'

type PaidIncrease = { readonly attempt: PaymentAttempt; readonly change: OrderChange; readonly reference: string }

/** The packages of an order with their quantities. */
export const packageQuantities = ({ lines }: SoldOrder): OrderChange['packages'] =>
  lines.map(({ id, quantity }) => ({ lineId: id, quantity }))

/** The cart of an order with the requested quantities. */
export const cartWithQuantities = ({ lines, cart }: SoldOrder, packages: OrderChange['packages']): Cart => {
  const quantities = packages.flatMap(({ lineId, quantity }) => {
    const line = lines.find(({ id }) => id === lineId)
    return line ? [[line.lineId, quantity] as const] : []
  })
  return withLineQuantities(cart, new Map(quantities)).cart
}

/**
 * Whether an order is unchanged since the increase was priced, and can be changed. Texts and crops may differ, because
 * they do not affect the price.
 */
const isUnchangedSincePricing = (sold: SoldOrder, { before }: OrderChange): boolean =>
  orderLockReason(sold) === null &&
  sold.totalCents === before.totalCents &&
  isDeepStrictEqual(packageQuantities(sold), before.packages)

const markDone = async (tx: Transaction, { studioId, attemptId }: PaymentAttempt, isDone: boolean): Promise<void> => {
  await sql`update payment_attempts set order_change = jsonb_set(order_change, '{isDone}', ${JSON.stringify(isDone)}::jsonb)
             where studio_id = ${studioId} and id = ${attemptId}`.execute(tx)
}

const writeIncrease = async (
  tx: Transaction,
  deps: Deps,
  sold: SoldOrder,
  { attempt, change }: PaidIncrease,
): Promise<void> => {
  const { studioId, totals, attemptId, amountCents } = attempt
  const { orderId, packages, sessionId } = change
  const key = { studioId, orderId }
  const now = deps.clock()
  const cart = cartWithQuantities(sold, packages)
  await rewriteOrder(tx, key, { sold, cart, totals, now })
  await updateOrderPromotions(tx, deps, { key, totals })
  const detail = {
    lines: describeQuantityChanges(sold, cart),
    attemptId,
    chargeCents: amountCents,
    totalCents: totals.totalCents,
  }
  await recordAudit(tx, deps, { studioId, action: 'order.grown', entityId: sold.orderNumber, detail, sessionId })
  await deps.jobs.enqueue(tx, 'send-changed-email', {
    ...key,
    changedAt: now.toISOString(),
    chargedOrRefundedCents: amountCents,
  })
  const changed = { orderId, events: ['order.changed'] } as const
  const paid = { orderId, events: ['order.paid'], detail: { amountCents } } as const
  await recordOrderEvents(tx, deps, studioId, amountCents > 0 ? [changed, paid] : [changed])
}

/**
 * Adds the paid packages to an order and records the charge. If the order changed during authentication or went to the
 * lab, nothing is added and the payment is refunded. Part of the transaction that stores the payment's outcome.
 */
export const increaseOrder = async (tx: Transaction, deps: Deps, increase: PaidIncrease): Promise<void> => {
  const { attempt, change, reference } = increase
  const { studioId, attemptId, amountCents } = attempt
  const { orderId, sessionId } = change
  const key = { studioId, orderId }
  await lockOrder(tx, key)
  const sold = await readSoldOrder(tx, key)
  if (!sold) throw new Error(`order ${orderId} of attempt ${attemptId} does not exist`)
  const canIncrease = isUnchangedSincePricing(sold, change)
  const newParts = taxPartsOf(attempt.totals)
  const added = canIncrease ? subtractTaxParts(newParts, taxPartsOf(sold.totals)) : newParts
  const taxParts = shareTaxParts(amountCents, added)
  await insertCharge(tx, deps, { orderId, attempt, reference, taxParts })
  await markDone(tx, attempt, canIncrease)
  if (canIncrease) return await writeIncrease(tx, deps, sold, increase)
  if (amountCents === 0) return
  const refund = {
    amountCents,
    reason: 'the order changed while more of it was paid for',
    sessionId,
    takenOff: taxParts,
  }
  await createRefund(tx, deps, { key, refund })
  await deps.jobs.enqueue(tx, 'send-increase-failed-email', { ...key, attemptId, amountCents })
}
