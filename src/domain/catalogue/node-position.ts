import type { PositionCoords } from './catalogue.ts'
import { minNodeSide } from './package-draft.ts'

/** The sides and corners a node is taken hold of by. */
export const resizeHandles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const
export type ResizeHandle = (typeof resizeHandles)[number]

/** How far something is moved, in percentages of the print. */
export type Offset = { x: number; y: number }

const two = (value: number): number => Math.round(value * 100) / 100
const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** The nearest place that a print can have: inside of it, not too small, to hundredths of a per cent. */
export const clampToPrint = ({ x, y, width, height }: PositionCoords): PositionCoords => {
  const wide = two(between(width, minNodeSide, 100))
  const high = two(between(height, minNodeSide, 100))
  return { x: two(between(x, 0, 100 - wide)), y: two(between(y, 0, 100 - high)), width: wide, height: high }
}

/** A place moved, as far as the print goes; its size stays. */
export const movePosition = (box: PositionCoords, { x, y }: Offset): PositionCoords =>
  clampToPrint({ ...box, x: box.x + x, y: box.y + y })

type Resizing = {
  handle: ResizeHandle
  by: Offset
  /** Width / height in percentages that is to stay; null lets both sides go by themselves. */
  keep?: number | null
}

type Span = { from: number; to: number }

/** One direction of a box: which of its two ends goes along, and how far. */
const stretchSpan = ({ from, to }: Span, end: 'from' | 'to' | null, by: number): Span => {
  if (end === 'from') return { from: between(from + by, 0, to - minNodeSide), to }
  if (end === 'to') return { from, to: between(to + by, from + minNodeSide, 100) }
  return { from, to }
}

/** A place with a side or corner of it moved: the others stay where they are. */
export const resizePosition = (box: PositionCoords, { handle, by, keep = null }: Resizing): PositionCoords => {
  const across = handle.includes('w') ? 'from' : handle.includes('e') ? 'to' : null
  const down = handle.includes('n') ? 'from' : handle.includes('s') ? 'to' : null
  const h = stretchSpan({ from: box.x, to: box.x + box.width }, across, by.x)
  const v = stretchSpan({ from: box.y, to: box.y + box.height }, down, by.y)
  const free = { x: h.from, y: v.from, width: h.to - h.from, height: v.to - v.from }
  return clampToPrint(keep === null ? free : inProportion(free, { box, across, down, keep }))
}

type Proportion = { box: PositionCoords; across: 'from' | 'to' | null; down: 'from' | 'to' | null; keep: number }

/** The largest of the proportion that the freely stretched box would hold, or, by a side alone, what that side asks for. */
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

/** Percentages of the print within which an edge is drawn to a line. */
export const snapReach = 1.2

export type SnapLines = { x: number[]; y: number[] }

/** What edges and centres are drawn to: the print's own and those of everything else on it. */
export const snapLines = (others: readonly PositionCoords[]): SnapLines => ({
  x: [0, 50, 100, ...others.flatMap(({ x, width }) => [x, x + width / 2, x + width])],
  y: [0, 50, 100, ...others.flatMap(({ y, height }) => [y, y + height / 2, y + height])],
})

/** How far the nearest of some points is from a line, and that line; undefined where none is near. */
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

/** A place after something was drawn to a line, and the lines it was drawn to. */
export type SnapResult = { box: PositionCoords; lines: SnapLines }

const asLines = (x: { line: number } | undefined, y: { line: number } | undefined): SnapLines => ({
  x: x ? [x.line] : [],
  y: y ? [y.line] : [],
})

/** A moved place drawn to what its edges or centre are near. */
export const snapMoved = (box: PositionCoords, lines: SnapLines, reach: Offset): SnapResult => {
  const x = pull([box.x, box.x + box.width / 2, box.x + box.width], lines.x, reach.x)
  const y = pull([box.y, box.y + box.height / 2, box.y + box.height], lines.y, reach.y)
  return { box: movePosition(box, { x: x?.by ?? 0, y: y?.by ?? 0 }), lines: asLines(x, y) }
}

/** The same for a place that is resized by a handle: only the edges that go along are drawn to anything. */
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
