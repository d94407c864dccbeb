import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { VariantFormat } from '../store/variant-files.ts'
import { openImage, openPixels, pixelsOf } from './image-engine.ts'

/** The longest side of what remains of a blurred image, in pixels: too few to recognize a face, enough to see light and colors. */
const BLURRED_SIDE = 8

/** What remains of an image is enlarged to its size again, so that it has the same place on a screen. */
const enlarged = { fit: 'fill', kernel: 'cubic' } as const

/** Blurs a stored variant so that no one in it can be recognized. The details are not hidden: they are not in the file. */
export const blurImage = async (variant: Readable, format: VariantFormat): Promise<Buffer> => {
  const image = await buffer(variant)
  const { width, height } = await openImage(image).metadata()
  const box = { width: BLURRED_SIDE, height: BLURRED_SIDE, fit: 'inside' } as const
  const remaining = await pixelsOf(openImage(image).resize(box))
  const blurred = openPixels(remaining).resize({ width, height, ...enlarged })
  return await (format === 'webp'
    ? blurred.webp({ quality: 60, effort: 0 })
    : blurred.flatten({ background: '#fff' }).jpeg({ quality: 60 })
  ).toBuffer()
}
