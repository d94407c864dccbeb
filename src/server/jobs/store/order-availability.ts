import { type RawBuilder, sql } from 'kysely'
import type { LatePrice } from '#domain/pricing/late-price.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { Settings } from '#server/env.ts'
import { isCurrent } from '#server/images/store/image-conditions.ts'

/** The time span in which a job takes orders by one method; null is unlimited on that side. */
export type OrderWindow = { available: boolean; opens: Date | null; closes: Date | null }

export type OrderAvailability = { published: boolean; archived: boolean; prepay: OrderWindow; gallery: OrderWindow }

/** The end of a day (a SQL `date`) in the time zone of studio `s`; null without a day. */
export const endOfDay = (day: RawBuilder<unknown>): RawBuilder<Date | null> =>
  sql`((${day} + 1)::timestamp at time zone s.time_zone)`

/** The first instant after the last day of the gallery of job `j`, studio `s`. */
export const galleryEnd = endOfDay(sql`j.gallery_expires_on`)

/** Whether job `j` goes on selling after its last day to order. */
const hasLatePrice = sql`(j.late_basis_points is not null or j.late_cents is not null)`

/** The late price of job `j`; null if it has none. */
export const latePriceJson = sql<LatePrice | null>`(case
  when j.late_basis_points is not null then json_build_object('kind', 'percent', 'basisPoints', j.late_basis_points)
  when j.late_cents is not null then json_build_object('kind', 'amount', 'amountCents', j.late_cents) end)`

/** Whether the last day to order of job `j`, studio `s`, is over. */
export const isAfterOrderBy = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${endOfDay(sql`j.order_by`)} <= ${now}::timestamptz, false)`

/** Whether job `j`, studio `s`, ships free to the studio now. */
export const hasFreeStudioShipping = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${endOfDay(sql`j.free_shipping_until`)} > ${now}::timestamptz, false)`

/** The last day of free shipping to the studio of job `j`, studio `s`; null if it has none now, or if that shipping costs nothing anyway. */
export const freeShippingDay = (now: Date): RawBuilder<string | null> => sql<string | null>`(case
  when j.ships_batch and ${hasFreeStudioShipping(now)} and exists (
    select from shipping_options o where o.ships_to = 'studio' and o.archived_at is null and (o.price_cents > 0 or o.each_more_cents > 0))
  then j.free_shipping_until end)`

/**
 * Whether images of job `j`, studio `s`, may be shown to customers who prepaid for their subject: the job is published
 * and not archived, its gallery has opened and has not expired. Ordering may close earlier.
 */
export const areImagesVisibleToBuyers = (now: Date): RawBuilder<boolean> => sql`(
  j.published_at <= ${now}::timestamptz and j.archived_at is null and s.rspo_enabled
  and not (j.gallery_enabled and coalesce(j.gallery_opens_at > ${now}::timestamptz, false))
  and (j.gallery_expires_on is null or ${galleryEnd} > ${now}::timestamptz))`

/** Whether images may be shown to every customer with a grant: this is a gallery, which needs a verified studio. */
export const areImagesVisible = (now: Date): RawBuilder<boolean> =>
  sql`(s.is_millers_verified and ${areImagesVisibleToBuyers(now)})`

type Viewer = { readonly sessionId: RawBuilder<number> | number; readonly subjectId: RawBuilder<number> }

/**
 * Whether studio `s` may show a session the images of a subject: the studio is verified, or the session has a prepaid
 * order for that subject.
 */
export const isVerifiedOrPaid = (now: Date, { sessionId, subjectId }: Viewer): RawBuilder<boolean> => sql`(
  s.is_millers_verified or exists (
    select from session_grants paid
      join orders o on o.studio_id = paid.studio_id and o.id = paid.order_id
      join order_lines line on line.studio_id = o.studio_id and line.order_id = o.id
     where paid.studio_id = s.id and paid.session_id = ${sessionId} and paid.kind = 'order' and paid.revoked_at is null
       and (paid.expires_at is null or paid.expires_at > ${now}::timestamptz)
       and o.order_method = 'prepay' and o.state <> 'cancelled' and line.subject_id = ${subjectId}))`

/**
 * The version of all images that session `v` may see. It changes when a grant is created or ends, when an image of one of the
 * session's jobs is withdrawn or shown again, and when verification or a paid order changes whether a studio shows images.
 */
export const imagesVersionOf = (now: Date): RawBuilder<string> => {
  const viewer = { sessionId: sql<number>`g.session_id`, subjectId: sql<number>`g.subject_id` }
  return sql`(
    select md5(coalesce(string_agg(g.grant_id || ' ' || j.photos_version || case when s.is_open then '' else ' closed' end, ',' order by g.grant_id), ''))
      from session_grants g join jobs j on j.studio_id = g.studio_id and j.id = g.job_id
      join lateral (select ${isVerifiedOrPaid(now, viewer)} as is_open from studios s where s.id = g.studio_id) s on true
     where g.session_id = v.id and (g.kind = 'subject' or g.kind = 'gallery' and j.gallery_is_public)
       and g.revoked_at is null and (g.expires_at is null or g.expires_at > ${now}::timestamptz))`
}

