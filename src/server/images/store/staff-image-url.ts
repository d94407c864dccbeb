import type { Deps } from '#server/deps.ts'
import { isByStaffOf, isSignedUrl, signUrl, type UrlSignature, type UrlSigningDeps } from '#server/http/sign-url.ts'
import type { Variant } from '../engine/image-variants.ts'

/** A variant of a studio's picture; `hash` is of its bytes. */
export type StaffImage = {
  readonly studioId: number
  readonly imageId: number
  readonly variant: Variant
  readonly hash: string
}

const named = ({ studioId, imageId, variant, hash }: StaffImage): string =>
  `staff-picture:${studioId}:${imageId}:${variant}:${hash}`

/**
 * Where staff see a picture of their studio, for ten to fifteen minutes (section 8). Made only for who may see it: whoever
 * has the address sees the picture, while the user it was made for is staff.
 */
export const staffImageUrl = (deps: UrlSigningDeps, picture: StaffImage): string => {
  const { studioId, imageId, variant, hash } = picture
  return `/photos/staff/${studioId}/${imageId}/${variant}-${hash}?${signUrl(deps, named(picture))}`
}

/** Whether an address was made here, has not expired, and was made for somebody who may still see the studio's pictures. */
export const isSignedStaffImageUrl = async (
  deps: Pick<Deps, 'db' | 'settings' | 'clock'>,
  picture: StaffImage,
  seal: UrlSignature,
): Promise<boolean> =>
  isSignedUrl(deps, { what: named(picture) }, seal) && (await isByStaffOf(deps.db, picture.studioId, seal))
