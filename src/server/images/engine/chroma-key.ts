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

/** Removes the green screen behind a subject; null if there is no green screen. */
export type ChromaKey = (original: ImageSource, signal?: AbortSignal) => Promise<CutOut | null>

type Raster = { readonly data: Uint8Array; readonly width: number; readonly height: number }

/** The number of pixels of a current camera; a larger image is cut out at a smaller size, to bound the memory. */
const maxPixels = 26e6
/** The longest side that WebP allows. */
const maxWebpSide = 16_383

/**
 * How green a pixel is in any light: 0 for not green, near 1 for pure green. Below a difference of 10 a pixel counts as
 * noise and not as green.
 */
const greenness = (red: number, green: number, blue: number): number => {
  const excess = green - Math.max(red, blue)
  return excess < 10 ? 0 : excess / (green + 1)
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

type Screen = { readonly green: number; readonly red: number; readonly greenLight: number; readonly blue: number }

/** From this greenness on, a pixel of the border counts as green screen. */
const minGreenness = 0.3
/** The minimum share of green pixels in the border of an image with a green screen. */
const minGreenShare = 0.4

/** Samples the left, right and upper edge of an image, a fiftieth of its size deep. The subject hides much of the lower edge. */
function* borderPixels({ data, width, height }: Raster): Generator<readonly [number, number, number]> {
  const depth = Math.max(1, Math.round(Math.min(width, height) / 50))
  const step = Math.max(1, Math.round(Math.max(width, height) / 400))
  const pixelAt = (x: number, y: number) => {
    const index = (y * width + x) * 4
    return [data[index] ?? 0, data[index + 1] ?? 0, data[index + 2] ?? 0] as const
  }
  for (let inset = 0; inset < depth; inset += step) {
    for (let x = 0; x < width; x += step) yield pixelAt(x, inset)
    for (let y = 0; y < height; y += step) {
      yield pixelAt(inset, y)
      yield pixelAt(width - 1 - inset, y)
    }
  }
}

/** The colour of the screen at an image's border; null if it has none. */
export const findGreenScreen = (raster: Raster): Screen | null => {
  const border = [...borderPixels(raster)]
  const greens = border.filter(([red, green, blue]) => greenness(red, green, blue) >= minGreenness)
  if (greens.length < border.length * minGreenShare) return null
  return {
    green: median(greens.map(([red, green, blue]) => greenness(red, green, blue))),
    red: median(greens.map(([red]) => red)),
    greenLight: median(greens.map(([, green]) => green)),
    blue: median(greens.map(([, , blue]) => blue)),
  }
}

// Shares of the screen's greenness: above the upper bound a pixel shows only the screen, below the lower bound only the subject.
const screenOnlyShare = 0.8
const subjectOnlyShare = 0.3

const clampToByte = (value: number): number => (value < 0 ? 0 : value > 255 ? 255 : value)

/**
 * Removes the screen from raw pixels, four channels each, in place. A pixel's alpha depends on how much of its colour
 * is the screen's. Green that shines through an edge is subtracted, and green reflected on the subject is reduced to
 * its other colours.
 */
export const removeGreen = ({ data }: Raster, screen: Screen): void => {
  const upperBound = screen.green * screenOnlyShare
  const lowerBound = screen.green * subjectOnlyShare
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
    const pixelGreenness = greenness(red, green, blue)
    if (pixelGreenness >= upperBound) {
      data[at] = data[at + 1] = data[at + 2] = data[at + 3] = 0
      continue
    }
    const opacity = pixelGreenness <= lowerBound ? 1 : (upperBound - pixelGreenness) / (upperBound - lowerBound)
    const screenShare = 1 - opacity
    const withoutScreen = (value: number, screenValue: number): number =>
      clampToByte((value - screenShare * screenValue) / opacity)
    const isOpaque = opacity === 1
    const [cleanRed, cleanBlue] = isOpaque
      ? [red, blue]
      : [withoutScreen(red, screen.red), withoutScreen(blue, screen.blue)]
    const cleanGreen = isOpaque ? green : withoutScreen(green, screen.greenLight)
    data[at] = cleanRed
    data[at + 2] = cleanBlue
    data[at + 1] = Math.min(cleanGreen, Math.max(cleanRed, cleanBlue))
    data[at + 3] = Math.round(255 * opacity)
  }
}

/** The longest side of the preview for staff, in pixels. */
const previewSide = 1280

/** The size at which an image is decoded to look for a screen, before it is decoded in full. */
const probeSize = { width: 400, height: 400, fit: 'inside', withoutEnlargement: true } as const

const cutOutSize = (width: number, height: number): { width: number; height: number } => {
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)), maxWebpSide / Math.max(width, height))
  return { width: Math.floor(width * scale), height: Math.floor(height * scale) }
}

/** Cuts the subject out of an image in this thread. Throws for an unreadable image, which the upload should have rejected. */
export const cutOutSubject: ChromaKey = async (original) => {
  const probe = await pixelsOf(openImage(original).autoOrient().resize(probeSize).ensureAlpha())
  const screen = findGreenScreen(probe)
  if (!screen) return null
  const { autoOrient } = await openImage(original).metadata()
  const size = cutOutSize(autoOrient.width, autoOrient.height)
  const pixels = await pixelsOf(
    openImage(original)
      .autoOrient()
      .resize({ ...size, fit: 'fill' })
      .ensureAlpha(),
  )
  removeGreen(pixels, screen)
  const webp = await openPixels(pixels).webp({ quality: 95, alphaQuality: 100, effort: 1 }).toBuffer()
  const previewBox = { width: previewSide, height: previewSide, fit: 'inside', withoutEnlargement: true } as const
  const previewPixels = await pixelsOf(openPixels(pixels).resize(previewBox))
  const preview = await renderVariant(previewPixels)
  return { webp, width: pixels.width, height: pixels.height, thumb: await renderThumbnail(previewPixels), preview }
}
