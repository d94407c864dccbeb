import { openImage, openPixels, openSvg, type Pixels, pixelsOf } from './image-engine.ts'
import { letteringPath } from './lettering.ts'

/** The longest side of a preview, in pixels. */
export const PREVIEW_SIDE = 1280

/** What a watermark shows, and how. */
export type Mark = {
  /** Identifies what is drawn: equal marks have equal keys. */
  readonly key: string
  readonly text: string
  /** An encoded image with transparency, which is drawn instead of the text. */
  readonly image?: Uint8Array
  readonly opacityPercent: number
  readonly placement: 'tile' | 'center'
}

/** The watermark of a studio that has none of its own: its name. */
export const nameMark = (studioName: string): Mark => ({
  ...{ key: `name ${studioName}`, text: studioName },
  ...{ opacityPercent: 42, placement: 'tile' },
})

/** A watermark at the size of the largest preview; drawn once and used for many images. */
export type Watermark = Pixels & Pick<Mark, 'placement'>

const CAPITAL_HEIGHT = 30
const STROKE_WIDTH = 3.8
const LINE_HEIGHT = 150
const GAP_WIDTH = 110
/** The largest size of a repeated image, and the gap around it. */
const TILE_WIDTH = 240
const TILE_HEIGHT = 120
const TILE_GAP = 90
/** The largest size of a watermark in the middle. */
const CENTER_WIDTH = PREVIEW_SIDE * 0.8
const CENTER_HEIGHT = PREVIEW_SIDE * 0.5
const CENTER_CAPITAL_HEIGHT = 200

/** What is drawn once or repeated: an SVG element at the origin, at its size. */
type Motif = { readonly element: string; readonly width: number; readonly lineHeight: number; readonly gap: number }

const letteringOf = (name: string): { path: string; width: number } => {
  const lettering = letteringPath(name)
  return lettering.width > 0 ? lettering : letteringPath('PROOF')
}

/** Lettering that is light with a dark edge, so that it is visible on white and on black. */
const letteringMotif = ({ path, width }: ReturnType<typeof letteringOf>, capitalHeight: number): Motif => {
  const scale = capitalHeight / 100
  const pen = (STROKE_WIDTH / CAPITAL_HEIGHT) * 100
  const drawn = (colour: string, penWidth: number, opacity: number) =>
    `<path d="${path}" stroke="${colour}" stroke-width="${penWidth}" opacity="${opacity}"/>`
  return {
    element: `<g transform="scale(${scale})" fill="none" stroke-linecap="round" stroke-linejoin="round">
      ${drawn('#000', pen * 1.9, 0.38)}${drawn('#fff', pen, 1)}</g>`,
    width: width * scale,
    lineHeight: LINE_HEIGHT,
    gap: GAP_WIDTH,
  }
}

const imageMotif = async (image: Uint8Array, box: { width: number; height: number }): Promise<Motif> => {
  const { data, info } = await openImage(image)
    .resize({ ...box, fit: 'inside' })
    .png()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return {
    element: `<image width="${width}" height="${height}" href="data:image/png;base64,${data.toString('base64')}"/>`,
    width,
    lineHeight: height + TILE_GAP,
    gap: TILE_GAP,
  }
}

const tilePositions = ({ width, gap, lineHeight }: Motif): { x: number; y: number }[] => {
  const step = width + gap
  const rows = Math.ceil(1350 / lineHeight)
  const positions: { x: number; y: number }[] = []
  // The lines are horizontal and the whole drawing is rotated afterwards, so they must extend far beyond its edges.
  for (let row = -rows; row <= rows; row += 1) {
    const indent = row % 2 === 0 ? 0 : step / 2
    const start = -step * Math.ceil(1200 / step) - indent
    for (let x = start; x < 1200; x += step) positions.push({ x, y: row * lineHeight })
  }
  return positions
}

const svgOf = (motif: Motif, opacityPercent: number, placed: string): string => `
  <svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_SIDE}" height="${PREVIEW_SIDE}">
    <defs><g id="motif">${motif.element}</g></defs>
    <g transform="translate(${PREVIEW_SIDE / 2} ${PREVIEW_SIDE / 2})" opacity="${opacityPercent / 100}">${placed}</g>
  </svg>`

const drawTiles = async ({ text, image, opacityPercent }: Mark): Promise<string> => {
  const motif = image
    ? await imageMotif(image, { width: TILE_WIDTH, height: TILE_HEIGHT })
    : letteringMotif(letteringOf(text), CAPITAL_HEIGHT)
  const uses = tilePositions(motif).map(({ x, y }) => `<use href="#motif" x="${x}" y="${y}"/>`)
  return svgOf(motif, opacityPercent, `<g transform="rotate(-28)">${uses.join('')}</g>`)
}

const drawCenter = async ({ text, image, opacityPercent }: Mark): Promise<string> => {
  if (image) {
    const motif = await imageMotif(image, { width: CENTER_WIDTH, height: CENTER_HEIGHT })
    const y = -(motif.lineHeight - TILE_GAP) / 2
    return svgOf(motif, opacityPercent, `<use href="#motif" x="${-motif.width / 2}" y="${y}"/>`)
  }
  const lettering = letteringOf(text)
  const capitalHeight = Math.min(CENTER_CAPITAL_HEIGHT, (CENTER_WIDTH / lettering.width) * 100)
  const motif = letteringMotif(lettering, capitalHeight)
  return svgOf(motif, opacityPercent, `<use href="#motif" x="${-motif.width / 2}" y="${-capitalHeight / 2}"/>`)
}

/**
 * Draws a watermark. In a pattern, the text or image is repeated and slanted. A text without a letter that we can draw
 * becomes "PROOF".
 */
export const drawWatermark = async (mark: Mark): Promise<Watermark> => {
  const svg = await (mark.placement === 'tile' ? drawTiles(mark) : drawCenter(mark))
  return { ...(await pixelsOf(openSvg(svg))), placement: mark.placement }
}

/** The part of a pattern that covers an image, or a single watermark as large as the image's shorter side. */
const fitWatermark = (image: Pixels, watermark: Watermark): Promise<Pixels> => {
  if (watermark.placement === 'center') {
    const side = Math.min(image.width, image.height, PREVIEW_SIDE)
    return pixelsOf(openPixels(watermark).resize(side, side))
  }
  const width = Math.min(image.width, watermark.width)
  const height = Math.min(image.height, watermark.height)
  const left = Math.floor((watermark.width - width) / 2)
  const top = Math.floor((watermark.height - height) / 2)
  return pixelsOf(openPixels(watermark).extract({ left, top, width, height }))
}

/** Lays the watermark over the middle of the image; transparent parts of a cut-out stay transparent. */
export const applyWatermark = async (image: Pixels, watermark: Watermark): Promise<Pixels> => {
  const { data: input, width, height, channels } = await fitWatermark(image, watermark)
  const left = Math.floor((image.width - width) / 2)
  const top = Math.floor((image.height - height) / 2)
  return await pixelsOf(
    openPixels(image).composite([{ input, raw: { width, height, channels }, left, top, blend: 'atop' }]),
  )
}
