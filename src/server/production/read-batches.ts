import { type RawBuilder, sql } from 'kysely'
import type { Batch, BatchDetails, BatchOrder } from '#contract/studio/batches.ts'
import { sumCents } from '#domain/pricing/money.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db } from '../database/database.ts'
import { type LabOrder, labBlocker, readLabOrders } from '../orders/store/lab-orders.ts'

export type BatchKey = JobKey & { readonly batchId: number }

type Row = Omit<Batch, 'closesAt' | 'closedAt'> & { closesAt: Date | null; closedAt: Date | null }

const toBatch = ({ closesAt, closedAt, ...row }: Row): Batch => ({
  ...row,
  closesAt: closesAt?.toISOString() ?? null,
  closedAt: closedAt?.toISOString() ?? null,
})

/** Reads batches `b` of a job that match a condition, newest first. A batch that closes at midnight closes on the day that ends. */
const readBatches = async (db: Db, { studioId, jobId }: JobKey, condition: RawBuilder<unknown>): Promise<Batch[]> => {
  const { rows } = await sql<Row>`
    select b.id, b.name, b.state, b.closes_at as "closesAt", b.closed_at as "closedAt", b.version,
           to_char(b.closes_at at time zone s.time_zone - interval '1 microsecond', 'YYYY-MM-DD') as "closesOn",
           totals."orderCount", totals."totalCents", totals."awaitingPoses", packages."packageCount",
           (select max(p.id) from packets p where p.studio_id = b.studio_id and p.batch_id = b.id) as "packetId"
      from batches b
      join studios s on s.id = b.studio_id
      cross join lateral (
        select count(*) as "orderCount", coalesce(sum(o.total_cents), 0)::bigint as "totalCents",
               count(*) filter (where o.awaits_poses) as "awaitingPoses"
          from orders o where o.studio_id = b.studio_id and o.batch_id = b.id and o.state <> 'cancelled') totals
      cross join lateral (
        select coalesce(sum(l.quantity), 0)::bigint as "packageCount" from orders o
          join order_lines l on l.studio_id = o.studio_id and l.order_id = o.id and l.kind = 'package'
         where o.studio_id = b.studio_id and o.batch_id = b.id and o.state <> 'cancelled') packages
     where b.studio_id = ${studioId} and b.job_id = ${jobId} and ${condition} order by b.id desc`.execute(db)
  return rows.map(toBatch)
}

const hasJob = async (db: Db, { studioId, jobId }: JobKey): Promise<boolean> => {
  const jobsQuery = db.selectFrom('jobs').select('id').where('studio_id', '=', studioId).where('id', '=', jobId)
  return (await jobsQuery.executeTakeFirst()) !== undefined
}

/** All batches of a job; undefined if the studio has no such job. */
export const readBatchesOf = async (db: Db, job: JobKey): Promise<Batch[] | undefined> => {
  const batches = await readBatches(db, job, sql`true`)
  return batches.length > 0 || (await hasJob(db, job)) ? batches : undefined
}

export const readBatch = async (db: Db, { batchId, ...job }: BatchKey): Promise<Batch | undefined> => {
  const [batch] = await readBatches(db, job, sql`b.id = ${batchId}`)
  return batch
}

const toBatchOrder = (order: LabOrder): BatchOrder => ({
  orderNumber: order.order_number,
  customerName: `${order.first_name} ${order.last_name}`.trim(),
  state: order.state,
  placedAt: order.placed_at.toISOString(),
  packageCount: sumCents(order.lines.map(({ quantity }) => quantity)),
  totalCents: order.total_cents,
  why: order.state === 'batched' ? labBlocker(order) : null,
})

/** Reads a batch with its orders, including cancelled ones. */
export const readFullBatch = async (db: Db, key: BatchKey): Promise<BatchDetails | undefined> => {
  const batch = await readBatch(db, key)
  if (!batch) return undefined
  const orders = await readLabOrders(db, key, sql`o.batch_id = ${key.batchId}`)
  return { ...batch, orders: orders.map(toBatchOrder) }
}
