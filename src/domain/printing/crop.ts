import type { CropDimensions } from '../cart/cart.ts'

/**
 * Pixels or any other unit: only proportions matter here. Always of the upright image, with the EXIF orientation
 * applied.
 */
export type Size = { width: number; height: number }

/** Normalises to whole degrees clockwise, 0 to 359 (section 4). */
export const normaliseRotation = (degrees: number): number => ((Math.round(degrees) % 360) + 360) % 360

// Exact values for quarter turns: the floating point sine of 180 degrees is not 0, and the error would appear in the
// fourth decimal.
const quarterTurns: Readonly<Record<number, { cos: number; sin: number }>> = {
  0: { cos: 1, sin: 0 },
  90: { cos: 0, sin: 1 },
  180: { cos: -1, sin: 0 },
  270: { cos: 0, sin: -1 },
}

/** Sine and cosine of a rotation by whole degrees. */
export const turnOf = (rotation: number): { cos: number; sin: number } => {
  const degrees = normaliseRotation(rotation)
  const radians = (degrees * Math.PI) / 180
  return quarterTurns[degrees] ?? { cos: Math.cos(radians), sin: Math.sin(radians) }
}

/** The upright bounding box of an image rotated clockwise by whole degrees, in the image's unit. */
export const boundingBox = (width: number, height: number, rotation: number): Size => {
  const { cos, sin } = turnOf(rotation)
  return {
    width: width * Math.abs(cos) + height * Math.abs(sin),
    height: width * Math.abs(sin) + height * Math.abs(cos),
  }
}

/** Rounds a percentage as it is stored. */
export const roundToFourDecimals = (value: number): number => Math.round(value * 10_000) / 10_000

/** A crop in the image's unit, relative to the centre of the bounding box, which makes rotation simple. */
export type CenteredCrop = { x: number; y: number; width: number; height: number }

/** Percentages as lengths from the centre of the bounding box. */
export const toCenteredCrop = (crop: CropDimensions, box: Size): CenteredCrop => ({
  x: ((crop.xMid - 50) / 100) * box.width,
  y: ((crop.yMid - 50) / 100) * box.height,
  width: (crop.width / 100) * box.width,
  height: (crop.height / 100) * box.height,
})

/** Lengths from the centre of the bounding box as percentages. */
export const toCropDimensions = (crop: CenteredCrop, box: Size): CropDimensions => {
  const width = (crop.width / box.width) * 100
  const height = (crop.height / box.height) * 100
  const xMid = (crop.x / box.width) * 100 + 50
  const yMid = (crop.y / box.height) * 100 + 50
  return {
    width: roundToFourDecimals(width),
    height: roundToFourDecimals(height),
    cropX: roundToFourDecimals(xMid - width / 2),
    cropY: roundToFourDecimals(yMid - height / 2),
    xMid: roundToFourDecimals(xMid),
    yMid: roundToFourDecimals(yMid),
  }
}

/**
 * The largest centred crop of an aspect ratio (width / height) in a rotated image, without empty corners (section 4).
 */
export const centredCrop = (image: Size, aspect: number, rotation: number): CropDimensions => {
  const cos = Math.abs(turnOf(rotation).cos)
  const sin = Math.abs(turnOf(rotation).sin)
  const height = Math.min(image.width / (aspect * cos + sin), image.height / (aspect * sin + cos))
  const box = boundingBox(image.width, image.height, rotation)
  return toCropDimensions({ x: 0, y: 0, width: height * aspect, height }, box)
}

/** The largest centred part of a crop with the node's aspect ratio: what is drawn and printed. */
export const fitCropToNode = (input: {
  crop: CropDimensions
  image: Size
  rotation: number
  aspect: number
}): CropDimensions => {
  const box = boundingBox(input.image.width, input.image.height, input.rotation)
  const centered = toCenteredCrop(input.crop, box)
  const width = Math.min(centered.width, centered.height * input.aspect)
  return toCropDimensions({ ...centered, width, height: width / input.aspect }, box)
}

/**
 * How to draw a crop: a frame of `aspect` that hides overflow, and in it the upright image. `width` and `height` are
 * percentages of the frame's, `left` and `top` those of the image's centre; the image is rotated clockwise about that
 * centre by `rotation` degrees. In CSS: `position: absolute; transform: translate(-50%, -50%) rotate(…deg)`.
 */
export type RenderBox = {
  aspect: number
  width: number
  height: number
  left: number
  top: number
  rotation: number
}

/** Computes how to draw a crop of a rotated image, the same on screen and in print. */
export const renderBox = (crop: CropDimensions, image: Size, rotation: number): RenderBox => {
  const centered = toCenteredCrop(crop, boundingBox(image.width, image.height, rotation))
  return {
    aspect: centered.width / centered.height,
    width: (image.width / centered.width) * 100,
    height: (image.height / centered.height) * 100,
    left: 50 - (centered.x / centered.width) * 100,
    top: 50 - (centered.y / centered.height) * 100,
    rotation: normaliseRotation(rotation),
  }
}
