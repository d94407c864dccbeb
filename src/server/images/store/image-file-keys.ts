import type { Db } from '#server/database/database.ts'
import type { ImageRow } from '#server/database/tables/subject-image-tables.ts'
import type { Files } from '#server/ports/files.ts'
import { variantKey } from './variant-files.ts'

type ImageFileColumns = Pick<
  ImageRow,
  'original_key' | 'uploaded_key' | 'cut_out_key' | 'cut_out_hash' | 'thumb_hash' | 'preview_hash'
>

/** The keys of the files of a cut-out that was proposed: itself, and what staff see of it. */
export const cutOutFileKeys = ({
  original_key,
  cut_out_key,
  cut_out_hash,
}: Pick<ImageFileColumns, 'original_key' | 'cut_out_key' | 'cut_out_hash'>): string[] => [
  ...(cut_out_key ? [cut_out_key] : []),
  ...(cut_out_hash ? variantFileKeys(original_key, { thumb: cut_out_hash, preview: cut_out_hash }) : []),
]

/** The keys of what is seen of a picture, in both formats. */
export const variantFileKeys = (
  originalKey: string,
  hashes: { thumb: string | null; preview: string | null },
): string[] =>
  (['thumb', 'preview'] as const).flatMap((variant) => {
    const hash = hashes[variant]
    if (hash === null) return []
    return (['webp', 'jpeg'] as const).map((format) => variantKey(originalKey, { variant, hash, format }))
  })

/** The keys of all the files of a picture. Files of one that is in no folder of its own are left to whoever put them there. */
export const imageFileKeys = (image: ImageFileColumns): string[] => [
  image.original_key,
  ...(image.uploaded_key ? [image.uploaded_key] : []),
  ...variantFileKeys(image.original_key, { thumb: image.thumb_hash, preview: image.preview_hash }),
  ...cutOutFileKeys(image),
]

/**
 * Removes files that were made for a picture and of which its row says nothing: it went meanwhile, has other bytes, or another try was
 * first. What the row names stays, since two tries at the same bytes make the same files.
 */
export const removeOrphanFiles = async (
  { db, files }: { readonly db: Db; readonly files: Files },
  { studioId, imageId }: { readonly studioId: number; readonly imageId: number },
  made: readonly string[],
): Promise<void> => {
  const image = await db
    .selectFrom('image_lookups')
    .select(['original_key', 'uploaded_key', 'cut_out_key', 'cut_out_hash', 'thumb_hash', 'preview_hash'])
    .where('studio_id', '=', studioId)
    .where('id', '=', imageId)
    .executeTakeFirst()
  const named = new Set(image ? imageFileKeys(image) : [])
  for (const key of made) if (!named.has(key)) await files.remove(key)
}
