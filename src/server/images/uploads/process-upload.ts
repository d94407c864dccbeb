import { sql } from 'kysely'
import type { ImageMetadata, MatchMethod } from '#domain/subjects/match-images.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { UploadPart } from '#server/database/tables/columns.ts'
import type { Deps } from '#server/deps.ts'
import { hasFeature } from '#server/jobs/store/studio-feature.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import type { ImageRejection } from '../inspection/image-rejection.ts'
import type { InspectedImage } from '../inspection/inspect-image.ts'
import { readWholeFile, type StoredOriginal, storeOriginal } from '../store/image-files.ts'
import { lockJobImages, nextPosition, setPrimaryIfFirst } from '../store/image-position.ts'
import { type ImageOwner, ingestImage } from '../store/ingest-image.ts'
import { findGroup, matchSubject } from '../store/match-subject.ts'
import { removeParts } from './purge-uploads.ts'

export type UploadRef = { readonly studioId: number; readonly uploadId: number }

type ProcessUploadDeps = Pick<Deps, 'db' | 'files' | 'fileParsers' | 'clock' | 'jobs'>

/** One after the other: each is held whole, as large as a file may be, in addition to the images that are being rendered. */
const uploadsInHand = 1

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

const readArrived = (
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
 * The folder of the image, recorded before the file exists: every retry uses the same folder, and whatever ends the upload knows what to
 * remove.
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

/** Whether an upload still waits to be processed; locks it until the transaction ends. */
const stillWaits = async (tx: Transaction, { studioId, uploadId }: UploadRef): Promise<boolean> => {
  const waiting = await tx
    .selectFrom('uploads')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('id', '=', uploadId)
    .where('state', '=', 'received')
    .forUpdate()
    .executeTakeFirst()
  return waiting !== undefined
}

const wholeOf = async ({ files }: ProcessUploadDeps, { parts, byte_size }: ReceivedUpload): Promise<Buffer> => {
  const read: Buffer[] = []
  for (const { key } of parts) {
    const bytes = await readWholeFile(files, key)
    if (!bytes) throw new Error(`The part ${key} of an upload is not in the store`)
    read.push(bytes)
  }
  const [first] = read
  // Most uploads come in one part, which needs no copy.
  const whole = first && read.length === 1 ? first : Buffer.concat(read)
  if (whole.byteLength !== byte_size) throw new Error(`An upload has ${whole.byteLength} bytes and not ${byte_size}`)
  return whole
}

type Outcome = { state: 'processed'; imageId: number } | { state: 'refused'; refusal: string }

const writeOutcome = async (
  tx: Transaction,
  { clock }: ProcessUploadDeps,
  { row: { studioId, uploadId }, arrived, outcome }: { row: UploadRef; arrived: ReceivedUpload; outcome: Outcome },
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
      job_id: arrived.job_id,
      image_id: imageId,
      file_name: arrived.file_name,
      step: 'upload',
      state: outcome.state === 'processed' ? 'done' : 'refused',
      message: refusal,
    })
    .execute()
}

type MatchedOwner = { owner: ImageOwner; matchedBy: MatchMethod | 'hand' | null }

/** The owner of an image: named at the upload or matched; otherwise none yet. */
const ownerOf = async (
  tx: Transaction,
  job: { studioId: number; jobId: number },
  { arrived, shot }: { arrived: ReceivedUpload; shot: ImageMetadata },
): Promise<MatchedOwner> => {
  const nobody = { owner: { kind: 'hosted-individual', subjectId: null }, matchedBy: null } as const
  const { subject_id: subjectId, group_id: groupId, match_by: by } = arrived
  if (groupId !== null) return { owner: { kind: 'hosted-group', groupId }, matchedBy: 'hand' }
  if (subjectId !== null) return { owner: { kind: 'hosted-individual', subjectId }, matchedBy: 'hand' }
  if (by === null) return nobody
  const match = await matchSubject(tx, job, { shot, matching: { by } })
  if (typeof match === 'object') return { owner: { kind: 'hosted-individual', ...match }, matchedBy: by }
  const group = by === 'fileName' && match === 'unknown' ? await findGroup(tx, job, arrived.file_name) : null
  return group === null ? nobody : { owner: { kind: 'hosted-group', groupId: group }, matchedBy: by }
}

/** The camera's clock has no time zone: the studio's is assumed. */
const momentOf = async (tx: Transaction, studioId: number, local: string | undefined): Promise<number | null> => {
  if (local === undefined) return null
  const { rows } = await sql<{ at: Date }>`
    select ${local}::timestamp at time zone s.time_zone as at from studios s where s.id = ${studioId}`.execute(tx)
  return rows[0]?.at.getTime() ?? null
}

/**
 * A current image of the job with the same bytes; for an upload with an owner, only one of that owner: two siblings may each have the same
 * photo.
 */
