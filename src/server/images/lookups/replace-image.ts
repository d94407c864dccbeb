import { sql } from 'kysely'
import type { ReplacedImage } from '#contract/studio/image-replacement.ts'
import { uploadSizeError } from '#domain/shared/upload-size.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { touchCarts } from '#server/carts/store/touch-carts.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { ImageRow } from '#server/database/tables/subject-image-tables.ts'
import type { Deps } from '#server/deps.ts'
import { problemOfFile } from '#server/file-parsers/file-problem.ts'
import type { Form, UploadedFile } from '#server/http/forms/multipart-form.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { imageFileKeys } from '../store/image-file-keys.ts'
import { type StoredOriginal, storeOriginal } from '../store/image-files.ts'
import { lockJobImages } from '../store/image-position.ts'
import { type ImageOwner, ingestImage } from '../store/ingest-image.ts'
import { takeRoom } from '../store/storage-quota.ts'
import { type ImageChangeProblem, lockImage, withLockedImage, writeImage } from './change-image.ts'
import { isImageUsed, readImageUsage } from './image-usage.ts'
import { moveReferences } from './move-references.ts'
import type { ImageKey } from './read-images.ts'

type NotTaken = Problem<'refused' | 'slow-down'>

/** Inspects a file and stores it; refused with its name and the reason where it is no accepted image. */
const keepFile = async (
  { files, fileParsers: foreignFiles, newId }: Deps,
  { studioId }: JobKey,
  { fileName, byteSize, path, read }: UploadedFile,
): Promise<StoredOriginal | NotTaken> => {
  const size = uploadSizeError(byteSize)
  if (size !== null) return problem('refused', `${fileName}: ${size}`)
  const inspection = await foreignFiles.inspect(path, studioId)
  if (!inspection.ok) return problemOfFile(fileName, inspection.refusal)
  return await storeOriginal(files, {
    folder: `studios/${studioId}/images/${newId()}`,
    bytes: await read(),
    image: inspection.image,
  })
}

