import type { ImageRow } from '../database/tables/subjects-images.ts'
import { variantKey } from '../pictures/variant-files.ts'

type Named = Pick<
  ImageRow,
  'original_key' | 'uploaded_key' | 'cut_out_key' | 'cut_out_hash' | 'thumb_hash' | 'preview_hash'
>

/** The keys of the files of a cut-out that was proposed: itself, and what staff see of it. */
export const filesOfCutOut = ({ original_key, cut_out_key, cut_out_hash }: Named): string[] => [
  ...(cut_out_key ? [cut_out_key] : []),
  ...(cut_out_hash ? variantsOf(original_key, { thumb: cut_out_hash, preview: cut_out_hash }) : []),
]

const variantsOf = (originalKey: string, hashes: { thumb: string | null; preview: string | null }): string[] =>
  (['thumb', 'preview'] as const).flatMap((variant) => {
    const hash = hashes[variant]
    if (hash === null) return []
    return (['webp', 'jpeg'] as const).map((format) => variantKey(originalKey, { variant, hash, format }))
  })

/** The keys of all the files of a picture. Files of one that is in no folder of its own are left to whoever put them there. */
export const filesOf = (image: Named): string[] => [
  image.original_key,
  ...(image.uploaded_key ? [image.uploaded_key] : []),
  ...variantsOf(image.original_key, { thumb: image.thumb_hash, preview: image.preview_hash }),
  ...filesOfCutOut(image),
]
