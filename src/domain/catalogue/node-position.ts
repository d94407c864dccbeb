import type { PositionCoords } from './catalogue.ts'
import { minNodeSide } from './package-draft.ts'

/** The sides and corners a node can be resized by. */
export const resizeHandles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const
export type ResizeHandle = (typeof resizeHandles)[number]

/** A distance in percentages of the print. */
export type Offset = { x: number; y: number }

const roundToHundredths = (value: number): number => Math.round(value * 100) / 100
const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)

/** Clamps a box to the print and to the minimum size; rounds to hundredths of a per cent. */
export const clampToPrint = ({ x, y, width, height }: PositionCoords): PositionCoords => {
  const clampedWidth = roundToHundredths(clamp(width, minNodeSide, 100))
  const clampedHeight = roundToHundredths(clamp(height, minNodeSide, 100))
  return {
    x: roundToHundredths(clamp(x, 0, 100 - clampedWidth)),
    y: roundToHundredths(clamp(y, 0, 100 - clampedHeight)),
    width: clampedWidth,
    height: clampedHeight,
  }
}

/** Moves a box within the print; its size does not change. */
export const movePosition = (box: PositionCoords, { x, y }: Offset): PositionCoords =>
  clampToPrint({ ...box, x: box.x + x, y: box.y + y })

type Resizing = {
  handle: ResizeHandle
  offset: Offset
  /** Aspect ratio to preserve (width / height in percentages); null resizes both sides independently. */
  aspectRatio?: number | null
}

type Span = { from: number; to: number }

/** Resizes a box in one direction by moving one of its ends. */
const stretchSpan = ({ from, to }: Span, end: 'from' | 'to' | null, distance: number): Span => {
  if (end === 'from') return { from: clamp(from + distance, 0, to - minNodeSide), to }
  if (end === 'to') return { from, to: clamp(to + distance, from + minNodeSide, 100) }
  return { from, to }
}

/** Moves a side or corner of a box; the opposite sides do not move. */
export const resizePosition = (
  box: PositionCoords,
  { handle, offset, aspectRatio = null }: Resizing,
): PositionCoords => {
  const across = handle.includes('w') ? 'from' : handle.includes('e') ? 'to' : null
  const down = handle.includes('n') ? 'from' : handle.includes('s') ? 'to' : null
  const horizontal = stretchSpan({ from: box.x, to: box.x + box.width }, across, offset.x)
  const vertical = stretchSpan({ from: box.y, to: box.y + box.height }, down, offset.y)
  const freeBox = {
    x: horizontal.from,
    y: vertical.from,
    width: horizontal.to - horizontal.from,
    height: vertical.to - vertical.from,
  }
  return clampToPrint(aspectRatio === null ? freeBox : fitAspectRatio(freeBox, { box, across, down, aspectRatio }))
}

type Proportion = { box: PositionCoords; across: 'from' | 'to' | null; down: 'from' | 'to' | null; aspectRatio: number }

/**
 * The largest box of the ratio that fits into the freely resized box; for a side handle, the size that the side
 * determines.
 */
const fitAspectRatio = (freeBox: PositionCoords, { box, across, down, aspectRatio }: Proportion): PositionCoords => {
  const desiredWidth =
    down === null
      ? freeBox.width
      : across === null
        ? freeBox.height * aspectRatio
        : Math.max(freeBox.width, freeBox.height * aspectRatio)
  const right = box.x + box.width
  const bottom = box.y + box.height
  const maxWidth = across === 'from' ? right : 100 - box.x
  const maxHeight = down === 'from' ? bottom : 100 - box.y
  const minWidth = Math.max(minNodeSide, minNodeSide * aspectRatio)
  const width = Math.max(minWidth, Math.min(desiredWidth, maxWidth, maxHeight * aspectRatio))
  const height = width / aspectRatio
  return { x: across === 'from' ? right - width : box.x, y: down === 'from' ? bottom - height : box.y, width, height }
}

/** Maximum snap distance, in percentages of the print. */
export const maxSnapDistance = 1.2

export type SnapLines = { x: number[]; y: number[] }

/** The lines that edges and centres snap to: those of the print and of all other nodes. */
export const snapLines = (others: readonly PositionCoords[]): SnapLines => ({
  x: [0, 50, 100, ...others.flatMap(({ x, width }) => [x, x + width / 2, x + width])],
  y: [0, 50, 100, ...others.flatMap(({ y, height }) => [y, y + height / 2, y + height])],
})

/**
 * The shortest distance from any of the points to a line, and that line; undefined if none is within `snapDistance`.
 */
const findNearestSnap = (points: readonly number[], lines: readonly number[], snapDistance: number) => {
  let best: { distance: number; line: number } | undefined
  for (const line of lines) {
    for (const point of points) {
      const distance = line - point
      const isNearer = best === undefined || Math.abs(distance) < Math.abs(best.distance)
      if (Math.abs(distance) <= snapDistance && isNearer) best = { distance, line }
    }
  }
  return best
}

/** A box after snapping, and the lines it snapped to. */
export type SnapResult = { box: PositionCoords; lines: SnapLines }

const toSnapLines = (x: { line: number } | undefined, y: { line: number } | undefined): SnapLines => ({
  x: x ? [x.line] : [],
  y: y ? [y.line] : [],
})

/** Snaps a moved box by its edges and centre. */
export const snapMoved = (box: PositionCoords, lines: SnapLines, snapDistance: Offset): SnapResult => {
  const x = findNearestSnap([box.x, box.x + box.width / 2, box.x + box.width], lines.x, snapDistance.x)
  const y = findNearestSnap([box.y, box.y + box.height / 2, box.y + box.height], lines.y, snapDistance.y)
  return { box: movePosition(box, { x: x?.distance ?? 0, y: y?.distance ?? 0 }), lines: toSnapLines(x, y) }
}

/** Snaps a box that is resized by a handle: only the moving edges snap. */
export const snapResized = (
  box: PositionCoords,
  handle: ResizeHandle,
  { lines, snapDistance }: { lines: SnapLines; snapDistance: Offset },
): SnapResult => {
  const x = handle.includes('w')
    ? findNearestSnap([box.x], lines.x, snapDistance.x)
    : handle.includes('e')
      ? findNearestSnap([box.x + box.width], lines.x, snapDistance.x)
      : undefined
  const y = handle.includes('n')
    ? findNearestSnap([box.y], lines.y, snapDistance.y)
    : handle.includes('s')
      ? findNearestSnap([box.y + box.height], lines.y, snapDistance.y)
      : undefined
  return {
    box: resizePosition(box, { handle, offset: { x: x?.distance ?? 0, y: y?.distance ?? 0 } }),
    lines: toSnapLines(x, y),
  }
}
