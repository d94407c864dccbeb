import { taxPartsOf } from '#domain/pricing/tax-parts.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { readCart } from '#server/carts/store/read-cart.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { createDownloadLinks } from '#server/orders/store/create-download-links.ts'
import { assignNewOrderToBatch, insertOrder } from '#server/orders/store/insert-order.ts'
import { eventsOfNewOrder, recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import { insertCharge } from '../attempts/insert-charge.ts'
import type { PaymentAttempt } from '../attempts/payment-attempts.ts'
import { readOrderBasis } from './order-basis.ts'
import { redeemPromotionUses } from './promotion-uses.ts'

type PaidCart = { readonly attempt: PaymentAttempt; readonly reference: string; readonly cardEnding: string | null }

/**
 * Creates the order of a paid cart: its rows, charge, download links, batch if it is shipped to the studio, a grant for the session, and the
 * receipt. It is part of the transaction that stores the outcome of the payment.
 */
export const placeOrder = async (tx: Transaction, deps: Deps, paid: PaidCart): Promise<void> => {
  const { attempt, cardEnding } = paid
  const { studioId, jobId, cartId, checkoutId, sessionId, totals, payMethod, currency } = attempt
  const basis = await readOrderBasis(tx, attempt)
  const { details, orderMethod } = basis
  const jobSession = { session: { id: sessionId }, job: { studioId, jobId } }
  const cart = await readCart(tx, { ...jobSession, orderMethod }, deps.clock())
  if (cart?.id !== cartId) throw new Error(`the cart of attempt ${attempt.attemptId} does not exist`)
  const { orderId, orderNumber } = await insertOrder(tx, deps, {
    ...{ studioId, jobId, cart, totals, ...basis, payMethod, cardEnding, currency },
    from: { cartId, checkoutId, sessionId },
  })
  await insertCharge(tx, deps, { orderId, attempt, reference: paid.reference, taxParts: taxPartsOf(totals) })
  // The receipt contains the links to gallery images. For images that are not taken yet, an email follows later.
  const isNotified = () => orderMethod === 'gallery'
  await createDownloadLinks(tx, deps, { studioId, orderId, isNotified })
  await redeemPromotionUses(tx, deps, { key: attempt, orderId })
  const detail = { attemptId: attempt.attemptId, totalCents: totals.totalCents }
  await recordAudit(tx, deps, { studioId, action: 'order.placed', entityId: orderNumber, detail, sessionId })
  await recordOrderEvents(tx, deps, studioId, [{ orderId, events: eventsOfNewOrder(totals) }])
  await assignNewOrderToBatch(tx, deps, { key: { studioId, orderId }, details, cart })
  await grantAccess(tx, deps, jobSession, { kind: 'order', orderId })
  await deps.jobs.enqueue(tx, 'send-receipt', { studioId, orderId })
}
