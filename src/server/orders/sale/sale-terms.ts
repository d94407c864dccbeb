import { type RawBuilder, sql } from 'kysely'
import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import { digitalProductCodes, type OrderMethod } from '#domain/catalogue/catalogue.ts'
import { type ClosedReason, closedReason } from '#domain/catalogue/job-availability.ts'
import type { LatePrice } from '#domain/pricing/late-price.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { idsIn } from '#server/carts/store/subject-and-image-queries.ts'
import { type Arrivals, arrivalsJson } from '#server/jobs/store/arrival.ts'
import {
  hasFeature,
  type JobServicesRow,
  jobFields,
  jobServices,
  servicesOfRow,
} from '#server/jobs/store/job-services.ts'
import {
  hasFreeStudioShipping,
  isAfterOrderBy,
  latePriceJson,
  type OrderAvailabilityRow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '#server/jobs/store/order-availability.ts'
import type { CheckoutPromotion } from './checkout-promotion.ts'

/** A shipping option of the platform; `eachMoreCents` is the price of every package after the first. */
export type ShippingRate = {
  code: string
  label: string
  shipsTo: 'home' | 'studio'
  priceCents: number
  eachMoreCents: number
}

/** The current version of a package, and whether the job offers it. */
type OnOffer = { id: number; currentVersion: number; taxClass: string; isOffered: boolean }

/** The terms by which a job sells, read outside any transaction. */
export type SaleTerms = {
  readonly studioId: number
  readonly closed: ClosedReason | null
  readonly delivery: { readonly batch: boolean; readonly home: boolean }
  /** When an order that is placed now arrives. */
  readonly arrivals: Arrivals
  readonly shipping: readonly ShippingRate[]
  readonly onOffer: ReadonlyMap<number, OnOffer>
  readonly paymentAccount: string | null
  /** The platform’s fee in basis points. */
  readonly platformFeeBasisPoints: number
  readonly services: JobServices
  /** What is added to an order now because it is late; null if it is in time. */
  readonly latePrice: LatePrice | null
  /** The fields that the job asks about a subject before picture day. */
  readonly fields: readonly CustomField[]
  /** Whether the studio accepts promotion codes (a feature). */
  readonly takesCodes: boolean
}

/** The details of the customer and the delivery; the id is generated on the device. */
export type SavedCheckout = {
  id: string
  details: CheckoutDetails | null
  promotionId: number | null
  promotionCodeId: number | null
}

/** A cart that is about to be sold: its terms, customer and promotions. */
export type Sale = SaleTerms & {
  readonly cart: Cart
  readonly checkout: SavedCheckout | null
  /** The promotion of the code that the customer typed, or null. */
  readonly promotion: CheckoutPromotion | null
  /** The promotions that need no code; the cart may not qualify for all of them. */
  readonly automaticPromotions: readonly CheckoutPromotion[]
}

export type SaleTermsRow = OrderAvailabilityRow & {
  ships_home: boolean
  ships_batch: boolean
  arrivals: Arrivals
  payment_account_id: string | null
  platform_fee_basis_points: number
  shipping: ShippingRate[]
  on_offer: OnOffer[]
  services: JobServicesRow
  fields: CustomField[]
  takes_codes: boolean
  late_price: LatePrice | null
}

/** Whether the studio may sell the current version of package `p`: digital files need the feature. */
const isSold = sql`(${hasFeature('digitalDownloads')} or not exists (
  select from package_versions v cross join jsonb_array_elements(v.content -> 'items') as item
   where v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
     and item ->> 'productCode' in (${sql.join(digitalProductCodes)})))`

type SaleTermsQuery = { readonly orderMethod: OrderMethod; readonly packageIds: readonly number[]; readonly now: Date }

/** Columns of the terms of job `j` of studio `s`, for these packages. */
export const saleTermsColumns = ({ orderMethod, packageIds, now }: SaleTermsQuery): RawBuilder<unknown> => sql`
  ${orderAvailabilityColumns(now)}, j.ships_home, j.ships_batch,
  ${arrivalsJson({ orderMethod, orderedOn: sql`(${now}::timestamptz at time zone s.time_zone)::date` })} as arrivals, s.payment_account_id, s.platform_fee_basis_points,
  ${jobServices} as services, ${jobFields} as fields,
  (select coalesce(json_agg(json_build_object('code', o.code, 'label', o.label, 'shipsTo', o.ships_to,
            'priceCents', o.price_cents * paid.share, 'eachMoreCents', o.each_more_cents * paid.share) order by o.position, o.id), '[]')
     from shipping_options o
    cross join lateral (select case when o.ships_to = 'studio' and ${hasFreeStudioShipping(now)} then 0 else 1 end as share) paid
    where o.archived_at is null) as shipping,
  (select coalesce(json_agg(json_build_object('id', p.id, 'currentVersion', p.current_version, 'taxClass', p.tax_class,
            'isOffered', p.archived_at is null and p.package_set_id = j.package_set_id and ${isSold}
              and case ${orderMethod}::text when 'prepay' then p.offered_prepay else p.offered_gallery end)), '[]')
     from packages p where p.studio_id = j.studio_id and p.id in ${idsIn(packageIds)}) as on_offer,
  ${hasFeature('promotions')} as takes_codes, case when ${isAfterOrderBy(now)} then ${latePriceJson} end as late_price`

/** Converts a row of `saleTermsColumns` to terms. */
export const saleTermsOf = (
  row: SaleTermsRow,
  { studioId, orderMethod, now }: { studioId: number; orderMethod: OrderMethod; now: Date },
): SaleTerms => ({
  studioId,
  closed: closedReason(orderAvailabilityOf(row, now), orderMethod),
  delivery: { batch: row.ships_batch, home: row.ships_home },
  arrivals: row.arrivals,
  shipping: row.shipping,
  onOffer: new Map(row.on_offer.map((offer) => [offer.id, offer])),
  paymentAccount: row.payment_account_id,
  platformFeeBasisPoints: row.platform_fee_basis_points,
  services: servicesOfRow(row.services),
  fields: row.fields,
  takesCodes: row.takes_codes,
  latePrice: row.late_price,
})
