import { type ChosenImage, placeImage } from '#domain/printing/image-placement.ts'
import { type ImageSource, openImage, openPixels, type Pixels, pixelsOf } from '../engine/image-engine.ts'
import { type Area, intersectionOf, roundToPixels } from './print-area.ts'
import type { Layer } from './print-paper.ts'
import { type Placement, placedArea, placementOf, placementOfPart, visiblePart } from './print-placement.ts'

/** An original with its crop. `width` and `height` are the size in pixels after EXIF rotation, as `inspect` returns it. */
export type PrintOriginal = ChosenImage & { source: ImageSource }

/**
 * The number of pixels by which the resampled part is extended on each side. They repeat its outermost pixels, so that
 * the image does not fade at an edge of the print.
 */
const border = 3

/** The area of the print. `backdrop` is the colour below transparent parts; null if the layers below stay visible. */
type PrintTarget = { print: Area; backdrop: string | null }

/**
 * Draws an image in its node, clipped at the node's edges. The visible part is first scaled down to about its printed size, with a filter
 * that reads every pixel, and then rotated and moved by fractions of a pixel to its position.
 */
export const drawPrintImage = async (
  original: PrintOriginal,
  node: Area,
  target: PrintTarget,
): Promise<Layer | null> => {
  const visible = intersectionOf(roundToPixels(node), target.print)
  if (!visible) return null
  const placement = placementOf(original, placeImage(original, node.width / node.height), node)
  const part = visiblePart(original, placement, visible)
  if (!part) return null
  const size = resampledSize(part, placement)
  const pixels = await readPart(original, part, size)
  return await transformAndPosition(pixels, placementOfPart(placement, { part, size, border }), {
    visible,
    backdrop: target.backdrop,
  })
}

/** The size of a part before it is rotated: its printed size if that is smaller, otherwise its own. `transformAndPosition` enlarges it if needed. */
const resampledSize = ({ width, height }: Area, { turn: { a, b, c, d } }: Placement) => ({
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

type VisibleTarget = { visible: Area; backdrop: string | null }

// The engine's coordinates are those of a pixel's centre; a placement's are those of its upper left corner.
const pixelCentreOffset = 0.5

const transformAndPosition = async (
  pixels: Pixels,
  { turn, move }: Placement,
  { visible, backdrop }: VisibleTarget,
): Promise<Layer | null> => {
  const { a, b, c, d } = turn
  const x = (a + b) * pixelCentreOffset + move.x - pixelCentreOffset
  const y = (c + d) * pixelCentreOffset + move.y - pixelCentreOffset
  // The engine returns the bounding box of the rotated image at whole pixels. The fraction of a pixel is passed as `odx` and `ody`.
  const wholePixels = { x: Math.floor(x), y: Math.floor(y) }
  const box = roundToPixels(placedArea({ turn, move: { x: 0, y: 0 } }, { left: 0, top: 0, ...sizeOf(pixels) }))
  const drawn = await pixelsOf(
    openPixels(pixels).affine([a, b, c, d], {
      background: { r: 0, g: 0, b: 0, alpha: 0 },
      interpolator: 'bicubic',
      odx: x - wholePixels.x,
      ody: y - wholePixels.y,
    }),
  )
  const drawnArea = { left: box.left + wholePixels.x, top: box.top + wholePixels.y, ...sizeOf(drawn) }
  const visibleDrawn = intersectionOf(drawnArea, visible)
  if (!visibleDrawn) return null
  const part = openPixels(drawn).extract({
    ...visibleDrawn,
    left: visibleDrawn.left - drawnArea.left,
    top: visibleDrawn.top - drawnArea.top,
  })
  return { area: visibleDrawn, content: await pixelsOf(backdrop ? part.flatten({ background: backdrop }) : part) }
}

const sizeOf = ({ width, height }: Pixels): Size => ({ width, height })
