import { sql } from 'kysely'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import type { Db } from '#server/database/database.ts'
import { type OrderRef, orderRefColumns } from '../store/granted-order.ts'

/**
 * The order with this number and email, both as customers type them. Undefined if either is wrong, without saying
 * which.
 */
export const findOrder = async (
  db: Db,
  { orderNumber, email }: { orderNumber: string; email: string },
): Promise<OrderRef | undefined> => {
  // Runs the query even for an invalid number, so that the response time reveals nothing.
  const { rows } = await sql<OrderRef>`
    select ${orderRefColumns} from order_links l join orders o on o.studio_id = l.studio_id and o.id = l.order_id
     where l.order_number = ${normaliseOrderNumber(orderNumber) ?? ''}
       and o.email_key = ${email.trim().toLowerCase()}`.execute(db)
  return rows[0]
}
