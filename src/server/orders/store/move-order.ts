import { sql } from 'kysely'
import type { OrderEvent } from '#domain/developers/webhooks.ts'
import { canTransitionOrder, type OrderState } from '#domain/orders/order-states.ts'
import { recordAudits } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import type { OrderKey } from './sold-lines.ts'

export type OrderMove = {
  readonly to: OrderState
  readonly reason?: string
  readonly sessionId?: number
  readonly userId?: number
}

/** The columns of an order that its lock reads. */
export type LockedOrder = { state: OrderState; order_number: string; checkout_id: string | null; job_id: number }

/** Locks an order until the transaction ends. The lock serializes state changes, submissions and refunds of the order. */
export const lockOrder = (tx: Transaction, { studioId, orderId }: OrderKey): Promise<LockedOrder | undefined> =>
  tx
    .selectFrom('orders')
    .select(['state', 'order_number', 'checkout_id', 'job_id'])
    .where('studio_id', '=', studioId)
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()

const eventOfMove = (to: OrderState): OrderEvent => (to === 'shipped' ? 'order.shipped' : 'order.changed')

type OrderMoves = {
  readonly studioId: number
  readonly moves: readonly { orderId: number; orderNumber: string; from: OrderState; to: OrderState }[]
} & Omit<OrderMove, 'to'>

/**
 * Moves locked orders in two statements, with an entry for each in the history and the audit log. The caller checks
 * that the transitions are allowed.
 */
export const moveOrders = async (
  tx: Transaction,
  deps: Deps,
  { studioId, moves, ...actor }: OrderMoves,
): Promise<void> => {
  if (moves.length === 0) return
  const { reason = null, sessionId = null, userId = null } = actor
  const now = deps.clock()
  await sql`
    with requested as (
      select * from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as m("orderId" bigint, "from" text, "to" text)),
    moved as (
      update orders o set state = m."to", moved_at = ${now}, updated_at = ${now}, version = o.version + 1
        from requested m where o.studio_id = ${studioId} and o.id = m."orderId")
    insert into order_moves (studio_id, order_id, from_state, to_state, moved_by, reason, moved_at)
    select ${studioId}::bigint, m."orderId", m."from", m."to", ${userId}::bigint, ${reason}::text, ${now}::timestamptz
      from requested m order by m."orderId"`.execute(tx)
  const lines = moves.map(({ orderNumber, from, to }) => ({ entityId: orderNumber, detail: { from, to, reason } }))
  await recordAudits(tx, deps, { studioId, action: 'order.moved', lines, sessionId, userId })
  const changes = moves.map(({ orderId, to }) => ({ orderId, events: [eventOfMove(to)] }))
  await recordOrderEvents(tx, deps, studioId, changes)
}

/** Moves a locked order to another state; false if the state table does not allow the transition. */
export const moveOrder = async (
  tx: Transaction,
  deps: Deps,
  { key, order, move }: { key: OrderKey; order: LockedOrder; move: OrderMove },
): Promise<boolean> => {
  const { studioId, orderId } = key
  const { to, ...actor } = move
  const { state: from, order_number: orderNumber } = order
  if (!canTransitionOrder(from, to)) return false
  await moveOrders(tx, deps, { studioId, moves: [{ orderId, orderNumber, from, to }], ...actor })
  return true
}
