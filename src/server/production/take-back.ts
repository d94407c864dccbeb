import { sql } from 'kysely'
import { stateBeforeLab } from '../../domain/order-states.ts'
import { note } from '../audit/note.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { User } from '../http/access-token.ts'
import type { JobKey } from '../http/admit.ts'
import { type Problem, problem } from '../http/problem.ts'
import { lockBatchesOf } from '../order-store/hold-in-batch.ts'
import { lockOrder } from '../order-store/move-order.ts'

type Asked = { readonly key: JobKey & { readonly packetId: number }; readonly user: User }
type Member = { id: number; order_number: string; state: string; is_part_of_batch_order: boolean }

const begun = 'The lab has begun with these orders. Ask the lab'

const putBack = async (
  tx: Transaction,
  deps: Deps,
  { key, order, user }: { key: { studioId: number }; order: Member; user: User },
): Promise<void> => {
  const { studioId } = key
  const to = stateBeforeLab({ isToStudio: order.is_part_of_batch_order })
  const now = deps.clock()
  await tx
    .updateTable('orders')
    .set(({ eb }) => ({ state: to, moved_at: now, updated_at: now, version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', order.id)
    .execute()
  const reason = 'taken back from the lab'
  const move = { from_state: order.state, to_state: to, moved_by: user.id, reason, moved_at: now }
  await tx
    .insertInto('order_moves')
    .values({ studio_id: studioId, order_id: order.id, ...move })
    .execute()
  const detail = { from: order.state, to, reason }
  await note(tx, deps, { studioId, action: 'order.moved', entityId: order.order_number, detail, userId: user.id })
}

/** The batch a packet was made of waits again to be handed on; it takes no more orders in. */
const closeAgain = (tx: Transaction, { clock }: Deps, { studioId, batchId }: { studioId: number; batchId: number }) =>
  tx
    .updateTable('batches')
    .set(({ eb }) => ({ state: 'closed', updated_at: clock(), version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', batchId)
    .where('state', '=', 'submitted')
    .execute()

/** The orders of a packet under their locks, each taken as everybody takes it. */
const lockMembers = async (tx: Transaction, { studioId, packetId }: { studioId: number; packetId: number }) => {
  const { rows: ids } = await sql<{ id: number }>`
    select order_id as id from packet_orders where studio_id = ${studioId} and packet_id = ${packetId} order by 1`.execute(
    tx,
  )
  for (const { id: orderId } of ids) await lockOrder(tx, { studioId, orderId })
  const { rows } = await sql<Member>`
    select o.id, o.order_number, o.state, o.is_part_of_batch_order from packet_orders m
      join orders o on o.studio_id = m.studio_id and o.id = m.order_id
     where m.studio_id = ${studioId} and m.packet_id = ${packetId} order by o.id`.execute(tx)
  return rows
}

/** Takes a packet back before the lab has begun: its orders wait where they waited, and its files are removed. */
export const takePacketBack = (
  deps: Deps,
  { key, user }: Asked,
): Promise<{ orders: number } | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, jobId, packetId } = key
    await lockBatchesOf(tx, key)
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
    if (members.some(({ state }) => state === 'inProduction' || state === 'shipped')) return problem('refused', begun)
    const here = members.filter(({ state }) => state === 'submitted')
    for (const order of here) await putBack(tx, deps, { key, order, user })
    if (packet.batch_id !== null) await closeAgain(tx, deps, { studioId, batchId: packet.batch_id })
    await tx.deleteFrom('packets').where('studio_id', '=', studioId).where('id', '=', packetId).execute()
    await deps.jobs.enqueue(tx, 'remove-files', { folders: [`studios/${studioId}/packets/${packetId}/`], keys: [] })
    const detail = { orders: here.length }
    await note(tx, deps, { studioId, action: 'packet.taken-back', entityId: String(packetId), detail, userId: user.id })
    return { orders: here.length }
  })
