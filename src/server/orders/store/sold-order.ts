import { sql } from 'kysely'
import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Address } from '#contract/shapes/order-structs.ts'
import { type Cart, type CartOrderService, emptyCart, type Personalization, type Retouch } from '#domain/cart/cart.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { PromotionTerms, ShippingRates, SoldPromotion } from '#domain/orders/order-adjustment.ts'
import type { OrderBatchState } from '#domain/orders/order-states.ts'
import { paperPayments } from '#domain/orders/paper-order.ts'
import type { PromotionShare } from '#domain/pricing/discounts.ts'
import { toDollars } from '#domain/pricing/money.ts'
import type { Totals } from '#domain/pricing/pricing.ts'
import type { PromotionValue } from '#domain/pricing/promotion.ts'
import type { Transaction } from '#server/database/database.ts'
import { inClosedBatch } from './assign-batch.ts'
import { type OrderKey, type SoldLineRow, soldLine, soldLineRows } from './sold-lines.ts'

type ServiceRow = {
  id: number
  kind: 'service' | 'retouch' | 'personalization'
  subjectId: number | null
  name: string
  cents: number
  entry: CartOrderService | Retouch | Personalization
}

type TermsRow = {
  kind: PromotionValue['kind']
  basisPoints: number | null
  amountCents: number | null
  minimumCents: number
  packageIds: number[] | null
}

type OrderRow = OrderBatchState & {
  orderNumber: string
  orderMethod: OrderMethod
  jobId: number
  payMethod: 'card' | 'cash' | 'check' | 'none'
  version: number
  checkoutId: string | null
  details: CheckoutDetails | null
  shippingAddress: Address | null
  billingAddress: Address | null
  placedAt: Date
  promotionCode: string | null
  packagesCents: number
  servicesCents: number
  discountCents: number
  /** The lines that got a part of the discount; null if services did, too. */
  discountedLineIds: string[] | null
  lateFeeCents: number
  shippingCents: number
  taxCents: number
  totalCents: number
  totals: Totals
  lines: SoldLineRow[]
  services: ServiceRow[]
  rates: ShippingRates | null
  promotions: (PromotionShare & { terms: TermsRow | null })[]
  taxClasses: Record<string, string> | null
  downloadedLines: number[]
}

/**
 * An order as sold, with the data that determine its price. `rates`, `taxClasses` and the terms of the promotions are current values.
 */
export type SoldOrder = Omit<OrderRow, 'promotions'> & { promotions: SoldPromotion[]; cart: Cart }

const promotionTermsOf = ({ kind, basisPoints, amountCents, ...terms }: TermsRow): PromotionTerms =>
  kind === 'percent'
    ? { kind, basisPoints: basisPoints ?? 0, ...terms }
    : { kind, amountCents: amountCents ?? 0, ...terms }

/** The services of an order as services of a cart, under the ids of their order lines. */
const toCartServices = (rows: readonly ServiceRow[]): Cart['cartOrderServicesDetails'] => {
  const servicesOfKind = (serviceKind: ServiceRow['kind']) =>
    rows
      .filter(({ kind }) => kind === serviceKind)
      .map(({ id, subjectId, cents, entry }) => ({ ...entry, id, subjectId, personId: null, price: toDollars(cents) }))
  return {
    cartOrderServices: servicesOfKind('service'),
    imageLevel: false,
    retouches: servicesOfKind('retouch') as Retouch[], // an entry has the kind of its line
    personalizations: servicesOfKind('personalization') as Personalization[], // an entry has the kind of its line
  }
}

const cartOf = ({ jobId, orderMethod, lines, services }: OrderRow): Cart => ({
  ...emptyCart(jobId, orderMethod),
  cartPackages: lines.map(soldLine),
  cartOrderServicesDetails: toCartServices(services),
})

/** Reads an order with the data to reprice it; undefined if it does not exist. */
export const readSoldOrder = async (
  tx: Transaction,
  { studioId, orderId }: OrderKey,
): Promise<SoldOrder | undefined> => {
  const { rows } = await sql<OrderRow>`
    select o.order_number as "orderNumber", o.order_method as "orderMethod", o.pay_method as "payMethod", o.job_id as "jobId", o.version, o.state,
           ${inClosedBatch} as "inClosedBatch", o.checkout_id as "checkoutId", k.details, o.shipping_address as "shippingAddress",
           o.billing_address as "billingAddress", o.placed_at as "placedAt", o.promotion_code as "promotionCode",
           o.packages_cents as "packagesCents", o.services_cents as "servicesCents", o.discount_cents as "discountCents",
           o.late_fee_cents as "lateFeeCents", o.shipping_cents as "shippingCents", o.tax_cents as "taxCents", o.total_cents as "totalCents", o.totals,
           ${soldLineRows} as lines,
           (select coalesce(json_agg(json_build_object('id', l.id, 'kind', l.kind, 'subjectId', l.subject_id, 'name', l.name,
                     'cents', l.amount_cents, 'entry', l.snapshot -> 'service') order by l.position), '[]')
              from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id and l.kind <> 'package') as services,
           (select json_build_object('priceCents', h.price_cents, 'eachMoreCents', h.each_more_cents)
              from shipping_options h where h.code = o.shipping_option_code) as rates,
           (select coalesce(json_agg(json_build_object('id', e -> 'id', 'code', e ->> 'code', 'discountCents', e -> 'discountCents',
                     'terms', (select json_build_object('kind', q.kind, 'basisPoints', q.basis_points, 'amountCents', q.amount_cents,
                         'minimumCents', q.minimum_cents, 'packageIds', q.package_ids)
                        from promotions q where q.studio_id = o.studio_id and q.id = (e ->> 'id')::bigint)) order by position), '[]')
              from jsonb_array_elements(o.totals -> 'promotions') with ordinality as p(e, position)) as promotions,
           (select case when bool_and(l.kind = 'package') then json_agg(l.line_id) end from order_lines l
             where l.studio_id = o.studio_id and l.order_id = o.id and l.discount_cents > 0) as "discountedLineIds",
           (select json_object_agg(p.id, p.tax_class) from packages p
             where p.studio_id = o.studio_id and p.id in (select l.package_id from order_lines l
               where l.studio_id = o.studio_id and l.order_id = o.id)) as "taxClasses",
           (select coalesce(json_agg(distinct d.order_line_id), '[]') from downloads d
             where d.studio_id = o.studio_id and d.order_id = o.id and d.downloaded_at is not null) as "downloadedLines"
      from orders o left join checkouts k on k.studio_id = o.studio_id and k.id = o.checkout_id
     where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const promotions = row.promotions.map((sold) => ({ ...sold, terms: sold.terms && promotionTermsOf(sold.terms) }))
  return { ...row, promotions, cart: cartOf(row) }
}

/**
 * Whether a payment was taken at the counter of the studio. Such a payment cannot be refunded by a provider or by the
 * customer online.
 */
export const isCounterPayment = (method: string): boolean => paperPayments.some((paperMethod) => paperMethod === method)

export const refundAtStudioMessage = 'This order was paid at the studio. Ask the studio to cancel it'

/** Whether an order was paid at the studio's counter. */
export const isPaidAtCounter = async (tx: Transaction, { studioId, orderId }: OrderKey): Promise<boolean> => {
  const order = await tx
    .selectFrom('orders')
    .select('pay_method')
    .where('studio_id', '=', studioId)
    .where('id', '=', orderId)
    .executeTakeFirst()
  return order !== undefined && isCounterPayment(order.pay_method)
}
