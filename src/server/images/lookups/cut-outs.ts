import { createHash } from 'node:crypto'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { touchCarts } from '#server/carts/store/touch-carts.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { problem } from '#server/http/problem.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import { workUnlessPaused } from '#server/queue/pausable-work.ts'
import type { queues } from '#server/queue/queues.ts'
import type { ChromaKey } from '../engine/chroma-key.ts'
import { cutOutFileKeys, removeOrphanFiles } from '../store/image-file-keys.ts'
import { fileSizeOf, readWholeFile, storeVariants } from '../store/image-files.ts'
import { reserveStorage } from '../store/storage-quota.ts'
import { type ImageChangeProblem, withLockedImage, writeImage } from './change-image.ts'
import type { ImageKey } from './read-images.ts'

type CutOutDeps = Pick<Deps, 'db' | 'files' | 'clock' | 'settings'>
type CutOutRef = { readonly studioId: number; readonly imageId: number }

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A cut-out is stored next to its original and named by its bytes. */
const cutOutKeyOf = (originalKey: string, hash: string): string =>
  originalKey.replace(/[^/]+$/, `cut-out-${hash.slice(0, 16)}`)

type StoredCutOut = { original_key: string; cut_out_key: string; cut_out_hash: string; beside_bytes: number }

/** Records a cut-out whose files are stored; false if its image was meanwhile deleted or changed, or the studio's storage is full. */
const recordCutOut = (
  { db, clock, settings }: CutOutDeps,
  { studioId, imageId }: CutOutRef,
  { original_key, ...columns }: StoredCutOut,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const image = await tx
      .selectFrom('image_lookups')
      .select(['job_id', 'file_name'])
      .where('studio_id', '=', studioId)
      .where('id', '=', imageId)
      .where('original_key', '=', original_key)
      .where('cut_out_state', '=', 'none')
      .forUpdate()
      .executeTakeFirst()
    if (!image) return false
    const quotaProblem = await reserveStorage(tx, { settings }, { studioId, bytes: columns.beside_bytes })
    if (quotaProblem) {
      const message = quotaProblem.details.messages.join(' ')
      await tx
        .insertInto('processing_log')
        .values({ studio_id: studioId, image_id: imageId, ...image, step: 'cut-out', state: 'refused', message })
        .execute()
      return false
    }
    await tx
      .updateTable('image_lookups')
      .set(({ eb }) => ({ ...columns, cut_out_state: 'proposed', updated_at: clock(), version: eb('version', '+', 1) }))
      .where('studio_id', '=', studioId)
      .where('id', '=', imageId)
      .execute()
    return true
  })

/** Cuts the subject out of a green screen, if there is one, for staff to review. Can be retried after a failure at any point. */
export const proposeCutOut = async (
  deps: CutOutDeps,
  { studioId, imageId }: CutOutRef,
  { keyGreen, signal }: { keyGreen: ChromaKey; signal?: AbortSignal },
): Promise<void> => {
  const { db, files } = deps
  const image = await db
    .selectFrom('image_lookups')
    .select(['original_key', 'has_alpha', 'cut_out_state'])
    .where('studio_id', '=', studioId)
    .where('id', '=', imageId)
    .executeTakeFirst()
  if (!image || image.has_alpha || image.cut_out_state !== 'none') return
  const original = await readWholeFile(files, image.original_key)
  const cutOut = original && (await keyGreen(original, signal))
  if (!cutOut) return
  const key = cutOutKeyOf(image.original_key, hashOf(cutOut.webp))
  const hash = hashOf(cutOut.webp).slice(0, 16)
  await files.put(key, cutOut.webp)
  await storeVariants(files, image.original_key, {
    thumb: { ...cutOut.thumb, hash },
    preview: { ...cutOut.preview, hash },
  })
  const stored = { ...image, cut_out_key: key, cut_out_hash: hash, beside_bytes: cutOut.webp.byteLength }
  if (await recordCutOut(deps, { studioId, imageId }, stored)) return
  await removeOrphanFiles({ db, files }, { studioId, imageId }, cutOutFileKeys(stored))
}

/**
 * Starts the worker of the queue `propose-cut-out`; called when the server starts. It processes one image at a time,
 * because it holds the decoded image in memory.
 */
