import { type RawBuilder, sql } from 'kysely'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { isCurrent } from '#server/images/store/current-images.ts'

/** When a job takes orders by one method; null is without limit on that side. */
export type OrderWindow = { available: boolean; opens: Date | null; closes: Date | null }

export type OrderAvailability = { published: boolean; archived: boolean; prepay: OrderWindow; gallery: OrderWindow }

/** The first instant after a day that a studio's calendar shows (a column of jobs); null without a day. Needs `s` for the studio. */
export const endOfDay = (day: RawBuilder<unknown>): RawBuilder<Date | null> =>
  sql`((${day} + 1)::timestamp at time zone s.time_zone)`

/** The first instant at which a gallery of job `j`, studio `s`, is over. */
export const galleryEnd = endOfDay(sql`j.gallery_expires_on`)

/**
 * Whether pictures of job `j`, studio `s`, may be shown at an instant to customers who prepaid for their subject: published, not archived,
 * its gallery begun and not expired. Ordering may close earlier: who ordered still sees what.
 */
export const picturesShowToBuyers = (now: Date): RawBuilder<boolean> => sql`(
  j.published_at <= ${now}::timestamptz and j.archived_at is null and s.rspo_enabled
  and not (j.gallery_enabled and coalesce(j.gallery_opens_at > ${now}::timestamptz, false))
  and (j.gallery_expires_on is null or ${galleryEnd} > ${now}::timestamptz))`

/** Whether they may be shown to every customer with a grant: that is a gallery, which needs a verified studio (decisions, section 4). */
export const areImagesVisible = (now: Date): RawBuilder<boolean> =>
  sql`(s.is_millers_verified and ${picturesShowToBuyers(now)})`

type Viewer = { readonly sessionId: RawBuilder<number> | number; readonly subjectId: RawBuilder<number> }

/** Whether studio `s` may show a session photos of a subject: it is verified, or the session has a prepaid order with that subject on it. */
export const isVerifiedOrPaid = (now: Date, { sessionId, subjectId }: Viewer): RawBuilder<boolean> => sql`(
  s.is_millers_verified or exists (
    select from session_grants paid
      join orders o on o.studio_id = paid.studio_id and o.id = paid.order_id
      join order_lines line on line.studio_id = o.studio_id and line.order_id = o.id
     where paid.studio_id = s.id and paid.session_id = ${sessionId} and paid.kind = 'order' and paid.revoked_at is null
       and (paid.expires_at is null or paid.expires_at > ${now}::timestamptz)
       and o.order_method = 'prepay' and o.state <> 'cancelled' and line.subject_id = ${subjectId}))`

/** Whether pictures of a subject of job `j`, studio `s`, may be shown to a session at an instant. */
export const picturesShowTo = (now: Date, viewer: Viewer): RawBuilder<boolean> =>
  sql`(${picturesShowToBuyers(now)} and ${isVerifiedOrPaid(now, viewer)})`

/** Whether any picture of a person or a group of job `j` is published to all at an instant; by it the order method is chosen (section 4). */
export const hasPublishedImages = (now: Date): RawBuilder<boolean> => sql`(
  s.is_millers_verified and exists (
    select from image_lookups i
     where i.studio_id = j.studio_id and i.job_id = j.id and i.state = 'ready' and ${isCurrent}
       and i.kind in ('hosted-individual', 'hosted-group') and i.published_at <= ${now}::timestamptz))`

/**
 * Columns of a job's opening, for a statement over jobs `j` and studios `s`. An instant that staff set counts before a day; days
 * are the studio's, inclusive; a studio that is switched off has published nothing (section 5), one that is not verified has no gallery
 * (decisions, section 4), and a job of before version 3, made on an older platform, is there to be looked at alone. What they are called
 * is what `openingOf` reads.
 */
export const orderAvailabilityColumns = (now: Date): RawBuilder<OrderAvailabilityRow> => sql`
  s.rspo_enabled and coalesce(j.published_at <= ${now}::timestamptz, false) as published, j.archived_at is not null as archived,
  j.version_major >= 3 and j.prepay_enabled as prepay_enabled, j.prepay_opens_at, coalesce(j.prepay_closes_at, ${endOfDay(sql`j.order_by`)}) as prepay_closes_at,
  j.version_major >= 3 and j.gallery_enabled and s.is_millers_verified as gallery_enabled, j.gallery_opens_at,
  least(coalesce(j.gallery_closes_at, ${endOfDay(sql`j.order_by`)}), ${galleryEnd}) as gallery_closes_at`

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

const never: OrderWindow = { available: false, opens: null, closes: null }

/** What a job's row says of when it takes orders (section 3, job availability). Nothing is available unpublished or archived. */
export const orderAvailabilityOf = (row: OrderAvailabilityRow, now: Date): OrderAvailability => {
  const { published, archived } = row
  const hours = (enabled: boolean, opens: Date | null, closes: Date | null): OrderWindow =>
    enabled ? { available: published && !archived && isWithin(now, opens, closes), opens, closes } : never
  return {
    published,
    archived,
    prepay: hours(row.prepay_enabled, row.prepay_opens_at, row.prepay_closes_at),
    gallery: hours(row.gallery_enabled, row.gallery_opens_at, row.gallery_closes_at),
  }
}

/** Whether and how a job takes orders now; undefined when there is no such job. */
export const readOrderAvailability = async (
  db: Db | Transaction,
  { studioId, jobId }: JobKey,
  now: Date,
): Promise<OrderAvailability | undefined> => {
  const { rows } = await sql<OrderAvailabilityRow>`
    select ${orderAvailabilityColumns(now)} from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const [row] = rows
  return row && orderAvailabilityOf(row, now)
}
