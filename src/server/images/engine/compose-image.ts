import { type ImageSource, openImage, pixelsOf } from './image-engine.ts'
import { type RenderedVariant, renderThumbnail } from './image-variants.ts'

/** A cut-out and what it is to stand on. */
export type ComposeInput = { readonly image: ImageSource; readonly background: ImageSource }

/** A file to deliver: JPEG in sRGB, as large as the cut-out was taken. */
export type ComposedImage = { jpeg: Uint8Array; width: number; height: number; thumb: RenderedVariant }

/** Composes a picture, wherever there is room to. */
export type Compose = (job: ComposeInput, signal?: AbortSignal) => Promise<ComposedImage>

const paper = '#ffffff'

/** Twice a thumbnail's side: it is sharpened by what it is made smaller from. */
const thumbWithin = { width: 640, height: 640, fit: 'inside', withoutEnlargement: true } as const

/**
 * Puts a whole cut-out on its background, which fills the picture from its middle, as on the screen and in print. The same pictures
 * make the same bytes. Throws for one that cannot be read: that was refused at upload.
 */
export const composeHere: Compose = async ({ image: picture, background }) => {
  const cutOut = await pixelsOf(openImage(picture).autoOrient().ensureAlpha())
  const { width, height, channels } = cutOut
  // In one go from the background to the file: no more of it lies in memory than is being worked on.
  const jpeg = await openImage(background)
    .autoOrient()
    .flatten({ background: paper })
    .resize({ width, height, fit: 'cover' })
    .composite([{ input: cutOut.data, raw: { width, height, channels }, left: 0, top: 0 }])
    .withIccProfile('srgb')
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  // A JPEG is decoded at a fraction of its size where that is enough.
  const small = await pixelsOf(openImage(jpeg).resize(thumbWithin))
  return { jpeg, width, height, thumb: await renderThumbnail(small) }
}
