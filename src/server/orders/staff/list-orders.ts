import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { OrderCounts, OrderFilter, OrderRow } from '#contract/studio/order-lists.ts'
import { digitalProductCodes } from '#domain/catalogue/catalogue.ts'
import { isCustomerEditable } from '#domain/orders/order-states.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db } from '#server/database/database.ts'
import { orderBy, paginateIds, type SortColumns } from '#server/http/paging/paginate-query.ts'
import { joinJobCounts } from '#server/jobs/store/job-counts.ts'
import { labBlocker, readLabOrders } from '../store/lab-orders.ts'
import { defaultOrderMethod, matchesOrderFilter } from '../store/order-filter.ts'

type ListQuery = PageQuery & OrderFilter & { sort?: string | undefined }

const sorts: SortColumns = {
  placedAt: sql`o.placed_at`,
  number: sql`o.order_number`,
  customer: sql`lower(o.last_name)`,
  total: sql`o.total_cents`,
  state: sql`array_position(array['placed', 'batched', 'submitted', 'inProduction', 'shipped', 'cancelled'], o.state)`,
}

type Row = Omit<OrderRow, 'placedAt' | 'why'> & { id: number; placedAt: Date }

/** How order `o` is delivered. Only orders with prints for home have an address, so the lines of the others alone are read. */
const delivery = sql`
  case when o.shipping_address is not null then 'home'
       when exists (select from order_lines l cross join jsonb_array_elements(l.content) item
                     where l.studio_id = o.studio_id and l.order_id = o.id and l.kind = 'package'
                       and item ->> 'productCode' not in (${sql.join(digitalProductCodes)})) then 'studio'
       else 'download' end`

const columns = sql`
  o.id, o.order_number as "orderNumber", trim(o.first_name || ' ' || o.last_name) as "customerName", o.email, o.state,
  o.order_method as "orderMethod", o.placed_at as "placedAt", o.total_cents as "totalCents",
  ${delivery} as delivery, o.tracking_number as "trackingNumber",
  coalesce((select sum(l.quantity) from order_lines l
             where l.studio_id = o.studio_id and l.order_id = o.id and l.kind = 'package'), 0)::int as "packageCount",
  (select coalesce(json_agg(distinct trim(concat(l.snapshot -> 'subject' ->> 'firstName', ' ', l.snapshot -> 'subject' ->> 'lastName'))), '[]')
     from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id and l.kind = 'package') as people,
  coalesce((select sum(r.amount_cents) from ledger r
             where r.studio_id = o.studio_id and r.order_id = o.id and r.kind = 'refund' and r.state <> 'failed'), 0)::int as "refundedCents",
  (select json_build_object('id', b.id, 'name', b.name) from batches b
    where b.studio_id = o.studio_id and b.id = o.batch_id) as batch,
  (select json_build_object('id', p.id, 'state', p.state) from packet_orders m
     join packets p on p.studio_id = m.studio_id and p.id = m.packet_id
    where m.studio_id = o.studio_id and m.order_id = o.id order by p.id desc limit 1) as packet`

/** Reads the rows of these orders, in the order of the ids. Only orders that are not at the lab are checked for missing fields. */
const readRows = async (db: Db, job: JobKey, ids: readonly number[]): Promise<OrderRow[]> => {
  if (ids.length === 0) return []
  const hasId = sql`o.id = any(${`{${ids.join(',')}}`}::bigint[])`
  const { rows } =
    await sql<Row>`select ${columns} from orders o where o.studio_id = ${job.studioId} and ${hasId}`.execute(db)
  const editableOrders = await readLabOrders(db, job, sql`${hasId} and o.state in ('placed', 'batched')`)
  const reasonById = new Map(editableOrders.map((order) => [order.id, labBlocker(order)]))
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rowById.get(id)
    if (!row) return []
    const { id: _, placedAt, ...listRow } = row
    const reason = isCustomerEditable(row) ? (reasonById.get(id) ?? null) : null
    return [{ ...listRow, placedAt: placedAt.toISOString(), why: reason }]
  })
}

/** The limit of orders that are in memory with their lines, however many are requested. */
const batchSize = 100

const readInBatches = async (db: Db, job: JobKey, ids: readonly number[]): Promise<OrderRow[]> => {
  const allRows: OrderRow[] = []
  for (let start = 0; start < ids.length; start += batchSize) {
    allRows.push(...(await readRows(db, job, ids.slice(start, start + batchSize))))
  }
  return allRows
}

/** Lists the orders of a job that match the query. Selects the ids first, then reads only the rows of the page. */
export const listOrders = async (db: Db, job: JobKey, query: ListQuery): Promise<OrderRow[] | Page<OrderRow>> => {
  const order = orderBy(sorts, query.sort ?? '-placedAt', sql`o.id desc`)
  const from = sql`from orders o where ${matchesOrderFilter(job, query)}`
  const readsEveryRow = (query.filter ?? '') !== ''
  const page = await paginateIds(db, { id: sql`o.id`, from, order, readsEveryRow }, query)
  if (Array.isArray(page)) return await readInBatches(db, job, page)
  return { ...page, resultItems: await readRows(db, job, page.resultItems) }
}

/** Counts the orders of each view; undefined if the studio has no such job. */
export const countOrders = async (
  db: Db,
  { studioId, jobId }: JobKey,
): Promise<Infer<typeof OrderCounts> | undefined> => {
  const { rows } = await sql<Infer<typeof OrderCounts>>`
    select ${defaultOrderMethod} as method,
           case ${defaultOrderMethod} when 'prepay' then k.prepay_orders else k.gallery_orders end as prepay,
           k.in_batch_orders as batch, k.unbatched_orders as individual, k.submitted_orders as submitted,
           k.awaiting_poses as "awaitingPoses",
           (select count(*) from packets p
             where p.studio_id = j.studio_id and p.job_id = j.id and p.state = 'failed') as "failedPackets"
      from jobs j ${joinJobCounts}
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  return rows[0]
}
