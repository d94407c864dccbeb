import { sql } from 'kysely'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import type { CartPackage, LineSnapshot, Personalization, Retouch } from '#domain/cart/cart.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { batchShippingLabel } from '#domain/pricing/shipping.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import { joinDecision, orderErrorEntries } from '#server/audit/order-error-entries.ts'
import { isoTimestamp } from '#server/database/timestamps.ts'
import type { Deps } from '#server/deps.ts'
import type { UrlSigningDeps } from '#server/http/sign-url.ts'
import { staffImageUrl } from '#server/images/store/staff-image-url.ts'
import { labBlocker, readLabOrders } from '../store/lab-orders.ts'
import { type SoldLineRow, soldLine } from '../store/sold-lines.ts'

type ServiceEntry = Partial<Retouch & Personalization>

type LineRow = Omit<StaffOrder['lines'][number], 'sold' | 'words' | 'subjectName'> & {
  subject: LineSnapshot['subject'] | null
  service: ServiceEntry | null
}

type Row = Omit<StaffOrder, 'placedAt' | 'lines' | 'why' | 'shippingName'> & {
  id: number
  placedAt: Date
  shippingLabel: string | null
  lines: LineRow[]
}

const ledger = sql`(
  select coalesce(json_agg(json_build_object('kind', r.kind, 'state', r.state, 'amountCents', r.amount_cents, 'provider', r.provider,
           'reason', r.reason, 'by', w.name, 'at', ${isoTimestamp(sql`coalesce(r.settled_at, r.created_at)`)},
           'creditNote', n.number) order by r.id), '[]')
    from ledger r
    left join users w on w.id = r.made_by
    left join credit_notes n on n.studio_id = r.studio_id and n.refund_id = r.id
   where r.studio_id = o.studio_id and r.order_id = o.id)`

const refundable = sql`(
  select coalesce(sum(case r.kind when 'charge' then r.amount_cents else -r.amount_cents end), 0)::int
    from ledger r where r.studio_id = o.studio_id and r.order_id = o.id
     and case r.kind when 'charge' then r.state = 'done' else r.state <> 'failed' end)`

const moves = sql`(
  select coalesce(json_agg(json_build_object('from', m.from_state, 'to', m.to_state, 'reason', m.reason, 'by', w.name,
           'at', ${isoTimestamp(sql`m.moved_at`)}) order by m.moved_at, m.id), '[]')
    from order_moves m left join users w on w.id = m.moved_by where m.studio_id = o.studio_id and m.order_id = o.id)`

/** The errors of order `o`. The email addresses in messages are those of its customer. */
const errors = (now: Date) => sql`(
  select coalesce(json_agg(json_build_object('kind', e.kind, 'message', e.message, 'at', ${isoTimestamp(sql`e.failed_at`)})
           order by e.failed_at desc), '[]')
    from ${orderErrorEntries(now)} e ${joinDecision}
   where e.studio_id = o.studio_id and o.order_number = any(e.order_numbers) and d.kind is null)`

const emails = sql`(
  select coalesce(json_agg(json_build_object('id', g.id, 'kind', g.kind, 'at', ${isoTimestamp(sql`g.created_at`)}, 'state', g.state)
           order by g.created_at desc, g.id desc), '[]')
    from mail_log g where g.studio_id = o.studio_id and g.order_id = o.id)`

const lines = sql`(
  select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'quantity', l.quantity, 'amountCents', l.amount_cents,
           'needsImages', l.needs_poses, 'subject', l.snapshot -> 'subject', 'service', l.snapshot -> 'service') order by l.position), '[]')
    from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id)`

