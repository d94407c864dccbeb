import type { CropDimensions } from '../cart/cart.ts'
import { fitCropToNode, type Size } from '../printing/crop.ts'
import { cropFromArea, moveCropInside } from '../printing/crop-changes.ts'

/** Where the head is in an image: the centre and the height of the crop, as fractions of the upright image. */
export type HeadTemplate = { x: number; y: number; height: number }

/** A crop of an image that is first rotated by whole degrees clockwise. */
export type PlacedCrop = { crop: CropDimensions; rotation: number }

/** The template's crop, as large as it fits, moved into the image. */
const templateCrop = (image: Size, aspect: number, template: HeadTemplate): CropDimensions => {
  const height = Math.min(template.height * image.height, image.width / aspect)
  const [widthPercent, heightPercent] = [((height * aspect) / image.width) * 100, (height / image.height) * 100]
  const area = {
    x: template.x * 100 - widthPercent / 2,
    y: template.y * 100 - heightPercent / 2,
    width: widthPercent,
    height: heightPercent,
  }
  return moveCropInside(cropFromArea(area), image, 0)
}

/** The largest part of an existing crop with another aspect ratio: centred, and from its top, where the head is. */
const upperPart = (image: Size, aspect: number, { crop, rotation }: PlacedCrop): CropDimensions => {
  const fitted = fitCropToNode({ crop, image, rotation, aspect })
  return { ...fitted, cropY: crop.cropY, yMid: crop.cropY + fitted.height / 2 }
}

/**
 * The crop to the head at an aspect ratio (width / height): from the crop that the image has in an order, or else by the
 * template.
 */
export const headCrop = (
  image: Size,
  aspect: number,
  { template, ordered }: { template: HeadTemplate; ordered: PlacedCrop | null },
): PlacedCrop =>
  ordered
    ? { crop: upperPart(image, aspect, ordered), rotation: ordered.rotation }
    : { crop: templateCrop(image, aspect, template), rotation: 0 }
