import { type RawBuilder, sql } from 'kysely'
import { findMissingFields } from '#domain/cart/completeness.ts'
import { isCustomerEditable } from '#domain/orders/order-states.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { LockedOrder } from './move-order.ts'
import { type SoldLineRow, soldLine, soldLineRows } from './sold-lines.ts'

/** An order with the data that decide whether it may be submitted to the lab. */
export type LabOrder = LockedOrder & {
  id: number
  batch_id: number | null
  awaits_poses: boolean
  first_name: string
  last_name: string
  total_cents: number
  placed_at: Date
  lines: SoldLineRow[]
}

/** Selects orders `o` of a job; `condition` also contains the sort order and, if needed, the lock. */
const selectOrders = async (db: Db | Transaction, { studioId, jobId }: JobKey, condition: RawBuilder<unknown>) => {
  const { rows } = await sql<LabOrder>`
    select o.id, o.order_number, o.state, o.checkout_id, o.job_id, o.batch_id, o.awaits_poses, o.first_name, o.last_name,
           o.total_cents, o.placed_at, ${soldLineRows} as lines
      from orders o
     where o.studio_id = ${studioId} and o.job_id = ${jobId} and ${condition}`.execute(db)
  return rows
}

export const readLabOrders = (db: Db, job: JobKey, condition: RawBuilder<unknown>): Promise<LabOrder[]> =>
  selectOrders(db, job, sql`${condition} order by o.id`)

/** Reads orders and locks them in the order of their ids, so that concurrent submissions wait for each other without a deadlock. */
export const lockLabOrders = (tx: Transaction, job: JobKey, condition: RawBuilder<unknown>): Promise<LabOrder[]> =>
  selectOrders(tx, job, sql`${condition} order by o.id for update of o`)

type SubmittableOrder = Pick<LabOrder, 'state' | 'batch_id' | 'awaits_poses' | 'lines'>

/** The reason why an order cannot go to the lab; null if it can. */
export const labBlocker = ({ state, awaits_poses: awaitsImages, lines }: SubmittableOrder): string | null => {
  if (!isCustomerEditable({ state }))
    return state === 'cancelled' ? 'This order was cancelled' : 'This order is with the lab already'
  if (awaitsImages) return 'Images not chosen yet'
  const missingFields = lines.flatMap((row) =>
    findMissingFields(soldLine(row), 'gallery').map(({ name }) => `${row.snapshot.package.name}: ${name}`),
  )
  return missingFields.length > 0 ? `Something is missing: ${missingFields.join(', ')}` : null
}

const inBatchMessage = 'This order waits in a batch. Submit the batch, or take the order out of it first'

/** The reason why an order cannot go to the lab by itself; null if it can. */
export const singleOrderLabBlocker = (order: SubmittableOrder): string | null =>
  order.state === 'batched' && order.batch_id !== null ? inBatchMessage : labBlocker(order)
