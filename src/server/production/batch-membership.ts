import { orderAtLabMessage } from '#domain/orders/order-at-lab-message.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { orderNotFound, type Problem, problem } from '../http/problem.ts'
import { assignToOpenBatch } from '../orders/store/assign-batch.ts'
import { type LockedOrder, lockOrder } from '../orders/store/move-order.ts'
import type { OrderKey } from '../orders/store/sold-lines.ts'
import { recordOrderEvents } from '../webhooks/outbox/record-events.ts'

type BatchOrderRequest = { readonly job: JobKey; readonly orderNumber: string; readonly user: User }
type BatchMembership = { orderNumber: string; batchId: number | null }
type BatchOrderRow = { id: number; batch_id: number | null; is_part_of_batch_order: boolean }
type LockedBatchOrder = BatchOrderRow & { readonly key: OrderKey; readonly order: LockedOrder }

const columns = ['id', 'batch_id', 'is_part_of_batch_order'] as const

/** Finds an order of the job and locks it. */
const findOrder = async (
  tx: Transaction,
  { job: { studioId, jobId }, orderNumber }: BatchOrderRequest,
): Promise<LockedBatchOrder | undefined> => {
  const query = tx
    .selectFrom('orders')
    .select(columns)
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('order_number', '=', normaliseOrderNumber(orderNumber) ?? '')
    .forUpdate()
  const row = await query.executeTakeFirst()
  const key = { studioId, orderId: row?.id ?? 0 }
  const order = row && (await lockOrder(tx, key))
  return order && { ...row, key, order }
}

/** The problem if an order cannot be in a batch. */
const batchingProblem = ({
  order: { state },
  is_part_of_batch_order: isShippedToStudio,
}: LockedBatchOrder): Problem<'refused'> | undefined => {
  if (!isShippedToStudio) return problem('refused', 'This order does not go to the studio')
  if (state === 'cancelled') return problem('refused', 'This order was cancelled')
  return state === 'placed' || state === 'batched' ? undefined : problem('refused', orderAtLabMessage)
}

type MembershipResult = Promise<BatchMembership | Problem<'not-found' | 'refused'>>

/** Removes an order from its batch. It then waits until staff add it to a batch or submit it alone. Idempotent. */
export const removeFromBatch = (deps: Deps, request: BatchOrderRequest): MembershipResult =>
  inTransaction(deps.db, async (tx) => {
    const locked = await findOrder(tx, request)
    if (!locked) return orderNotFound()
    const { key, order, batch_id: batchId } = locked
    const orderProblem = batchingProblem(locked)
    if (orderProblem) return orderProblem
    const orderNumber = order.order_number
    if (batchId === null) return { orderNumber, batchId }
    await tx
      .updateTable('orders')
      .set(({ eb }) => ({ batch_id: null, updated_at: deps.clock(), version: eb('version', '+', 1) }))
      .where('studio_id', '=', key.studioId)
      .where('id', '=', key.orderId)
      .execute()
    const { studioId } = key
    const userId = request.user.id
    await recordAudit(tx, deps, {
      studioId,
      action: 'order.taken-out',
      entityId: orderNumber,
      detail: { batchId },
      userId,
    })
    await recordOrderEvents(tx, deps, studioId, [{ orderId: key.orderId, events: ['order.changed'] }])
    return { orderNumber, batchId: null }
  })

/** Adds an order to the job's open batch. An order that is already in a batch stays unchanged. */
export const addToBatch = (deps: Deps, request: BatchOrderRequest): MembershipResult =>
  inTransaction(deps.db, async (tx) => {
    const locked = await findOrder(tx, request)
    if (!locked) return orderNotFound()
    const { key, order } = locked
    const orderProblem = batchingProblem(locked)
    if (orderProblem) return orderProblem
    const orderNumber = order.order_number
    if (locked.batch_id !== null) return { orderNumber, batchId: locked.batch_id }
    const userId = request.user.id
    const { id: batchId } = await assignToOpenBatch(tx, deps, { key, order, userId })
    const { studioId } = key
    await recordAudit(tx, deps, {
      studioId,
      action: 'order.put-in',
      entityId: orderNumber,
      detail: { batchId },
      userId,
    })
    return { orderNumber, batchId }
  })
