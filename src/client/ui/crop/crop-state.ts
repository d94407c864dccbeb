import type { CropDimensions } from '#domain/cart/cart.ts'
import { boundingBox, centredCrop, normaliseRotation, type Size } from '#domain/printing/crop.ts'
import { cropFromArea, moveCropInside } from '#domain/printing/crop-changes.ts'

/** A crop in progress: always on the rotated image, without empty corners. */
export type CropState = { crop: CropDimensions; rotation: number }

/** What is cropped: the unrotated image, and the crop's aspect (width / height). */
export type CropFrame = { image: Size; aspect: number }

/** Maximum zoom relative to the whole image: beyond it, prints would look pixelated. */
export const maxZoom = 5

/** Step of a nudge, as a fraction of the crop. */
const nudgeStep = 0.04

export const initialCrop = ({ image, aspect }: CropFrame, rotation = 0): CropState => ({
  crop: centredCrop(image, aspect, rotation),
  rotation: normaliseRotation(rotation),
})

/** The zoom: 1 is the largest crop that fits at this rotation, `maxZoom` the smallest. */
export const zoomOf = ({ crop, rotation }: CropState, { image, aspect }: CropFrame): number =>
  centredCrop(image, aspect, rotation).width / crop.width

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)

/** A crop with a given centre (percentages of the box) and zoom, moved onto the image. */
const cropAt = (
  centre: { xMid: number; yMid: number },
  zoom: number,
  rotation: number,
  frame: CropFrame,
): CropState => {
  const largestCrop = centredCrop(frame.image, frame.aspect, rotation)
  const clampedZoom = clamp(zoom, 1, maxZoom)
  const [width, height] = [largestCrop.width / clampedZoom, largestCrop.height / clampedZoom]
  const { xMid, yMid } = centre
  const crop = cropFromArea({ x: xMid - width / 2, y: yMid - height / 2, width, height })
  return { crop: moveCropInside(crop, frame.image, rotation), rotation }
}

/** Limits a crop requested by drag, pinch or wheel to the image and the maximum zoom. */
export const clampCrop = ({ crop, rotation }: CropState, frame: CropFrame): CropState =>
  cropAt(crop, zoomOf({ crop, rotation }, frame), rotation, frame)

export const zoomTo = (cropState: CropState, zoom: number, frame: CropFrame): CropState =>
  cropAt(cropState.crop, zoom, cropState.rotation, frame)

export type Direction = 'left' | 'right' | 'up' | 'down'

const steps: Readonly<Record<Direction, { x: number; y: number }>> = {
  left: { x: 1, y: 0 },
  right: { x: -1, y: 0 },
  up: { x: 0, y: 1 },
  down: { x: 0, y: -1 },
}

/** Moves the image slightly behind the frame; the crop moves the opposite way. */
export const nudge = (cropState: CropState, direction: Direction, frame: CropFrame): CropState => {
  const { crop, rotation } = cropState
  const { x, y } = steps[direction]
  const xMid = crop.xMid + x * crop.width * nudgeStep
  const yMid = crop.yMid + y * crop.height * nudgeStep
  return cropAt({ xMid, yMid }, zoomOf(cropState, frame), rotation, frame)
}

/** Rotates the image clockwise to `degrees`, keeping its centre and zoom. */
export const rotateTo = (cropState: CropState, degrees: number, frame: CropFrame): CropState => {
  const rotation = normaliseRotation(degrees)
  const { width, height } = frame.image
  const before = boundingBox(width, height, cropState.rotation)
  const after = boundingBox(width, height, rotation)
  const x = ((cropState.crop.xMid - 50) / 100) * before.width
  const y = ((cropState.crop.yMid - 50) / 100) * before.height
  const turn = ((rotation - cropState.rotation) * Math.PI) / 180
  const xMid = 50 + ((x * Math.cos(turn) - y * Math.sin(turn)) / after.width) * 100
  const yMid = 50 + ((x * Math.sin(turn) + y * Math.cos(turn)) / after.height) * 100
  return cropAt({ xMid, yMid }, zoomOf(cropState, frame), rotation, frame)
}

/** Splits a rotation into quarter turns and the rest (-45 to 44). */
export const splitRotation = (rotation: number): { quarters: number; fine: number } => {
  const quarters = Math.floor((normaliseRotation(rotation) + 45) / 90)
  return { quarters: quarters % 4, fine: normaliseRotation(rotation) - quarters * 90 }
}
