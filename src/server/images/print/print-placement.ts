import type { RenderBox } from '#domain/printing/crop.ts'
import { type Area, aroundPixels, intersectionOf } from './print-area.ts'

type Point = { x: number; y: number }

/** Across and down; `a b` is the first row. */
type Matrix = { a: number; b: number; c: number; d: number }

/** How an upright image is placed on a print: scaled and rotated by `turn`, then moved by `move`. From pixels to pixels. */
export type Placement = { turn: Matrix; move: Point }

const quarterTurns: Readonly<Record<number, readonly [cos: number, sin: number]>> = {
  0: [1, 0],
  90: [0, 1],
  180: [-1, 0],
  270: [0, -1],
}

const turned = ({ a, b, c, d }: Matrix, { x, y }: Point): Point => ({ x: a * x + b * y, y: c * x + d * y })

const place = ({ turn, move }: Placement, point: Point): Point => {
  const { x, y } = turned(turn, point)
  return { x: x + move.x, y: y + move.y }
}

const inverse = ({ turn: { a, b, c, d }, move }: Placement): Placement => {
  const size = a * d - b * c
  const turn = { a: d / size, b: -b / size, c: -c / size, d: a / size }
  const { x, y } = turned(turn, move)
  return { turn, move: { x: -x, y: -y } }
}

/** The placement that `box` describes for an image of this size in a node at `node` on the print. */
export const placementOf = (picture: { width: number; height: number }, box: RenderBox, node: Area): Placement => {
  const radians = (box.rotation * Math.PI) / 180
  const [cos, sin] = quarterTurns[box.rotation] ?? [Math.cos(radians), Math.sin(radians)]
  const across = ((box.width / 100) * node.width) / picture.width
  const down = ((box.height / 100) * node.height) / picture.height
  const turn = { a: cos * across, b: -sin * down, c: sin * across, d: cos * down }
  const middle = turned(turn, { x: picture.width / 2, y: picture.height / 2 })
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
  ].map((corner) => place(placement, corner))
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  const least = { x: Math.min(...xs), y: Math.min(...ys) }
  return { left: least.x, top: least.y, width: Math.max(...xs) - least.x, height: Math.max(...ys) - least.y }
}

/** Extra pixels around the visible part, for a resampling filter. */
const margin = 4

/** The part of an image that is visible in an area of the print, in whole pixels; null where none is. */
export const seenPart = (picture: { width: number; height: number }, placement: Placement, area: Area): Area | null => {
  const { left, top, width, height } = area
  const wide = { left: left - margin, top: top - margin, width: width + 2 * margin, height: height + 2 * margin }
  return intersectionOf(aroundPixels(placedArea(inverse(placement), wide)), { left: 0, top: 0, ...sizeOf(picture) })
}

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height })

/** Converts an image's placement to one for a part of it that was scaled to `size` pixels and then extended by `border` on each side. */
export const placementOfPart = (
  { turn, move }: Placement,
  { part, size, border }: { part: Area; size: { width: number; height: number }; border: number },
): Placement => {
  const across = part.width / size.width
  const down = part.height / size.height
  const first = place({ turn, move }, { x: part.left - border * across, y: part.top - border * down })
  return { turn: { a: turn.a * across, b: turn.b * down, c: turn.c * across, d: turn.d * down }, move: first }
}
