import { sql } from 'kysely'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import type { Db } from '#server/database/database.ts'
import { type OrderRef, orderRefColumns } from '../store/granted-order.ts'

/** The order of a number and the e-mail it was placed with, both as people type them; alike undefined for either being wrong. */
export const findOrder = async (
  db: Db,
  { orderNumber, email }: { orderNumber: string; email: string },
): Promise<OrderRef | undefined> => {
  // Asked even for what can't be a number, so that the time tells nothing.
  const { rows } = await sql<OrderRef>`
    select ${orderRefColumns} from order_links l join orders o on o.studio_id = l.studio_id and o.id = l.order_id
     where l.order_number = ${normaliseOrderNumber(orderNumber) ?? ''}
       and o.email_key = ${email.trim().toLowerCase()}`.execute(db)
  return rows[0]
}
