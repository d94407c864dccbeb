import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  clampToPrint,
  movePosition,
  resizeHandles,
  resizePosition,
  snapLines,
  snapMoved,
  snapResized,
} from '#domain/catalogue/node-position.ts'
import { packageDraftErrors } from '#domain/catalogue/package-draft.ts'
import { imageNode, packageItem, packageOf } from '../cart/cart-fixtures.ts'

const box = { x: 10, y: 20, width: 40, height: 30 }
const snapDistance = { x: 1, y: 1 }
const percentage = fc.double({ min: -300, max: 300, noNaN: true })
const anyPosition = fc
  .record({ x: percentage, y: percentage, width: percentage, height: percentage })
  .map((coords) => clampToPrint(coords))
const anyOffset = fc.record({ x: percentage, y: percentage })

const isValidPosition = (positionCoords: typeof box): boolean => {
  const item = packageItem({ imageNodes: [imageNode({ positionCoords })] })
  const { id: _, version: __, ...draft } = packageOf({ items: [item] })
  const products = [{ code: '8x10', name: '', widthInches: 8, heightInches: 10 }]
  return Object.keys(packageDraftErrors(draft, { products, standardIds: [] })).length === 0
}

describe('the position of a node on its print', () => {
  test('a node stays within its print when it is moved, resized or snapped', () => {
    fc.assert(
      fc.property(
        anyPosition,
        anyOffset,
        fc.constantFrom(...resizeHandles),
        fc.boolean(),
        (from, offset, handle, isRatioFixed) => {
          const aspectRatio = isRatioFixed ? from.width / from.height : null
          expect(isValidPosition(movePosition(from, offset))).toBe(true)
          expect(isValidPosition(resizePosition(from, { handle, offset, aspectRatio }))).toBe(true)
          const lines = snapLines([from])
          expect(isValidPosition(snapMoved(movePosition(from, offset), lines, snapDistance).box)).toBe(true)
          expect(
            isValidPosition(snapResized(resizePosition(from, { handle, offset }), handle, { lines, snapDistance }).box),
          ).toBe(true)
        },
      ),
    )
  })

  test('moving a node does not change its size', () => {
    expect(movePosition(box, { x: 5, y: -5 })).toEqual({ ...box, x: 15, y: 15 })
    expect(movePosition(box, { x: 500, y: -500 })).toEqual({ ...box, x: 60, y: 0 })
    fc.assert(
      fc.property(anyPosition, anyOffset, (from, offset) => {
        const { width, height } = movePosition(from, offset)
        expect([width, height]).toEqual([from.width, from.height])
      }),
    )
  })

  test.each([
    ['e', { x: 5, y: 9 }, { ...box, width: 45 }],
    ['w', { x: 5, y: 9 }, { ...box, x: 15, width: 35 }],
    ['n', { x: 9, y: -5 }, { ...box, y: 15, height: 35 }],
    ['se', { x: 5, y: 5 }, { ...box, width: 45, height: 35 }],
    ['nw', { x: 500, y: 500 }, { x: 48, y: 48, width: 2, height: 2 }],
    ['e', { x: 500, y: 0 }, { ...box, width: 90 }],
  ] as const)('dragging the handle %s resizes the node', (handle, offset, resized) =>
    expect(resizePosition(box, { handle, offset })).toEqual(resized),
  )

  test.each([
    ['se', { x: 20, y: 0 }, { x: 10, y: 20, width: 60, height: 45 }],
    ['nw', { x: -8, y: 0 }, { x: 2, y: 14, width: 48, height: 36 }],
    ['e', { x: 8, y: 99 }, { x: 10, y: 20, width: 48, height: 36 }],
    ['s', { x: 99, y: 6 }, { x: 10, y: 20, width: 48, height: 36 }],
  ] as const)('dragging the handle %s with a fixed aspect ratio preserves the ratio', (handle, offset, resized) =>
    expect(resizePosition(box, { handle, offset, aspectRatio: 40 / 30 })).toEqual(resized),
  )

  test('resizing with a fixed aspect ratio stays within the print', () => {
    expect(resizePosition(box, { handle: 'se', offset: { x: 90, y: 90 }, aspectRatio: 40 / 30 })).toEqual({
      x: 10,
      y: 20,
      width: 90,
      height: 67.5,
    })
  })
})

describe('snapping of nodes', () => {
  const unsnapped = { x: 10, y: 23, width: 40, height: 30 }
  const lines = snapLines([{ x: 70, y: 70, width: 20, height: 20 }])
  test.each([
    ['the edge of the print', { ...unsnapped, x: 0.6 }, { ...unsnapped, x: 0 }, { x: [0], y: [] }],
    ['the centre of the print', { ...unsnapped, x: 30.7 }, { ...unsnapped, x: 30 }, { x: [50], y: [] }],
    ['the edge of another node', { ...unsnapped, x: 13, y: 39.3 }, { ...unsnapped, x: 13, y: 40 }, { x: [], y: [70] }],
    ['the nearer of two lines', { ...unsnapped, x: 29.6 }, { ...unsnapped, x: 30 }, { x: [50], y: [] }],
    ['no line if none is near', { ...unsnapped, x: 13 }, { ...unsnapped, x: 13 }, { x: [], y: [] }],
  ])('a moved node snaps to %s', (_, moved, snapped, snappedLines) =>
    expect(snapMoved(moved, lines, snapDistance)).toEqual({ box: snapped, lines: snappedLines }),
  )

  test('resizing snaps only the moving edge', () => {
    const from = { x: 0.5, y: 20, width: 69, height: 30 }
    expect(snapResized(from, 'e', { lines, snapDistance })).toEqual({
      box: { ...from, width: 69.5 },
      lines: { x: [70], y: [] },
    })
  })
})
