import { type ChosenImage, placeImage } from '#domain/printing/image-placement.ts'
import { type ImageSource, openImage, openPixels, type Pixels, pixelsOf } from '../engine/image-engine.ts'
import { type Area, intersectionOf, onPixels } from './print-area.ts'
import type { Layer } from './print-paper.ts'
import { type Placement, placedArea, placementOf, placementOfPart, seenPart } from './print-placement.ts'

/** An original with its crop. `width` and `height` are of the upright image in pixels, from `inspect`. */
export type PrintOriginal = ChosenImage & { source: ImageSource }

/** Pixels repeated around the resampled part: an edge of the image at an edge of the print must not fade. */
const border = 3

/** The print, and the colour below transparent parts; null for whatever is below. */
type PrintTarget = { print: Area; ground: string | null }

/**
 * Draws an image in its node, clipped at the node's edges. The visible part is first scaled near the print's size, with a filter that reads
 * every pixel, and then rotated and moved by fractions of a pixel to its position.
 */
export const drawPrintImage = async (original: PrintOriginal, node: Area, onto: PrintTarget): Promise<Layer | null> => {
  const visible = intersectionOf(onPixels(node), onto.print)
  if (!visible) return null
  const placement = placementOf(original, placeImage(original, node.width / node.height), node)
  const part = seenPart(original, placement, visible)
  if (!part) return null
  const size = sizeNear(part, placement)
  const pixels = await readPart(original, part, size)
  return await turnAndMove(pixels, placementOfPart(placement, { part, size, border }), { visible, ground: onto.ground })
}

/** The printed size, where that is smaller: enlarging is left to the last step. */
const sizeNear = ({ width, height }: Area, { turn: { a, b, c, d } }: Placement) => ({
  width: Math.ceil(width * Math.min(1, Math.hypot(a, c))),
  height: Math.ceil(height * Math.min(1, Math.hypot(b, d))),
})

type Size = { width: number; height: number }

const readPart = async ({ source }: PrintOriginal, part: Area, size: Size): Promise<Pixels> => {
  const upright = openImage(source, { sequentialRead: false }).autoOrient().extract(part)
  const edges = { top: border, bottom: border, left: border, right: border, extendWith: 'copy' } as const
  const resized = upright.resize({ ...size, fit: 'fill' }).extend(edges)
  return await pixelsOf(resized.ensureAlpha())
}

type Cut = { visible: Area; ground: string | null }

// The engine positions pixels by their centres, a placement by their corners.
const half = 0.5

const turnAndMove = async (
  pixels: Pixels,
  { turn, move }: Placement,
  { visible, ground }: Cut,
): Promise<Layer | null> => {
  const { a, b, c, d } = turn
  const x = (a + b) * half + move.x - half
  const y = (c + d) * half + move.y - half
  // The engine's canvas is the rotated image's bounding box, at whole pixels; the rest is done by cropping.
  const whole = { x: Math.floor(x), y: Math.floor(y) }
  const box = onPixels(placedArea({ turn, move: { x: 0, y: 0 } }, { left: 0, top: 0, ...sizeOf(pixels) }))
  const drawn = await pixelsOf(
    openPixels(pixels).affine([a, b, c, d], {
      background: { r: 0, g: 0, b: 0, alpha: 0 },
      interpolator: 'bicubic',
      odx: x - whole.x,
      ody: y - whole.y,
    }),
  )
  const lies = { left: box.left + whole.x, top: box.top + whole.y, ...sizeOf(drawn) }
  const cut = intersectionOf(lies, visible)
  if (!cut) return null
  const part = openPixels(drawn).extract({ ...cut, left: cut.left - lies.left, top: cut.top - lies.top })
  return { area: cut, content: await pixelsOf(ground ? part.flatten({ background: ground }) : part) }
}

const sizeOf = ({ width, height }: Pixels): Size => ({ width, height })
