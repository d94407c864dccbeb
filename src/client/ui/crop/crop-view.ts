import { getInitialCropFromCroppedAreaPercentages, type MediaSize } from 'react-easy-crop'
import type { FrontendCropDimensions } from '#domain/cart/cart.ts'
import { boundingBox, type Size } from '#domain/printing/crop.ts'
import { areaFromCrop, cropFromArea } from '#domain/printing/crop-changes.ts'
import type { CropState } from './crop-state.ts'

/** The editor's view: offset from the centre in CSS pixels, and zoom. */
export type CropView = { x: number; y: number; zoom: number }

/** The editor's measurements: the image at zoom 1 and the frame, in CSS pixels. */
export type CropMeasurements = { media: MediaSize; frame: Size }

/** Space around the crop window in CSS pixels, to show what is cut off. */
export const cropMargin = 20

/** The size of the crop window in a stage, no side longer than `largest`. */
export const cropWindow = (stage: Size, aspect: number, largest = Number.POSITIVE_INFINITY): Size => {
  const [maxWidth, maxHeight] = [
    Math.min(stage.width - cropMargin * 2, largest),
    Math.min(stage.height - cropMargin * 2, largest),
  ]
  return maxWidth / maxHeight > aspect
    ? { width: maxHeight * aspect, height: maxHeight }
    : { width: maxWidth, height: maxWidth / aspect }
}

const unlimitedZoom = { min: 0.001, max: 1000 }

/** The editor view that shows a crop. */
export const cropToView = ({ crop, rotation }: CropState, { media, frame }: CropMeasurements): CropView => {
  const area = areaFromCrop(crop)
  const view = getInitialCropFromCroppedAreaPercentages(
    area,
    media,
    rotation,
    frame,
    unlimitedZoom.min,
    unlimitedZoom.max,
  )
  return { ...view.crop, zoom: view.zoom }
}

/** The crop that an editor view shows; it may extend beyond the image. */
export const viewToCrop = (view: CropView, rotation: number, { media, frame }: CropMeasurements): CropState => {
  const box = boundingBox(media.width, media.height, rotation)
  const width = (frame.width / box.width / view.zoom) * 100
  const height = (frame.height / box.height / view.zoom) * 100
  const x = 50 - width / 2 - (view.x / view.zoom / box.width) * 100
  const y = 50 - height / 2 - (view.y / view.zoom / box.height) * 100
  return { crop: cropFromArea({ x, y, width, height }), rotation }
}

/**
 * The editor's view as stored with the cart (section 3): zoom, and the offset in fractions of the frame, so that it
 * does not depend on the screen size. The editor does not open with this view, but with the stored crop.
 */
export const relativeView = ({ x, y, zoom }: CropView, { frame }: CropMeasurements): FrontendCropDimensions => ({
  x: x / frame.width,
  y: y / frame.height,
  zoom,
})
