import type { CartPackage } from './cart.ts'
import { shownImageId } from './line-content.ts'

/** Why a line cannot be sold, even if it is complete. */
export type LineBlocker = 'photo-withdrawn' | 'person-hidden' | 'person-hidden-without-photo' | 'person-unconfirmed'

export const imageWithdrawnMessage = 'The studio withdrew this photo'

/** The reason shown on the line, and returned by totals and submit. */
export const lineBlockerMessages: Readonly<Record<LineBlocker, string>> = {
  'photo-withdrawn': `${imageWithdrawnMessage}. Choose another photo, or remove this package`,
  'person-hidden': `${imageWithdrawnMessage}. Remove this package, or ask the studio`,
  // For orders placed before the photos are taken: no photo was removed.
  'person-hidden-without-photo': 'The studio no longer shows this child. Remove this package, or ask the studio',
  'person-unconfirmed': 'Find and confirm this child before you order this package',
}

/** Why retouching of a withdrawn photo cannot be sold, whether or not a package uses the photo. */
export const retouchMessage = `${imageWithdrawnMessage}. Move the retouching to another photo, or remove it`

/** Why a line cannot be sold; null if it can. Replacing a withdrawn photo unblocks the line. */
export const lineBlocker = ({ snapshot, cartPackageItems }: CartPackage): LineBlocker | null => {
  const { withdrawn } = snapshot
  if (!withdrawn) return null
  const images = cartPackageItems.flatMap((item) => item.imageNodes).map(shownImageId)
  if (withdrawn.person === 'hidden')
    return images.some((id) => id !== null) ? 'person-hidden' : 'person-hidden-without-photo'
  if (withdrawn.person === 'unconfirmed') return 'person-unconfirmed'
  return images.some((id) => id !== null && withdrawn.imageIds.includes(id)) ? 'photo-withdrawn' : null
}
