import type { PositionCoords } from './catalogue.ts'
import { minNodeSide } from './package-draft.ts'

/** The sides and corners a node can be resized by. */
export const resizeHandles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const
export type ResizeHandle = (typeof resizeHandles)[number]

/** A distance in percentages of the print. */
export type Offset = { x: number; y: number }

const two = (value: number): number => Math.round(value * 100) / 100
const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** Clamps a box to the print and to the minimum size; rounds to hundredths of a per cent. */
export const clampToPrint = ({ x, y, width, height }: PositionCoords): PositionCoords => {
  const wide = two(between(width, minNodeSide, 100))
  const high = two(between(height, minNodeSide, 100))
  return { x: two(between(x, 0, 100 - wide)), y: two(between(y, 0, 100 - high)), width: wide, height: high }
}

/** Moves a box within the print; its size stays. */
export const movePosition = (box: PositionCoords, { x, y }: Offset): PositionCoords =>
  clampToPrint({ ...box, x: box.x + x, y: box.y + y })

type Resizing = {
  handle: ResizeHandle
  by: Offset
  /** Aspect ratio to preserve (width / height in percentages); null resizes both sides independently. */
  keep?: number | null
}

type Span = { from: number; to: number }

/** Resizes a box in one direction by moving one of its ends. */
const stretchSpan = ({ from, to }: Span, end: 'from' | 'to' | null, by: number): Span => {
  if (end === 'from') return { from: between(from + by, 0, to - minNodeSide), to }
  if (end === 'to') return { from, to: between(to + by, from + minNodeSide, 100) }
  return { from, to }
}

/** Moves a side or corner of a box; the opposite sides stay. */
export const resizePosition = (box: PositionCoords, { handle, by, keep = null }: Resizing): PositionCoords => {
  const across = handle.includes('w') ? 'from' : handle.includes('e') ? 'to' : null
  const down = handle.includes('n') ? 'from' : handle.includes('s') ? 'to' : null
  const h = stretchSpan({ from: box.x, to: box.x + box.width }, across, by.x)
  const v = stretchSpan({ from: box.y, to: box.y + box.height }, down, by.y)
  const free = { x: h.from, y: v.from, width: h.to - h.from, height: v.to - v.from }
  return clampToPrint(keep === null ? free : inProportion(free, { box, across, down, keep }))
}

type Proportion = { box: PositionCoords; across: 'from' | 'to' | null; down: 'from' | 'to' | null; keep: number }

/**
 * The largest box of the ratio that fits into the freely resized box; for a side handle, the size that the side
 * determines.
 */
const inProportion = (free: PositionCoords, { box, across, down, keep }: Proportion): PositionCoords => {
  const wanted =
    down === null ? free.width : across === null ? free.height * keep : Math.max(free.width, free.height * keep)
  const right = box.x + box.width
  const bottom = box.y + box.height
  const roomAcross = across === 'from' ? right : 100 - box.x
  const roomDown = down === 'from' ? bottom : 100 - box.y
  const least = Math.max(minNodeSide, minNodeSide * keep)
  const width = Math.max(least, Math.min(wanted, roomAcross, roomDown * keep))
  const height = width / keep
  return { x: across === 'from' ? right - width : box.x, y: down === 'from' ? bottom - height : box.y, width, height }
}

/** Snap distance, in percentages of the print. */
export const snapReach = 1.2

export type SnapLines = { x: number[]; y: number[] }

/** The lines that edges and centres snap to: those of the print and of all other nodes. */
export const snapLines = (others: readonly PositionCoords[]): SnapLines => ({
  x: [0, 50, 100, ...others.flatMap(({ x, width }) => [x, x + width / 2, x + width])],
  y: [0, 50, 100, ...others.flatMap(({ y, height }) => [y, y + height / 2, y + height])],
})

/** Distance from any of the points to the nearest line, and that line; undefined if none is within `reach`. */
const pull = (points: readonly number[], lines: readonly number[], reach: number) => {
  let best: { by: number; line: number } | undefined
  for (const line of lines) {
    for (const point of points) {
      const by = line - point
      if (Math.abs(by) <= reach && (best === undefined || Math.abs(by) < Math.abs(best.by))) best = { by, line }
    }
  }
  return best
}

/** A box after snapping, and the lines it snapped to. */
export type SnapResult = { box: PositionCoords; lines: SnapLines }

const asLines = (x: { line: number } | undefined, y: { line: number } | undefined): SnapLines => ({
  x: x ? [x.line] : [],
  y: y ? [y.line] : [],
})

/** Snaps a moved box by its edges and centre. */
export const snapMoved = (box: PositionCoords, lines: SnapLines, reach: Offset): SnapResult => {
  const x = pull([box.x, box.x + box.width / 2, box.x + box.width], lines.x, reach.x)
  const y = pull([box.y, box.y + box.height / 2, box.y + box.height], lines.y, reach.y)
  return { box: movePosition(box, { x: x?.by ?? 0, y: y?.by ?? 0 }), lines: asLines(x, y) }
}

/** Snaps a box that is resized by a handle: only the moving edges snap. */
export const snapResized = (
  box: PositionCoords,
  handle: ResizeHandle,
  { lines, reach }: { lines: SnapLines; reach: Offset },
): SnapResult => {
  const x = handle.includes('w')
    ? pull([box.x], lines.x, reach.x)
    : handle.includes('e')
      ? pull([box.x + box.width], lines.x, reach.x)
      : undefined
  const y = handle.includes('n')
    ? pull([box.y], lines.y, reach.y)
    : handle.includes('s')
      ? pull([box.y + box.height], lines.y, reach.y)
      : undefined
  return { box: resizePosition(box, { handle, by: { x: x?.by ?? 0, y: y?.by ?? 0 } }), lines: asLines(x, y) }
}
