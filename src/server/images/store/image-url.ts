import type { Variant } from '../engine/image-variants.ts'

export type ImageUrlParts = { grantId: string; imageId: number; variant: Variant; hash: string }

/** Where a picture is seen under a grant; another hash is another picture, so a cache may keep what it got (section 8). */
export const imageUrl = ({ grantId, imageId, variant, hash }: ImageUrlParts): string =>
  `/photos/${grantId}/${imageId}/${variant}-${hash}`
