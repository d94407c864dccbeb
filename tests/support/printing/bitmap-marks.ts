import sharp from 'sharp'
import type { PositionCoords } from '#domain/catalogue/catalogue.ts'
import type { MarkName } from './print-chart.ts'

export type Bitmap = { data: Buffer; width: number; height: number }

export const readBitmap = async (file: Uint8Array): Promise<Bitmap> => {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

type ColourWeight = (red: number, green: number, blue: number) => number

/** How much of a mark's colour a pixel has; zero for grey, white and every other mark. */
const colourWeights: Record<MarkName, ColourWeight> = {
  red: (r, g, b) => r - Math.max(g, b),
  green: (r, g, b) => g - Math.max(r, b),
  blue: (r, g, b) => b - Math.max(r, g),
  yellow: (r, g, b) => Math.min(r, g) - b,
  magenta: (r, g, b) => Math.min(r, b) - g,
  cyan: (r, g, b) => Math.min(g, b) - r,
}

/** A pixel of less weight is JPEG noise. */
const minWeight = 48

export type FoundMark = { x: number; y: number; weight: number }

type Area = { left: number; top: number; right: number; bottom: number }

const centroid = ({ data, width }: Bitmap, { left, top, right, bottom }: Area, weigh: ColourWeight): FoundMark => {
  let [x, y, weight] = [0, 0, 0]
  for (let row = top; row < bottom; row += 1) {
    for (let column = left; column < right; column += 1) {
      const offset = (row * width + column) * 3
      const pixelWeight = weigh(data[offset] ?? 0, data[offset + 1] ?? 0, data[offset + 2] ?? 0)
      if (pixelWeight < minWeight) continue
      x += pixelWeight * (column + 0.5)
      y += pixelWeight * (row + 0.5)
      weight += pixelWeight
    }
  }
  return { x: x / weight, y: y / weight, weight }
}

/** How far around its expected position a mark is searched, in pixels. Larger than the largest mark and the allowed error. */
const searchRadius = 150

/** The centroid of a mark near a position, in pixels. Its weight measures its size. */
export const findMark = (bitmap: Bitmap, name: MarkName, { x, y }: { x: number; y: number }): FoundMark => {
  const area = {
    left: Math.max(0, Math.floor(x - searchRadius)),
    top: Math.max(0, Math.floor(y - searchRadius)),
    right: Math.min(bitmap.width, Math.ceil(x + searchRadius)),
    bottom: Math.min(bitmap.height, Math.ceil(y + searchRadius)),
  }
  return centroid(bitmap, area, colourWeights[name])
}

type InkColumns = { columns: readonly number[]; area: Area; weigh: ColourWeight }

/** The amount of ink in each column of a text's box. Ink is darker or lighter than the plain ground. */
const inkColumnsIn = (bitmap: Bitmap, box: PositionCoords, ground: number): InkColumns => {
  const area = {
    left: Math.floor((box.x / 100) * bitmap.width),
    top: Math.floor((box.y / 100) * bitmap.height),
    right: Math.ceil(((box.x + box.width) / 100) * bitmap.width),
    bottom: Math.ceil(((box.y + box.height) / 100) * bitmap.height),
  }
  const weigh: ColourWeight = (red, green, blue) => Math.abs((red + green + blue) / 3 - ground)
  const columns = Array.from({ length: area.right - area.left }, (_, n) => {
    const left = area.left + n
    return centroid(bitmap, { ...area, left, right: left + 1 }, weigh).weight
  })
  return { columns, area, weigh }
}

/** The centres of a text's letters in both bitmaps, from left to right. Letters that touch in either count as one. */
export const findLetters = (
  first: Bitmap,
  second: Bitmap,
  box: PositionCoords,
  ground: number,
): [FoundMark, FoundMark][] => {
  const [firstInk, secondInk] = [inkColumnsIn(first, box, ground), inkColumnsIn(second, box, ground)]
  const letters: [FoundMark, FoundMark][] = []
  let start: number | null = null
  for (let n = 0; n <= firstInk.columns.length; n += 1) {
    const hasInk = (firstInk.columns[n] ?? 0) + (secondInk.columns[n] ?? 0) > 0
    if (hasInk) start ??= n
    else if (start !== null) {
      const strip = { ...firstInk.area, left: firstInk.area.left + start, right: firstInk.area.left + n }
      letters.push([centroid(first, strip, firstInk.weigh), centroid(second, strip, secondInk.weigh)])
      start = null
    }
  }
  return letters
}
