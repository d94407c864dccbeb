import { sql } from 'kysely'
import type { CartPackage, CartPackageItem, LineSnapshot } from '../../domain/cart.ts'
import type { OrganizationType } from '../../domain/catalogue.ts'
import { toDollars } from '../../domain/money.ts'
import { isEditableImageNode } from '../../domain/nodes.ts'
import type { OrderState } from '../../domain/order-states.ts'
import type { Db, Transaction } from '../database/database.ts'
import type { OrderKey } from './read-order.ts'

type LineRow = {
  id: number
  lineId: string
  packageId: number
  subjectId: number | null
  quantity: number
  unitCents: number
  greenScreenId: number | null
  needsPoses: boolean
  snapshot: LineSnapshot
  content: CartPackageItem[]
}

type OrderRow = {
  orderNumber: string
  jobName: string
  organizationType: OrganizationType
  state: OrderState
  lines: LineRow[]
}

/** A line paid for before there were pictures, as the cart's rules know lines. */
export type PosingLine = { id: number; needsPoses: boolean; line: CartPackage & { subjectId: number } }
export type PosingOrder = Omit<OrderRow, 'lines'> & { lines: PosingLine[] }

/** Until the lab has it, an order's pictures may be placed and placed otherwise. */
export const takesPoses = ({ state }: Pick<PosingOrder, 'state'>): boolean => state === 'placed' || state === 'batched'

const lineOf = (row: LineRow): PosingLine[] => {
  const { id, needsPoses, subjectId, snapshot } = row
  // A family whose data went has nobody to place.
  if (subjectId === null) return []
  if (!snapshot.package.items.some((item) => item.imageNodes.some(isEditableImageNode))) return []
  const line = {
    id,
    lineId: row.lineId,
    packageId: row.packageId,
    subjectId,
    personId: null,
    quantity: row.quantity,
    price: toDollars(row.unitCents),
    greenScreen: row.greenScreenId === null ? null : { id: row.greenScreenId },
    cartPackageItems: row.content,
    dataFields: [],
    snapshot,
  }
  return [{ id, needsPoses, line }]
}

/** The packages of a prepaid order whose pictures the customer chooses; undefined for an order that was placed with its pictures. */
export const readPosingOrder = async (
  db: Db | Transaction,
  { studioId, orderId }: OrderKey,
): Promise<PosingOrder | undefined> => {
  const { rows } = await sql<OrderRow>`
    select o.order_number as "orderNumber", j.name as "jobName", coalesce(g.type, 'school') as "organizationType", o.state,
           (select coalesce(json_agg(json_build_object('id', l.id, 'lineId', l.line_id, 'packageId', l.package_id,
                     'subjectId', l.subject_id, 'quantity', l.quantity, 'unitCents', l.unit_cents,
                     'greenScreenId', l.green_screen_id, 'needsPoses', l.needs_poses, 'snapshot', l.snapshot,
                     'content', l.content) order by l.position), '[]')
              from order_lines l
             where l.studio_id = o.studio_id and l.order_id = o.id and l.kind = 'package' and l.line_id is not null) as lines
      from orders o
      join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
      left join organizations g on g.studio_id = j.studio_id and g.id = j.organization_id
     where o.studio_id = ${studioId} and o.id = ${orderId} and o.order_method = 'prepay'`.execute(db)
  const [order] = rows
  return order && { ...order, lines: order.lines.flatMap(lineOf) }
}
