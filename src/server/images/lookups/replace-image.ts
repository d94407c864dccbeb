import type { ReplacedImage } from '#contract/studio/images/image-replacement.ts'
import { uploadSizeError } from '#domain/shared/file-size.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { touchCarts } from '#server/carts/store/touch-carts.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { ImageRow } from '#server/database/tables/subject-image-tables.ts'
import type { Deps } from '#server/deps.ts'
import type { Form, UploadedFile } from '#server/http/forms/multipart-form.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import { problemOfFile } from '../inspection/image-rejection.ts'
import { imageFileKeys } from '../store/image-file-keys.ts'
import { type StoredOriginal, storeOriginal } from '../store/image-files.ts'
import { type ImageOwner, ingestImage } from '../store/ingest-image.ts'
import { reserveStorage } from '../store/storage-quota.ts'
import { type ImageChangeProblem, lockImage, withLockedImage, writeImage } from './change-image.ts'
import { isImageUsed, readImageUsage } from './image-usage.ts'
import { moveReferences, recordReplacedInOrders } from './move-references.ts'
import type { ImageKey } from './read-images.ts'

type FileProblem = Problem<'refused' | 'slow-down'>

/**
 * Inspects an uploaded file and stores it. Returns a problem with the file's name and the reason if the file is not an
 * accepted image, or cannot be inspected because all parser threads are busy.
 */
const storeFile = async (
  { files, fileParsers, newId }: Deps,
  { studioId }: JobKey,
  { fileName, byteSize, path, read }: UploadedFile,
): Promise<StoredOriginal | FileProblem> => {
  const size = uploadSizeError(byteSize)
  if (size !== null) return problem('refused', `${fileName}: ${size}`)
  const inspection = await fileParsers.inspect(path, studioId)
  if (!inspection.ok) return problemOfFile(fileName, inspection.refusal)
  return await storeOriginal(files, {
    folder: `studios/${studioId}/images/${newId()}`,
    bytes: await read(),
    image: inspection.image,
  })
}

/** The columns that describe an image's bytes; the cut-out of the previous bytes is dropped. */
const columnsOf = ({ originalKey, contentType, byteSize, contentHash, image }: StoredOriginal) => ({
  original_key: originalKey,
  content_type: contentType,
  byte_size: byteSize,
  content_hash: contentHash,
  width: image.width,
  height: image.height,
  has_alpha: image.hasAlpha,
  match_words: image.metadataText,
  uploaded_key: null,
  cut_out_key: null,
  cut_out_hash: null,
  cut_out_state: 'none' as const,
  beside_bytes: 0,
  thumb_hash: null,
  preview_hash: null,
  state: 'processing' as const,
  refusal: null,
})

/** Replaces an image's bytes. Its variants are made by a background job. */
export const replaceImage = async (
  deps: Deps,
  { key, user, file }: { key: ImageKey; user: User; file: UploadedFile },
): Promise<ImageChangeProblem | FileProblem | undefined> => {
  const original = await storeFile(deps, key, file)
  if (original instanceof Problem) return original
  const outcome = await withLockedImage(deps, { key }, async ({ tx, image }) => {
    const bytes = original.byteSize - image.byte_size - image.beside_bytes
    const quotaProblem = await reserveStorage(tx, deps, { studioId: key.studioId, bytes })
    if (quotaProblem) return quotaProblem
    await writeImage(tx, deps, { key, change: { ...columnsOf(original), file_name: file.fileName || image.file_name } })
    await touchCarts(tx, deps, key)
    await recordReplacedInOrders(tx, deps, key)
    await deps.jobs.enqueue(tx, 'make-variants', { studioId: key.studioId, imageId: key.imageId })
    await deps.jobs.enqueue(tx, 'remove-files', { folders: [], keys: imageFileKeys(image) })
    await recordAudit(tx, deps, {
      studioId: key.studioId,
      action: 'image.replaced',
      entityId: String(key.imageId),
      detail: {},
      userId: user.id,
    })
    return undefined
  })
  if (outcome) await deps.files.remove(original.originalKey)
  return outcome
}

/** One replacement of several, from the form's fields. */
export type ImageReplacement = {
  readonly imageId: number
  readonly movesReferences: boolean
  readonly file: UploadedFile
}

const isTrue = (value: string | undefined): boolean => value?.trim().toLowerCase() === 'true' || value?.trim() === '1'

/**
 * Reads which file replaces which image, and whether the references in open carts and in prepaid orders not yet at the
 * lab move to the new image (section 7). Undefined for an invalid form.
 */
export const readReplacements = ({ files, fields }: Form): ImageReplacement[] | undefined => {
  const moveAll = isTrue(fields.MigrateUnplacedReferences)
  const replacements = files.map((file, index) => {
    const imageId = fields[`ImageMigrationSettings[${index}].ImageId`] ?? ''
    const setting = fields[`ImageMigrationSettings[${index}].MigrateUnplacedReferences`]
    return {
      imageId: /^\d{1,15}$/.test(imageId) ? Number(imageId) : 0,
      movesReferences: setting === undefined ? moveAll : isTrue(setting),
      file,
    }
  })
  const ids = new Set(replacements.map(({ imageId }) => imageId))
  return replacements.length === 0 || ids.has(0) || ids.size < replacements.length ? undefined : replacements
}

