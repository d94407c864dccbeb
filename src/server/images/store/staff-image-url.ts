import type { Deps } from '#server/deps.ts'
import { type ImageSight, signedSight, signUrl, type UrlSignature, type UrlSigningDeps } from '#server/http/sign-url.ts'
import type { Variant } from '../engine/image-variants.ts'

/** A variant of a studio's image; `hash` is the hash of its bytes. */
export type StaffImage = {
  readonly studioId: number
  readonly imageId: number
  readonly variant: Variant
  readonly hash: string
}

const signedText = ({ studioId, imageId, variant, hash }: StaffImage): string =>
  `staff-picture:${studioId}:${imageId}:${variant}:${hash}`

/**
 * The URL of a studio's image for staff, valid for ten to fifteen minutes. Create it only for users who may see the image: it
 * is visible to anyone with the URL while that user is staff.
 */
export const staffImageUrl = (deps: UrlSigningDeps, image: StaffImage): string => {
  const { studioId, imageId, variant, hash } = image
  return `/photos/staff/${studioId}/${imageId}/${variant}-${hash}?${signUrl(deps, signedText(image))}`
}

/** How the user of a URL may see the image; undefined if the server did not sign it, it has expired, or they may see no image of the studio. */
export const signedImageSight = async (
  deps: Pick<Deps, 'db' | 'settings' | 'clock'>,
  image: StaffImage,
  signature: UrlSignature,
): Promise<ImageSight | undefined> =>
  await signedSight(deps, { text: signedText(image), studioId: image.studioId }, signature)
