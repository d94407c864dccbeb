import { type ImageSource, openImage, openPixels, pixelsOf } from './image-engine.ts'
import { type RenderedVariant, renderThumbnail, renderVariant } from './image-variants.ts'

/** A cut-out that staff look at before it counts: WebP with alpha in sRGB, upright, and what a list and a look at it show. */
export type CutOut = {
  readonly webp: Uint8Array
  readonly width: number
  readonly height: number
  readonly thumb: RenderedVariant
  readonly preview: RenderedVariant
}

/** Takes the green away around somebody; null where there is no green screen. */
export type ChromaKey = (original: ImageSource, signal?: AbortSignal) => Promise<CutOut | null>

type Raster = { readonly data: Uint8Array; readonly width: number; readonly height: number }

/** As many pixels as a camera of this time has; a larger one is cut out smaller, so that memory has a bound. */
const mostPixels = 26e6
/** WebP knows no longer side. */
const longestSide = 16_383

/** How green a pixel is whatever the light on it: 0 for none, near 1 for nothing else. Dark noise is no colour. */
const greenness = (red: number, green: number, blue: number): number => {
  const over = green - Math.max(red, blue)
  return over < 10 ? 0 : over / (green + 1)
}

const middle = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

type Screen = { readonly green: number; readonly red: number; readonly greenLight: number; readonly blue: number }

/** A border that is so green has a screen behind somebody. */
const leastGreen = 0.3
/** Somebody cut by the lower edge hides much of it: the sides and the top are looked at. */
const leastShare = 0.4

/** Every few pixels of a picture's left, right and upper edge, a fiftieth of it deep. */
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

/** The colour of the screen at a picture's border; null where it has none. */
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

// Of the screen's own greenness: what has more is all screen, what has less is none of it.
const allScreen = 0.8
const noScreen = 0.3

const within = (value: number): number => (value < 0 ? 0 : value > 255 ? 255 : value)

/**
 * Takes the screen out of raw pixels, four channels each, in place: alpha by how much of a pixel's colour is the screen's; what shines
 * through an edge is taken off it, and green that falls on somebody is brought down to their other colours.
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

/** The longest side of what staff look at, in pixels. */
const previewSide = 1280

/** The size at which a picture is looked at for its screen before any of it is decoded whole. */
const probe = { width: 400, height: 400, fit: 'inside', withoutEnlargement: true } as const

const sizeFor = (width: number, height: number): { width: number; height: number } => {
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)), longestSide / Math.max(width, height))
  return { width: Math.floor(width * scale), height: Math.floor(height * scale) }
}

/** Cuts somebody out of a picture in this thread. Throws for one that cannot be read: that was refused at upload. */
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
