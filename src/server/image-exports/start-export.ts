import { type ExportPreview, type ImageExport, previewSize } from '#contract/studio/portraits/image-exports.ts'
import { type ExportSettings, exportSettingsErrors } from '#domain/image-exports/export-settings.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import { subjectFullName } from '#domain/subjects/subject-draft.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { Problem, problem } from '../http/problem.ts'
import type { UrlSigningDeps } from '../http/sign-url.ts'
import { staffImageUrl } from '../images/store/staff-image-url.ts'
import { type ExportPlan, type PlannedFile, planExport } from './plan-export.ts'
import { readImageExport } from './read-exports.ts'

/** Whether the job has a finished yearbook export with this id, to which retakes can be added. */
const canHaveRetakes = async (
  db: Db | Transaction,
  { studioId, jobId }: JobKey,
  exportId: number,
): Promise<boolean> => {
  const row = await db
    .selectFrom('image_exports')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', exportId)
    .where('format', '=', 'pspa')
    .where('state', 'in', ['ready', 'expired'])
    .executeTakeFirst()
  return row !== undefined
}

/** Plans an export, unless its settings are invalid. */
const checkAndPlan = async (
  db: Db | Transaction,
  job: JobKey,
  settings: ExportSettings,
): Promise<ExportPlan | Problem<'refused'>> => {
  const fields = exportSettingsErrors(settings)
  const { retakesOf } = settings
  if (retakesOf !== null && !(await canHaveRetakes(db, job, retakesOf)))
    fields.retakesOf = ['Choose a finished yearbook export of this job']
  if (Object.keys(fields).length > 0) return problem('refused', fixFieldsMessage, { fields })
  return await planExport(db, job, settings)
}

const toPreviewImage = (
  deps: UrlSigningDeps,
  { studioId }: JobKey,
  file: PlannedFile,
): ExportPreview['images'][number] => {
  const { subjectId, subject, imageId, fileName, width, height, ordered, previewHash: hash } = file
  const previewUrl = staffImageUrl(deps, { studioId, imageId, variant: 'preview', hash })
  return { subjectId, name: subjectFullName(subject), fileName, width, height, ordered, previewUrl }
}

export const previewExport = async (
  deps: Deps & UrlSigningDeps,
  job: JobKey,
  settings: ExportSettings,
): Promise<ExportPreview | Problem<'refused'>> => {
  const plan = await checkAndPlan(deps.db, job, settings)
  if (plan instanceof Problem) return plan
  const { files, withoutImage, withoutId } = plan
  const images = files.slice(0, previewSize).map((file) => toPreviewImage(deps, job, file))
  return { images, fileCount: files.length, withoutImage, withoutId }
}

type StartRequest = {
  readonly job: JobKey
  readonly settings: ExportSettings
  readonly user: User
  readonly recordResponse: RecordResponse
}

/** Starts an export in the background. Its files are planned when it runs. */
export const startExport = (
  deps: Deps,
  { job, settings, user, recordResponse }: StartRequest,
): Promise<ImageExport | Problem<'refused' | 'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const plan = await checkAndPlan(tx, job, settings)
    if (plan instanceof Problem) return plan
    if (plan.files.length === 0) return problem('refused', 'There is no image to export with these settings')
    const { studioId, jobId } = job
    const now = deps.clock()
    const { id: exportId } = await tx
      .insertInto('image_exports')
      .values({
        studio_id: studioId,
        job_id: jobId,
        format: settings.format,
        settings: JSON.stringify(settings),
        made_by: user.id,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await deps.jobs.enqueue(tx, 'make-image-export', { studioId, exportId })
    const detail = { format: settings.format, volume: settings.volume, files: plan.files.length, jobId }
    const audit = { entityId: String(exportId), detail, userId: user.id }
    await recordAudit(tx, deps, { studioId, action: 'image-export.begun', ...audit })
    const started = await readImageExport(tx, { ...job, exportId })
    if (!started) return problem('not-found')
    await recordResponse(tx, started)
    return started
  })

/** Requeues a failed export; files that are made already stay. Idempotent. */
export const retryExport = (
  deps: Deps,
  { studioId, jobId, exportId }: JobKey & { readonly exportId: number },
  user: User,
): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const row = await tx
      .updateTable('image_exports')
      .set({ state: 'waiting', error: null, updated_at: deps.clock() })
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('id', '=', exportId)
      .where('state', '=', 'failed')
      .returning('id')
      .executeTakeFirst()
    if (!row) return
    await deps.jobs.enqueue(tx, 'make-image-export', { studioId, exportId })
    const audit = { entityId: String(exportId), detail: { jobId }, userId: user.id }
    await recordAudit(tx, deps, { studioId, action: 'image-export.retried', ...audit })
  })
