import type { CropDimensions } from '../cart/cart.ts'
import {
  boundingBox,
  type CenteredCrop,
  roundToFourDecimals,
  type Size,
  toCenteredCrop,
  toCropDimensions,
  turnOf,
} from './crop.ts'

/** Changes of crops: what a crop dialog needs, and drawing a print does not. */

/** An area in percentages of the rotated image's bounding box, as react-easy-crop reports it. */
export type CroppedArea = { x: number; y: number; width: number; height: number }

/** Converts react-easy-crop's `croppedArea` (percentages) to crop dimensions with four decimals. */
export const cropFromArea = ({ x, y, width, height }: CroppedArea): CropDimensions => ({
  width: roundToFourDecimals(width),
  height: roundToFourDecimals(height),
  cropX: roundToFourDecimals(x),
  cropY: roundToFourDecimals(y),
  xMid: roundToFourDecimals(x + width / 2),
  yMid: roundToFourDecimals(y + height / 2),
})

/** Converts crop dimensions to react-easy-crop's `initialCroppedAreaPercentages`. */
export const areaFromCrop = ({ cropX, cropY, width, height }: CropDimensions): CroppedArea => ({
  x: cropX,
  y: cropY,
  width,
  height,
})

/**
 * A crop in the image's own axes: its centre (`u`, `v`) rotated back, and half of its extent along each axis. It is
 * inside exactly when |u| + reachU ≤ width / 2, and likewise for v.
 */
const reach = (crop: CenteredCrop, rotation: number) => {
  const { cos, sin } = turnOf(rotation)
  return {
    u: crop.x * cos + crop.y * sin,
    v: crop.y * cos - crop.x * sin,
    reachU: (crop.width * Math.abs(cos) + crop.height * Math.abs(sin)) / 2,
    reachV: (crop.width * Math.abs(sin) + crop.height * Math.abs(cos)) / 2,
  }
}

// Twice the rounding error of a percentage with four decimals: a fiftieth of a pixel of a large image.
const tolerance = 2e-6

/** Whether a crop is inside the rotated image, without empty corners. */
export const isCropInside = (crop: CropDimensions, image: Size, rotation: number): boolean => {
  const box = boundingBox(image.width, image.height, rotation)
  const { u, v, reachU, reachV } = reach(toCenteredCrop(crop, box), rotation)
  const slack = (box.width + box.height) * tolerance
  return Math.abs(u) + reachU <= image.width / 2 + slack && Math.abs(v) + reachV <= image.height / 2 + slack
}

/**
 * Moves a crop, and shrinks it if necessary, by the least amount that leaves no empty corner; its aspect ratio stays.
 */
export const moveCropInside = (crop: CropDimensions, image: Size, rotation: number): CropDimensions => {
  if (isCropInside(crop, image, rotation)) return crop
  const box = boundingBox(image.width, image.height, rotation)
  const centered = toCenteredCrop(crop, box)
  const { u, v, reachU, reachV } = reach(centered, rotation)
  const scale = Math.min(1, image.width / 2 / reachU, image.height / 2 / reachV)
  const clampedU = clampTo(u, image.width / 2 - reachU * scale)
  const clampedV = clampTo(v, image.height / 2 - reachV * scale)
  const { cos, sin } = turnOf(rotation)
  const x = clampedU * cos - clampedV * sin
  const y = clampedU * sin + clampedV * cos
  return toCropDimensions({ x, y, width: centered.width * scale, height: centered.height * scale }, box)
}

const clampTo = (value: number, limit: number): number => Math.min(Math.max(value, -limit), limit)
