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

/** Lower weights are JPEG noise. */
const minWeight = 48

export type FoundMark = { x: number; y: number; weight: number }

type Area = { left: number; top: number; right: number; bottom: number }

const centroid = ({ data, width }: Bitmap, { left, top, right, bottom }: Area, weigh: ColourWeight): FoundMark => {
  let [x, y, weight] = [0, 0, 0]
  for (let row = top; row < bottom; row += 1) {
    for (let column = left; column < right; column += 1) {
      const at = (row * width + column) * 3
      const one = weigh(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)
      if (one < minWeight) continue
      x += one * (column + 0.5)
      y += one * (row + 0.5)
      weight += one
    }
  }
  return { x: x / weight, y: y / weight, weight }
}

/** How far around its expected place a mark is searched, in pixels: covers the largest mark and far more than the allowed error. */
const searchRadius = 150

/** The centroid of a mark near a place, in pixels. Its weight measures its size. */
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

/** The amount of ink in each column of a text's box: what is darker or lighter than the plain ground. */
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
  one: Bitmap,
  other: Bitmap,
  box: PositionCoords,
  ground: number,
): [FoundMark, FoundMark][] => {
  const [first, second] = [inkColumnsIn(one, box, ground), inkColumnsIn(other, box, ground)]
  const letters: [FoundMark, FoundMark][] = []
  let begin: number | null = null
  for (let n = 0; n <= first.columns.length; n += 1) {
    const inked = (first.columns[n] ?? 0) + (second.columns[n] ?? 0) > 0
    if (inked) begin ??= n
    else if (begin !== null) {
      const strip = { ...first.area, left: first.area.left + begin, right: first.area.left + n }
      letters.push([centroid(one, strip, first.weigh), centroid(other, strip, second.weigh)])
      begin = null
    }
  }
  return letters
}
