import { createHash } from 'node:crypto'
import { ignoring } from '#domain/shared/ignoring.ts'
import { brokenImage, type ImageRejection } from '../inspection/image-rejection.ts'
import { inspect } from '../inspection/inspect-image.ts'
import { decodeSeconds, type ImageSource, openImage } from './image-engine.ts'

/** The largest size on any page, on screens with three pixels per point. */
const maxWidth = 960
const maxHeight = 480
const quality = 90

/** A logo as pages show it: upright, without metadata, and small enough for a phone. */
export type Logo = {
  readonly webp: Buffer
  readonly width: number
  readonly height: number
  /** Identifies the bytes. */
  readonly hash: string
}

/** A logo, or the reason why the image is rejected. */
export type LogoResult = { ok: true; logo: Logo } | { ok: false; refusal: ImageRejection }

/** Makes a studio's logo from an uploaded image. The result is encoded from pixels: it contains no byte of the upload. */
export const makeLogo = async (source: ImageSource): Promise<LogoResult> => {
  const inspected = await inspect(source)
  if (!inspected.ok) return inspected
  const encoded = await ignoring('an image that cannot be decoded is reported as broken', () =>
    openImage(source)
      .autoOrient()
      .resize(maxWidth, maxHeight, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality, alphaQuality: 100 })
      .timeout({ seconds: decodeSeconds })
      .toBuffer({ resolveWithObject: true }),
  )
  if (!encoded) return { ok: false, refusal: brokenImage }
  const { data: webp, info } = encoded
  const hash = createHash('sha256').update(webp).digest('hex').slice(0, 24)
  return { ok: true, logo: { webp, width: info.width, height: info.height, hash } }
}
