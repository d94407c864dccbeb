import type { RenderBox } from '#domain/printing/crop.ts'
import { type Area, expandToPixels, intersectionOf } from './print-area.ts'

type Point = { x: number; y: number }

/** A matrix with the rows `a b` and `c d`. */
type Matrix = { a: number; b: number; c: number; d: number }

/** How an upright image is placed on a print: scaled and rotated by `turn`, then moved by `move`. From pixels to pixels. */
export type Placement = { turn: Matrix; move: Point }

const quarterTurns: Readonly<Record<number, readonly [cos: number, sin: number]>> = {
  0: [1, 0],
  90: [0, 1],
  180: [-1, 0],
  270: [0, -1],
}

const applyMatrix = ({ a, b, c, d }: Matrix, { x, y }: Point): Point => ({ x: a * x + b * y, y: c * x + d * y })

const applyPlacement = ({ turn, move }: Placement, point: Point): Point => {
  const { x, y } = applyMatrix(turn, point)
  return { x: x + move.x, y: y + move.y }
}

const inverse = ({ turn: { a, b, c, d }, move }: Placement): Placement => {
  const determinant = a * d - b * c
  const turn = { a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant }
  const { x, y } = applyMatrix(turn, move)
  return { turn, move: { x: -x, y: -y } }
}

/** The placement of an image of this size that `box` describes, in a node of the print with the area `node`. */
export const placementOf = (image: { width: number; height: number }, box: RenderBox, node: Area): Placement => {
  const radians = (box.rotation * Math.PI) / 180
  const [cos, sin] = quarterTurns[box.rotation] ?? [Math.cos(radians), Math.sin(radians)]
  const scaleX = ((box.width / 100) * node.width) / image.width
  const scaleY = ((box.height / 100) * node.height) / image.height
  const turn = { a: cos * scaleX, b: -sin * scaleY, c: sin * scaleX, d: cos * scaleY }
  const middle = applyMatrix(turn, { x: image.width / 2, y: image.height / 2 })
  const move = {
    x: node.left + (box.left / 100) * node.width - middle.x,
    y: node.top + (box.top / 100) * node.height - middle.y,
  }
  return { turn, move }
}

/** The bounding box of an area after the placement. */
export const placedArea = (placement: Placement, { left, top, width, height }: Area): Area => {
  const corners = [
    { x: left, y: top },
    { x: left + width, y: top },
    { x: left, y: top + height },
    { x: left + width, y: top + height },
  ].map((corner) => applyPlacement(placement, corner))
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  const min = { x: Math.min(...xs), y: Math.min(...ys) }
  return { left: min.x, top: min.y, width: Math.max(...xs) - min.x, height: Math.max(...ys) - min.y }
}

/** Extra pixels around the visible part, for a resampling filter. */
const margin = 4

/** The part of an image that is visible in an area of the print, in whole pixels; null if none is. */
export const visiblePart = (
  image: { width: number; height: number },
  placement: Placement,
  area: Area,
): Area | null => {
  const { left, top, width, height } = area
  const areaWithMargin = {
    left: left - margin,
    top: top - margin,
    width: width + 2 * margin,
    height: height + 2 * margin,
  }
  return intersectionOf(expandToPixels(placedArea(inverse(placement), areaWithMargin)), {
    left: 0,
    top: 0,
    ...sizeOf(image),
  })
}

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height })

/** Converts an image's placement to one for a part of it that was scaled to `size` pixels and then extended by `border` on each side. */
export const placementOfPart = (
  { turn, move }: Placement,
  { part, size, border }: { part: Area; size: { width: number; height: number }; border: number },
): Placement => {
  const scaleX = part.width / size.width
  const scaleY = part.height / size.height
  const firstPixel = applyPlacement({ turn, move }, { x: part.left - border * scaleX, y: part.top - border * scaleY })
  return { turn: { a: turn.a * scaleX, b: turn.b * scaleY, c: turn.c * scaleX, d: turn.d * scaleY }, move: firstPixel }
}
