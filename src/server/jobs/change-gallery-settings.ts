import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { patchGallery } from '#contract/studio/job-settings.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import { moveGrantEnds } from '#server/access/grants/grants.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { requestPreviewRuns } from '../images/store/preview-runs.ts'
import { type JobChange, type JobChangeProblem, withLockedJob, writeJob } from './change-job.ts'
import { dayErrors, fieldErrorsProblem, instantErrors, spanErrors } from './field-errors.ts'

type Gallery = Infer<(typeof patchGallery)['body']>

const ownCodeOnlyMessage =
  'People of this event are opened by their own codes alone. Change that in the general settings first'

/** Whether a job may get a watermark: a current one of all studios or of its own. It may keep the one that it has. */
const mayHaveWatermark = async (tx: Transaction, { studioId, jobId }: JobKey, id: number): Promise<boolean> => {
  const { rows } = await sql`
    select from watermarks w where w.id = ${id} and coalesce(w.studio_id, ${studioId}::bigint) = ${studioId}::bigint
       and (w.archived_at is null or exists (
         select from jobs j where j.studio_id = ${studioId} and j.id = ${jobId} and j.watermark_id = w.id))`.execute(tx)
  return rows.length > 0
}

/**
 * Changes the gallery settings: opening times, visibility, watermark, and the deadline of the yearbook image choice.
 */
export const changeGallery = (deps: Deps, request: JobChange, input: Gallery): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, request, async ({ tx, row }) => {
    const { enabled, isPublic, opensAt, closesAt, expiresOn, importedData, watermarkId } = input
    const { enableYearBookPoseSelection, yearBookPoseExpiresAt } = input
    const hasNoWatermark =
      watermarkId !== undefined && watermarkId !== null && !(await mayHaveWatermark(tx, request.job, watermarkId))
    const invalid = fieldErrorsProblem({
      ...spanErrors(input, { opensAt: row.gallery_opens_at, closesAt: row.gallery_closes_at }),
      ...dayErrors({ expiresOn }),
      ...instantErrors({ yearBookPoseExpiresAt }),
      ...(isPublic && row.own_code_only && { isPublic: [ownCodeOnlyMessage] }),
      ...(hasNoWatermark && { watermarkId: ['This watermark is not there any more'] }),
    })
    if (invalid) return invalid
    const change = {
      ...(enabled !== undefined && { gallery_enabled: enabled }),
      ...(isPublic !== undefined && { gallery_is_public: isPublic }),
      ...(opensAt !== undefined && { gallery_opens_at: opensAt }),
      ...(closesAt !== undefined && { gallery_closes_at: closesAt }),
      ...(expiresOn !== undefined && { gallery_expires_on: expiresOn }),
      ...(importedData !== undefined && { imported_data: importedData }),
      ...(enableYearBookPoseSelection !== undefined && {
        enable_year_book_pose_selection: enableYearBookPoseSelection,
      }),
      ...(yearBookPoseExpiresAt !== undefined && { year_book_pose_expires_at: yearBookPoseExpiresAt }),
      ...(watermarkId !== undefined && { watermark_id: watermarkId }),
    }
    await writeJob(tx, deps, { job: request.job, change })
    if (watermarkId !== undefined && watermarkId !== row.watermark_id)
      await requestPreviewRuns(tx, deps, request.job.studioId)
    const expiresBefore = row.gallery_expires_on
    if (expiresOn !== undefined && expiresOn !== expiresBefore)
      await moveGrantEnds(tx, deps, { ...request.job, before: expiresBefore })
    return undefined
  })
