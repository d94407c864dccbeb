import { sql } from 'kysely'
import type { SelectedOrders } from '#contract/studio/order-lists.ts'
import { canTransitionOrder, type OrderState, orderStates } from '#domain/orders/order-states.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { RecordResponse } from '#server/http/idempotency.ts'
import { moveOrders } from '../store/move-order.ts'
import { countSkipped, hasOrderId, nextSelectedOrders } from '../store/order-selection.ts'

type MoveOrdersRequest = {
  readonly job: JobKey
  readonly which: SelectedOrders
  readonly after?: number | undefined
  readonly to: 'inProduction' | 'shipped'
  readonly user: User
  readonly recordResponse: RecordResponse
}

const reasonByState: Readonly<Record<OrderState, string>> = {
  placed: 'This order is not with the lab yet',
  batched: 'This order is not with the lab yet',
  submitted: 'The lab has not begun this order yet',
  inProduction: 'This order is in production already',
  shipped: 'This order is shipped already',
  cancelled: 'This order was cancelled',
}

type LockedOrderRow = { id: number; state: OrderState; orderNumber: string }

const lockOrders = async (tx: Transaction, { studioId }: JobKey, ids: readonly number[]): Promise<LockedOrderRow[]> => {
  const { rows } = await sql<LockedOrderRow>`
    select o.id, o.state, o.order_number as "orderNumber" from orders o
     where o.studio_id = ${studioId} and ${hasOrderId(ids)} order by o.id for update of o`.execute(tx)
  return rows
}

/** Moves the orders that may move and returns why the others stay. The customer of each shipped order gets an email. */
export const moveManyOrders = (deps: Deps, { job, which, after, to, user, recordResponse }: MoveOrdersRequest) =>
  inTransaction(deps.db, async (tx) => {
    const from = orderStates.filter((state) => canTransitionOrder(state, to))
    const selection = { job, which, after, isEligible: sql`o.state in (${sql.join(from)})` }
    const part = await nextSelectedOrders(tx, selection)
    const orders = await lockOrders(tx, job, part.ids)
    const skipped = await countSkipped(tx, { selection, part, reasonOf: ({ state }) => reasonByState[state] })
    const { studioId } = job
    const movedOrders = orders.filter(({ state }) => canTransitionOrder(state, to))
    const moves = movedOrders.map(({ id, orderNumber, state }) => ({ orderId: id, orderNumber, from: state, to }))
    await moveOrders(tx, deps, { studioId, moves, userId: user.id })
    const shippedOrders = to === 'shipped' ? movedOrders : []
    for (const { id: orderId } of shippedOrders)
      await deps.jobs.enqueue(tx, 'send-shipped-email', { studioId, orderId })
    const result = {
      moved: movedOrders.length,
      refused: orders
        .filter(({ state }) => !canTransitionOrder(state, to))
        .map(({ orderNumber, state }) => ({ orderNumber, why: reasonByState[state] })),
      passed: skipped,
      after: part.after,
    }
    await recordResponse(tx, result)
    return result
  })
