import { openPicture, openPixels, type PictureSource, pixelsOf } from './engine.ts'
import { type RenderedVariant, renderThumbnail } from './variants.ts'

/** A cut-out and what it is to stand on. */
export type ToCompose = { readonly picture: PictureSource; readonly background: PictureSource }

/** A file to deliver: JPEG in sRGB, as large as the cut-out was taken. */
export type Composed = { jpeg: Uint8Array; width: number; height: number; thumb: RenderedVariant }

/** Composes a picture, wherever there is room to. */
export type Compose = (job: ToCompose, signal?: AbortSignal) => Promise<Composed>

const paper = '#ffffff'

/**
 * Puts a whole cut-out on its background, which fills the picture from its middle, as on the screen and in print. The same pictures
 * make the same bytes. Throws for one that cannot be read: that was refused at upload.
 */
export const composeHere: Compose = async ({ picture, background }) => {
  const cutOut = await pixelsOf(openPicture(picture).autoOrient().ensureAlpha())
  const { width, height, channels } = cutOut
  const behind = await pixelsOf(
    openPicture(background).autoOrient().flatten({ background: paper }).resize({ width, height, fit: 'cover' }),
  )
  const composed = await pixelsOf(
    openPixels(behind)
      .composite([{ input: cutOut.data, raw: { width, height, channels }, left: 0, top: 0 }])
      .removeAlpha(),
  )
  const jpeg = await openPixels(composed)
    .withIccProfile('srgb')
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return { jpeg, width, height, thumb: await renderThumbnail(composed) }
}
