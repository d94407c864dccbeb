import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { EnteredOrder, getEnteredOrder } from '#contract/studio/order-entry.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'
import { readOrderWithoutImages } from '../store/read-customer-order.ts'

type Row = Omit<EnteredOrder, 'placedAt'> & { placedAt: Date }

const toEnteredOrder = ({ placedAt, ...row }: Row): EnteredOrder => ({ ...row, placedAt: placedAt.toISOString() })

const paymentColumns = sql`o.pay_method as "payMethod",
  (select c.provider_reference from ledger c where c.studio_id = o.studio_id and c.order_id = o.id and c.kind = 'charge'
      and c.provider = 'check' order by c.id limit 1) as "checkNumber",
  (select u.name from users u where u.id = o.entered_by) as "enteredBy"`

/** Lists the orders that staff entered for a job, newest first by default. */
export const listEnteredOrders = async (
  db: Db,
  { studioId, jobId }: JobKey,
  query: PageQuery & { sort?: string | undefined },
): Promise<EnteredOrder[] | Page<EnteredOrder>> => {
  const filter = (query.filter ?? '').trim()
  const search =
    filter === ''
      ? sql`true`
      : sql`(o.order_number ilike ${likePattern(filter)} or o.first_name || ' ' || o.last_name ilike ${likePattern(filter)} or o.email_key like ${likePattern(filter.toLowerCase())})`
  const sorts = { placedAt: sql`o.placed_at`, customer: sql`lower(o.last_name)`, total: sql`o.total_cents` }
  const page = await paginateQuery<Row>(
    db,
    {
      columns: sql`o.order_number as "orderNumber", trim(o.first_name || ' ' || o.last_name) as "customerName", o.email, o.state,
        o.placed_at as "placedAt", o.total_cents as "totalCents", ${paymentColumns}`,
      from: sql`from orders o where o.studio_id = ${studioId} and o.job_id = ${jobId} and o.entry_key is not null and ${search}`,
      order: orderBy(sorts, query.sort ?? '-placedAt', sql`o.id desc`),
    },
    query,
  )
  return Array.isArray(page) ? page.map(toEnteredOrder) : { ...page, resultItems: page.resultItems.map(toEnteredOrder) }
}

type Receipt = Infer<(typeof getEnteredOrder)['answer']>

/** Reads an entered order for its receipt. */
export const readEnteredOrder = async (
  { db, clock }: Deps,
  { studioId, jobId }: JobKey,
  orderNumber: string,
): Promise<Receipt | undefined> => {
  const { rows } = await sql<{ id: number } & Omit<Receipt, 'order'>>`
    select o.id, ${paymentColumns} from orders o
     where o.studio_id = ${studioId} and o.job_id = ${jobId} and o.entry_key is not null
       and o.order_number = ${normaliseOrderNumber(orderNumber) ?? ''}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { id: orderId, ...payment } = row
  const order = await readOrderWithoutImages({ db, clock }, { studioId, orderId })
  return order && { order, ...payment }
}
