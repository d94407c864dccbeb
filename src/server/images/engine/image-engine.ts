import sharp, { type Sharp, type SharpOptions } from 'sharp'

/** Images with more pixels are rejected: a small file can be decoded to gigabytes. */
export const MAX_PIXELS = 100e6

/** The timeout of the image library for a file that was not inspected yet: a thread cannot be stopped while the library decodes. */
export const decodeSeconds = 10

/** An image as bytes, or the path of a file on this machine. */
export type ImageSource = Uint8Array | string

// One thread per image and one image per core is faster than many threads per image, and keeps the event loop responsive; a cache of
// decoded pixels only costs memory, since no image is read twice.
sharp.concurrency(1)
sharp.cache(false)

/** Opens an image for decoding. Truncated files fail; harmless irregularities of cameras, which libjpeg only warns about, do not. */
export const openImage = (source: ImageSource, options: SharpOptions = {}): Sharp =>
  sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, ...options })

/** Decoded pixels: 8 bits a channel, sRGB, three channels or four with alpha. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 3 | 4 }

/** Opens decoded pixels in the engine. */
export const openPixels = ({ data, width, height, channels }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels } })

/** Draws an SVG of our own making, never a customer's. */
export const openSvg = (svg: string): Sharp => sharp(Buffer.from(svg), { limitInputPixels: MAX_PIXELS })

/** Decodes the result of a pipeline to pixels. */
export const pixelsOf = async (pipeline: Sharp): Promise<Pixels> => {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 }
}
