import type { VariantFormat } from '../store/variant-files.ts'
import { type ImageSource, openImage, openPixels, pixelsOf } from './image-engine.ts'

/** The longest side of what remains of a blurred image, in pixels: too few to recognize a face, enough to see light and colors. */
const BLURRED_SIDE = 8

/** Blurs an image so that no one in it can be recognized, at its size. What is cut away is not in the file. */
export const blurImage = async (image: ImageSource, format: VariantFormat): Promise<Buffer> => {
  const { width, height } = await openImage(image).metadata()
  const box = { width: BLURRED_SIDE, height: BLURRED_SIDE, fit: 'inside' } as const
  const remaining = await pixelsOf(openImage(image).resize(box))
  const blurred = openPixels(remaining).resize({ width, height, fit: 'fill', kernel: 'cubic' })
  return await (format === 'webp'
    ? blurred.webp({ quality: 60, effort: 0 })
    : blurred.flatten({ background: '#fff' }).jpeg({ quality: 60 })
  ).toBuffer()
}
