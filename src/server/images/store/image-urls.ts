import { type RawBuilder, sql } from 'kysely'
import type { LogoShape } from '#contract/shapes/image-structs.ts'
import type { Variant } from '../engine/image-variants.ts'

/** A logo at least this many times as wide as high counts as a wordmark: the studio's name in letters, with or without a symbol. */
const wordmarkRatio = 2

/** Where a logo's size is unknown, it is shown whole in a square. */
const squareShape: LogoShape = { width: 1, height: 1, wordmark: false }

type Row = { logo_hash: string | null; logo_width: number | null; logo_height: number | null }

/** The shape of a studio's logo, which a page knows before the logo loads; null if the studio has no logo. */
export const logoShape = ({ logo_hash, logo_width: width, logo_height: height }: Row): LogoShape | null => {
  if (logo_hash === null) return null
  return width && height ? { width, height, wordmark: width >= wordmarkRatio * height } : squareShape
}

/** The public URL of a studio's logo; null if the studio has no logo. */
export const logoUrl = ({ slug, logo_hash }: { slug: string; logo_hash: string | null }): string | null =>
  logo_hash && `/api/customer/studios/${slug}/logo/${logo_hash}`

/** The path of the images of products. */
export const productImagesPath = '/api/products/images'

/** SQL of the public URL of a product's image, by the column of its id. A new image has a new id, so it can be cached by URL. */
export const productImageUrl = (imageId: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`${sql.lit(`${productImagesPath}/`)} || ${imageId}`

export type ImageUrlParts = { grantId: string; imageId: number; variant: Variant; hash: string }

/** The URL of an image under a grant. A new image has a new hash, so the service worker can cache it by URL. */
export const imageUrl = ({ grantId, imageId, variant, hash }: ImageUrlParts): string =>
  `/photos/${grantId}/${imageId}/${variant}-${hash}`
