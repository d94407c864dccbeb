import type { Infer } from 'superstruct'
import type { patchGallery } from '#contract/studio/job-settings.ts'
import { moveGrantEnds } from '#server/access/grants/grants.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type JobChange, type JobChangeProblem, withLockedJob, writeJob } from './change-job.ts'
import { dayErrors, fieldErrorsProblem, instantErrors, spanErrors } from './field-errors.ts'

type Gallery = Infer<(typeof patchGallery)['body']>

const ownCodeOnlyMessage =
  'People of this event are opened by their own codes alone. Change that in the general settings first'

const watermarkExists = async (tx: Transaction, id: number): Promise<boolean> =>
  (await tx.selectFrom('watermarks').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/**
 * Changes the gallery settings: opening times, visibility, watermark, and the deadline of the yearbook image choice.
 */
export const changeGallery = (deps: Deps, request: JobChange, input: Gallery): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, request, async ({ tx, row }) => {
    const { enabled, isPublic, opensAt, closesAt, expiresOn, importedData, watermarkId } = input
    const { enableYearBookPoseSelection, yearBookPoseExpiresAt } = input
    const hasNoWatermark =
      watermarkId !== undefined && watermarkId !== null && !(await watermarkExists(tx, watermarkId))
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
    const expiresBefore = row.gallery_expires_on
    if (expiresOn !== undefined && expiresOn !== expiresBefore)
      await moveGrantEnds(tx, deps, { ...request.job, before: expiresBefore })
    return undefined
  })
