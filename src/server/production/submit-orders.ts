import { sql } from 'kysely'
import { whatIsMissing } from '../../domain/completeness.ts'
import { normaliseOrderNumber } from '../../domain/order-number.ts'
import { isTheCustomers, type OrderState } from '../../domain/order-states.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { User } from '../http/access-token.ts'
import type { JobKey } from '../http/admit.ts'
import { type Problem, problem } from '../http/problem.ts'
import { lockOrder, moveOrder } from '../order-store/move-order.ts'
import { type SoldRow, soldLine, soldRows } from '../order-store/sold-lines.ts'
import { printsOf } from './prints.ts'

type Asked = { readonly job: JobKey; readonly orderNumbers: readonly string[]; readonly user: User }
type Row = { id: number; order_number: string; state: OrderState; awaits_poses: boolean; lines: SoldRow[] }

/** The orders, in the order of their ids: two who hand on the same ones wait for each other, and never in a ring. */
const readOrders = async (tx: Transaction, { job, orderNumbers }: Asked): Promise<Row[]> => {
  const numbers = orderNumbers.map((typed) => normaliseOrderNumber(typed) ?? typed)
  const { rows } = await sql<Row>`
    select o.id, o.order_number, o.state, o.awaits_poses, ${soldRows} as lines
      from orders o
     where o.studio_id = ${job.studioId} and o.job_id = ${job.jobId} and o.order_number in (${sql.join(numbers)})
     order by o.id for update of o`.execute(tx)
  return rows
}

/** Why an order cannot go to the lab as it is; undefined where it can. */
const objection = ({ state, awaits_poses: awaitsPoses, lines }: Row): string | undefined => {
  if (!isTheCustomers({ state }))
    return state === 'cancelled' ? 'This order was cancelled' : 'This order is with the lab already'
  if (awaitsPoses) return 'Pictures are still to be chosen'
  const missing = lines.flatMap((row) =>
    whatIsMissing(soldLine(row), 'gallery').map(({ name }) => `${row.snapshot.package.name}: ${name}`),
  )
  return missing.length > 0 ? `Something is missing: ${missing.join(', ')}` : undefined
}

const insertPacket = async (
  tx: Transaction,
  deps: Deps,
  { asked, rows }: { asked: Asked; rows: Row[] },
): Promise<number> => {
  const { job, user } = asked
  const filesTotal = rows.flatMap(({ lines }) => lines).reduce((sum, row) => sum + printsOf(soldLine(row)).length, 0)
  const { id } = await tx
    .insertInto('packets')
    .values({
      studio_id: job.studioId,
      job_id: job.jobId,
      files_total: filesTotal,
      made_by: user.id,
      created_at: deps.clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const members = rows.map((row) => ({ studio_id: job.studioId, packet_id: id, order_id: row.id }))
  await tx.insertInto('packet_orders').values(members).execute()
  await deps.jobs.enqueue(tx, 'make-packet', { studioId: job.studioId, packetId: id })
  return id
}

/** Hands orders to the lab, all of them or none, and has their packet made. Gives the packet's id. */
export const submitOrders = (deps: Deps, asked: Asked): Promise<number | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const rows = await readOrders(tx, asked)
    const wanted = new Set(asked.orderNumbers.map((typed) => normaliseOrderNumber(typed) ?? typed))
    if (rows.length < wanted.size) return problem('not-found', 'Not all of these orders are here')
    const objections = rows.flatMap((row) => {
      const why = objection(row)
      return why ? [{ number: row.order_number, why }] : []
    })
    const [first] = objections
    const fields = Object.fromEntries(objections.map(({ number, why }) => [number, [why]]))
    if (first) return problem('refused', `${first.number}: ${first.why}`, { fields })
    for (const row of rows) {
      const key = { studioId: asked.job.studioId, orderId: row.id }
      const order = await lockOrder(tx, key)
      if (order) await moveOrder(tx, deps, { key, order, move: { to: 'submitted', userId: asked.user.id } })
    }
    return await insertPacket(tx, deps, { asked, rows })
  })
