import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { submitReady as call, WhichOrders } from '#contract/studio/order-lists.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { RecordIn } from '../http/idempotency.ts'
import { Problem } from '../http/problem.ts'
import { lockLabOrders, objectionAlone } from '../orders/store/lab-orders.ts'
import { isAlone } from '../orders/store/order-filter.ts'
import { amongIds, countPassed, nextMeant, type PassedOver } from '../orders/store/order-selection.ts'
import { readPacket } from './read-packet.ts'
import { handToLab } from './submit-to-lab.ts'

type Asked = {
  readonly job: JobKey
  readonly which: WhichOrders
  readonly after?: number | undefined
  readonly user: User
  readonly recordIn: RecordIn
}

const mayGo = sql`((${isAlone} or o.state = 'placed') and not o.awaits_poses)`

const whyNot = ({ state, batchId, awaitsPoses }: PassedOver): string | null =>
  objectionAlone({ state, batch_id: batchId, awaits_poses: awaitsPoses, lines: [] })

/** Hands those orders to the lab that can go, as one packet, and says why the others stay. */
export const submitReady = (
  deps: Deps,
  { job, which, after, user, recordIn }: Asked,
): Promise<Infer<(typeof call)['answer']> | Problem<'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const meant = { job, which, after, may: mayGo }
    const part = await nextMeant(tx, meant)
    const found = await lockLabOrders(tx, job, amongIds(part.ids))
    const orders = found.map((order) => ({ order, why: objectionAlone(order) }))
    const refused = orders.flatMap(({ order, why }) => (why === null ? [] : [{ orderNumber: order.order_number, why }]))
    const ready = orders.filter(({ why }) => why === null).map(({ order }) => order)
    const passed = await countPassed(tx, { meant, part, whyNot })
    const handed =
      ready.length === 0
        ? null
        : await handToLab(tx, deps, { job, user, batchId: null, orders: ready, why: () => null })
    if (handed instanceof Problem) return handed
    const packet = handed === null ? null : ((await readPacket({ db: tx }, { ...job, packetId: handed })) ?? null)
    const answer = { packet, refused, passed, after: part.after }
    await recordIn(tx, answer)
    return answer
  })
