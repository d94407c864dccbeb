import { canTransitionOrder } from '#domain/orders/order-states.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import type { LabOrder } from '../orders/store/lab-orders.ts'
import { moveOrders } from '../orders/store/move-order.ts'
import { soldLine } from '../orders/store/sold-lines.ts'
import { printsOf } from './line-prints.ts'

type LabSubmission = { readonly job: JobKey; readonly user: User; readonly batchId: number | null }

const insertPacket = async (
  tx: Transaction,
  deps: Deps,
  { submission, orders }: { submission: LabSubmission; orders: readonly LabOrder[] },
): Promise<number> => {
  const { job, user, batchId } = submission
  const filesTotal = orders.flatMap(({ lines }) => lines).reduce((sum, row) => sum + printsOf(soldLine(row)).length, 0)
  const { id } = await tx
    .insertInto('packets')
    .values({
      studio_id: job.studioId,
      job_id: job.jobId,
      batch_id: batchId,
      files_total: filesTotal,
      made_by: user.id,
      created_at: deps.clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const members = orders.map((order) => ({ studio_id: job.studioId, packet_id: id, order_id: order.id }))
  await tx.insertInto('packet_orders').values(members).execute()
  await deps.jobs.enqueue(tx, 'make-packet', { studioId: job.studioId, packetId: id })
  return id
}

/**
 * Submits locked orders to the lab, all or none, and enqueues their packet. `blockerOf` returns the reason why an order
 * cannot be submitted. Returns the packet's id.
 */
export const submitToLab = async (
  tx: Transaction,
  deps: Deps,
  {
    orders,
    blockerOf,
    ...submission
  }: LabSubmission & { orders: readonly LabOrder[]; blockerOf: (order: LabOrder) => string | null | undefined },
): Promise<number | Problem<'refused'>> => {
  const blockers = orders.flatMap((order) => {
    const reason = blockerOf(order)
    return reason ? [{ number: order.order_number, reason }] : []
  })
  const [firstBlocker] = blockers
  const fields = Object.fromEntries(blockers.map(({ number, reason }) => [number, [reason]]))
  if (firstBlocker) return problem('refused', `${firstBlocker.number}: ${firstBlocker.reason}`, { fields })
  const submittable = orders.filter(({ state }) => canTransitionOrder(state, 'submitted'))
  const moves = submittable.map(
    ({ id, order_number, state }) =>
      ({ orderId: id, orderNumber: order_number, from: state, to: 'submitted' }) as const,
  )
  await moveOrders(tx, deps, { studioId: submission.job.studioId, moves, userId: submission.user.id })
  return await insertPacket(tx, deps, { submission, orders })
}
