import { readFile } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import { ignoring } from '#domain/shared/ignoring.ts'
import { decodeSeconds, type ImageSource, MAX_PIXELS, openImage } from '../engine/image-engine.ts'
import { readMetadata } from '../metadata/read-metadata.ts'
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

/** Details of an original. `width` and `height` are of the upright image, in pixels; `orientation` is EXIF's 1–8. */
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

/** An accepted image, or the reason for its rejection. */
export type Inspection = { ok: true; image: InspectedImage } | { ok: false; refusal: ImageRejection }

const PROBE_SIDE = 16

const readHeader = async (source: ImageSource): Promise<Metadata | undefined> =>
  // The format is known by now, so any failure is damage; the limit on pixels has a message of its own.
  ignoring('an image that cannot be read is reported as broken', () =>
    openImage(source, { limitInputPixels: false }).metadata(),
  )

/** Inspects everything except the pixels. A truncated file passes here and fails when it is decoded. */
export const inspectHeader = async (source: ImageSource): Promise<Inspection> => {
  const kind = await detectImageFormat(source)
  if (!('format' in kind)) return { ok: false, refusal: unsupportedFormat(kind.rejectedFormat) }
  const header = await readHeader(source)
  if (!header) return { ok: false, refusal: brokenImage }
  if (header.width * header.height > MAX_PIXELS) {
    return { ok: false, refusal: tooManyPixels(header.width, header.height) }
  }
  const { width, height } = header.autoOrient
  const { takenAt, text: metadataText } = readMetadata(header)
  return {
    ok: true,
    image: {
      format: kind.format,
      width,
      height,
      orientation: header.orientation ?? 1,
      hasAlpha: header.hasAlpha,
      takenAt,
      metadataText,
    },
  }
}

/** The image library holds all pixels of a progressive image while it decodes, about 60 MB for this number of pixels. */
const maxPixelsInMemory = 16e6
/** No camera writes fewer bytes per pixel. */
const minBytesPerPixel = 0.02

/** Whether a small file is decoded to hundreds of megabytes: progressive, interlaced and WebP images are decoded as a whole. */
const needsTooMuchMemory = async (bytes: Uint8Array, { format, width, height }: InspectedImage): Promise<boolean> => {
  const pixels = width * height
  if (pixels <= maxPixelsInMemory || bytes.byteLength >= pixels * minBytesPerPixel) return false
  return format === 'webp' || (await readHeader(bytes))?.isProgressive === true
}

/**
 * Inspects an uploaded image in full: a file that is truncated, damaged, or also another kind of file is rejected at upload,
 * while the photographer is still watching. Decodes at the smallest size the format allows.
 */
export const inspect = async (source: ImageSource): Promise<Inspection> => {
  const kind = await detectImageFormat(source)
  if (!('format' in kind)) return { ok: false, refusal: unsupportedFormat(kind.rejectedFormat) }
  const bytes = typeof source === 'string' ? await readFile(source) : source
  // Before any decoding: a million empty segments would keep the image library busy for seconds.
  if (isPolyglot(kind.format, bytes)) return { ok: false, refusal: polyglotFile }
  const header = await inspectHeader(source)
  if (!header.ok) return header
  if (await needsTooMuchMemory(bytes, header.image)) return { ok: false, refusal: tooSlowToDecode }
  const decoded = await ignoring('an image that cannot be decoded is reported as broken', () =>
    openImage(source)
      .resize(PROBE_SIDE, PROBE_SIDE, { kernel: 'nearest', fit: 'fill' })
      .raw()
      .timeout({ seconds: decodeSeconds })
      .toBuffer(),
  )
  return decoded ? header : { ok: false, refusal: brokenImage }
}
