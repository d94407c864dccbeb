import type { CartPackage } from './cart.ts'
import { shownImageId } from './line-images.ts'

/** What of a line the studio does not show now; the server finds it at each reading of a cart. */
export type WithdrawnContent = {
  /** `hidden`: the studio hides the person. `unconfirmed`: this visit has no access to the person (any more). */
  person: 'hidden' | 'unconfirmed' | null
  /** Images chosen on the line that are no longer published for its person. */
  imageIds: number[]
}

/** Why a line can't be sold as it is, however complete. */
export type LineBlocker = 'photo-withdrawn' | 'person-hidden' | 'person-hidden-without-photo' | 'person-unconfirmed'

export const photoWithdrawn = 'The studio took this photo away'

/** The reason shown at the line, and answered by totals and submit. */
export const lineBlockerMessages: Readonly<Record<LineBlocker, string>> = {
  'photo-withdrawn': `${photoWithdrawn}. Choose another photo, or remove this package`,
  'person-hidden': `${photoWithdrawn}. Remove this package, or ask the studio`,
  // Ordered before the photos are taken: there is none to take away.
  'person-hidden-without-photo': 'The studio no longer shows this person. Remove this package, or ask the studio',
  'person-unconfirmed': 'Find this person and confirm them before you order this package',
}

/** Why retouching of a withdrawn photo can't be sold, whether or not the photo is in a package. */
export const retouchSentence = `${photoWithdrawn}. Move the retouching to another photo, or remove it`

/** Whether a line is blocked, and why; null where it can be sold (section 6). A photo chosen instead of a withdrawn one unblocks it. */
export const lineBlocker = ({ snapshot, cartPackageItems }: CartPackage): LineBlocker | null => {
  const { withdrawn } = snapshot
  if (!withdrawn) return null
  const images = cartPackageItems.flatMap((item) => item.imageNodes).map(shownImageId)
  if (withdrawn.person === 'hidden')
    return images.some((id) => id !== null) ? 'person-hidden' : 'person-hidden-without-photo'
  if (withdrawn.person === 'unconfirmed') return 'person-unconfirmed'
  return images.some((id) => id !== null && withdrawn.imageIds.includes(id)) ? 'photo-withdrawn' : null
}
