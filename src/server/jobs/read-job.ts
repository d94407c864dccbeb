import { sql } from 'kysely'
import type { StaffJob } from '#contract/studio/jobs.ts'
import { isLegacyJob, type JobState } from '#domain/studio/job-states.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { codeOfJob, fromJobs, jobStateAt } from './job-columns.ts'
import { type OrderAvailabilityRow, type OrderWindow, orderAvailabilityOf } from './store/order-availability.ts'

type JobRow = OrderAvailabilityRow & {
  id: number
  name: string
  organization_id: number | null
  organization_name: string | null
  event_date: string | null
  code: string | null
  state: JobState
  version_major: number
  version_minor: number
  version: number
  published_at: Date | null
  archived_at: Date | null
  rspo_job: boolean
  imported_data: boolean
  prepay_imported_data: boolean
  enable_year_book_pose_selection: boolean
  year_book_pose_expired: boolean
  package_set_id: number | null
  slug: string
  time_zone: string
  has_orders: boolean
}

const toStaffOrderWindow = ({ available, opens, closes }: OrderWindow): StaffJob['availability']['prepay'] => ({
  available,
  opens: opens?.toISOString() ?? null,
  closes: closes?.toISOString() ?? null,
})

const toStaffJob = (row: JobRow, now: Date): StaffJob => {
  const { published, archived, prepay, gallery } = orderAvailabilityOf(row, now)
  const version = { major: row.version_major, minor: row.version_minor }
  const hasParentPath = row.code !== null && !isLegacyJob(version)
  return {
    id: row.id,
    name: row.name,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    eventDate: row.event_date,
    code: row.code,
    state: row.state,
    version,
    settingsVersion: row.version,
    publishedAt: row.published_at?.toISOString() ?? null,
    archivedAt: row.archived_at?.toISOString() ?? null,
    rspoJob: row.rspo_job,
    importedData: row.imported_data,
    availability: { published, archived, prepay: toStaffOrderWindow(prepay), gallery: toStaffOrderWindow(gallery) },
    prepaySettings: { importedData: row.prepay_imported_data },
    gallerySettings: {
      enableYearBookPoseSelection: row.enable_year_book_pose_selection,
      isYearBookPoseSelectionExpired: row.year_book_pose_expired,
    },
    packageSetId: row.package_set_id,
    parentPath: hasParentPath ? `/${row.slug}/code/${row.code}` : null,
    timeZone: row.time_zone,
    hasOrders: row.has_orders,
  }
}

/** Reads a job for the staff of its studio; undefined if the studio has no such job. */
export const readJob = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { studioId, jobId }: JobKey,
): Promise<StaffJob | undefined> => {
  const now = clock()
  const { rows } = await sql<JobRow>`
    select w.*, j.id, j.name, j.organization_id, o.name as organization_name, j.event_date, ${codeOfJob} as code,
           ${jobStateAt(now)} as state, j.version_major, j.version_minor, j.version, j.published_at, j.archived_at, j.rspo_job, j.imported_data,
           j.prepay_imported_data, j.enable_year_book_pose_selection,
           coalesce(j.year_book_pose_expires_at <= ${now}::timestamptz, false) as year_book_pose_expired,
           j.package_set_id, s.slug, s.time_zone,
           exists (select from orders r where r.studio_id = j.studio_id and r.job_id = j.id) as has_orders
      ${fromJobs(now)} where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const [row] = rows
  return row && toStaffJob(row, now)
}
