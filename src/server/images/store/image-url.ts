import type { Variant } from '../engine/image-variants.ts'

export type ImageUrlParts = { grantId: string; imageId: number; variant: Variant; hash: string }

/** The URL of an image under a grant. A new image has a new hash, so the response can be cached (section 8). */
export const imageUrl = ({ grantId, imageId, variant, hash }: ImageUrlParts): string =>
  `/photos/${grantId}/${imageId}/${variant}-${hash}`
