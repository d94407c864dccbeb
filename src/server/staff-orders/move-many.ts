import { sql } from 'kysely'
import type { WhichOrders } from '../../contract/studio/order-lists.ts'
import { mayMove, type OrderState } from '../../domain/order-states.ts'
import { mostTogether } from '../../domain/order-views.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { User } from '../http/access-token.ts'
import type { JobKey } from '../http/admit.ts'
import { type LockedOrder, moveOrder } from '../order-store/move-order.ts'
import { isMeantOrder } from '../order-store/sought-orders.ts'

type Asked = {
  readonly job: JobKey
  readonly which: WhichOrders
  readonly to: 'inProduction' | 'shipped'
  readonly user: User
}

const whyNot: Readonly<Record<OrderState, string>> = {
  placed: 'This order is not with the lab yet',
  batched: 'This order is not with the lab yet',
  submitted: 'The lab has not begun this order yet',
  inProduction: 'This order is in production already',
  shipped: 'This order is shipped already',
  cancelled: 'This order was cancelled',
}

/** Moves those orders that may go there, and says why the others stay; each customer hears of it once. */
export const moveMany = (deps: Deps, { job, which, to, user }: Asked) =>
  inTransaction(deps.db, async (tx) => {
    const { rows } = await sql<LockedOrder & { id: number }>`
      select o.id, o.state, o.order_number, o.checkout_id, o.job_id from orders o
       where ${isMeantOrder(job, which)} order by o.id limit ${mostTogether + 1} for update of o`.execute(tx)
    const orders = rows.slice(0, mostTogether)
    const going = orders.filter(({ state }) => mayMove(state, to))
    const staying = orders.filter(({ state }) => !mayMove(state, to))
    for (const order of going) {
      const key = { studioId: job.studioId, orderId: order.id }
      await moveOrder(tx, deps, { key, order, move: { to, userId: user.id } })
      if (to === 'shipped') await deps.jobs.enqueue(tx, 'tell-shipped', key)
    }
    return {
      moved: going.length,
      refused: staying.map(({ order_number: orderNumber, state }) => ({ orderNumber, why: whyNot[state] })),
      hasMore: rows.length > orders.length,
    }
  })
