import { sql } from 'kysely'
import type { ImageMetadata, MatchMethod } from '#domain/subjects/match-images.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { UploadPart } from '#server/database/tables/columns.ts'
import type { Deps } from '#server/deps.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import { hasFeature } from '#server/jobs/store/job-services.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import { workUnlessPaused } from '#server/queue/pausable-work.ts'
import type { queues } from '#server/queue/queues.ts'
import type { ImageRejection } from '../inspection/image-rejection.ts'
import type { InspectedImage } from '../inspection/inspect-image.ts'
import { readWholeFile, type StoredOriginal, storeOriginal } from '../store/image-files.ts'
import { nextPosition, setPrimaryIfFirst } from '../store/image-position.ts'
import { type ImageOwner, ingestImage } from '../store/ingest-image.ts'
import { findGroup, matchSubject } from '../store/match-subject.ts'
import { removeParts } from './purge-uploads.ts'

export type UploadRef = { readonly studioId: number; readonly uploadId: number }

type ProcessUploadDeps = Pick<Deps, 'db' | 'files' | 'fileParsers' | 'clock' | 'jobs'>

/** Uploads are processed one after the other: each is in memory as a whole, in addition to the images that are being rendered. */
const uploadsAtOnce = 1

type ReceivedUpload = {
  job_id: number
  upload_key: string
  file_name: string
  byte_size: number
  parts: UploadPart[]
  match_by: MatchMethod | null
  subject_id: number | null
  group_id: number | null
}

const readReceivedUpload = (
  { db }: ProcessUploadDeps,
  { studioId, uploadId }: UploadRef,
): Promise<ReceivedUpload | undefined> =>
  db
    .selectFrom('uploads')
    .select(['job_id', 'upload_key', 'file_name', 'byte_size', 'parts', 'match_by', 'subject_id', 'group_id'])
    .where('studio_id', '=', studioId)
    .where('id', '=', uploadId)
    .where('state', '=', 'received')
    .$narrowType<{ job_id: number }>()
    .executeTakeFirst()

/**
 * The folder of the image, recorded before the file exists. Every retry uses the same folder, and the end of the upload removes its file
 * if no image uses it.
 */
