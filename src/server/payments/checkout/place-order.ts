import { giveGrant } from '#server/access/grants/grants.ts'
import { note } from '#server/audit/audit-log.ts'
import { readCart } from '#server/carts/store/read-cart.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { keepDownloads } from '#server/orders/store/create-download-links.ts'
import { holdNew, insertOrder } from '#server/orders/store/insert-order.ts'
import { insertCharge } from '../attempts/insert-charge.ts'
import type { Attempt } from '../attempts/payment-attempts.ts'
import { readBasis } from './order-basis.ts'
import { usePromotion } from './promotion-uses.ts'

type Paid = { readonly attempt: Attempt; readonly reference: string; readonly cardEnding: string | null }

/**
 * Makes the order of a paid cart: number, lines as they were sold, the charge, its first state, its place in the job's batch where it
 * goes to the studio, the right of this visit to see it, and the receipt to be sent. Part of the transaction that writes the
 * payment's outcome.
 */
export const placeOrder = async (tx: Transaction, deps: Deps, paid: Paid): Promise<void> => {
  const { attempt, cardEnding } = paid
  const { studioId, jobId, cartId, checkoutId, sessionId, totals, payMethod, currency } = attempt
  const basis = await readBasis(tx, attempt)
  const { details, orderMethod } = basis
  const visit = { session: { id: sessionId }, job: { studioId, jobId } }
  const cart = await readCart(tx, { ...visit, orderMethod }, deps.clock())
  if (cart?.id !== cartId) throw new Error(`the cart of attempt ${attempt.attemptId} is not there`)
  const { orderId, orderNumber } = await insertOrder(tx, deps, {
    ...{ studioId, jobId, cart, totals, ...basis, payMethod, cardEnding, currency },
    from: { cartId, checkoutId, sessionId },
  })
  await insertCharge(tx, deps, { orderId, attempt, reference: paid.reference })
  // The receipt tells of them; of pictures that are still to be taken, a mail once they are there.
  const told = () => orderMethod === 'gallery'
  await keepDownloads(tx, deps, { studioId, orderId, told })
  await usePromotion(tx, deps, { attempt, orderId })
  const detail = { attemptId: attempt.attemptId, totalCents: totals.totalCents }
  await note(tx, deps, { studioId, action: 'order.placed', entityId: orderNumber, detail, sessionId })
  await holdNew(tx, deps, { key: { studioId, orderId }, details, cart })
  await giveGrant(tx, deps, visit, { kind: 'order', orderId })
  await deps.jobs.enqueue(tx, 'send-receipt', { studioId, orderId })
}
