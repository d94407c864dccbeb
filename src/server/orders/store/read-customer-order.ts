import { type RawBuilder, sql } from 'kysely'
import type { Order } from '#contract/customer/order-calls.ts'
import type { CartOrderService, CartPackageItem, LineSnapshot, Personalization, Retouch } from '#domain/cart/cart.ts'
import { personalizationChoiceOf } from '#domain/cart/order-services.ts'
import { isDigital, type TextNode } from '#domain/catalogue/catalogue.ts'
import { maskNodeText } from '#domain/catalogue/mask.ts'
import { type Arrival, arrivalText } from '#domain/orders/arrival.ts'
import { type OrderDateInput, orderDates } from '#domain/orders/order-dates.ts'
import { isCustomerEditable, orderLockReason } from '#domain/orders/order-states.ts'
import { batchShippingLabel } from '#domain/pricing/shipping.ts'
import { grantToSubject, type JobSession } from '#server/access/grants/grants.ts'
import type { Db } from '#server/database/database.ts'
import { isDeliverable } from '#server/images/store/image-conditions.ts'
import { imageUrl } from '#server/images/store/image-urls.ts'
import { type Arrivals, arrivalsJson } from '#server/jobs/store/arrival.ts'
import { areImagesVisibleTo } from '#server/jobs/store/order-availability.ts'
import { inClosedBatch } from './assign-batch.ts'
import type { OrderKey } from './sold-lines.ts'
import { isCounterPayment } from './sold-order.ts'

type OrderLine = Order['lines'][number]
type ServiceEntry = CartOrderService | Retouch | Personalization

type LineRow = {
  /** Null for a service. */
  lineId: number | null
  name: string
  quantity: number
  cents: number
  subject: LineSnapshot['subject'] | null
  items: CartPackageItem[] | null
  subjectId: number | null
  /** The service as ordered; null for a package. */
  service: ServiceEntry | null
  /** The text nodes of the package as sold; a node's data source determines whether its text is masked. */
  textNodes: TextNode[]
  grantId: string | null
  images: { id: number; hash: string }[]
}

type OrderRow = {
  order_number: string
  job_id: number
  job_name: string
  studio_name: string
  slug: string
  contact_phone: string | null
  contact_email: string | null
  order_method: Order['orderMethod']
  state: Order['state']
  in_closed_batch: boolean
  placed_at: Date
  first_name: string
  last_name: string
  email: string
  phone: string | null
  shipping_address: Order['shippingAddress']
  is_part_of_batch_order: boolean
  shipping_label: string | null
  packages_cents: number
  services_cents: number
  discount_cents: number
  late_fee_cents: number
  shipping_cents: number
  tax_cents: number
  total_cents: number
  card_ending: string | null
  pay_method: string
  promotion_code: string | null
  tracking_number: string | null
  is_downloaded: boolean
  dates: Omit<OrderDateInput, 'orderMethod' | 'arrival'>
  arrivals: Arrivals
  today: string
  refundable_cents: number
  downloads: NonNullable<Order['downloads']>
  refunds: Order['refunds']
  lines: LineRow[]
}

/**
 * The lines of order `o`. Images are visible by the grants of the session that reads the order, never by those of the session that placed
 * it, so an order found by its number has no images.
 */
const orderLinesFor = (jobSession: JobSession, now: Date): RawBuilder<LineRow[]> => sql`(
  select coalesce(json_agg(json_build_object(
           'lineId', case when l.kind = 'package' then l.id end, 'name', l.name, 'quantity', l.quantity, 'cents', l.amount_cents, 'subject', l.snapshot -> 'subject',
           'items', l.content, 'grantId', granted.grant_id, 'subjectId', l.subject_id, 'service', l.snapshot -> 'service',
           'textNodes', jsonb_path_query_array(l.snapshot, '$.package.items[*].textNodes[*]'),
           'images', (select coalesce(json_agg(json_build_object('id', i.id, 'hash', i.thumb_hash)), '[]')
                          from image_lookups i
                         where granted.grant_id is not null and i.studio_id = l.studio_id and i.job_id = j.id and i.state = 'ready'
                           and i.published_at <= ${now}::timestamptz
                           and ${areImagesVisibleTo(now, { sessionId: jobSession.session.id, subjectId: sql`l.subject_id` })}
                           and (i.id in (select (x ->> 'imageId')::bigint
                                           from jsonb_array_elements(l.snapshot -> 'images') x)
                                or i.id = (l.snapshot -> 'service' ->> 'imageLookupId')::bigint))) order by l.position), '[]')
    from order_lines l
    left join subjects u on u.studio_id = l.studio_id and u.id = l.subject_id
    left join ${grantToSubject(jobSession, now)} granted on u.id is not null
   where l.studio_id = o.studio_id and l.order_id = o.id)`

