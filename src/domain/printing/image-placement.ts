import type { CropDimensions } from '../cart/cart.ts'
import { centredCrop, fitCropToNode, type RenderBox, renderBox } from './crop.ts'

/** A picture chosen for a node: its upright size, what is cut out of it (null: the largest part in the middle) and how it is turned. */
export type ChosenImage = {
  width: number
  height: number
  crop: CropDimensions | null
  /** Whole degrees clockwise. */
  rotation: number
}

/**
 * Where a picture lies in its node, on the screen and on paper. `aspect` is the node's, width / height; null where nothing is
 * printed: a file is delivered as it was cropped, a print shows what fills its node.
 */
export const placeImage = (picture: ChosenImage, aspect: number | null): RenderBox => {
  const { crop, rotation } = picture
  const asked = crop ?? centredCrop(picture, aspect ?? picture.width / picture.height, rotation)
  const shown = aspect === null ? asked : fitCropToNode({ crop: asked, image: picture, rotation, aspect })
  return renderBox(shown, picture, rotation)
}