const sameAs = async (
  tx: Transaction,
  studioId: number,
  { arrived, hash }: { arrived: ReceivedUpload; hash: string },
) => {
  const { job_id: jobId, subject_id: subjectId, group_id: groupId } = arrived
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

const standsBeforeScreens = async (tx: Transaction, studioId: number, jobId: number): Promise<boolean> => {
  const { rows } = await sql`
    select from jobs j where j.studio_id = ${studioId} and j.id = ${jobId} and ${hasFeature('greenscreens')}
       and exists (select from green_screens g where g.studio_id = j.studio_id and g.job_id = j.id and g.is_enabled)`.execute(
    tx,
  )
  return rows.length > 0
}

const addPicture = async (
  tx: Transaction,
  working: ProcessUploadDeps,
  { studioId, arrived, original }: { studioId: number; arrived: ReceivedUpload; original: StoredOriginal },
): Promise<number> => {
  const job = { studioId, jobId: arrived.job_id }
  const { metadataText: words, takenAt } = original.image
  const shot = { fileName: arrived.file_name, words, takenAt: await momentOf(tx, studioId, takenAt) }
  const { owner, matchedBy } = await ownerOf(tx, job, { arrived, shot })
  const position = await nextPosition(tx, job, owner)
  const image = { fileName: arrived.file_name, owner, position, publishedAt: null, matchedBy }
  const imageId = await ingestImage(tx, working.jobs, { job, image, original })
  if ('subjectId' in owner && owner.subjectId !== null) {
    await setPrimaryIfFirst(tx, job, { subjectId: owner.subjectId, imageId })
  }
  const isPhoto = owner.kind === 'hosted-individual' && original.contentType === 'image/jpeg'
  if (isPhoto && (await standsBeforeScreens(tx, studioId, job.jobId))) {
    await working.jobs.enqueue(tx, 'propose-cut-out', { studioId, imageId })
  }
  return imageId
}

const refuse = (
  working: ProcessUploadDeps,
  row: UploadRef,
  { arrived, refusal }: { arrived: ReceivedUpload; refusal: ImageRejection },
) =>
  inTransaction(working.db, async (tx) => {
    if (!(await stillWaits(tx, row))) return
    await writeOutcome(tx, working, { row, arrived, outcome: { state: 'refused', refusal: refusal.message } })
  })

/** Whether an image uses this file: another attempt was first, and whatever ended the upload since does not concern it. */
const isPictures = async (tx: Transaction, studioId: number, { contentHash, originalKey }: StoredOriginal) => {
  const { rows } = await sql`
    select from image_lookups
     where studio_id = ${studioId} and content_hash = ${contentHash} and ${originalKey} in (original_key, uploaded_key)`.execute(
    tx,
  )
  return rows.length > 0
}

type InspectedUpload = { readonly bytes: Buffer; readonly image: InspectedImage; readonly folder: string }

const accept = async (
  working: ProcessUploadDeps,
  row: UploadRef,
  arrived: ReceivedUpload,
  { bytes, image, folder }: InspectedUpload,
) => {
  const { studioId } = row
  const original = await storeOriginal(working.files, { folder, bytes, image })
  const kept = await inTransaction(working.db, async (tx) => {
    await lockJobImages(tx, { studioId, jobId: arrived.job_id })
    if (!(await stillWaits(tx, row))) return await isPictures(tx, studioId, original)
    const same = await sameAs(tx, studioId, { arrived, hash: original.contentHash })
    const imageId = same?.id ?? (await addPicture(tx, working, { studioId, arrived, original }))
    await writeOutcome(tx, working, { row, arrived, outcome: { state: 'processed', imageId } })
    return same === undefined
  })
  if (!kept) await working.files.remove(original.originalKey)
}

/**
 * Processes a completely received file: it becomes an image of its job, matched as requested, or is refused with the reason; a duplicate of
 * an existing image adds none. Can be retried at any point. `folder` is where its image is stored, unless an earlier attempt chose another.
 */
export const processUpload = async (working: ProcessUploadDeps, row: UploadRef, folder: string): Promise<void> => {
  const arrived = await readArrived(working, row)
  if (!arrived) return
  const claimed = await claimFolder(working, row, folder)
  if (claimed === undefined) return
  const bytes = await wholeOf(working, arrived)
  const inspection = await working.fileParsers.inspect(bytes, row.studioId)
  if (!inspection.ok && inspection.refusal.problem === 'busy') throw new Error(inspection.refusal.message)
  if (inspection.ok) await accept(working, row, arrived, { bytes, image: inspection.image, folder: claimed })
  else await refuse(working, row, { arrived, refusal: inspection.refusal })
  await removeParts(working, { studioId: row.studioId, id: row.uploadId, parts: arrived.parts })
}

/** Starts the workers of the queue `process-upload`; called when the server starts. */
export const workOnUploads = (jobs: BackgroundJobs<typeof queues>, working: ProcessUploadDeps): Promise<void> =>
  jobs.work('process-upload', uploadsInHand, ({ id, payload }) =>
    processUpload(working, payload, `studios/${payload.studioId}/images/${id}`),
  )
