import type { CropDimensions } from '../cart/cart.ts'
import { centredCrop, fitCropToNode, type RenderBox, renderBox } from './crop.ts'

/** The image chosen for a node: its upright size, its crop (null: the largest centred one) and its rotation. */
export type ChosenImage = {
  width: number
  height: number
  crop: CropDimensions | null
  /** Whole degrees clockwise. */
  rotation: number
}

/**
 * The position of an image in its node, on screen and in print. `aspect` is the node's width / height, or null if
 * nothing is printed: files are delivered as cropped, prints show what fills the node.
 */
export const placeImage = (picture: ChosenImage, aspect: number | null): RenderBox => {
  const { crop, rotation } = picture
  const asked = crop ?? centredCrop(picture, aspect ?? picture.width / picture.height, rotation)
  const shown = aspect === null ? asked : fitCropToNode({ crop: asked, image: picture, rotation, aspect })
  return renderBox(shown, picture, rotation)
}
