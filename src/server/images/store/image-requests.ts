import { type RawBuilder, sql } from 'kysely'
import { previewAddress } from '#contract/shapes/image-structs.ts'
import type { Variant } from '../engine/image-variants.ts'

export type ImageRequest = { imageId: number; variant: Variant; hash: string }

/** Parses the last parts of an image's URL: `7/thumb-0123456789abcdef`. A small preview has the hash of its preview. */
export const parseImageRequest = (params: { imageId: string; file: string }): ImageRequest | undefined => {
  const file = previewAddress(params.file)
  const isSmall = file !== params.file
  const [, name, hash] = /^(thumb|preview)-([0-9a-f]{8,64})$/.exec(file) ?? []
  if (!hash || (name === 'thumb' && isSmall) || !/^\d{1,15}$/.test(params.imageId)) return undefined
  const variant = name === 'thumb' ? 'thumb' : isSmall ? 'preview-900' : 'preview'
  return { imageId: Number(params.imageId), variant, hash }
}

/** A stored variant: the key of its original, and the hash of its bytes. */
export type FoundVariant = { readonly originalKey: string; readonly hash: string }

/** SQL: the current hash of a variant of image `i`. */
export const variantHash = (variant: Variant): RawBuilder<string | null> =>
  variant === 'thumb' ? sql`i.thumb_hash` : sql`i.preview_hash`

/** SQL: whether image `i` has or had a variant with this hash. URLs of previews with an earlier watermark show the current one. */
export const hasVariant = ({ variant, hash }: Pick<ImageRequest, 'variant' | 'hash'>): RawBuilder<boolean> =>
  variant === 'thumb'
    ? sql`i.thumb_hash = ${hash}`
    : sql`(i.preview_hash = ${hash} or i.preview_hash is not null and i.former_preview_hashes @> to_jsonb(${hash}::text))`
