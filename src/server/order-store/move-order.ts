import { mayMove, type OrderState } from '../../domain/order-states.ts'
import { note } from '../audit/note.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { OrderKey } from './order-key.ts'

export type Move = {
  readonly to: OrderState
  readonly reason?: string
  readonly sessionId?: number
  readonly userId?: number
}

/** An order as whoever holds its lock finds it. */
export type LockedOrder = { state: OrderState; order_number: string; checkout_id: string | null; job_id: number }

/** Takes the order's lock until the transaction ends: whoever moves it, hands it to the lab or gives money back comes one after the other. */
export const lockOrder = (tx: Transaction, { studioId, orderId }: OrderKey): Promise<LockedOrder | undefined> =>
  tx
    .selectFrom('orders')
    .select(['state', 'order_number', 'checkout_id', 'job_id'])
    .where('studio_id', '=', studioId)
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()

/** Moves a locked order to another state (the table of states says where it may go); false where it may not go there. */
export const moveOrder = async (
  tx: Transaction,
  deps: Deps,
  { key, order, move }: { key: OrderKey; order: LockedOrder; move: Move },
): Promise<boolean> => {
  const { studioId, orderId } = key
  const { to, reason = null, sessionId = null, userId = null } = move
  const { state: from, order_number: orderNumber } = order
  if (!mayMove(from, to)) return false
  const now = deps.clock()
  await tx
    .updateTable('orders')
    .set(({ eb }) => ({ state: to, moved_at: now, updated_at: now, version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', orderId)
    .execute()
  await tx
    .insertInto('order_moves')
    .values({
      studio_id: studioId,
      order_id: orderId,
      from_state: from,
      to_state: to,
      moved_by: userId,
      reason,
      moved_at: now,
    })
    .execute()
  const detail = { from, to, reason }
  await note(tx, deps, { studioId, action: 'order.moved', entityId: orderNumber, detail, sessionId, userId })
  return true
}
