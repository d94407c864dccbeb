import { orderAtLabMessage } from '#domain/orders/order-at-lab-message.ts'
import { isCustomerEditable } from '#domain/orders/order-states.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { alreadyDownloadedMessage, isDownloaded } from '../store/create-download-links.ts'
import { createRefund, refundableCents } from '../store/create-refund.ts'
import { type LockedOrder, lockOrder, moveOrder } from '../store/move-order.ts'
import { releaseOrderPromotions } from '../store/promotion-uses.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import { isPaidAtCounter, refundAtStudioMessage } from '../store/sold-order.ts'

const customerReason = 'cancelled by the customer'

type CancelOptions = { readonly reason: string; readonly sessionId?: number; readonly userId?: number }

/** Cancels a locked order: refunds the rest of its payment and emails the customer. Returns false if its state forbids it. */
export const cancelLockedOrder = async (
  tx: Transaction,
  deps: Deps,
  { key, order, by }: { key: OrderKey; order: LockedOrder; by: CancelOptions },
): Promise<boolean> => {
  if (!(await moveOrder(tx, deps, { key, order, move: { to: 'cancelled', ...by } }))) return false
  const amountCents = await refundableCents(tx, key)
  if (amountCents > 0) await createRefund(tx, deps, { key, refund: { amountCents, ...by } })
  await releaseOrderPromotions(tx, deps, key)
  await deps.jobs.enqueue(tx, 'send-cancelled-email', key)
  return true
}

type CustomerOrderLock = { key: OrderKey; order: LockedOrder; session: Session }

/**
 * Cancels a locked order for its customer, unless the lab has it, it was paid at the studio, or its files were downloaded. Returns undefined
 * on success.
 */
export const cancelForCustomer = async (
  tx: Transaction,
  deps: Deps,
  { key, order, session }: CustomerOrderLock,
): Promise<Problem<'refused'> | undefined> => {
  if (order.state === 'cancelled') return undefined
  if (!isCustomerEditable(order)) return problem('refused', orderAtLabMessage)
  if (await isPaidAtCounter(tx, key)) return problem('refused', refundAtStudioMessage)
  if (await isDownloaded(tx, key)) return problem('refused', alreadyDownloadedMessage)
  await cancelLockedOrder(tx, deps, { key, order, by: { reason: customerReason, sessionId: session.id } })
  return undefined
}

/** Cancels an order for its customer. Idempotent. */
export const cancelOrder = (
  deps: Deps,
  { key, session }: { key: OrderKey; session: Session },
): Promise<Problem<'not-found' | 'refused'> | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const order = await lockOrder(tx, key)
    return order ? await cancelForCustomer(tx, deps, { key, order, session }) : problem('not-found')
  })
