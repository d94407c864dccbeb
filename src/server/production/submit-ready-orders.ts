import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { submitReadyOrders as call, SelectedOrders } from '#contract/studio/order-lists.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { RecordAnswer } from '../http/idempotency.ts'
import { Problem } from '../http/problem.ts'
import { lockLabOrders, singleOrderLabObjection } from '../orders/store/lab-orders.ts'
import { isUnbatched } from '../orders/store/order-filter.ts'
import { countSkipped, hasOrderId, nextSelectedOrders, type SkippedOrders } from '../orders/store/order-selection.ts'
import { readPacket } from './read-packet.ts'
import { submitToLab } from './submit-to-lab.ts'

type SubmitReadyRequest = {
  readonly job: JobKey
  readonly which: SelectedOrders
  readonly after?: number | undefined
  readonly user: User
  readonly recordIn: RecordAnswer
}

const mayGo = sql`((${isUnbatched} or o.state = 'placed') and not o.awaits_poses)`

const whyNot = ({ state, batchId, awaitsPoses }: SkippedOrders): string | null =>
  singleOrderLabObjection({ state, batch_id: batchId, awaits_poses: awaitsPoses, lines: [] })

/** Hands those orders to the lab that can go, as one packet, and says why the others stay. */
export const submitReadyOrders = (
  deps: Deps,
  { job, which, after, user, recordIn }: SubmitReadyRequest,
): Promise<Infer<(typeof call)['answer']> | Problem<'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const meant = { job, which, after, may: mayGo }
    const part = await nextSelectedOrders(tx, meant)
    const found = await lockLabOrders(tx, job, hasOrderId(part.ids))
    const orders = found.map((order) => ({ order, why: singleOrderLabObjection(order) }))
    const refused = orders.flatMap(({ order, why }) => (why === null ? [] : [{ orderNumber: order.order_number, why }]))
    const ready = orders.filter(({ why }) => why === null).map(({ order }) => order)
    const passed = await countSkipped(tx, { meant, part, whyNot })
    const handed =
      ready.length === 0
        ? null
        : await submitToLab(tx, deps, { job, user, batchId: null, orders: ready, why: () => null })
    if (handed instanceof Problem) return handed
    const packet = handed === null ? null : ((await readPacket({ db: tx }, { ...job, packetId: handed })) ?? null)
    const answer = { packet, refused, passed, after: part.after }
    await recordIn(tx, answer)
    return answer
  })
