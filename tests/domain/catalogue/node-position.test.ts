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
const reach = { x: 1, y: 1 }
const percent = fc.double({ min: -300, max: 300, noNaN: true })
const place = fc.record({ x: percent, y: percent, width: percent, height: percent }).map((wild) => clampToPrint(wild))
const shift = fc.record({ x: percent, y: percent })

const isGood = (positionCoords: typeof box): boolean => {
  const item = packageItem({ imageNodes: [imageNode({ positionCoords })] })
  const { id: _, version: __, ...draft } = packageOf({ items: [item] })
  const products = [{ code: '8x10', name: '', widthInches: 8, heightInches: 10 }]
  return Object.keys(packageDraftErrors(draft, { products, standardIds: [] })).length === 0
}

describe('the position of a node on its print', () => {
  test('a node stays within its print, whatever is done to it', () => {
    fc.assert(
      fc.property(place, shift, fc.constantFrom(...resizeHandles), fc.boolean(), (from, by, handle, keeps) => {
        const keep = keeps ? from.width / from.height : null
        expect(isGood(movePosition(from, by))).toBe(true)
        expect(isGood(resizePosition(from, { handle, by, keep }))).toBe(true)
        const lines = snapLines([from])
        expect(isGood(snapMoved(movePosition(from, by), lines, reach).box)).toBe(true)
        expect(isGood(snapResized(resizePosition(from, { handle, by }), handle, { lines, reach }).box)).toBe(true)
      }),
    )
  })

  test('moving a node does not change its size', () => {
    expect(movePosition(box, { x: 5, y: -5 })).toEqual({ ...box, x: 15, y: 15 })
    expect(movePosition(box, { x: 500, y: -500 })).toEqual({ ...box, x: 60, y: 0 })
    fc.assert(
      fc.property(place, shift, (from, by) => {
        const { width, height } = movePosition(from, by)
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
  ] as const)('resizes a node by the handle %s', (handle, by, to) =>
    expect(resizePosition(box, { handle, by })).toEqual(to),
  )

  test.each([
    ['se', { x: 20, y: 0 }, { x: 10, y: 20, width: 60, height: 45 }],
    ['nw', { x: -8, y: 0 }, { x: 2, y: 14, width: 48, height: 36 }],
    ['e', { x: 8, y: 99 }, { x: 10, y: 20, width: 48, height: 36 }],
    ['s', { x: 99, y: 6 }, { x: 10, y: 20, width: 48, height: 36 }],
  ] as const)('resizing by %s preserves the aspect ratio if asked to', (handle, by, to) =>
    expect(resizePosition(box, { handle, by, keep: 40 / 30 })).toEqual(to),
  )

  test('resizing with a fixed aspect ratio stays within the print', () => {
    expect(resizePosition(box, { handle: 'se', by: { x: 90, y: 90 }, keep: 40 / 30 })).toEqual({
      x: 10,
      y: 20,
      width: 90,
      height: 67.5,
    })
  })
})

describe('snapping', () => {
  const off = { x: 10, y: 23, width: 40, height: 30 }
  const lines = snapLines([{ x: 70, y: 70, width: 20, height: 20 }])
  test.each([
    ['the edge of the print', { ...off, x: 0.6 }, { ...off, x: 0 }, { x: [0], y: [] }],
    ['its middle', { ...off, x: 30.7 }, { ...off, x: 30 }, { x: [50], y: [] }],
    ['the edge of another', { ...off, x: 13, y: 39.3 }, { ...off, x: 13, y: 40 }, { x: [], y: [70] }],
    ['the nearer of two', { ...off, x: 29.6 }, { ...off, x: 30 }, { x: [50], y: [] }],
    ['nothing near', { ...off, x: 13 }, { ...off, x: 13 }, { x: [], y: [] }],
  ])('snaps to %s', (_, from, to, drawn) => expect(snapMoved(from, lines, reach)).toEqual({ box: to, lines: drawn }))

  test('resizing snaps only the moving edge', () => {
    const from = { x: 0.5, y: 20, width: 69, height: 30 }
    expect(snapResized(from, 'e', { lines, reach })).toEqual({
      box: { ...from, width: 69.5 },
      lines: { x: [70], y: [] },
    })
  })
})