const readRow = async (
  { db, clock }: Deps,
  { studioId, jobId }: JobKey,
  orderNumber: string,
): Promise<Row | undefined> => {
  const { rows } = await sql<Row>`
    select o.id, o.order_number as "orderNumber", o.state, o.order_method as "orderMethod", o.placed_at as "placedAt", o.note,
           json_build_object('firstName', o.first_name, 'lastName', o.last_name, 'email', o.email, 'phone', coalesce(o.phone, '')) as customer,
           (select u.name from users u where u.id = o.entered_by) as "enteredBy", o.is_part_of_batch_order as "isToStudio",
           h.label as "shippingLabel", o.shipping_address as "shippingAddress", o.tracking_number as "trackingNumber",
           o.promotion_code as "promotionCode", o.pay_method as "payMethod", o.card_ending as "cardEnding",
           json_build_object('packagesCents', o.packages_cents, 'servicesCents', o.services_cents, 'discountCents', o.discount_cents,
             'lateFeeCents', o.late_fee_cents, 'shippingCents', o.shipping_cents, 'taxCents', o.tax_cents, 'totalCents', o.total_cents) as totals,
           ${refundable} as "refundableCents", ${ledger} as ledger, ${moves} as moves, ${lines} as lines, ${errors(clock())} as errors,
           ${emails} as emails,
           (select json_build_object('id', b.id, 'name', b.name, 'state', b.state) from batches b
             where b.studio_id = o.studio_id and b.id = o.batch_id) as batch,
           (select coalesce(json_agg(json_build_object('id', p.id, 'state', p.state, 'error', p.error) order by p.id desc), '[]')
              from packet_orders m join packets p on p.studio_id = m.studio_id and p.id = m.packet_id
             where m.studio_id = o.studio_id and m.order_id = o.id) as packets
      from orders o left join shipping_options h on h.code = o.shipping_option_code
     where o.studio_id = ${studioId} and o.job_id = ${jobId} and o.order_number = ${normaliseOrderNumber(orderNumber) ?? ''}`.execute(
    db,
  )
  return rows[0]
}

/** The thumbnail URLs for staff. The URLs in the order are valid only under the grants of its customer. */
const imageUrlsOf = async (
  deps: Deps & UrlSigningDeps,
  { studioId, jobId }: JobKey,
  soldLines: readonly SoldLineRow[],
) => {
  const ids = [...new Set(soldLines.flatMap(({ snapshot }) => snapshot.images.map(({ imageId }) => imageId)))]
  const { rows } = await sql<{ id: number; hash: string }>`
    select i.id, i.thumb_hash as hash from image_lookups i
     where i.studio_id = ${studioId} and i.job_id = ${jobId} and i.thumb_hash is not null
       and i.id = any(${`{${ids.join(',')}}`}::bigint[])`.execute(deps.db)
  return new Map(
    rows.map(({ id: imageId, hash }) => [imageId, staffImageUrl(deps, { studioId, imageId, variant: 'thumb', hash })]),
  )
}

/** A sold line with URLs for staff. Images that no longer exist are left out. */
const withStaffUrls = (line: CartPackage, urls: ReadonlyMap<number, string>): CartPackage => {
  const images = line.snapshot.images.flatMap((image) => {
    const thumbnailUrl = urls.get(image.imageId)
    return thumbnailUrl === undefined ? [] : [{ ...image, thumbnailUrl }]
  })
  const cartPackageItems = line.cartPackageItems.map((item) => ({
    ...item,
    imageNodes: item.imageNodes.map((node) => ({ ...node, imageThumbnailUrl: null })),
  }))
  const subject = { ...line.snapshot.subject, imageThumbnailUrl: null }
  return { ...line, cartPackageItems, snapshot: { ...line.snapshot, subject, images } }
}

const printedTextsOf = (service: ServiceEntry | null): string[] =>
  [service?.nameToPrint, service?.yearToPrint, service?.level].filter(
    (text) => text !== undefined && text !== '',
  ) as string[] // `undefined` is filtered out

/** Reads an order with all its details for staff; undefined if the job has no such order. */
export const readStaffOrder = async (
  deps: Deps & UrlSigningDeps,
  job: JobKey,
  orderNumber: string,
): Promise<StaffOrder | undefined> => {
  const row = await readRow(deps, job, orderNumber)
  const [labOrder] = row ? await readLabOrders(deps.db, job, sql`o.id = ${row.id}`) : []
  if (!row || !labOrder) return undefined
  const { id: _, placedAt, shippingLabel, lines: lineRows, ...rest } = row
  const urls = await imageUrlsOf(deps, job, labOrder.lines)
  const soldLineById = new Map(labOrder.lines.map((line) => [line.id, line]))
  return {
    ...rest,
    placedAt: placedAt.toISOString(),
    shippingName: rest.isToStudio ? batchShippingLabel : shippingLabel,
    why: rest.state === 'placed' || rest.state === 'batched' ? labBlocker(labOrder) : null,
    lines: lineRows.map(({ subject, service, ...line }) => {
      const sold = soldLineById.get(line.id)
      return {
        ...line,
        subjectName: `${subject?.firstName ?? ''} ${subject?.lastName ?? ''}`.trim(),
        words: printedTextsOf(service),
        sold: sold ? withStaffUrls(soldLine(sold), urls) : null,
      }
    }),
  }
}