/** Whether images of a subject of job `j`, studio `s`, may be shown to a session. */
export const areImagesVisibleTo = (now: Date, viewer: Viewer): RawBuilder<boolean> =>
  sql`(${areImagesVisibleToBuyers(now)} and ${isVerifiedOrPaid(now, viewer)})`

/**
 * Whether any image of a subject or group of job `j` is published. This determines the order method (section 4). Sorted by an index: with
 * `exists`, the planner would read the images of all jobs because it expects an early match, which a job without images never has.
 */
export const hasPublishedImages = (now: Date): RawBuilder<boolean> => sql`(
  s.is_millers_verified and coalesce((
    select true from image_lookups i
     where i.studio_id = j.studio_id and i.job_id = j.id and i.state = 'ready' and ${isCurrent}
       and i.kind in ('hosted-individual', 'hosted-group') and i.published_at <= ${now}::timestamptz
     order by i.kind limit 1), false))`

/**
 * Columns of a job's availability, for a statement over jobs `j` and studios `s`; `orderAvailabilityOf` reads them. A
 * time that staff set takes precedence over a date. Dates are in the studio's time zone and inclusive. A job with a late
 * price sells on after its last day to order, until its gallery ends. A studio that is
 * switched off has published nothing (section 5), an unverified one has no gallery, and a job
 * before version 3 is read-only.
 */
export const orderAvailabilityColumns = (now: Date): RawBuilder<OrderAvailabilityRow> => sql`
  s.rspo_enabled and coalesce(j.published_at <= ${now}::timestamptz, false) as published, j.archived_at is not null as archived,
  j.version_major >= 3 and j.prepay_enabled as prepay_enabled, j.prepay_opens_at, coalesce(j.prepay_closes_at, case when ${hasLatePrice} then ${galleryEnd} else ${endOfDay(sql`j.order_by`)} end) as prepay_closes_at,
  j.version_major >= 3 and j.gallery_enabled and s.is_millers_verified as gallery_enabled, j.gallery_opens_at,
  least(coalesce(j.gallery_closes_at, case when not ${hasLatePrice} then ${endOfDay(sql`j.order_by`)} end), ${galleryEnd}) as gallery_closes_at`

export type OrderAvailabilityRow = {
  published: boolean
  archived: boolean
  prepay_enabled: boolean
  prepay_opens_at: Date | null
  prepay_closes_at: Date | null
  gallery_enabled: boolean
  gallery_opens_at: Date | null
  gallery_closes_at: Date | null
}

const isWithin = (now: Date, opens: Date | null, closes: Date | null): boolean =>
  (opens === null || opens <= now) && (closes === null || now < closes)

const unavailable: OrderWindow = { available: false, opens: null, closes: null }

/** When a job takes orders (section 3, job availability), from its row. No method is available while the job is unpublished or archived. */
export const orderAvailabilityOf = (row: OrderAvailabilityRow, now: Date): OrderAvailability => {
  const { published, archived } = row
  const windowOf = (enabled: boolean, opens: Date | null, closes: Date | null): OrderWindow =>
    enabled ? { available: published && !archived && isWithin(now, opens, closes), opens, closes } : unavailable
  return {
    published,
    archived,
    prepay: windowOf(row.prepay_enabled, row.prepay_opens_at, row.prepay_closes_at),
    gallery: windowOf(row.gallery_enabled, row.gallery_opens_at, row.gallery_closes_at),
  }
}

/** Whether and how a job takes orders now; undefined if there is no such job. */
export const readOrderAvailability = async (
  db: Db | Transaction,
  { studioId, jobId }: { readonly studioId: number; readonly jobId: number },
  now: Date,
): Promise<OrderAvailability | undefined> => {
  const { rows } = await sql<OrderAvailabilityRow>`
    select ${orderAvailabilityColumns(now)} from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const [row] = rows
  return row && orderAvailabilityOf(row, now)
}

/** Whether studio `s` can be paid by card. Where studios have no payment accounts, every studio can. */
export const acceptsCards = ({ payment }: Pick<Deps, 'payment'>): RawBuilder<boolean> =>
  payment.paysStudioAccounts ? sql<boolean>`(s.payment_account_id is not null)` : sql<boolean>`true`

/** Whether orders can be taxed, by a tax service or by the rates table. */
export const canTax = ({ tax }: Pick<Settings, 'tax'>): RawBuilder<boolean> =>
  tax === undefined ? sql<boolean>`exists (select from tax_rates)` : sql<boolean>`true`

export const hasTaxRates = async ({ db, settings }: { db: Db; settings: Pick<Settings, 'tax'> }): Promise<boolean> => {
  const { rows } = await sql<{ can: boolean }>`select ${canTax(settings)} as can`.execute(db)
  return rows[0]?.can === true
}
