import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { submitReadyOrders as call, SelectedOrders } from '#contract/studio/order-lists.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { Problem } from '../http/problem.ts'
import { lockLabOrders, singleOrderLabBlocker } from '../orders/store/lab-orders.ts'
import { isUnbatched } from '../orders/store/order-filter.ts'
import { countSkipped, hasOrderId, nextSelectedOrders, type SkippedOrders } from '../orders/store/order-selection.ts'
import { readPacket } from './read-packet.ts'
import { submitToLab } from './submit-to-lab.ts'

type SubmitReadyRequest = {
  readonly job: JobKey
  readonly which: SelectedOrders
  readonly after?: number | undefined
  readonly user: User
  readonly recordResponse: RecordResponse
}

const isEligibleForLab = sql`((${isUnbatched} or o.state = 'placed') and not o.awaits_poses)`

const reasonOf = ({ state, batchId, awaitsImages }: SkippedOrders): string | null =>
  singleOrderLabBlocker({ state, batch_id: batchId, awaits_poses: awaitsImages, lines: [] })

/** Submits the orders that are ready as one packet, and returns the reasons why the others stay. */
export const submitReadyOrders = (
  deps: Deps,
  { job, which, after, user, recordResponse }: SubmitReadyRequest,
): Promise<Infer<(typeof call)['answer']> | Problem<'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const selection = { job, which, after, isEligible: isEligibleForLab }
    const part = await nextSelectedOrders(tx, selection)
    const locked = await lockLabOrders(tx, job, hasOrderId(part.ids))
    const orders = locked.map((order) => ({ order, why: singleOrderLabBlocker(order) }))
    const refused = orders.flatMap(({ order, why }) => (why === null ? [] : [{ orderNumber: order.order_number, why }]))
    const ready = orders.filter(({ why }) => why === null).map(({ order }) => order)
    const skipped = await countSkipped(tx, { selection, part, reasonOf })
    const packetId =
      ready.length === 0
        ? null
        : await submitToLab(tx, deps, { job, user, batchId: null, orders: ready, blockerOf: () => null })
    if (packetId instanceof Problem) return packetId
    const packet = packetId === null ? null : ((await readPacket({ db: tx }, { ...job, packetId })) ?? null)
    const answer = { packet, refused, passed: skipped, after: part.after }
    await recordResponse(tx, answer)
    return answer
  })
