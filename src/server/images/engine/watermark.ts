import { openPixels, openSvg, type Pixels, pixelsOf } from './image-engine.ts'
import { letteringPath } from './lettering.ts'

/** The longest side of a preview, in pixels. */
export const PREVIEW_SIDE = 1280

/** A studio's watermark at the size of the largest preview; drawn once and used for many images. */
export type Watermark = Pixels

const CAPITAL_HEIGHT = 30
const STROKE_WIDTH = 3.8
const LINE_HEIGHT = 150
const GAP_WIDTH = 110

const letteringOf = (name: string): { path: string; width: number } => {
  const lettering = letteringPath(name)
  return lettering.width > 0 ? lettering : letteringPath('PROOF')
}

const namePositions = (step: number): { x: number; y: number }[] => {
  const positions: { x: number; y: number }[] = []
  // The lines are horizontal and the whole drawing is rotated afterwards, so they must extend far beyond its edges.
  for (let row = -9; row <= 9; row += 1) {
    const indent = row % 2 === 0 ? 0 : step / 2
    const start = -step * Math.ceil(1200 / step) - indent
    for (let x = start; x < 1200; x += step) positions.push({ x, y: row * LINE_HEIGHT })
  }
  return positions
}

/**
 * The studio's name, repeated and slanted, light with a dark edge so that it is visible on white and on black. A name
 * without a letter that we can draw becomes "PROOF".
 */
export const drawWatermark = (studioName: string): Promise<Watermark> => {
  const { path, width } = letteringOf(studioName)
  const scale = CAPITAL_HEIGHT / 100
  const step = width * scale + GAP_WIDTH
  const uses = namePositions(step).map(({ x, y }) => `<use href="#name" x="${x / scale}" y="${y / scale}"/>`)
  const half = PREVIEW_SIDE / 2
  const drawNames = (colour: string, penWidth: number, opacity: number) =>
    `<g stroke="${colour}" stroke-width="${penWidth / scale}" opacity="${opacity}">${uses.join('')}</g>`
  return pixelsOf(
    openSvg(`<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_SIDE}" height="${PREVIEW_SIDE}">
      <defs><path id="name" d="${path}"/></defs>
      <g transform="translate(${half} ${half}) rotate(-28) scale(${scale})" fill="none" stroke-linecap="round" stroke-linejoin="round">
        ${drawNames('#000', STROKE_WIDTH * 1.9, 0.16)}${drawNames('#fff', STROKE_WIDTH, 0.42)}
      </g></svg>`),
  )
}

/** Lays the watermark over the middle of the image; transparent parts of a cut-out stay transparent. */
export const applyWatermark = (image: Pixels, watermark: Watermark): Promise<Pixels> => {
  const width = Math.min(image.width, watermark.width)
  const height = Math.min(image.height, watermark.height)
  const left = Math.floor((watermark.width - width) / 2)
  const top = Math.floor((watermark.height - height) / 2)
  return openPixels(watermark)
    .extract({ left, top, width, height })
    .raw()
    .toBuffer()
    .then((input) =>
      pixelsOf(
        openPixels(image).composite([{ input, raw: { width, height, channels: 4 }, left: 0, top: 0, blend: 'atop' }]),
      ),
    )
}
