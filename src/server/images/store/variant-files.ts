import type { Variant } from '../engine/image-variants.ts'

/** The formats in which each variant is stored and sent. */
export type VariantFormat = 'webp' | 'jpeg'

/** WebP for clients that accept it; every client reads JPEG. */
export const acceptedFormat = (accept = ''): VariantFormat =>
  /image\/webp(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accept) ? 'webp' : 'jpeg'

const folderOf = (originalKey: string): string => originalKey.replace(/\/[^/]+$/, '')

/** The key of a variant, in the folder of its original. */
export const variantKey = (
  originalKey: string,
  { variant, hash, format }: { variant: Variant; hash: string; format: VariantFormat },
): string => `${folderOf(originalKey)}/${variant}-${hash}.${format === 'webp' ? 'webp' : 'jpg'}`

/** The key of an original on a background. The file is in the folder of the original and is deleted with it. */
export const compositionKey = (
  originalKey: string,
  { backgroundId, hash }: { backgroundId: number; hash: string },
): string => `${folderOf(originalKey)}/on-${backgroundId}-${hash.slice(0, 16)}.jpg`
