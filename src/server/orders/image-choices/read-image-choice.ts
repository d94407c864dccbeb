import { sql } from 'kysely'
import type { CartPackage, Personalization } from '#domain/cart/cart.ts'
import { isDigital, type OrderMethod, type OrganizationType, type PackageItem } from '#domain/catalogue/catalogue.ts'
import { isEditableImageNode } from '#domain/catalogue/nodes.ts'
import type { OrderBatchState } from '#domain/orders/order-states.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { inClosedBatch } from '../store/assign-batch.ts'
import { type OrderKey, type SoldLineRow, soldLine, soldLineRows } from '../store/sold-lines.ts'

/** Name and year as sold: a separate order line. */
export type PersonalizationLine = {
  id: number
  version: number
  name: string
  subject: { firstName: string; lastName: string } | null
  entry: Personalization
}

type OrderRow = OrderBatchState & {
  orderNumber: string
  orderMethod: OrderMethod
  jobName: string
  organizationType: OrganizationType
  lines: SoldLineRow[]
  personalizations: PersonalizationLine[]
}

/** A line of an order whose images or texts the customer may edit, with the cart line from which it was sold. */
export type ImageChoiceLine = {
  id: number
  needsImages: boolean
  version: number
  line: CartPackage & { subjectId: number }
}
export type ImageChoiceOrder = Omit<OrderRow, 'lines'> & { lines: ImageChoiceLine[] }

const isEditable = ({ productCode, imageNodes, textNodes }: PackageItem): boolean =>
  imageNodes.some(isEditableImageNode) || (!isDigital(productCode) && textNodes.some((node) => node.editable))

const choiceLinesOf = (row: SoldLineRow): ImageChoiceLine[] => {
  const { id, needsImages, version, subjectId, snapshot } = row
  // A subject whose data were deleted has no images to choose.
  if (subjectId === null) return []
  if (!snapshot.package.items.some(isEditable)) return []
  return [{ id, needsImages, version, line: { ...soldLine(row), subjectId } }]
}

/**
 * An order with its personalization lines and the package lines whose images or texts the customer may edit; undefined
 * if there is no such order.
 */
export const readImageChoiceOrder = async (
  db: Db | Transaction,
  { studioId, orderId }: OrderKey,
): Promise<ImageChoiceOrder | undefined> => {
  const { rows } = await sql<OrderRow>`
    select o.order_number as "orderNumber", o.order_method as "orderMethod", j.name as "jobName",
           coalesce(g.type, 'school') as "organizationType", o.state, ${inClosedBatch} as "inClosedBatch", ${soldLineRows} as lines,
           (select coalesce(json_agg(json_build_object('id', l.id, 'version', l.version, 'name', l.name,
                     'subject', l.snapshot -> 'subject', 'entry', l.snapshot -> 'service') order by l.position), '[]')
              from order_lines l
             where l.studio_id = o.studio_id and l.order_id = o.id and l.kind = 'personalization') as personalizations
      from orders o
      join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
      left join organizations g on g.studio_id = j.studio_id and g.id = j.organization_id
     where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(db)
  const [order] = rows
  return order && { ...order, lines: order.lines.flatMap(choiceLinesOf) }
}
