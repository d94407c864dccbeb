import { type RawBuilder, sql } from 'kysely'
import type { CartPackage, CartPackageItem, LineSnapshot } from '#domain/cart/cart.ts'
import { toDollars } from '#domain/pricing/money.ts'

/** The key of an order in the database. */
export type OrderKey = { readonly studioId: number; readonly orderId: number }

/** A package of an order as sold. */
export type SoldLineRow = {
  id: number
  lineId: string
  packageId: number
  subjectId: number | null
  quantity: number
  unitCents: number
  greenScreenId: number | null
  needsImages: boolean
  version: number
  snapshot: LineSnapshot
  content: CartPackageItem[]
}

/** The packages of order `o` as JSON, in their order. */
export const soldLineRows: RawBuilder<SoldLineRow[]> = sql`(
  select coalesce(json_agg(json_build_object('id', l.id, 'lineId', l.line_id, 'packageId', l.package_id,
           'subjectId', l.subject_id, 'quantity', l.quantity, 'unitCents', l.unit_cents,
           'greenScreenId', l.green_screen_id, 'needsImages', l.needs_poses, 'version', l.version, 'snapshot', l.snapshot,
           'content', l.content) order by l.position), '[]')
    from order_lines l
   where l.studio_id = o.studio_id and l.order_id = o.id and l.kind = 'package' and l.line_id is not null)`

/** A sold package as a cart line, for the rules of carts. */
export const soldLine = (row: SoldLineRow): CartPackage => ({
  id: row.id,
  lineId: row.lineId,
  packageId: row.packageId,
  subjectId: row.subjectId,
  personId: null,
  quantity: row.quantity,
  price: toDollars(row.unitCents),
  greenScreen: row.greenScreenId === null ? null : { id: row.greenScreenId },
  cartPackageItems: row.content,
  dataFields: [],
  snapshot: row.snapshot,
})