const ownerOf = ({ kind, subject_id: subjectId, group_id: groupId }: ImageRow): ImageOwner =>
  groupId !== null
    ? { kind: 'hosted-group', groupId }
    : { kind: kind === 'replacement' ? 'replacement' : 'hosted-individual', subjectId }

/** Makes the new image the primary image and the yearbook choice where the old one was, and supersedes or deletes the old one. */
const supersedeImage = async (
  tx: Transaction,
  deps: Deps,
  { key, image, newImageId }: { key: ImageKey; image: ImageRow; newImageId: number },
): Promise<void> => {
  const { studioId, imageId } = key
  await tx
    .updateTable('subjects')
    .set({ primary_image_id: newImageId })
    .where('studio_id', '=', studioId)
    .where('primary_image_id', '=', imageId)
    .execute()
  await tx
    .updateTable('year_book_poses')
    .set({ image_id: newImageId })
    .where('studio_id', '=', studioId)
    .where('image_id', '=', imageId)
    .execute()
  const [usage] = await readImageUsage(tx, key, [imageId])
  // The old image remains while an order, a cart or a download uses it; otherwise it is deleted. While a cart has it,
  // only the session of that cart sees it.
  if (usage && isImageUsed(usage)) {
    const withdrawn = usage.carts === 0 ? { published_at: null } : {}
    await writeImage(tx, deps, { key, change: { ...withdrawn, superseded_at: deps.clock() } })
    return
  }
  await tx.deleteFrom('image_lookups').where('studio_id', '=', studioId).where('id', '=', imageId).execute()
  await deps.jobs.enqueue(tx, 'remove-files', { folders: [], keys: imageFileKeys(image) })
}

const newLineImageOf = (imageId: number, { image: { width, height, hasAlpha } }: StoredOriginal) => ({
  imageId,
  width,
  height,
  hasAlpha,
})

type StoredReplacement = { readonly replacement: ImageReplacement; readonly original: StoredOriginal | FileProblem }

const replaceStored = async (
  deps: Deps,
  { job, user, replacement, original }: { job: JobKey; user: User } & StoredReplacement,
): Promise<ReplacedImage> => {
  const { imageId, file, movesReferences } = replacement
  const failed = ({ details }: Problem): ReplacedImage => ({
    imageId,
    newImageId: null,
    problem: details.messages[0] ?? '',
  })
  if (original instanceof Problem) return failed(original)
  const key = { ...job, imageId }
  const outcome = await inTransaction(deps.db, async (tx) => {
    await lockJob(tx, job)
    const image = await lockImage(tx, key)
    if (!image) return problem('not-found', 'We could not find this image')
    // The old image may have to stay, so its storage is not subtracted.
    const quotaProblem = await reserveStorage(tx, deps, { studioId: job.studioId, bytes: original.byteSize })
    if (quotaProblem) return quotaProblem
    const { position, published_at: publishedAt, withdrawn_at: withdrawnAt, matched_by: matchedBy } = image
    const publication = { publishedAt, withdrawnAt }
    const newImage = {
      ...{ fileName: file.fileName || image.file_name, owner: ownerOf(image), position, matchedBy },
      ...publication,
    }
    const newImageId = await ingestImage(tx, deps.jobs, { job, image: newImage, original })
    if (movesReferences) await moveReferences(tx, deps, { key, to: newLineImageOf(newImageId, original) })
    await supersedeImage(tx, deps, { key, image, newImageId })
    const detail = { newImageId, migrates: String(movesReferences) }
    await recordAudit(tx, deps, {
      studioId: job.studioId,
      action: 'image.replaced',
      entityId: String(imageId),
      detail,
      userId: user.id,
    })
    return newImageId
  })
  if (!(outcome instanceof Problem)) return { imageId, newImageId: outcome, problem: null }
  await deps.files.remove(original.originalKey)
  return failed(outcome)
}

const isBusy = (original: StoredOriginal | FileProblem): original is Problem<'slow-down'> =>
  original instanceof Problem && original.name === 'slow-down'

const removeFiles = async ({ files }: Deps, replacements: readonly StoredReplacement[]): Promise<void> => {
  for (const { original } of replacements) if (!(original instanceof Problem)) await files.remove(original.originalKey)
}

/**
 * Inspects and stores all files, before any image is replaced. If all parser threads are busy, it removes the files
 * that it has stored and returns the problem.
 */
const storeFiles = async (
  deps: Deps,
  job: JobKey,
  replacements: readonly ImageReplacement[],
): Promise<StoredReplacement[] | Problem<'slow-down'>> => {
  const stored: StoredReplacement[] = []
  for (const replacement of replacements) {
    const original = await storeFile(deps, job, replacement.file)
    if (isBusy(original)) {
      await removeFiles(deps, stored)
      return original
    }
    stored.push({ replacement, original })
  }
  return stored
}

/**
 * Replaces each image in a transaction of its own, so that a rejected file does not stop the others. Replaces none if
 * all parser threads are busy.
 */
export const bulkReplace = async (
  deps: Deps,
  { job, user, replacements }: { job: JobKey; user: User; replacements: readonly ImageReplacement[] },
): Promise<ReplacedImage[] | Problem<'slow-down'>> => {
  const stored = await storeFiles(deps, job, replacements)
  if (stored instanceof Problem) return stored
  const replaced: ReplacedImage[] = []
  for (const replacement of stored) replaced.push(await replaceStored(deps, { job, user, ...replacement }))
  return replaced
}
