import { sql } from 'kysely'
import type { CartPackage } from '../../domain/cart.ts'
import type { OrganizationType } from '../../domain/catalogue.ts'
import { isEditableImageNode } from '../../domain/nodes.ts'
import type { OrderState } from '../../domain/order-states.ts'
import type { Db, Transaction } from '../database/database.ts'
import type { OrderKey } from '../order-store/order-key.ts'
import { type SoldRow, soldLine, soldRows } from '../order-store/sold-lines.ts'

type OrderRow = {
  orderNumber: string
  jobName: string
  organizationType: OrganizationType
  state: OrderState
  lines: SoldRow[]
}

/** A line paid for before there were pictures, as the cart's rules know lines. */
export type PosingLine = { id: number; needsPoses: boolean; line: CartPackage & { subjectId: number } }
export type PosingOrder = Omit<OrderRow, 'lines'> & { lines: PosingLine[] }

const lineOf = (row: SoldRow): PosingLine[] => {
  const { id, needsPoses, subjectId, snapshot } = row
  // A family whose data went has nobody to place.
  if (subjectId === null) return []
  if (!snapshot.package.items.some((item) => item.imageNodes.some(isEditableImageNode))) return []
  return [{ id, needsPoses, line: { ...soldLine(row), subjectId } }]
}

/** The packages of a prepaid order whose pictures the customer chooses; undefined for an order that was placed with its pictures. */
export const readPosingOrder = async (
  db: Db | Transaction,
  { studioId, orderId }: OrderKey,
): Promise<PosingOrder | undefined> => {
  const { rows } = await sql<OrderRow>`
    select o.order_number as "orderNumber", j.name as "jobName", coalesce(g.type, 'school') as "organizationType", o.state,
           ${soldRows} as lines
      from orders o
      join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
      left join organizations g on g.studio_id = j.studio_id and g.id = j.organization_id
     where o.studio_id = ${studioId} and o.id = ${orderId} and o.order_method = 'prepay'`.execute(db)
  const [order] = rows
  return order && { ...order, lines: order.lines.flatMap(lineOf) }
}
