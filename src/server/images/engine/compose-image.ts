import { type ImageSource, openImage, pixelsOf } from './image-engine.ts'
import { type RenderedVariant, renderThumbnail } from './image-variants.ts'

/** A cut-out and its background. */
export type ComposeInput = { readonly image: ImageSource; readonly background: ImageSource }

/** The result: JPEG in sRGB, in the size of the cut-out. */
export type ComposedImage = { jpeg: Uint8Array; width: number; height: number; thumb: RenderedVariant }

/** Composes an image, in this thread or another. */
export type Compose = (job: ComposeInput, signal?: AbortSignal) => Promise<ComposedImage>

const paperColour = '#ffffff'

/** Twice a thumbnail's size: the second downscaling sharpens it. */
const doubleThumbnailBox = { width: 640, height: 640, fit: 'inside', withoutEnlargement: true } as const

/**
 * Composes a cut-out at its full size with its background, which is centred and covers the whole image, as on the screen and in print. The
 * same images make the same bytes. Throws for an unreadable image, which the upload should have rejected.
 */
export const composeImage: Compose = async ({ image, background }) => {
  const cutOut = await pixelsOf(openImage(image).autoOrient().ensureAlpha())
  const { width, height, channels } = cutOut
  // One pipeline from the background to the file, so that only the rows in progress are in memory.
  const jpeg = await openImage(background)
    .autoOrient()
    .flatten({ background: paperColour })
    .resize({ width, height, fit: 'cover' })
    .composite([{ input: cutOut.data, raw: { width, height, channels }, left: 0, top: 0 }])
    .withIccProfile('srgb')
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  // A JPEG is decoded at a fraction of its size if that is enough.
  const pixels = await pixelsOf(openImage(jpeg).resize(doubleThumbnailBox))
  return { jpeg, width, height, thumb: await renderThumbnail(pixels) }
}
