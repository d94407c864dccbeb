import { createHash } from 'node:crypto'
import { setImmediate as nextEventLoopTurn } from 'node:timers/promises'
import type { FileRead, Files } from '#server/ports/files.ts'
import type { RenderedPreview, RenderedVariant, Variant } from '../engine/image-variants.ts'
import type { InspectedImage } from '../inspection/inspect-image.ts'
import { variantKey } from './variant-files.ts'

export const contentTypes: Readonly<Record<InspectedImage['format'], string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

/** An original that is in the file storage. */
export type StoredOriginal = {
  readonly originalKey: string
  readonly contentType: string
  readonly byteSize: number
  readonly contentHash: string
  readonly image: InspectedImage
}

/** The bytes that are hashed at a time; one chunk takes less than a millisecond. */
const chunkBytes = 1024 * 1024

/** The SHA-256 of a file in memory, computed in chunks, so that a hundred megabytes do not block the event loop. */
const hashOfBytes = async (bytes: Uint8Array): Promise<string> => {
  const hash = createHash('sha256')
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    hash.update(bytes.subarray(from, from + chunkBytes))
    await nextEventLoopTurn()
  }
  return hash.digest('hex')
}

/** Stores an accepted image unchanged, in a folder of its own. */
export const storeOriginal = async (
  files: Files,
  { folder, bytes, image }: { folder: string; bytes: Uint8Array; image: InspectedImage },
): Promise<StoredOriginal> => {
  const originalKey = `${folder}/original`
  const { size } = await files.put(originalKey, bytes)
  const contentHash = await hashOfBytes(bytes)
  return { originalKey, contentType: contentTypes[image.format], byteSize: size, contentHash, image }
}

type VariantName = { variant: Variant; hash: string }

const storeVariant = async (
  files: Files,
  originalKey: string,
  { variant, hash, webp, jpeg }: VariantName & Pick<RenderedVariant, 'webp' | 'jpeg'>,
): Promise<void> => {
  await Promise.all([
    files.put(variantKey(originalKey, { variant, hash, format: 'webp' }), webp),
    files.put(variantKey(originalKey, { variant, hash, format: 'jpeg' }), jpeg),
  ])
}

/** The columns for the hashes and sizes of an image's variants. */
export type VariantColumns = Awaited<ReturnType<typeof storeVariants>>

/** Stores all variants next to their original. They are named by their bytes, so a retry after a crash writes the same files. */
export const storeVariants = async (
  files: Files,
  originalKey: string,
  { thumb, preview }: { thumb: RenderedVariant; preview: RenderedPreview },
) => {
  const { hash, small } = preview
  await Promise.all([
    storeVariant(files, originalKey, { variant: 'thumb', ...thumb }),
    storeVariant(files, originalKey, { variant: 'preview', ...preview }),
    small && storeVariant(files, originalKey, { variant: 'preview-900', hash, ...small }),
  ])
  return {
    thumb_hash: thumb.hash,
    thumb_width: thumb.width,
    thumb_height: thumb.height,
    thumb_bytes: thumb.webp.byteLength,
    preview_hash: preview.hash,
    preview_width: preview.width,
    preview_height: preview.height,
    preview_bytes: preview.webp.byteLength,
  }
}

/** The size of a stored file; undefined when it does not exist. */
export const fileSizeOf = async (files: Files, key: string): Promise<number | undefined> => {
  const opened = await files.read(key, { start: 0, end: 0 })
  if (opened.outcome !== 'opened') return opened.outcome === 'outside' ? opened.size : undefined
  opened.body.destroy()
  return opened.size
}

/** A stored file as a whole; undefined when it does not exist. */
export const readWholeFile = async (files: Files, key: string): Promise<Buffer | undefined> => {
  const opened: FileRead = await files.read(key)
  return opened.outcome === 'opened' ? Buffer.concat(await opened.body.toArray()) : undefined
}
