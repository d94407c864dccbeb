import { createHash } from 'node:crypto'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { touchCarts } from '#server/carts/store/touch-carts.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { problem } from '#server/http/problem.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import type { ChromaKey } from '../engine/chroma-key.ts'
import { cutOutFileKeys, removeOrphanFiles } from '../store/image-file-keys.ts'
import { fileSizeOf, readWholeFile, storeVariants } from '../store/image-files.ts'
import { takeRoom } from '../store/storage-quota.ts'
import { type ImageChangeProblem, withLockedImage, writeImage } from './change-image.ts'
import type { ImageKey } from './read-images.ts'

type CutOutDeps = Pick<Deps, 'db' | 'files' | 'clock' | 'settings'>
type CutOutRef = { readonly studioId: number; readonly imageId: number }

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A cut-out is stored next to its original and named by its bytes. */
const keyOf = (originalKey: string, hash: string): string =>
  originalKey.replace(/[^/]+$/, `cut-out-${hash.slice(0, 16)}`)

type CutOut = { original_key: string; cut_out_key: string; cut_out_hash: string; beside_bytes: number }

/** Records a cut-out whose files are stored; false where its image was deleted or changed meanwhile, or the studio's storage is full. */
const keepCutOut = (
  { db, clock, settings }: CutOutDeps,
  { studioId, imageId }: CutOutRef,
  { original_key, ...columns }: CutOut,
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
    const full = await takeRoom(tx, { settings }, { studioId, bytes: columns.beside_bytes })
    if (full) {
      const message = full.details.sentences.join(' ')
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

/** Cuts the subject out of a green screen, where there is one, for staff to review. Can be retried at any point. */
export const proposeCutOut = async (
  working: CutOutDeps,
  { studioId, imageId }: CutOutRef,
  { keyGreen, signal }: { keyGreen: ChromaKey; signal?: AbortSignal },
): Promise<void> => {
  const { db, files } = working
  const image = await db
    .selectFrom('image_lookups')
    .select(['original_key', 'has_alpha', 'cut_out_state'])
    .where('studio_id', '=', studioId)
    .where('id', '=', imageId)
    .executeTakeFirst()
  if (!image || image.has_alpha || image.cut_out_state !== 'none') return
  const original = await readWholeFile(files, image.original_key)
  const made = original && (await keyGreen(original, signal))
  if (!made) return
  const key = keyOf(image.original_key, hashOf(made.webp))
  const hash = hashOf(made.webp).slice(0, 16)
  await files.put(key, made.webp)
  await storeVariants(files, image.original_key, { thumb: { ...made.thumb, hash }, preview: { ...made.preview, hash } })
  const cutOut = { ...image, cut_out_key: key, cut_out_hash: hash, beside_bytes: made.webp.byteLength }
  if (await keepCutOut(working, { studioId, imageId }, cutOut)) return
  await removeOrphanFiles({ db, files }, { studioId, imageId }, cutOutFileKeys(cutOut))
}

/** Starts the worker of the queue `propose-cut-out`; called when the server starts. One at a time: it holds a whole image. */
export const workOnCutOuts = (
  jobs: BackgroundJobs<typeof queues>,
  working: CutOutDeps,
  keyGreen: ChromaKey,
): Promise<void> =>
  jobs.work('propose-cut-out', 1, ({ payload, signal }) => proposeCutOut(working, payload, { keyGreen, signal }))

type SizedFile = { readonly key: string | null; readonly byteSize: number | undefined }

/** The size of the file that a decision would make the image. Read before the transaction, which must not wait for a file. */
const sizeOfNext = async (
  { db, files }: Deps,
  { studioId, imageId }: ImageKey,
  next: 'cut_out_key' | 'uploaded_key',
): Promise<SizedFile> => {
  const row = await db
    .selectFrom('image_lookups')
    .select(`${next} as key`)
    .where('studio_id', '=', studioId)
    .where('id', '=', imageId)
    .executeTakeFirst()
  const fileKey = row?.key ?? null
  return { key: fileKey, byteSize: fileKey === null ? undefined : await fileSizeOf(files, fileKey) }
}

const notThere = 'The file of this cut-out is not there. Reject it, and upload the picture again'

type CutOutDecision = { readonly key: ImageKey; readonly version: number; readonly user: User }

/** The cut-out becomes the image, for customers and prints; the uploaded file is stored next to it. */
export const acceptCutOut = async (
  deps: Deps,
  { key, version, user }: CutOutDecision,
): Promise<ImageChangeProblem | undefined> => {
  const sized = await sizeOfNext(deps, key, 'cut_out_key')
  return await withLockedImage(deps, { key, version }, async ({ tx, image }) => {
    const { cut_out_key: cutOutKey, cut_out_state: state } = image
    if (cutOutKey === null || state !== 'proposed') return problem('refused', 'There is no cut-out to accept')
    if (cutOutKey !== sized.key) return problem('conflict')
    if (sized.byteSize === undefined) return problem('refused', notThere)
    await writeImage(tx, deps, {
      key,
      change: {
        original_key: cutOutKey,
        uploaded_key: image.original_key,
        content_type: 'image/webp',
        byte_size: sized.byteSize,
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

/** The uploaded file stays the image, or becomes it again. */
export const rejectCutOut = async (
  deps: Deps,
  { key, version, user }: CutOutDecision,
): Promise<ImageChangeProblem | undefined> => {
  const sized = await sizeOfNext(deps, key, 'uploaded_key')
  return await withLockedImage(deps, { key, version }, async ({ tx, image }) => {
    if (image.cut_out_state === 'none') return problem('refused', 'There is no cut-out to take away')
    const wasAccepted = image.cut_out_state === 'accepted' && image.uploaded_key !== null
    if (wasAccepted && image.uploaded_key !== sized.key) return problem('conflict')
    const uploaded = image.uploaded_key ?? image.original_key
    await writeImage(tx, deps, {
      key,
      change: {
        cut_out_state: 'none',
        cut_out_key: null,
        cut_out_hash: null,
        beside_bytes: 0,
        ...(wasAccepted && {
          original_key: uploaded,
          uploaded_key: null,
          content_type: 'image/jpeg',
          byte_size: sized.byteSize ?? image.byte_size,
          has_alpha: false,
          state: 'processing' as const,
        }),
      },
    })
    await deps.jobs.enqueue(tx, 'remove-files', { folders: [], keys: cutOutFileKeys(image) })
    if (!wasAccepted) return undefined
    await touchCarts(tx, deps, key)
    await deps.jobs.enqueue(tx, 'make-variants', { studioId: key.studioId, imageId: key.imageId })
    const detail = { cutOut: 'taken back' }
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
