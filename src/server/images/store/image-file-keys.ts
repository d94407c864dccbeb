import type { Db } from '#server/database/database.ts'
import type { ImageRow } from '#server/database/tables/subject-image-tables.ts'
import type { Files } from '#server/ports/files.ts'
import { variantKey } from './variant-files.ts'

type ImageFileColumns = Pick<
  ImageRow,
  'original_key' | 'uploaded_key' | 'cut_out_key' | 'cut_out_hash' | 'thumb_hash' | 'preview_hash'
>

/** The keys of a proposed cut-out's files: the cut-out and its previews for staff. */
export const cutOutFileKeys = ({
  original_key,
  cut_out_key,
  cut_out_hash,
}: Pick<ImageFileColumns, 'original_key' | 'cut_out_key' | 'cut_out_hash'>): string[] => [
  ...(cut_out_key ? [cut_out_key] : []),
  ...(cut_out_hash ? variantFileKeys(original_key, { thumb: cut_out_hash, preview: cut_out_hash }) : []),
]

/** The keys of an image's variants, in both formats. There is no small preview of a small image. */
export const variantFileKeys = (
  originalKey: string,
  hashes: { thumb: string | null; preview: string | null },
): string[] =>
  (['thumb', 'preview', 'preview-900'] as const).flatMap((variant) => {
    const hash = variant === 'thumb' ? hashes.thumb : hashes.preview
    if (hash === null) return []
    return (['webp', 'jpeg'] as const).map((format) => variantKey(originalKey, { variant, hash, format }))
  })

/** The keys of all files of an image. */
export const imageFileKeys = (image: ImageFileColumns): string[] => [
  image.original_key,
  ...(image.uploaded_key ? [image.uploaded_key] : []),
  ...variantFileKeys(image.original_key, { thumb: image.thumb_hash, preview: image.preview_hash }),
  ...cutOutFileKeys(image),
]

type ExportRef = { readonly studioId: number; readonly exportId: number }

/** The folder of the files of an export, with a slash at the end. */
export const exportFolder = ({ studioId, exportId }: ExportRef): string =>
  `studios/${studioId}/image-exports/${exportId}/`

/** The key of a subject's file in an export. */
export const exportFileKey = (ref: ExportRef, subjectId: number): string => `${exportFolder(ref)}${subjectId}.jpg`

/**
 * Removes files that were made for an image and that its row does not reference: the image was deleted or replaced, or another attempt was
 * first. Files that the row references stay, since two attempts with the same bytes make the same files.
 */
export const removeOrphanFiles = async (
  { db, files }: { readonly db: Db; readonly files: Files },
  { studioId, imageId }: { readonly studioId: number; readonly imageId: number },
  fileKeys: readonly string[],
): Promise<void> => {
  const image = await db
    .selectFrom('image_lookups')
    .select(['original_key', 'uploaded_key', 'cut_out_key', 'cut_out_hash', 'thumb_hash', 'preview_hash'])
    .where('studio_id', '=', studioId)
    .where('id', '=', imageId)
    .executeTakeFirst()
  const referencedKeys = new Set(image ? imageFileKeys(image) : [])
  for (const key of fileKeys) if (!referencedKeys.has(key)) await files.remove(key)
}
