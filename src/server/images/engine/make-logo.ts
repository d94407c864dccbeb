import { createHash } from 'node:crypto'
import { ignoring } from '#server/ignoring.ts'
import { brokenImage, type ImageRejection } from '../inspection/image-rejection.ts'
import { inspect } from '../inspection/inspect-image.ts'
import { decodeSeconds, type ImageSource, openImage } from './image-engine.ts'

/** The largest size on any page, on screens with three pixels per point. */
const widest = 960
const highest = 480
const quality = 90

/** A logo as pages show it: upright, without metadata, and small enough for a phone. */
export type Logo = {
  readonly webp: Buffer
  readonly width: number
  readonly height: number
  /** Identifies the bytes. */
  readonly hash: string
}

/** A logo, or why the image is refused. */
export type LogoResult = { ok: true; logo: Logo } | { ok: false; refusal: ImageRejection }

/** Makes a studio's logo of an uploaded image, or says why not. The result is encoded from pixels: it contains no byte of the upload. */
export const makeLogo = async (source: ImageSource): Promise<LogoResult> => {
  const inspected = await inspect(source)
  if (!inspected.ok) return inspected
  const drawn = await ignoring('what cannot be decoded is reported as a broken image', () =>
    openImage(source)
      .autoOrient()
      .resize(widest, highest, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality, alphaQuality: 100 })
      .timeout({ seconds: decodeSeconds })
      .toBuffer({ resolveWithObject: true }),
  )
  if (!drawn) return { ok: false, refusal: brokenImage }
  const { data: webp, info } = drawn
  const hash = createHash('sha256').update(webp).digest('hex').slice(0, 24)
  return { ok: true, logo: { webp, width: info.width, height: info.height, hash } }
}
