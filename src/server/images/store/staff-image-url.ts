import type { Deps } from '#server/deps.ts'
import { isByStaffOf, isSignedUrl, signUrl, type UrlSignature, type UrlSigningDeps } from '#server/http/sign-url.ts'
import type { Variant } from '../engine/image-variants.ts'

/** A variant of a studio's image; `hash` is of its bytes. */
export type StaffImage = {
  readonly studioId: number
  readonly imageId: number
  readonly variant: Variant
  readonly hash: string
}

const named = ({ studioId, imageId, variant, hash }: StaffImage): string =>
  `staff-picture:${studioId}:${imageId}:${variant}:${hash}`

/**
 * The URL of a studio's image for staff, valid for ten to fifteen minutes (section 8). Create it only for users who may see the image: it
 * is visible to anyone with the URL while that user is staff.
 */
export const staffImageUrl = (deps: UrlSigningDeps, picture: StaffImage): string => {
  const { studioId, imageId, variant, hash } = picture
  return `/photos/staff/${studioId}/${imageId}/${variant}-${hash}?${signUrl(deps, named(picture))}`
}

/** Whether a URL was signed here, has not expired, and its user may still see the studio's images. */
export const isSignedStaffImageUrl = async (
  deps: Pick<Deps, 'db' | 'settings' | 'clock'>,
  picture: StaffImage,
  seal: UrlSignature,
): Promise<boolean> =>
  isSignedUrl(deps, { what: named(picture) }, seal) && (await isByStaffOf(deps.db, picture.studioId, seal))
