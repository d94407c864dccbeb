import { sql } from 'kysely'
import type { CustomerJob, JobContact } from '#contract/customer/discovery-calls.ts'
import type { JobPreferences } from '#contract/shapes/job-structs.ts'
import { maintenanceNotice } from '#domain/configuration/maintenance.ts'
import { type LatePrice, latePriceNote } from '#domain/pricing/late-price.ts'
import { batchShippingLabel } from '#domain/pricing/shipping.ts'
import { formatDate } from '#domain/shared/dates.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import { isLiveGrant } from '../access/grants/grants.ts'
import type { Session } from '../access/sessions/sessions.ts'
import { maintenanceKey, planOf } from '../configuration/maintenance-plan.ts'
import type { Db } from '../database/database.ts'
import type { CheckoutContact } from '../database/tables/columns.ts'
import type { Deps } from '../deps.ts'
import { poseDeadlineLabel } from '../images/store/year-book-choices.ts'
import { hasFeature } from '../jobs/store/job-services.ts'
import {
  acceptsCards,
  freeShippingDay,
  hasPublishedImages,
  isAfterOrderBy,
  latePriceJson,
} from '../jobs/store/order-availability.ts'

type JobRow = {
  studio_id: number
  slug: string
  accepts_cards: boolean
  name: string
  organization_name: string | null
  organization_type: CustomerJob['organizationType'] | null
  event_date: string | null
  order_by: string | null
  is_after_order_by: boolean
  late_price: LatePrice | null
  free_shipping_day: string | null
  gallery_expires_on: string | null
  version_major: number
  version_minor: number
  rspo_job: boolean
  imported_data: boolean
  prepay_imported_data: boolean
  gallery_is_public: boolean
  own_code_only: boolean
  has_published_images: boolean
  enable_year_book_pose_selection: boolean
  year_book_pose_expired: boolean
  year_book_pose_expires_at: Date | null
  time_zone: string
  checkout_contact: CheckoutContact | null
  maintenance: object | null
  granted: boolean
}

const toJobContact = (contact: CheckoutContact | null): JobContact | null => {
  if (!contact) return null
  const { firstName, lastName, title = '', phone, email } = contact
  const name = `${firstName} ${lastName}`.trim()
  // Without the postal address, because customers at checkout only need the phone number or the e-mail address.
  return phone || email ? { name, title, phone: phone || null, email: email || null } : null
}

const orderNotesOf = ({ order_by: orderBy, late_price: latePrice, ...row }: JobRow, now: Date): string[] => [
  ...(latePrice && orderBy ? [latePriceNote(latePrice, { orderBy, isLate: row.is_after_order_by })] : []),
  ...(row.free_shipping_day ? [`${batchShippingLabel} is free until ${formatDate(row.free_shipping_day)}`] : []),
  ...[maintenanceNotice(planOf(row.maintenance), now, row.time_zone)].filter((note) => note !== null),
]

const toCustomerJob = (jobId: number, row: JobRow, now: Date): CustomerJob => ({
  id: jobId,
  studioId: row.studio_id,
  studioWebUrl: row.slug,
  name: row.name,
  organizationName: row.organization_name ?? '',
  organizationType: row.organization_type ?? 'school',
  eventDate: row.event_date,
  orderBy: row.order_by,
  orderNotes: orderNotesOf(row, now),
  galleryExpires: row.gallery_expires_on,
  version: { major: row.version_major, minor: row.version_minor },
  rspoJob: row.rspo_job,
  importedData: row.imported_data,
  publicGallery: row.gallery_is_public,
  ownCodeOnly: row.own_code_only,
  hasPublishedImages: row.has_published_images,
  prepaySettings: { importedData: row.prepay_imported_data },
  gallerySettings: {
    enableYearBookPoseSelection: row.enable_year_book_pose_selection,
    isYearBookPoseSelectionExpired: row.year_book_pose_expired,
    yearBookPoseDeadline:
      row.year_book_pose_expires_at && poseDeadlineLabel(row.year_book_pose_expires_at, row.time_zone),
  },
  checkoutContact: toJobContact(row.checkout_contact),
  acceptsCards: row.accepts_cards,
})

/**
 * Reads a job as its customers see it, and whether this session has access because it entered a code or found an order
 * (section 7). Undefined if the job does not exist or its studio is disabled.
 */
export const readCustomerJob = async (
  deps: Pick<Deps, 'db' | 'payment'>,
  jobId: number,
  { session, now }: { session: Session; now: Date },
): Promise<{ job: CustomerJob; granted: boolean } | undefined> => {
  const { rows } = await sql<JobRow>`
    select j.studio_id, s.slug, j.name, o.name as organization_name, o.type as organization_type, j.event_date, j.order_by,
           ${isAfterOrderBy(now)} as is_after_order_by, ${latePriceJson} as late_price,
           ${freeShippingDay(now)} as free_shipping_day, j.gallery_expires_on, j.version_major, j.version_minor, j.rspo_job, j.imported_data, j.prepay_imported_data,
           j.gallery_is_public, j.own_code_only, j.checkout_contact, ${acceptsCards(deps)} as accepts_cards,
           j.enable_year_book_pose_selection and ${hasFeature('yearbookPose')} as enable_year_book_pose_selection,
           coalesce(j.year_book_pose_expires_at <= ${now}::timestamptz, false) as year_book_pose_expired,
           j.year_book_pose_expires_at, s.time_zone,
           ${hasPublishedImages(now)} as has_published_images,
           (select g.value from settings g where g.key = ${maintenanceKey}) as maintenance,
           exists (select from session_grants g where g.studio_id = j.studio_id and g.job_id = j.id
                      and g.session_id = ${session.id} and ${isLiveGrant(now)}) as granted
      from job_links l join jobs j on j.studio_id = l.studio_id and j.id = l.job_id
      join studios s on s.id = j.studio_id
      left join organizations o on o.studio_id = j.studio_id and o.id = j.organization_id
     where l.job_id = ${jobId} and s.rspo_enabled`.execute(deps.db)
  const [row] = rows
  return row && { job: toCustomerJob(jobId, row, now), granted: row.granted }
}

/** Reads what a job's customer screens show or hide (section 3, job preferences). */
export const readJobPreferences = async (db: Db, { studioId, jobId }: JobKey): Promise<JobPreferences | undefined> => {
  const row = await db
    .selectFrom('jobs')
    .select('preferences')
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .executeTakeFirst()
  return row?.preferences
}
