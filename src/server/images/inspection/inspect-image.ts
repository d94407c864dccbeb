import { readFile } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import { ignoring } from '#server/ignoring.ts'
import { decodeSeconds, type ImageSource, MAX_PIXELS, openImage } from '../engine/image-engine.ts'
import { exifTakenAt } from '../metadata/exif-date.ts'
import { metadataTextOf } from '../metadata/metadata-text.ts'
import { detectImageFormat, type ImageFormat } from './image-format.ts'
import {
  brokenImage,
  type ImageRejection,
  polyglotFile,
  tooManyPixels,
  tooSlowToDecode,
  unsupportedFormat,
} from './image-rejection.ts'
import { isPolyglot } from './trailing-data.ts'

/** What is known of an original. `width` and `height` are of the upright image, in pixels; `orientation` is EXIF's 1–8. */
export type InspectedImage = {
  format: ImageFormat
  width: number
  height: number
  orientation: number
  hasAlpha: boolean
  /** The time by the camera's own clock, without a time zone: `2027-04-16T09:41:05`. */
  takenAt: string | undefined
  /** The text in its metadata: title, caption, keywords. */
  metadataText: string
}

/** An accepted image, or why it is refused. */
export type Inspection = { ok: true; image: InspectedImage } | { ok: false; refusal: ImageRejection }

const PROBE = 16

const readHeader = async (source: ImageSource): Promise<Metadata | undefined> =>
  // The format is known by now, so any failure is damage; the limit on pixels has a message of its own.
  ignoring('what cannot be read is reported as a broken image', () =>
    openImage(source, { limitInputPixels: false }).metadata(),
  )

/** Inspects everything but the pixels: a cut-off file passes here and fails at the first decoding. */
export const inspectHeader = async (source: ImageSource): Promise<Inspection> => {
  const kind = await detectImageFormat(source)
  if (!('format' in kind)) return { ok: false, refusal: unsupportedFormat(kind.refused) }
  const header = await readHeader(source)
  if (!header) return { ok: false, refusal: brokenImage }
  if (header.width * header.height > MAX_PIXELS) {
    return { ok: false, refusal: tooManyPixels(header.width, header.height) }
  }
  const { width, height } = header.autoOrient
  return {
    ok: true,
    image: {
      format: kind.format,
      width,
      height,
      orientation: header.orientation ?? 1,
      hasAlpha: header.hasAlpha,
      takenAt: exifTakenAt(header.exif),
      metadataText: metadataTextOf(header),
    },
  }
}

/** A progressive image with more pixels is held whole, in 60 MB, while it is decoded. */
const mostPixelsHeld = 16e6
/** No camera writes fewer bytes per pixel. */
const fewestBytesOfPixel = 0.02

/** Whether a small file unfolds into hundreds of megabytes: progressive, interlaced and WebP images are decoded as a whole. */
const unfoldsToMore = async (bytes: Uint8Array, { format, width, height }: InspectedImage): Promise<boolean> => {
  const pixels = width * height
  if (pixels <= mostPixelsHeld || bytes.byteLength >= pixels * fewestBytesOfPixel) return false
  return format === 'webp' || (await readHeader(bytes))?.isProgressive === true
}

/**
 * Inspects an uploaded image in full: a file that stops early, is damaged inside, or is also another kind of file is refused at upload,
 * while the photographer is still watching. Decodes at the smallest size the format allows.
 */
export const inspect = async (source: ImageSource): Promise<Inspection> => {
  const kind = await detectImageFormat(source)
  if (!('format' in kind)) return { ok: false, refusal: unsupportedFormat(kind.refused) }
  const bytes = typeof source === 'string' ? await readFile(source) : source
  // Before any decoding: a file of a million empty segments keeps the library busy for seconds.
  if (isPolyglot(kind.format, bytes)) return { ok: false, refusal: polyglotFile }
  const header = await inspectHeader(source)
  if (!header.ok) return header
  if (await unfoldsToMore(bytes, header.image)) return { ok: false, refusal: tooSlowToDecode }
  const decoded = await ignoring('what cannot be decoded is reported as a broken image', () =>
    openImage(source)
      .resize(PROBE, PROBE, { kernel: 'nearest', fit: 'fill' })
      .raw()
      .timeout({ seconds: decodeSeconds })
      .toBuffer(),
  )
  return decoded ? header : { ok: false, refusal: brokenImage }
}
