import { type RawBuilder, sql } from 'kysely'
import { whatIsMissing } from '../../domain/completeness.ts'
import { isTheCustomers } from '../../domain/order-states.ts'
import type { Db, Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { User } from '../http/access-token.ts'
import type { JobKey } from '../http/admit.ts'
import { type Problem, problem } from '../http/problem.ts'
import { type LockedOrder, moveOrder } from '../order-store/move-order.ts'
import { type SoldRow, soldLine, soldRows } from '../order-store/sold-lines.ts'
import { printsOf } from './prints.ts'

/** An order on its way to the lab. */
export type LabOrder = LockedOrder & {
  id: number
  batch_id: number | null
  awaits_poses: boolean
  first_name: string
  last_name: string
  total_cents: number
  placed_at: Date
  lines: SoldRow[]
}

/** Orders of a job; `which` speaks of `o`, and says too whether they are locked. */
const select = async (db: Db | Transaction, { studioId, jobId }: JobKey, which: RawBuilder<unknown>) => {
  const { rows } = await sql<LabOrder>`
    select o.id, o.order_number, o.state, o.checkout_id, o.job_id, o.batch_id, o.awaits_poses, o.first_name, o.last_name,
           o.total_cents, o.placed_at, ${soldRows} as lines
      from orders o
     where o.studio_id = ${studioId} and o.job_id = ${jobId} and ${which}`.execute(db)
  return rows
}

export const readLabOrders = (db: Db, job: JobKey, which: RawBuilder<unknown>): Promise<LabOrder[]> =>
  select(db, job, sql`${which} order by o.id`)

/** The same under their locks, in the order of their ids: two who hand on the same ones wait for each other, and never in a ring. */
export const lockLabOrders = (tx: Transaction, job: JobKey, which: RawBuilder<unknown>): Promise<LabOrder[]> =>
  select(tx, job, sql`${which} order by o.id for update of o`)

/** Why an order cannot go to the lab as it is; null where it can. */
export const objectionTo = ({ state, awaits_poses: awaitsPoses, lines }: LabOrder): string | null => {
  if (!isTheCustomers({ state }))
    return state === 'cancelled' ? 'This order was cancelled' : 'This order is with the lab already'
  if (awaitsPoses) return 'Pictures are still to be chosen'
  const missing = lines.flatMap((row) =>
    whatIsMissing(soldLine(row), 'gallery').map(({ name }) => `${row.snapshot.package.name}: ${name}`),
  )
  return missing.length > 0 ? `Something is missing: ${missing.join(', ')}` : null
}

type Handing = { readonly job: JobKey; readonly user: User; readonly batchId: number | null }

const insertPacket = async (
  tx: Transaction,
  deps: Deps,
  { handing, orders }: { handing: Handing; orders: readonly LabOrder[] },
): Promise<number> => {
  const { job, user, batchId } = handing
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
 * Hands locked orders to the lab, all of them or none, and has their packet made: `why` says what keeps an order here. Gives the
 * packet's id.
 */
export const handToLab = async (
  tx: Transaction,
  deps: Deps,
  {
    orders,
    why,
    ...handing
  }: Handing & { orders: readonly LabOrder[]; why: (order: LabOrder) => string | null | undefined },
): Promise<number | Problem<'refused'>> => {
  const objections = orders.flatMap((order) => {
    const objection = why(order)
    return objection ? [{ number: order.order_number, objection }] : []
  })
  const [first] = objections
  const fields = Object.fromEntries(objections.map(({ number, objection }) => [number, [objection]]))
  if (first) return problem('refused', `${first.number}: ${first.objection}`, { fields })
  for (const order of orders) {
    const key = { studioId: handing.job.studioId, orderId: order.id }
    await moveOrder(tx, deps, { key, order, move: { to: 'submitted', userId: handing.user.id } })
  }
  return await insertPacket(tx, deps, { handing, orders })
}
