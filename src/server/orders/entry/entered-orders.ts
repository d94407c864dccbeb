import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { EnteredOrder, getEnteredOrder } from '#contract/studio/order-entry.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'
import { readCustomerOrder } from '../store/read-customer-order.ts'

type Row = Omit<EnteredOrder, 'placedAt'> & { placedAt: Date }

const orderOf = ({ placedAt, ...row }: Row): EnteredOrder => ({ ...row, placedAt: placedAt.toISOString() })

const paid = sql`o.pay_method as "payMethod",
  (select c.provider_reference from ledger c where c.studio_id = o.studio_id and c.order_id = o.id and c.kind = 'charge'
      and c.provider = 'check' order by c.id limit 1) as "checkNumber",
  (select u.name from users u where u.id = o.entered_by) as "enteredBy"`

/** Orders of a job that were keyed in, the newest first. */
export const listEnteredOrders = async (
  db: Db,
  { studioId, jobId }: JobKey,
  query: PageQuery & { sort?: string | undefined },
): Promise<EnteredOrder[] | Page<EnteredOrder>> => {
  const filter = (query.filter ?? '').trim()
  const sought =
    filter === ''
      ? sql`true`
      : sql`(o.order_number ilike ${likePattern(filter)} or o.first_name || ' ' || o.last_name ilike ${likePattern(filter)} or o.email_key like ${likePattern(filter.toLowerCase())})`
  const sorts = { placedAt: sql`o.placed_at`, customer: sql`lower(o.last_name)`, total: sql`o.total_cents` }
  const found = await paginateQuery<Row>(
    db,
    {
      columns: sql`o.order_number as "orderNumber", trim(o.first_name || ' ' || o.last_name) as "customerName", o.email, o.state,
        o.placed_at as "placedAt", o.total_cents as "totalCents", ${paid}`,
      from: sql`from orders o where o.studio_id = ${studioId} and o.job_id = ${jobId} and o.entry_key is not null and ${sought}`,
      order: orderBy(sorts, query.sort ?? '-placedAt', sql`o.id desc`),
    },
    query,
  )
  return Array.isArray(found) ? found.map(orderOf) : { ...found, resultItems: found.resultItems.map(orderOf) }
}

type Receipt = Infer<(typeof getEnteredOrder)['answer']>

/** An order that was keyed in, as its receipt shows it. */
export const readEnteredOrder = async (
  { db, clock }: Deps,
  { studioId, jobId }: JobKey,
  orderNumber: string,
): Promise<Receipt | undefined> => {
  const { rows } = await sql<{ id: number } & Omit<Receipt, 'order'>>`
    select o.id, ${paid} from orders o
     where o.studio_id = ${studioId} and o.job_id = ${jobId} and o.entry_key is not null
       and o.order_number = ${normaliseOrderNumber(orderNumber) ?? ''}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { id: orderId, ...how } = row
  // Staff print no pictures on a receipt.
  const visit = { session: { id: 0 }, job: { studioId, jobId } }
  const order = await readCustomerOrder(db, { studioId, orderId }, { visit, now: clock() })
  return order && { order, ...how }
}
