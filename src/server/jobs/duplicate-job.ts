import { sql } from 'kysely'
import { isCalendarDay } from '#domain/shared/dates.ts'
import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'
import { isLegacyJob, legacyJobMessage } from '#domain/studio/job-states.ts'
import { initialSteps } from '#domain/studio/workflow.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { linkJob, noSuchDayMessage } from './create-job.ts'
import { drawJobCode } from './job-code.ts'

type DuplicateJobInput = { readonly name: string; readonly eventDate: string | null }

type CopyRequest = { readonly from: JobKey; readonly input: DuplicateJobInput; readonly now: Date }

/** A timestamp of the source job, moved by the days between the two events, at the same local time. */
const moved = (column: string) => sql`(
  (${sql.ref(`j.${column}`)} at time zone s.time_zone + (d.days || ' days')::interval) at time zone s.time_zone)`

/** A date of the source job, moved by the same days. */
const movedDay = (column: string) => sql`(${sql.ref(`j.${column}`)} + d.days)`

const copySettings = async (tx: Transaction, { from, input, now }: CopyRequest): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into jobs (studio_id, organization_id, package_set_id, name, description, event_date, rspo_job,
                      prepay_enabled, prepay_opens_at, prepay_closes_at, gallery_enabled, gallery_opens_at, gallery_closes_at,
                      gallery_expires_on, gallery_is_public, own_code_only, order_by, late_basis_points, late_cents, imported_data, prepay_imported_data,
                      enable_year_book_pose_selection, year_book_pose_expires_at, allow_retouch, allow_name_on_all_prints,
                      allow_name_on_wallets, image_level_service, ships_home, ships_batch, batch_closes_at, free_shipping_until,
                      delivery_days_from, delivery_days_to, handed_out_on, preferences,
                      checkout_contact, watermark_id, created_at, updated_at)
    select j.studio_id, j.organization_id, j.package_set_id, ${input.name}, j.description, ${input.eventDate}::date, true,
           j.prepay_enabled or not s.is_millers_verified, ${moved('prepay_opens_at')}, ${moved('prepay_closes_at')},
           j.gallery_enabled and s.is_millers_verified,
           ${moved('gallery_opens_at')}, ${moved('gallery_closes_at')}, ${movedDay('gallery_expires_on')}, j.gallery_is_public,
           j.own_code_only,
           ${movedDay('order_by')}, j.late_basis_points, j.late_cents, j.imported_data, j.prepay_imported_data, j.enable_year_book_pose_selection,
           ${moved('year_book_pose_expires_at')}, j.allow_retouch, j.allow_name_on_all_prints, j.allow_name_on_wallets,
           j.image_level_service, j.ships_home, j.ships_batch, ${moved('batch_closes_at')}, ${movedDay('free_shipping_until')},
           j.delivery_days_from, j.delivery_days_to, ${movedDay('handed_out_on')}, j.preferences,
           j.checkout_contact, j.watermark_id, ${now}, ${now}
      from jobs j join studios s on s.id = j.studio_id
      cross join lateral (select ${input.eventDate}::date - j.event_date as days) d
     where j.studio_id = ${from.studioId} and j.id = ${from.jobId}
    returning id`.execute(tx)
  const [created] = rows
  if (!created) throw new Error('the job is locked, so it exists')
  return created.id
}

const copyRelatedRows = async (tx: Transaction, { studioId, jobId: fromId }: JobKey, jobId: number): Promise<void> => {
  await sql`
    insert into job_fields (studio_id, job_id, name, label, input_type, is_required, has_options, options, template_id, position)
    select studio_id, ${jobId}, name, label, input_type, is_required, has_options, options, template_id, position
      from job_fields where studio_id = ${studioId} and job_id = ${fromId} order by position, id`.execute(tx)
  await sql`
    insert into job_order_services (studio_id, job_id, order_service_id, price_cents, is_enabled, position)
    select studio_id, ${jobId}, order_service_id, price_cents, is_enabled, position
      from job_order_services where studio_id = ${studioId} and job_id = ${fromId} order by position, id`.execute(tx)
  const workflows = await tx
    .selectFrom('job_workflows')
    .select(['workflow_id', 'name', 'steps'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', fromId)
    .execute()
  for (const { workflow_id, name, steps } of workflows) {
    const resetSteps = JSON.stringify(initialSteps(steps))
    await tx
      .insertInto('job_workflows')
      .values({ studio_id: studioId, job_id: jobId, workflow_id, name, steps: resetSteps })
      .execute()
  }
}

/**
 * Duplicates a job: its settings, fields, services, package set and workflow, with a new code; no subjects, images or
 * orders. For an unverified studio the copy takes preorders and has no gallery. Dates move with the event date; if
 * either event date is unknown, they are left out. Returns the id of the new job.
 */
export const duplicateJob = async (
  tx: Transaction,
  deps: Deps,
  { job, input, user }: { job: JobKey; input: DuplicateJobInput; user: User },
): Promise<number | Problem<'not-found' | 'refused'>> => {
  const { studioId } = job
  const row = await tx
    .selectFrom('jobs')
    .select('version_major')
    .where('studio_id', '=', studioId)
    .where('id', '=', job.jobId)
    .forShare()
    .executeTakeFirst()
  if (!row) return problem('not-found')
  if (isLegacyJob({ major: row.version_major })) return problem('refused', legacyJobMessage)
  const fields = {
    ...(input.name.trim() === '' && { name: [validationMessages.required] }),
    ...(input.eventDate !== null && !isCalendarDay(input.eventDate) && { eventDate: [noSuchDayMessage] }),
  }
  if (Object.keys(fields).length > 0) return problem('refused', fixFieldsMessage, { fields })
  const name = input.name.trim()
  const jobId = await copySettings(tx, { from: job, input: { ...input, name }, now: deps.clock() })
  await copyRelatedRows(tx, job, jobId)
  await drawJobCode(tx, deps, { studioId, jobId })
  await linkJob(tx, { studioId, jobId })
  const detail = { name, from: job.jobId }
  await recordAudit(tx, deps, { studioId, action: 'job.duplicated', entityId: String(jobId), detail, userId: user.id })
  return jobId
}
