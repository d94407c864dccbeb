import { sql } from 'kysely'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { deleteReportFiles } from '../file-responses/made-files.ts'
import { type Problem, problem } from '../http/problem.ts'
import { purgeRecordedResponses } from '../http/purge-recorded-responses.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { queues } from '../queue/queues.ts'

type DeletionCheck = { name: string; isPublished: boolean; hasOrders: boolean; isBeingPaid: boolean }

const lockDeletionCheck = async (tx: Transaction, { studioId, jobId }: JobKey): Promise<DeletionCheck | undefined> => {
  const { rows } = await sql<DeletionCheck>`
    select j.name, j.published_at is not null as "isPublished",
           exists (select from orders r where r.studio_id = j.studio_id and r.job_id = j.id) as "hasOrders",
           exists (select from carts c
                     join checkouts k on k.studio_id = c.studio_id and k.cart_id = c.id
                     join payment_attempts a on a.studio_id = k.studio_id and a.checkout_id = k.id
                    where c.studio_id = j.studio_id and c.job_id = j.id and a.state not in ('declined', 'abandoned')) as "isBeingPaid"
      from jobs j where j.studio_id = ${studioId} and j.id = ${jobId} for update`.execute(tx)
  return rows[0]
}

const deletionObstacle = ({ isPublished, hasOrders, isBeingPaid }: DeletionCheck): string | undefined => {
  if (hasOrders) return 'This event has orders. Archive it instead: its orders stay'
  if (isBeingPaid) return 'Someone is paying for an order here. Archive this event instead'
  return isPublished ? 'Parents can see this event. Take it offline first' : undefined
}

type StoredFiles = { folders: string[]; keys: string[] }

/**
 * The stored files of a job: a folder for each image and each background with its variants, a folder for each upload that is not an image
 * yet, a folder for each export, and single files.
 */
const listStoredFiles = async (tx: Transaction, { studioId, jobId }: JobKey): Promise<StoredFiles> => {
  const imageFolders = `^studios/${studioId}/(images|jobs/${jobId}/backgrounds)/[^/]+/`
  const { rows } = await sql<StoredFiles>`
    select coalesce((select json_agg(folder order by folder) from (
             select substring(original_key from '^.*/') as folder from image_lookups
              where studio_id = ${studioId} and job_id = ${jobId} and original_key ~ ${imageFolders}
             union select 'studios/' || studio_id || '/image-exports/' || id || '/' from image_exports
              where studio_id = ${studioId} and job_id = ${jobId} and state <> 'expired'
             union select 'uploads/' || studio_id || '/' || upload_key || '/' from uploads
              where studio_id = ${studioId} and job_id = ${jobId} and (state <> 'processed' or parts <> '[]')) job_folders), '[]') as folders,
           coalesce((select json_agg(key order by key) from (
             select file_key as key from imports where studio_id = ${studioId} and job_id = ${jobId}
             union select file_key from uploads where studio_id = ${studioId} and job_id = ${jobId}) job_files
              where key is not null), '[]') as keys`.execute(tx)
  return rows[0] ?? { folders: [], keys: [] }
}

// Deletes the rows that are not deleted by a cascade from the job's row.
const deleteRelatedRows = async (tx: Transaction, { studioId, jobId }: JobKey): Promise<void> => {
  await sql`delete from grant_links where studio_id = ${studioId} and grant_id in (
    select grant_id from session_grants where studio_id = ${studioId} and job_id = ${jobId})`.execute(tx)
  await sql`delete from promotion_uses where studio_id = ${studioId} and promotion_id in (
    select id from promotions where studio_id = ${studioId} and job_id = ${jobId})`.execute(tx)
  await tx.deleteFrom('carts').where('studio_id', '=', studioId).where('job_id', '=', jobId).execute()
  await tx.deleteFrom('green_screens').where('studio_id', '=', studioId).where('job_id', '=', jobId).execute()
  await tx.deleteFrom('job_links').where('job_id', '=', jobId).execute()
}

/** The number of folders or files that one background job removes. */
const batchSize = 200

const splitIntoBatches = (paths: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(paths.length / batchSize) }, (_, index) =>
    paths.slice(index * batchSize, (index + 1) * batchSize),
  )

/**
 * Deletes a job with its subjects, images and carts, if it is unpublished and was never ordered from. Its files are
 * removed in the background.
 */
export const deleteJob = (
  deps: Deps,
  { job, user }: { job: JobKey; user: User },
): Promise<undefined | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const check = await lockDeletionCheck(tx, job)
    if (!check) return problem('not-found')
    const obstacle = deletionObstacle(check)
    if (obstacle !== undefined) return problem('refused', obstacle)
    const { studioId, jobId } = job
    const { folders, keys } = await listStoredFiles(tx, job)
    await purgeRecordedResponses(tx, job)
    await deleteRelatedRows(tx, job)
    await deleteReportFiles(
      tx,
      deps,
      sql`(f.studio_id = ${studioId} or f.studio_id is null) and (f.request ->> 'jobId')::bigint = ${jobId}`,
    )
    await tx.deleteFrom('jobs').where('studio_id', '=', studioId).where('id', '=', jobId).execute()
    for (const batch of splitIntoBatches(folders))
      await deps.jobs.enqueue(tx, 'remove-files', { folders: batch, keys: [] })
    for (const batch of splitIntoBatches(keys))
      await deps.jobs.enqueue(tx, 'remove-files', { folders: [], keys: batch })
    const detail = { name: check.name }
    await recordAudit(tx, deps, { studioId, action: 'job.deleted', entityId: String(jobId), detail, userId: user.id })
    return undefined
  })

/** Removes files whose rows are deleted. A retry finds nothing left to remove. */
export const removeFiles = async ({ files }: Pick<Deps, 'files'>, { folders, keys }: StoredFiles): Promise<void> => {
  for (const key of keys) await files.remove(key)
  for (const folder of folders) {
    for await (const { key } of files.list(folder)) await files.remove(key)
  }
}

export const startFileRemovalWorker = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('remove-files', 1, ({ payload }) => removeFiles(deps, payload))