/** The columns that describe an image's bytes; the cut-out of the previous bytes is dropped. */
const columnsOf = ({ originalKey, contentType, byteSize, contentHash, image: picture }: StoredOriginal) => ({
  original_key: originalKey,
  content_type: contentType,
  byte_size: byteSize,
  content_hash: contentHash,
  width: picture.width,
  height: picture.height,
  has_alpha: picture.hasAlpha,
  match_words: picture.metadataText,
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
): Promise<ImageChangeProblem | NotTaken | undefined> => {
  const original = await keepFile(deps, key, file)
  if (original instanceof Problem) return original
  const outcome = await withLockedImage(deps, { key }, async ({ tx, image }) => {
    const bytes = original.byteSize - image.byte_size - image.beside_bytes
    const full = await takeRoom(tx, deps, { studioId: key.studioId, bytes })
    if (full) return full
    await writeImage(tx, deps, { key, change: { ...columnsOf(original), file_name: file.fileName || image.file_name } })
    await touchCarts(tx, deps, key)
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

const isTrue = (said: string | undefined): boolean => said?.trim().toLowerCase() === 'true' || said?.trim() === '1'

/**
 * Which file replaces which image, and whether references that are not ordered move along (section 7); undefined where the form is invalid.
 */
export const readReplacements = ({ files, fields }: Form): ImageReplacement[] | undefined => {
  const all = isTrue(fields.MigrateUnplacedReferences)
  const found = files.map((file, n) => {
    const imageId = fields[`ImageMigrationSettings[${n}].ImageId`] ?? ''
    const own = fields[`ImageMigrationSettings[${n}].MigrateUnplacedReferences`]
    return {
      imageId: /^\d{1,15}$/.test(imageId) ? Number(imageId) : 0,
      movesReferences: own === undefined ? all : isTrue(own),
      file,
    }
  })
  const ids = new Set(found.map(({ imageId }) => imageId))
  return found.length === 0 || ids.has(0) || ids.size < found.length ? undefined : found
}

const ownerOf = ({ kind, subject_id: subjectId, group_id: groupId }: ImageRow): ImageOwner =>
  groupId !== null
    ? { kind: 'hosted-group', groupId }
    : { kind: kind === 'replacement' ? 'replacement' : 'hosted-individual', subjectId }

/** The new image takes the old one's position, its role as primary image and as the yearbook choice. */
const succeed = async (
  tx: Transaction,
  deps: Deps,
  { key, image, newId }: { key: ImageKey; image: ImageRow; newId: number },
): Promise<void> => {
  const { studioId, imageId } = key
  await sql`update subjects set primary_image_id = ${newId} where studio_id = ${studioId} and primary_image_id = ${imageId}`.execute(
    tx,
  )
  await sql`update year_book_poses set image_id = ${newId} where studio_id = ${studioId} and image_id = ${imageId}`.execute(
    tx,
  )
  const [usage] = await readImageUsage(tx, key, [imageId])
  // Orders keep the old image; without orders or carts it is deleted. A cart shows it to that cart's session only.
  if (usage && isImageUsed(usage)) {
    const withdrawn = usage.carts === 0 ? { published_at: null } : {}
    await writeImage(tx, deps, { key, change: { ...withdrawn, superseded_at: deps.clock() } })
    return
  }
  await tx.deleteFrom('image_lookups').where('studio_id', '=', studioId).where('id', '=', imageId).execute()
  await deps.jobs.enqueue(tx, 'remove-files', { folders: [], keys: imageFileKeys(image) })
}

const successorOf = (imageId: number, { image: { width, height, hasAlpha } }: StoredOriginal) => ({
  imageId,
  width,
  height,
  hasAlpha,
})

type KeptMigration = { readonly migration: ImageReplacement; readonly original: StoredOriginal | NotTaken }

const replaceOne = async (
  deps: Deps,
  { job, user, migration, original }: { job: JobKey; user: User } & KeptMigration,
): Promise<ReplacedImage> => {
  const { imageId, file, movesReferences: migrates } = migration
  const refused = ({ details }: Problem): ReplacedImage => ({
    imageId,
    newImageId: null,
    problem: details.sentences[0] ?? '',
  })
  if (original instanceof Problem) return refused(original)
  const key = { ...job, imageId }
  const outcome = await inTransaction(deps.db, async (tx) => {
    await lockJobImages(tx, job)
    const image = await lockImage(tx, key)
    if (!image) return problem('not-found', 'We could not find this picture')
    // The old image may have to stay.
    const full = await takeRoom(tx, deps, { studioId: job.studioId, bytes: original.byteSize })
    if (full) return full
    const { position, published_at: publishedAt, withdrawn_at: withdrawnAt, matched_by: matchedBy } = image
    const shown = { publishedAt, withdrawnAt }
    const made = { fileName: file.fileName || image.file_name, owner: ownerOf(image), position, ...shown, matchedBy }
    const next = await ingestImage(tx, deps.jobs, { job, image: made, original })
    if (migrates) await moveReferences(tx, deps, { key, to: successorOf(next, original) })
    await succeed(tx, deps, { key, image, newId: next })
    const detail = { newImageId: next, migrates: String(migrates) }
    await recordAudit(tx, deps, {
      studioId: job.studioId,
      action: 'image.replaced',
      entityId: String(imageId),
      detail,
      userId: user.id,
    })
    return next
  })
  if (!(outcome instanceof Problem)) return { imageId, newImageId: outcome, problem: null }
  await deps.files.remove(original.originalKey)
  return refused(outcome)
}

const isBusy = (original: StoredOriginal | NotTaken): original is Problem<'slow-down'> =>
  original instanceof Problem && original.name === 'slow-down'

/** Inspects all files before any replacement: while all parser threads are busy, no image is replaced. */
const keepFiles = async (
  deps: Deps,
  job: JobKey,
  migrations: readonly ImageReplacement[],
): Promise<KeptMigration[] | Problem<'slow-down'>> => {
  const kept: KeptMigration[] = []
  for (const migration of migrations) {
    const original = await keepFile(deps, job, migration.file)
    if (isBusy(original)) {
      for (const { original: stored } of kept)
        if (!(stored instanceof Problem)) await deps.files.remove(stored.originalKey)
      return original
    }
    kept.push({ migration, original })
  }
  return kept
}

/** Replaces each image separately: a refused one does not affect the others. */
export const bulkReplace = async (
  deps: Deps,
  { job, user, migrations }: { job: JobKey; user: User; migrations: readonly ImageReplacement[] },
): Promise<ReplacedImage[] | Problem<'slow-down'>> => {
  const kept = await keepFiles(deps, job, migrations)
  if (kept instanceof Problem) return kept
  const replaced: ReplacedImage[] = []
  for (const one of kept) replaced.push(await replaceOne(deps, { job, user, ...one }))
  return replaced
}
