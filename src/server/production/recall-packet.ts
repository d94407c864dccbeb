import { sql } from 'kysely'
import { type OrderState, stateBeforeLab } from '#domain/orders/order-states.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { type Problem, problem } from '../http/problem.ts'
import { moveOrders } from '../orders/store/move-order.ts'

type RecallRequest = {
  readonly key: JobKey & { readonly packetId: number }
  readonly user: User
  readonly recordResponse: RecordResponse
}
type PacketMember = { orderId: number; orderNumber: string; from: OrderState; isToStudio: boolean }

const inProductionMessage = 'The lab has begun with these orders. Ask the lab'

/** Changes the batch of a packet from submitted to closed, so that it can be submitted again. It stays closed for new orders. */
const recloseBatch = (tx: Transaction, { clock }: Deps, { studioId, batchId }: { studioId: number; batchId: number }) =>
  tx
    .updateTable('batches')
    .set(({ eb }) => ({ state: 'closed', updated_at: clock(), version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', batchId)
    .where('state', '=', 'submitted')
    .execute()

/** Locks the orders of a packet, in the same order as all transactions do. */
const lockMembers = async (tx: Transaction, { studioId, packetId }: { studioId: number; packetId: number }) => {
  const { rows } = await sql<PacketMember>`
    select o.id as "orderId", o.order_number as "orderNumber", o.state as "from", o.is_part_of_batch_order as "isToStudio"
      from orders o
     where o.studio_id = ${studioId} and o.id in (
       select m.order_id from packet_orders m where m.studio_id = ${studioId} and m.packet_id = ${packetId})
     order by o.id for update of o`.execute(tx)
  return rows
}

/**
 * Recalls a packet before the lab has started: its submitted orders return to their previous states, and its files are
 * removed.
 */
export const recallPacket = (
  deps: Deps,
  { key, user, recordResponse }: RecallRequest,
): Promise<{ orders: number } | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, jobId, packetId } = key
    await lockJob(tx, key)
    const packet = await tx
      .selectFrom('packets')
      .select(['batch_id', 'state'])
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('id', '=', packetId)
      .forUpdate()
      .executeTakeFirst()
    if (!packet) return problem('not-found')
    const members = await lockMembers(tx, key)
    if (members.some(({ from }) => from === 'inProduction' || from === 'shipped'))
      return problem('refused', inProductionMessage)
    const submittedOrders = members.filter(({ from }) => from === 'submitted')
    const moves = submittedOrders.map((member) => ({ ...member, to: stateBeforeLab(member) }))
    await moveOrders(tx, deps, { studioId, moves, reason: 'recalled from the lab', userId: user.id })
    if (packet.batch_id !== null) await recloseBatch(tx, deps, { studioId, batchId: packet.batch_id })
    await tx.deleteFrom('packets').where('studio_id', '=', studioId).where('id', '=', packetId).execute()
    await deps.jobs.enqueue(tx, 'remove-files', { folders: [`studios/${studioId}/packets/${packetId}/`], keys: [] })
    const answer = { orders: submittedOrders.length }
    const audit = { entityId: String(packetId), detail: answer, userId: user.id }
    await recordAudit(tx, deps, { studioId, action: 'packet.taken-back', ...audit })
    await recordResponse(tx, answer)
    return answer
  })
