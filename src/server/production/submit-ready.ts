import { sql } from 'kysely'
import type { WhichOrders } from '../../contract/studio/order-lists.ts'
import { mostTogether } from '../../domain/order-views.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { User } from '../http/access-token.ts'
import type { JobKey } from '../http/admit.ts'
import type { Problem } from '../http/problem.ts'
import { lockLabOrders, objectionAlone } from '../order-store/lab-orders.ts'
import { isMeantOrder } from '../order-store/sought-orders.ts'
import { handToLab } from './hand-to-lab.ts'

type Asked = { readonly job: JobKey; readonly which: WhichOrders; readonly user: User }

type Submitted = {
  /** Null where none could go. */
  packetId: number | null
  refused: { orderNumber: string; why: string }[]
  hasMore: boolean
}

/** Hands those orders to the lab that can go, as one packet, and says why the others stay. */
export const submitReady = (deps: Deps, { job, which, user }: Asked): Promise<Submitted | Problem<'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const some = sql`o.id in (
      select o.id from orders o where ${isMeantOrder(job, which)} order by o.id limit ${mostTogether + 1})`
    const found = await lockLabOrders(tx, job, some)
    const hasMore = found.length > mostTogether
    const orders = found.slice(0, mostTogether).map((order) => ({ order, why: objectionAlone(order) }))
    const refused = orders.flatMap(({ order, why }) => (why === null ? [] : [{ orderNumber: order.order_number, why }]))
    const ready = orders.filter(({ why }) => why === null).map(({ order }) => order)
    if (ready.length === 0) return { packetId: null, refused, hasMore }
    const handed = await handToLab(tx, deps, { job, user, batchId: null, orders: ready, why: () => null })
    return typeof handed === 'number' ? { packetId: handed, refused, hasMore } : handed
  })