const dayOf = (instant: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`to_char((${instant}) at time zone s.time_zone, 'YYYY-MM-DD')`

/** The input for the dates of order `o` of job `j`, studio `s`. An end at midnight counts for the day before. */
const dateInputs: RawBuilder<OrderRow['dates']> = sql`json_build_object(
  'placedOn', ${dayOf(sql`o.placed_at`)}, 'pictureDay', j.event_date, 'orderBy', j.order_by, 'galleryExpiresOn', j.gallery_expires_on,
  'batchClosesOn', (select ${dayOf(sql`b.closes_at - interval '1 microsecond'`)} from batches b
                     where b.studio_id = o.studio_id and b.id = o.batch_id and b.state = 'open'),
  'downloadsUntil', case when o.order_method = 'gallery' then (
    select ${dayOf(sql`min(d.expires_at)`)} from downloads d
     where d.studio_id = o.studio_id and d.order_id = o.id and d.revoked_at is null) end)`

const retouchedImage = ({ service }: LineRow): number | null =>
  service && 'imageLookupId' in service ? service.imageLookupId : null

/** The ids of the images of a line: the images of its package items, or the retouched image. */
const imageIdsOf = (row: LineRow): number[] =>
  [
    retouchedImage(row),
    ...(row.items ?? [])
      .flatMap((item) => item.imageNodes)
      .flatMap((node) => [node.replacementImageId, node.subjectImageId, node.groupImageId]),
  ].filter((id) => id !== null)

const thumbnailOf = (row: LineRow): string | null => {
  const { grantId, images } = row
  if (grantId === null) return null
  const hashById = new Map(images.map(({ id, hash }) => [id, hash]))
  const imageId = imageIdsOf(row).find((id) => hashById.has(id))
  const hash = imageId ? hashById.get(imageId) : undefined
  return imageId && hash ? imageUrl({ grantId, imageId, variant: 'thumb', hash }) : null
}

const itemsOf = ({ items, textNodes }: LineRow): OrderLine['items'] => {
  const nodeById = new Map(textNodes.map((node) => [node.id, node]))
  return (items ?? []).map((item) => ({
    name: item.name,
    productCode: item.productCode,
    texts: item.textNodes
      .filter(({ value }) => value.trim() !== '')
      .map(({ packageItemTextNodeId, value }) => {
        const node = nodeById.get(packageItemTextNodeId)
        return node ? maskNodeText(node, value) : value
      }),
  }))
}

/** The details of a service: the printed name and year, or the names of the packages with the retouched image. */
const serviceDetails = (row: LineRow, rows: readonly LineRow[]): Pick<OrderLine, 'personalization' | 'retouchedIn'> => {
  const { service, subjectId } = row
  if (service && 'nameToPrint' in service) return { personalization: personalizationChoiceOf(service) }
  const imageId = retouchedImage(row)
  if (imageId === null) return {}
  const packageRows = rows.filter(
    (other) => other !== row && other.items && other.subjectId === subjectId && imageIdsOf(other).includes(imageId),
  )
  return { retouchedIn: [...new Set(packageRows.map(({ name }) => name))] }
}

const toOrderLine = (row: LineRow, _index: number, rows: readonly LineRow[]): OrderLine => ({
  lineId: row.lineId,
  packageName: row.name,
  subjectName: `${row.subject?.firstName ?? ''} ${row.subject?.lastName ?? ''}`.trim(),
  imageThumbnailUrl: thumbnailOf(row),
  quantity: row.quantity,
  totalCents: row.cents,
  items: itemsOf(row),
  ...serviceDetails(row, rows),
})

const isPrinted = ({ items }: LineRow): boolean => (items ?? []).some((item) => !isDigital(item.productCode))

const deliveryOf = ({ shipping_address, lines }: OrderRow): 'home' | 'studio' | 'download' => {
  if (shipping_address) return 'home'
  return lines.some(isPrinted) ? 'studio' : 'download'
}

/** Digital files are not shipped, whatever the customer chose at checkout. */
const shippingNameOf = (row: OrderRow): string => {
  if (deliveryOf(row) === 'download') return ''
  return row.is_part_of_batch_order ? batchShippingLabel : (row.shipping_label ?? '')
}

/** When the order is expected; null if it has arrived, is not printed, or is later than the studio said. */
const arrivalOf = (row: OrderRow): Arrival | null => {
  if (row.state === 'shipped' || row.state === 'cancelled') return null
  const { home, batch } = row.arrivals
  const arrival = { home, studio: batch, download: null }[deliveryOf(row)]
  return arrival && arrival.to >= row.today ? arrival : null
}

const toOrder = (row: OrderRow): Order => {
  const arrival = arrivalOf(row)
  return {
    orderNumber: row.order_number,
    jobId: row.job_id,
    jobName: row.job_name,
    studioName: row.studio_name,
    studioSlug: row.slug,
    studioPhone: row.contact_phone,
    studioEmail: row.contact_email,
    orderMethod: row.order_method,
    state: row.state,
    placedAt: row.placed_at.toISOString(),
    customer: { firstName: row.first_name, lastName: row.last_name, email: row.email, phone: row.phone ?? '' },
    shippingAddress: row.shipping_address,
    shippingName: shippingNameOf(row),
    delivery: deliveryOf(row),
    arrival: arrival && arrivalText(arrival),
    lines: row.lines.map(toOrderLine),
    totals: {
      packagesCents: row.packages_cents,
      servicesCents: row.services_cents,
      discountCents: row.discount_cents,
      lateFeeCents: row.late_fee_cents,
      shippingCents: row.shipping_cents,
      taxCents: row.tax_cents,
      totalCents: row.total_cents,
    },
    cardEnding: row.card_ending,
    promotionCode: row.promotion_code,
    trackingNumber: row.tracking_number,
    refundableCents: row.refundable_cents,
    refunds: row.refunds.map(({ at, ...refund }) => ({ ...refund, at: new Date(at).toISOString() })),
    downloads: row.state === 'cancelled' ? [] : row.downloads,
    dates: row.state === 'cancelled' ? [] : orderDates({ ...row.dates, orderMethod: row.order_method, arrival }),
    mayCancel: isCustomerEditable(row) && !row.is_downloaded && !isCounterPayment(row.pay_method),
    mayChange: orderLockReason({ state: row.state, inClosedBatch: row.in_closed_batch }) === null,
  }
}

/** Reads an order for a session. The caller checks that the session may see it. */
export const readCustomerOrder = async (
  db: Db,
  { studioId, orderId }: OrderKey,
  { jobSession, now }: { jobSession: JobSession; now: Date },
): Promise<Order | undefined> => {
  const { rows } = await sql<OrderRow>`
    select o.order_number, o.job_id, j.name as job_name, s.name as studio_name, s.slug, s.contact_phone, s.contact_email,
           o.order_method, o.state, ${inClosedBatch} as in_closed_batch, o.placed_at, o.first_name, o.last_name, o.email, o.phone, o.shipping_address,
           o.is_part_of_batch_order, h.label as shipping_label, o.packages_cents, o.services_cents, o.discount_cents,
           o.late_fee_cents, o.shipping_cents, o.tax_cents, o.total_cents, o.card_ending, o.pay_method, o.promotion_code, o.tracking_number,
           exists (select from downloads d where d.studio_id = o.studio_id and d.order_id = o.id and d.downloaded_at is not null) as is_downloaded,
           (select coalesce(json_agg(json_build_object('linkId', d.link_id, 'kind', d.kind,
                     'subjectName', trim(concat(u.first_name, ' ', u.last_name))) order by d.id), '[]')
              from downloads d left join subjects u on u.studio_id = d.studio_id and u.id = d.subject_id
             where d.studio_id = o.studio_id and d.order_id = o.id and d.revoked_at is null and u.hidden_at is null and ${isDeliverable}) as downloads,
           (select coalesce(sum(case r.kind when 'charge' then r.amount_cents else -r.amount_cents end), 0)::int
              from ledger r where r.studio_id = o.studio_id and r.order_id = o.id
               and case r.kind when 'charge' then r.state = 'done' else r.state <> 'failed' end) as refundable_cents,
           (select coalesce(json_agg(json_build_object('amountCents', r.amount_cents, 'state', r.state,
                     'at', coalesce(r.settled_at, r.created_at), 'creditNote', n.number) order by r.id), '[]')
              from ledger r left join credit_notes n on n.studio_id = r.studio_id and n.refund_id = r.id
             where r.studio_id = o.studio_id and r.order_id = o.id and r.kind = 'refund') as refunds,
           ${dateInputs} as dates, ${dayOf(sql`${now}::timestamptz`)} as today,
           ${arrivalsJson({ orderMethod: sql`o.order_method`, orderedOn: sql`(o.placed_at at time zone s.time_zone)::date` })} as arrivals,
           ${orderLinesFor(jobSession, now)} as lines
      from orders o
      join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
      join studios s on s.id = o.studio_id
      left join shipping_options h on h.code = o.shipping_option_code
     where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(db)
  return rows[0] && toOrder(rows[0])
}

/** Reads an order without images, as emails and documents show it: they belong to no session. */
export const readOrderWithoutImages = (
  { db, clock }: { readonly db: Db; readonly clock: () => Date },
  key: OrderKey,
): Promise<Order | undefined> => {
  const jobSession = { session: { id: 0 }, job: { studioId: key.studioId, jobId: 0 } }
  return readCustomerOrder(db, key, { jobSession, now: clock() })
}
