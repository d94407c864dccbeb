import type { Sharp } from 'sharp'
import type { CropDimensions } from '#domain/cart/cart.ts'
import { type ImageSource, openImage, openPixels } from '../engine/image-engine.ts'
import { drawPrintImage } from './draw-print-image.ts'
import { onPaper, paperColour } from './print-paper.ts'

/** An original with the crop to deliver. `width` and `height` are those of the file in pixels, `image` of the upright original. */
export type CropJob = {
  readonly source: ImageSource
  readonly image: { readonly width: number; readonly height: number }
  readonly crop: CropDimensions
  /** Whole degrees clockwise. */
  readonly rotation: number
  readonly width: number
  readonly height: number
  readonly quality: number
}

/** Crops one image, in this thread or another. Another thread takes the bytes of `source`, which the caller cannot read afterwards. */
export type CropImage = (job: CropJob) => Promise<Uint8Array>

/** From this quality on, colours have their full resolution. */
const fullColourQuality = 90

const clampTo = (value: number, max: number): number => Math.min(Math.max(Math.round(value), 0), Math.max(max, 0))

/** Scales the whole image down and cuts the crop out: a JPEG is then decoded at a fraction of its size. */
const scaleThenCut = ({ source, crop, width, height }: CropJob): Sharp => {
  const scaledWidth = Math.max(width, Math.round((width / crop.width) * 100))
  const scaledHeight = Math.max(height, Math.round((height / crop.height) * 100))
  return openImage(source)
    .autoOrient()
    .resize({ width: scaledWidth, height: scaledHeight, fit: 'fill' })
    .extract({
      left: clampTo((crop.cropX / 100) * scaledWidth, scaledWidth - width),
      top: clampTo((crop.cropY / 100) * scaledHeight, scaledHeight - height),
      width,
      height,
    })
}

/** Cuts the crop out and enlarges it: enlarging the whole image could take gigabytes. */
const cutThenScale = ({ source, image, crop, width, height }: CropJob): Sharp => {
  const cutWidth = Math.max(1, clampTo((crop.width / 100) * image.width, image.width))
  const cutHeight = Math.max(1, clampTo((crop.height / 100) * image.height, image.height))
  return openImage(source, { sequentialRead: false })
    .autoOrient()
    .extract({
      left: clampTo((crop.cropX / 100) * image.width, image.width - cutWidth),
      top: clampTo((crop.cropY / 100) * image.height, image.height - cutHeight),
      width: cutWidth,
      height: cutHeight,
    })
    .resize({ width, height, fit: 'fill' })
}

/** Draws the crop of a rotated image as prints do. */
const drawRotated = async ({ source, image, crop, rotation, width, height }: CropJob): Promise<Sharp> => {
  const area = { left: 0, top: 0, width, height }
  const original = { source, ...image, crop, rotation }
  const layer = await drawPrintImage(original, area, { print: area, backdrop: paperColour })
  return openPixels(await onPaper(layer ? [layer] : [], area))
}

/**
 * Crops an image: JPEG in sRGB, on white where it is transparent, without metadata of the original. Throws for an
 * unreadable image.
 */
export const cropImage: CropImage = async (job) => {
  const isEnlarged = job.width > (job.crop.width / 100) * job.image.width
  const pipeline = job.rotation !== 0 ? await drawRotated(job) : isEnlarged ? cutThenScale(job) : scaleThenCut(job)
  return await pipeline
    .flatten({ background: paperColour })
    .toColourspace('srgb')
    .withIccProfile('srgb')
    .jpeg({ quality: job.quality, chromaSubsampling: job.quality >= fullColourQuality ? '4:4:4' : '4:2:0' })
    .toBuffer()
}
