import { type ImageSource, openImage, openPixels, pixelsOf } from './image-engine.ts'
import { type RenderedVariant, renderThumbnail, renderVariant } from './image-variants.ts'

/** A cut-out for staff to review: WebP with alpha in sRGB, upright, with its thumbnail and preview. */
export type CutOut = {
  readonly webp: Uint8Array
  readonly width: number
  readonly height: number
  readonly thumb: RenderedVariant
  readonly preview: RenderedVariant
}

/** Removes the green screen behind a subject; null where there is no green screen. */
export type ChromaKey = (original: ImageSource, signal?: AbortSignal) => Promise<CutOut | null>

type Raster = { readonly data: Uint8Array; readonly width: number; readonly height: number }

/** The pixels of a current camera; a larger image is cut out at a smaller size, to bound the memory. */
const mostPixels = 26e6
/** The longest side that WebP allows. */
const longestSide = 16_383

/** How green a pixel is in any light: 0 for not green, near 1 for pure green. Dark noise has no colour. */
const greenness = (red: number, green: number, blue: number): number => {
  const over = green - Math.max(red, blue)
  return over < 10 ? 0 : over / (green + 1)
}

const middle = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

type Screen = { readonly green: number; readonly red: number; readonly greenLight: number; readonly blue: number }

/** The minimum greenness of a border with a screen. */
const leastGreen = 0.3
/** The minimum share of green in the border. A subject hides much of the lower edge, so only the sides and the top count. */
const leastShare = 0.4

/** Samples an image's left, right and upper edge, a fiftieth of it deep. */
function* borderOf({ data, width, height }: Raster): Generator<readonly [number, number, number]> {
  const depth = Math.max(1, Math.round(Math.min(width, height) / 50))
  const step = Math.max(1, Math.round(Math.max(width, height) / 400))
  const at = (x: number, y: number) => {
    const place = (y * width + x) * 4
    return [data[place] ?? 0, data[place + 1] ?? 0, data[place + 2] ?? 0] as const
  }
  for (let inward = 0; inward < depth; inward += step) {
    for (let x = 0; x < width; x += step) yield at(x, inward)
    for (let y = 0; y < height; y += step) {
      yield at(inward, y)
      yield at(width - 1 - inward, y)
    }
  }
}

/** The colour of the screen at an image's border; null where it has none. */
export const findGreenScreen = (raster: Raster): Screen | null => {
  const border = [...borderOf(raster)]
  const greens = border.filter(([red, green, blue]) => greenness(red, green, blue) >= leastGreen)
  if (greens.length < border.length * leastShare) return null
  return {
    green: middle(greens.map(([red, green, blue]) => greenness(red, green, blue))),
    red: middle(greens.map(([red]) => red)),
    greenLight: middle(greens.map(([, green]) => green)),
    blue: middle(greens.map(([, , blue]) => blue)),
  }
}

// Shares of the screen's own greenness: above the upper bound a pixel is all screen, below the lower one none of it.
const allScreen = 0.8
const noScreen = 0.3

const within = (value: number): number => (value < 0 ? 0 : value > 255 ? 255 : value)

/**
 * Removes the screen from raw pixels, four channels each, in place: alpha by how much of a pixel's colour is the screen's. Green that
 * shines through an edge is subtracted, and green reflected on the subject is reduced to their other colours.
 */
export const removeGreen = ({ data }: Raster, screen: Screen): void => {
  const top = screen.green * allScreen
  const bottom = screen.green * noScreen
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
    const found = greenness(red, green, blue)
    if (found >= top) {
      data[at] = data[at + 1] = data[at + 2] = data[at + 3] = 0
      continue
    }
    const solid = found <= bottom ? 1 : (top - found) / (top - bottom)
    const behind = 1 - solid
    const own = (seen: number, light: number): number => within((seen - behind * light) / solid)
    const [cleanRed, cleanBlue] = solid === 1 ? [red, blue] : [own(red, screen.red), own(blue, screen.blue)]
    const cleanGreen = solid === 1 ? green : own(green, screen.greenLight)
    data[at] = cleanRed
    data[at + 2] = cleanBlue
    data[at + 1] = Math.min(cleanGreen, Math.max(cleanRed, cleanBlue))
    data[at + 3] = Math.round(255 * solid)
  }
}

/** The longest side of the preview for staff, in pixels. */
const previewSide = 1280

/** The size at which an image is checked for a screen before it is decoded in full. */
const probe = { width: 400, height: 400, fit: 'inside', withoutEnlargement: true } as const

const sizeFor = (width: number, height: number): { width: number; height: number } => {
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)), longestSide / Math.max(width, height))
  return { width: Math.floor(width * scale), height: Math.floor(height * scale) }
}

/** Cuts the subject out of an image in this thread. Throws for an unreadable image, which the upload should have refused. */
export const keyHere: ChromaKey = async (original) => {
  const small = await pixelsOf(openImage(original).autoOrient().resize(probe).ensureAlpha())
  const screen = findGreenScreen(small)
  if (!screen) return null
  const { autoOrient } = await openImage(original).metadata()
  const size = sizeFor(autoOrient.width, autoOrient.height)
  const pixels = await pixelsOf(
    openImage(original)
      .autoOrient()
      .resize({ ...size, fit: 'fill' })
      .ensureAlpha(),
  )
  removeGreen(pixels, screen)
  const webp = await openPixels(pixels).webp({ quality: 95, alphaQuality: 100, effort: 1 }).toBuffer()
  const side = { width: previewSide, height: previewSide, fit: 'inside', withoutEnlargement: true } as const
  const shown = await pixelsOf(openPixels(pixels).resize(side))
  const preview = await renderVariant(shown)
  return { webp, width: pixels.width, height: pixels.height, thumb: await renderThumbnail(shown), preview }
}