export const startCutOutWorker = (
  jobs: BackgroundJobs<typeof queues>,
  deps: CutOutDeps,
  keyGreen: ChromaKey,
): Promise<void> =>
  workUnlessPaused(jobs, deps, { queue: 'propose-cut-out', concurrency: 1 }, ({ payload, signal }) =>
    proposeCutOut(deps, payload, { keyGreen, signal }),
  )

type SizedFile = { readonly key: string | null; readonly byteSize: number | undefined }

/** The key and size of the file that becomes the image by a decision. Read before the transaction, which must not wait for a file. */
const readNextFile = async (
  { db, files }: Deps,
  { studioId, imageId }: ImageKey,
  column: 'cut_out_key' | 'uploaded_key',
): Promise<SizedFile> => {
  const row = await db
    .selectFrom('image_lookups')
    .select(`${column} as key`)
    .where('studio_id', '=', studioId)
    .where('id', '=', imageId)
    .executeTakeFirst()
  const fileKey = row?.key ?? null
  return { key: fileKey, byteSize: fileKey === null ? undefined : await fileSizeOf(files, fileKey) }
}

const fileMissingMessage = 'The file of this cut-out is missing. Reject it, and upload the image again'

type CutOutDecision = { readonly key: ImageKey; readonly version: number; readonly user: User }

/** The cut-out becomes the image, for customers and prints; the uploaded file is stored next to it. */
export const acceptCutOut = async (
  deps: Deps,
  { key, version, user }: CutOutDecision,
): Promise<ImageChangeProblem | undefined> => {
  const nextFile = await readNextFile(deps, key, 'cut_out_key')
  return await withLockedImage(deps, { key, version }, async ({ tx, image }) => {
    const { cut_out_key: cutOutKey, cut_out_state: state } = image
    if (cutOutKey === null || state !== 'proposed') return problem('refused', 'There is no cut-out to accept')
    if (cutOutKey !== nextFile.key) return problem('conflict')
    if (nextFile.byteSize === undefined) return problem('refused', fileMissingMessage)
    await writeImage(tx, deps, {
      key,
      change: {
        original_key: cutOutKey,
        uploaded_key: image.original_key,
        content_type: 'image/webp',
        byte_size: nextFile.byteSize,
        beside_bytes: image.byte_size,
        has_alpha: true,
        cut_out_state: 'accepted',
        state: 'processing',
      },
    })
    await touchCarts(tx, deps, key)
    await deps.jobs.enqueue(tx, 'make-variants', { studioId: key.studioId, imageId: key.imageId })
    const detail = { cutOut: 'accepted' }
    await recordAudit(tx, deps, {
      studioId: key.studioId,
      action: 'image.replaced',
      entityId: String(key.imageId),
      detail,
      userId: user.id,
    })
    return undefined
  })
}

/** The uploaded file remains the image, or becomes the image again. */
export const rejectCutOut = async (
  deps: Deps,
  { key, version, user }: CutOutDecision,
): Promise<ImageChangeProblem | undefined> => {
  const nextFile = await readNextFile(deps, key, 'uploaded_key')
  return await withLockedImage(deps, { key, version }, async ({ tx, image }) => {
    if (image.cut_out_state === 'none') return problem('refused', 'There is no cut-out to remove')
    const wasAccepted = image.cut_out_state === 'accepted' && image.uploaded_key !== null
    if (wasAccepted && image.uploaded_key !== nextFile.key) return problem('conflict')
    const uploadedKey = image.uploaded_key ?? image.original_key
    await writeImage(tx, deps, {
      key,
      change: {
        cut_out_state: 'none',
        cut_out_key: null,
        cut_out_hash: null,
        beside_bytes: 0,
        ...(wasAccepted && {
          original_key: uploadedKey,
          uploaded_key: null,
          content_type: 'image/jpeg',
          byte_size: nextFile.byteSize ?? image.byte_size,
          has_alpha: false,
          state: 'processing' as const,
        }),
      },
    })
    await deps.jobs.enqueue(tx, 'remove-files', { folders: [], keys: cutOutFileKeys(image) })
    if (!wasAccepted) return undefined
    await touchCarts(tx, deps, key)
    await deps.jobs.enqueue(tx, 'make-variants', { studioId: key.studioId, imageId: key.imageId })
    const detail = { cutOut: 'reverted' }
    await recordAudit(tx, deps, {
      studioId: key.studioId,
      action: 'image.replaced',
      entityId: String(key.imageId),
      detail,
      userId: user.id,
    })
    return undefined
  })
}
