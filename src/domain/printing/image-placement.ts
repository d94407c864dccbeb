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
export const placeImage = (image: ChosenImage, aspect: number | null): RenderBox => {
  const { crop, rotation } = image
  const requestedCrop = crop ?? centredCrop(image, aspect ?? image.width / image.height, rotation)
  const printedCrop = aspect === null ? requestedCrop : fitCropToNode({ crop: requestedCrop, image, rotation, aspect })
  return renderBox(printedCrop, image, rotation)
}
