import type { CartPackage, SnapshotImage } from './cart.ts'
import { shownImageId } from './line-content.ts'

type Line = Pick<CartPackage, 'greenScreen' | 'cartPackageItems' | 'snapshot'>

/**
 * The background image behind a line's cut-outs; undefined if none was chosen or the line's snapshot does not contain
 * it.
 */
export const backgroundOf = ({
  greenScreen,
  snapshot,
}: Pick<Line, 'greenScreen' | 'snapshot'>): SnapshotImage | undefined =>
  greenScreen === null ? undefined : snapshot.images.find((image) => image.greenScreenId === greenScreen.id)

/** Whether a line has a cut-out without a background: it prints on white. */
export const printsOnWhite = ({ greenScreen, cartPackageItems, snapshot }: Line): boolean => {
  if (greenScreen !== null) return false
  const cutOuts = new Set(snapshot.images.filter((image) => image.hasAlpha).map((image) => image.imageId))
  const nodes = cartPackageItems.flatMap((item) => item.imageNodes)
  return nodes.some((node) => cutOuts.has(shownImageId(node) ?? 0))
}
