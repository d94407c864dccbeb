import { openPixels, openSvg, type Pixels, pixelsOf } from './image-engine.ts'
import { letteringPath } from './lettering.ts'

/** The longest side of a preview, in pixels. */
export const PREVIEW_SIDE = 1280

/** A studio's watermark at the size of the largest preview; draw it once and use it for many images. */
export type Watermark = Pixels

const CAPITALS = 30
const STROKE = 3.8
const LINE = 150
const GAP = 110

const lines = (name: string): { path: string; width: number } => {
  const drawn = letteringPath(name)
  return drawn.width > 0 ? drawn : letteringPath('PROOF')
}

const places = (step: number): { x: number; y: number }[] => {
  const found: { x: number; y: number }[] = []
  // The lines are horizontal and the whole sheet is rotated afterwards, so they must reach well past its edges.
  for (let row = -9; row <= 9; row += 1) {
    const indent = row % 2 === 0 ? 0 : step / 2
    for (let x = -step * Math.ceil(1200 / step) - indent; x < 1200; x += step) found.push({ x, y: row * LINE })
  }
  return found
}

/**
 * The studio's name repeated, slanted, light with a dark edge so that it is visible on white and on black. A name without a letter we can
 * draw becomes "PROOF".
 */
export const drawWatermark = (studioName: string): Promise<Watermark> => {
  const { path, width } = lines(studioName)
  const scale = CAPITALS / 100
  const step = width * scale + GAP
  const uses = places(step).map(({ x, y }) => `<use href="#name" x="${x / scale}" y="${y / scale}"/>`)
  const half = PREVIEW_SIDE / 2
  const drawing = (colour: string, pen: number, opacity: number) =>
    `<g stroke="${colour}" stroke-width="${pen / scale}" opacity="${opacity}">${uses.join('')}</g>`
  return pixelsOf(
    openSvg(`<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_SIDE}" height="${PREVIEW_SIDE}">
      <defs><path id="name" d="${path}"/></defs>
      <g transform="translate(${half} ${half}) rotate(-28) scale(${scale})" fill="none" stroke-linecap="round" stroke-linejoin="round">
        ${drawing('#000', STROKE * 1.9, 0.16)}${drawing('#fff', STROKE, 0.42)}
      </g></svg>`),
  )
}

/** Lays the watermark over the middle of the image; transparent parts of a cut-out stay transparent. */
export const applyWatermark = (picture: Pixels, watermark: Watermark): Promise<Pixels> => {
  const width = Math.min(picture.width, watermark.width)
  const height = Math.min(picture.height, watermark.height)
  const left = Math.floor((watermark.width - width) / 2)
  const top = Math.floor((watermark.height - height) / 2)
  return openPixels(watermark)
    .extract({ left, top, width, height })
    .raw()
    .toBuffer()
    .then((input) =>
      pixelsOf(
        openPixels(picture).composite([{ input, raw: { width, height, channels: 4 }, left: 0, top: 0, blend: 'atop' }]),
      ),
    )
}
