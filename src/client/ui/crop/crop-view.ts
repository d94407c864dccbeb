import { getInitialCropFromCroppedAreaPercentages, type MediaSize } from 'react-easy-crop'
import type { FrontendCropDimensions } from '#domain/cart/cart.ts'
import { areaFromCrop, boundingBox, cropFromArea, type Size } from '#domain/printing/crop.ts'
import type { CropState } from './crop-state.ts'

/** Where the editor has its picture: pixels of the screen from the middle, and how much it is enlarged. */
export type CropView = { x: number; y: number; zoom: number }

/** What the editor measured: the picture at zoom 1 and the frame, in pixels of the screen. */
export type CropMeasurements = { media: MediaSize; frame: Size }

/** Room around the crop's window, in pixels of the screen, so that one sees what is left out. */
export const cropMargin = 20

/** The crop's own window in a stage, no side of it longer than `largest`. */
export const cropWindow = (stage: Size, aspect: number, largest = Number.POSITIVE_INFINITY): Size => {
  const [wide, high] = [
    Math.min(stage.width - cropMargin * 2, largest),
    Math.min(stage.height - cropMargin * 2, largest),
  ]
  return wide / high > aspect ? { width: high * aspect, height: high } : { width: wide, height: wide / aspect }
}

const anyZoom = { least: 0.001, most: 1000 }

/** How the editor must stand to show a crop. */
export const cropToView = ({ crop, rotation }: CropState, { media, frame }: CropMeasurements): CropView => {
  const area = areaFromCrop(crop)
  const shown = getInitialCropFromCroppedAreaPercentages(area, media, rotation, frame, anyZoom.least, anyZoom.most)
  return { ...shown.crop, zoom: shown.zoom }
}

/** The crop an editor shows that stands so; it may reach beyond the picture. */
export const viewToCrop = (view: CropView, rotation: number, { media, frame }: CropMeasurements): CropState => {
  const box = boundingBox(media.width, media.height, rotation)
  const width = (frame.width / box.width / view.zoom) * 100
  const height = (frame.height / box.height / view.zoom) * 100
  const x = 50 - width / 2 - (view.x / view.zoom / box.width) * 100
  const y = 50 - height / 2 - (view.y / view.zoom / box.height) * 100
  return { crop: cropFromArea({ x, y, width, height }), rotation }
}

/**
 * The editor's state as it is kept (section 3). Places are parts of the frame, not pixels: the next screen is of another size. The
 * crop itself says where the editor opens again; this says how it stood.
 */
export const relativeView = ({ x, y, zoom }: CropView, { frame }: CropMeasurements): FrontendCropDimensions => ({
  x: x / frame.width,
  y: y / frame.height,
  zoom,
})
