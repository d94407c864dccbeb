import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { postUploads, Upload } from '#contract/studio/uploads.ts'
import { maxUploadBytes, uploadSizeError } from '#domain/shared/file-size.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { isCurrent } from '../store/image-conditions.ts'
import { lockStorage, reserveStorage } from '../store/storage-quota.ts'
import { checkOpenUploadLimit } from './open-uploads.ts'
import { readUploads } from './read-uploads.ts'
import { removeClaimedFiles } from './remove-claimed-files.ts'

type UploadsInput = Infer<(typeof postUploads)['body']>

const ownerSuffix = ({ subjectId, groupId }: UploadsInput): string => {
  if (subjectId) return `:subject ${subjectId}`
  return groupId ? `:group ${groupId}` : ''
}

/** The key of an upload. The same file for the same subject or group is the same upload of a job, from any user or device. */
const uploadKeyOf = ({ jobId }: JobKey, fingerprint: string, input: UploadsInput): string =>
  hashOf(`${jobId}:${fingerprint}${ownerSuffix(input)}`).slice(0, 32)

/** Whether the job exists and has the subject or group that the files belong to. */
const jobAndOwnerExist = async (
  tx: Transaction,
  { studioId, jobId }: JobKey,
  { subjectId, groupId }: UploadsInput,
): Promise<boolean> => {
  const { rows } = await sql`
    select from jobs j where j.studio_id = ${studioId} and j.id = ${jobId}
       and (${subjectId ?? null}::bigint is null or exists (
             select from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.id = ${subjectId ?? null}
                and u.state <> 'staged'))
       and (${groupId ?? null}::bigint is null or exists (
             select from groups g where g.studio_id = j.studio_id and g.job_id = j.id and g.id = ${groupId ?? null}))`.execute(
    tx,
  )
  return rows.length > 0
}

type AnnouncedFile = { readonly key: string; readonly byteSize: number }

/** Whether upload `u` may restart: it was abandoned, or its image was deleted or replaced. */
const mayRestart = sql<boolean>`(u.state = 'abandoned' or u.state = 'processed' and not exists (
  select from image_lookups i where i.studio_id = u.studio_id and i.id = u.image_id and ${isCurrent}))`

/** The files whose bytes are not counted in the storage yet. A restarted upload has the size that was announced first. */
const findUncountedFiles = async (
  tx: Transaction,
  { studioId }: JobKey,
  files: readonly AnnouncedFile[],
): Promise<AnnouncedFile[]> => {
  const keys = JSON.stringify(files.map(({ key }) => key))
  const { rows } = await sql<AnnouncedFile & { mayRestart: boolean }>`
    select u.upload_key as key, u.byte_size as "byteSize", ${mayRestart} as "mayRestart" from uploads u where u.studio_id = ${studioId}
       and u.upload_key in (select value from json_array_elements_text(${keys}::json))`.execute(tx)
  const uploadByKey = new Map(rows.map((upload) => [upload.key, upload]))
  const uncountedFiles = files
    .filter(({ key }) => uploadByKey.get(key)?.mayRestart !== false)
    .map(({ key, byteSize }) => ({ key, byteSize: uploadByKey.get(key)?.byteSize ?? byteSize }))
    .filter(({ byteSize }) => uploadSizeError(byteSize) === null)
  return [...new Map(uncountedFiles.map((file) => [file.key, file])).values()]
}

type UploadKeys = { readonly job: JobKey; readonly keys: readonly string[] }

/** Restarts uploads that may restart, from their first byte. */
const restartUploads = async (tx: Transaction, deps: Deps, { job: { studioId }, keys }: UploadKeys): Promise<void> => {
  const isRestarted = sql`u.studio_id = ${studioId}
    and u.upload_key in (select value from json_array_elements_text(${JSON.stringify(keys)}::json)) and ${mayRestart}`
  await removeClaimedFiles(tx, deps, isRestarted)
  await sql`
    update uploads u set state = 'receiving', received_bytes = 0, parts = '[]', refusal = null, received_at = null, image_id = null,
           updated_at = ${deps.clock()}
     where ${isRestarted}`.execute(tx)
}

/** Writes the announced owner and matching of files that are still being received. Later, staff edit them on the image. */
const updateOwnerAndMatching = async (
  tx: Transaction,
  job: JobKey,
  { keys, input }: { keys: readonly string[]; input: UploadsInput },
) => {
  await sql`update uploads set match_by = ${input.matchBy ?? null}, subject_id = ${input.subjectId ?? null}::bigint,
            group_id = ${input.groupId ?? null}::bigint
     where studio_id = ${job.studioId} and state = 'receiving'
       and upload_key in (select value from json_array_elements_text(${JSON.stringify(keys)}::json))`.execute(tx)
}

const reserveForFiles = async (
  tx: Transaction,
  deps: Deps,
  { job: { studioId }, files }: { job: JobKey; files: readonly AnnouncedFile[] },
): Promise<Problem<'refused'> | undefined> => {
  if (files.length === 0) return undefined
  const bytes = files.reduce((sum, { byteSize }) => sum + byteSize, 0)
  return (
    (await reserveStorage(tx, deps, { studioId, bytes })) ??
    (await checkOpenUploadLimit(tx, { studioId, count: files.length }))
  )
}

/** Records the files that the client announces, each file once, and returns how many bytes of each have arrived. */
export const createUploads = (
  deps: Deps,
  { job, user, input }: { job: JobKey; user: User; input: UploadsInput },
): Promise<Upload[] | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    if (input.subjectId && input.groupId) return problem('refused', 'An image belongs to a person or a group, not both')
    if (!(await jobAndOwnerExist(tx, job, input))) return problem('not-found')
    const now = deps.clock()
    const files = input.files.map((file) => ({ ...file, key: uploadKeyOf(job, file.fingerprint, input) }))
    await lockStorage(tx, job.studioId)
    const uncountedFiles = await findUncountedFiles(tx, job, files)
    const quotaProblem = await reserveForFiles(tx, deps, { job, files: uncountedFiles })
    if (quotaProblem) return quotaProblem
    const rows = files.map(({ key, fileName, byteSize }) => {
      const refusal = uploadSizeError(byteSize)
      return {
        studio_id: job.studioId,
        upload_key: key,
        job_id: job.jobId,
        purpose: 'image' as const,
        match_by: input.matchBy ?? null,
        subject_id: input.subjectId ?? null,
        group_id: input.groupId ?? null,
        file_name: fileName.replace(/^.*[\\/]/, '') || 'unnamed',
        byte_size: Math.min(byteSize, maxUploadBytes + 1),
        state: refusal === null ? ('receiving' as const) : ('refused' as const),
        refusal,
        made_by: user.id,
        created_at: now,
        updated_at: now,
      }
    })
    await tx
      .insertInto('uploads')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['studio_id', 'upload_key']).doNothing())
      .execute()
    const keys = files.map(({ key }) => key)
    await restartUploads(tx, deps, { job, keys })
    await updateOwnerAndMatching(tx, job, { keys, input })
    return await readUploads(tx, job, keys)
  })