const claimFolder = async (
  { db }: ProcessUploadDeps,
  { studioId, uploadId }: UploadRef,
  folder: string,
): Promise<string | undefined> => {
  const claimed = await db
    .updateTable('uploads')
    .set(({ fn, ref, val }) => ({ file_key: fn.coalesce(ref('file_key'), val(`${folder}/original`)) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', uploadId)
    .where('state', '=', 'received')
    .returning('file_key')
    .executeTakeFirst()
  return claimed?.file_key?.replace(/\/original$/, '')
}

/** Whether an upload still waits to be processed. Locks it until the transaction ends. */
const lockIfReceived = async (tx: Transaction, { studioId, uploadId }: UploadRef): Promise<boolean> => {
  const upload = await tx
    .selectFrom('uploads')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('id', '=', uploadId)
    .where('state', '=', 'received')
    .forUpdate()
    .executeTakeFirst()
  return upload !== undefined
}

const readAllParts = async ({ files }: ProcessUploadDeps, { parts, byte_size }: ReceivedUpload): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for (const { key } of parts) {
    const bytes = await readWholeFile(files, key)
    if (!bytes) throw new Error(`The part ${key} of an upload is not in the store`)
    chunks.push(bytes)
  }
  const [firstChunk] = chunks
  // Most uploads have one part, which needs no copy.
  const file = firstChunk && chunks.length === 1 ? firstChunk : Buffer.concat(chunks)
  if (file.byteLength !== byte_size) throw new Error(`An upload has ${file.byteLength} bytes and not ${byte_size}`)
  return file
}

type Outcome = { state: 'processed'; imageId: number } | { state: 'refused'; refusal: string }

const writeOutcome = async (
  tx: Transaction,
  { clock }: ProcessUploadDeps,
  { ref: { studioId, uploadId }, upload, outcome }: { ref: UploadRef; upload: ReceivedUpload; outcome: Outcome },
): Promise<void> => {
  const imageId = outcome.state === 'processed' ? outcome.imageId : null
  const refusal = outcome.state === 'refused' ? outcome.refusal : null
  await tx
    .updateTable('uploads')
    .set({ state: outcome.state, refusal, image_id: imageId, file_key: null, updated_at: clock() })
    .where('studio_id', '=', studioId)
    .where('id', '=', uploadId)
    .execute()
  await tx
    .insertInto('processing_log')
    .values({
      studio_id: studioId,
      job_id: upload.job_id,
      image_id: imageId,
      file_name: upload.file_name,
      step: 'upload',
      state: outcome.state === 'processed' ? 'done' : 'refused',
      message: refusal,
    })
    .execute()
}

type MatchedOwner = { owner: ImageOwner; matchedBy: MatchMethod | 'hand' | null }

/** The owner of an image: named at the upload, or matched; otherwise the image is unmatched. */
const ownerOf = async (
  tx: Transaction,
  job: { studioId: number; jobId: number },
  { upload, metadata }: { upload: ReceivedUpload; metadata: ImageMetadata },
): Promise<MatchedOwner> => {
  const unmatched = { owner: { kind: 'hosted-individual', subjectId: null }, matchedBy: null } as const
  const { subject_id: subjectId, group_id: groupId, match_by: by } = upload
  if (groupId !== null) return { owner: { kind: 'hosted-group', groupId }, matchedBy: 'hand' }
  if (subjectId !== null) return { owner: { kind: 'hosted-individual', subjectId }, matchedBy: 'hand' }
  if (by === null) return unmatched
  const match = await matchSubject(tx, job, { metadata, matching: { by } })
  if (typeof match === 'object') return { owner: { kind: 'hosted-individual', ...match }, matchedBy: by }
  const matchedGroupId = by === 'fileName' && match === 'unknown' ? await findGroup(tx, job, upload.file_name) : null
  return matchedGroupId === null
    ? unmatched
    : { owner: { kind: 'hosted-group', groupId: matchedGroupId }, matchedBy: by }
}

/** The time of the camera's clock, which has no time zone, in the time zone of the studio. In milliseconds. */
const takenAtMs = async (tx: Transaction, studioId: number, cameraTime: string | undefined): Promise<number | null> => {
  if (cameraTime === undefined) return null
  const { rows } = await sql<{ at: Date }>`
    select ${cameraTime}::timestamp at time zone s.time_zone as at from studios s where s.id = ${studioId}`.execute(tx)
  return rows[0]?.at.getTime() ?? null
}

/**
 * A current image of the job with the same bytes. For an upload with an owner, only an image of that owner: two siblings may each have the
 * same photo.
 */
const findDuplicate = async (
  tx: Transaction,
  studioId: number,
  { upload, hash }: { upload: ReceivedUpload; hash: string },
) => {
  const { job_id: jobId, subject_id: subjectId, group_id: groupId } = upload
  return await tx
    .selectFrom('image_lookups')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('content_hash', '=', hash)
    .where('superseded_at', 'is', null)
    .where('state', '!=', 'refused')
    .$if(subjectId !== null, (images) => images.where('subject_id', '=', subjectId))
    .$if(groupId !== null, (images) => images.where('group_id', '=', groupId))
    .orderBy('id')
    .executeTakeFirst()
}

const hasGreenScreens = async (tx: Transaction, studioId: number, jobId: number): Promise<boolean> => {
  const { rows } = await sql`
    select from jobs j where j.studio_id = ${studioId} and j.id = ${jobId} and ${hasFeature('greenscreens')}
       and exists (select from green_screens g where g.studio_id = j.studio_id and g.job_id = j.id and g.is_enabled)`.execute(
    tx,
  )
  return rows.length > 0
}

const addImage = async (
  tx: Transaction,
  deps: ProcessUploadDeps,
  { studioId, upload, original }: { studioId: number; upload: ReceivedUpload; original: StoredOriginal },
): Promise<number> => {
  const job = { studioId, jobId: upload.job_id }
  const { metadataText: words, takenAt } = original.image
  const metadata = { fileName: upload.file_name, words, takenAt: await takenAtMs(tx, studioId, takenAt) }
  const { owner, matchedBy } = await ownerOf(tx, job, { upload, metadata })
  const position = await nextPosition(tx, job, owner)
  const image = { fileName: upload.file_name, owner, position, publishedAt: null, matchedBy }
  const imageId = await ingestImage(tx, deps.jobs, { job, image, original })
  if ('subjectId' in owner && owner.subjectId !== null) {
    await setPrimaryIfFirst(tx, job, { subjectId: owner.subjectId, imageId })
  }
  const isJpegOfSubject = owner.kind === 'hosted-individual' && original.contentType === 'image/jpeg'
  if (isJpegOfSubject && (await hasGreenScreens(tx, studioId, job.jobId))) {
    await deps.jobs.enqueue(tx, 'propose-cut-out', { studioId, imageId })
  }
  return imageId
}

const refuse = (
  deps: ProcessUploadDeps,
  ref: UploadRef,
  { upload, refusal }: { upload: ReceivedUpload; refusal: ImageRejection },
) =>
  inTransaction(deps.db, async (tx) => {
    if (!(await lockIfReceived(tx, ref))) return
    await writeOutcome(tx, deps, { ref, upload, outcome: { state: 'refused', refusal: refusal.message } })
  })

/** Whether an image uses this file, because another attempt processed the upload first. */
const isUsedByImage = async (tx: Transaction, studioId: number, { contentHash, originalKey }: StoredOriginal) => {
  const { rows } = await sql`
    select from image_lookups
     where studio_id = ${studioId} and content_hash = ${contentHash} and ${originalKey} in (original_key, uploaded_key)`.execute(
    tx,
  )
  return rows.length > 0
}

type InspectedUpload = { readonly bytes: Buffer; readonly image: InspectedImage; readonly folder: string }

const accept = async (
  deps: ProcessUploadDeps,
  ref: UploadRef,
  upload: ReceivedUpload,
  { bytes, image, folder }: InspectedUpload,
) => {
  const { studioId } = ref
  const original = await storeOriginal(deps.files, { folder, bytes, image })
  const isUsed = await inTransaction(deps.db, async (tx) => {
    await lockJob(tx, { studioId, jobId: upload.job_id })
    if (!(await lockIfReceived(tx, ref))) return await isUsedByImage(tx, studioId, original)
    const duplicate = await findDuplicate(tx, studioId, { upload, hash: original.contentHash })
    const imageId = duplicate?.id ?? (await addImage(tx, deps, { studioId, upload, original }))
    await writeOutcome(tx, deps, { ref, upload, outcome: { state: 'processed', imageId } })
    return duplicate === undefined
  })
  if (!isUsed) await deps.files.remove(original.originalKey)
}

/**
 * Processes a completely received file: it becomes an image of its job, matched as requested, or is rejected with the
 * reason. A duplicate of an existing image adds no image. Can be retried after a failure at any point. `folder` is
 * where the image is stored, unless an earlier attempt chose another.
 */
export const processUpload = async (deps: ProcessUploadDeps, ref: UploadRef, folder: string): Promise<void> => {
  const upload = await readReceivedUpload(deps, ref)
  if (!upload) return
  const claimedFolder = await claimFolder(deps, ref, folder)
  if (claimedFolder === undefined) return
  const bytes = await readAllParts(deps, upload)
  const inspection = await deps.fileParsers.inspect(bytes, ref.studioId)
  if (!inspection.ok && inspection.refusal.problem === 'busy') throw new Error(inspection.refusal.message)
  if (inspection.ok) await accept(deps, ref, upload, { bytes, image: inspection.image, folder: claimedFolder })
  else await refuse(deps, ref, { upload, refusal: inspection.refusal })
  await removeParts(deps, { studioId: ref.studioId, id: ref.uploadId, parts: upload.parts })
}

/** Starts the workers of the queue `process-upload`; called when the server starts. */
export const startUploadWorkers = (jobs: BackgroundJobs<typeof queues>, deps: ProcessUploadDeps): Promise<void> =>
  workUnlessPaused(jobs, deps, { queue: 'process-upload', concurrency: uploadsAtOnce }, ({ id, payload }) =>
    processUpload(deps, payload, `studios/${payload.studioId}/images/${id}`),
  )
