import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sceneAspect, scenesOf, shelfGap, shelfObjectsWidth } from '#domain/printing/print-scenes.ts'

const size = (widthInches: number | null, heightInches: number | null) => ({ widthInches, heightInches })
const kindsOf = (...sizes: ReturnType<typeof size>[]) => scenesOf(sizes).map(({ kind }) => kind)

const printSizes = fc.constantFrom(
  size(1.75, 2.5),
  size(2.5, 3.5),
  size(3.5, 5),
  size(6, 4),
  size(5, 7),
  size(8, 10),
  size(10, 8),
  size(10, 13),
  size(null, null),
)

describe('the scenes of prints', () => {
  test.each([
    ['an 8×10', [size(8, 10)], ['wall', 'frame']],
    ['a 5×7', [size(5, 7)], ['frame', 'shelf']],
    ['a wallet', [size(2.5, 3.5)], ['hand']],
    ['an 8×10 with wallets', [size(8, 10), size(2.5, 3.5)], ['wall', 'frame', 'hand']],
    ['a download', [size(null, null)], []],
  ])('of %s suit its size', (_, sizes, kinds) => {
    expect(kindsOf(...sizes)).toEqual(kinds)
  })

  test('put the print that comes in a frame into the frame, before larger ones', () => {
    const [frame] = scenesOf([size(8, 10), { ...size(5, 7), hasFrame: true }]).filter(({ kind }) => kind === 'frame')
    expect(frame?.prints).toMatchObject([{ index: 1, hasFrame: true }])
  })

  test('draw every print at its own size in inches, inside the scene and without overlap', () => {
    fc.assert(
      fc.property(fc.array(printSizes, { maxLength: 8 }), (sizes) => {
        for (const { width, height, prints } of scenesOf(sizes)) {
          let right = 0
          for (const { index, ...box } of prints) {
            expect(size(box.width, box.height)).toEqual(sizes[index])
            expect(box.x).toBeGreaterThanOrEqual(right)
            expect(box.y).toBeGreaterThanOrEqual(0)
            right = box.x + box.width
            expect(box.y + box.height).toBeLessThan(height)
          }
          expect(right).toBeLessThan(width)
        }
      }),
    )
  })

  test('all have one aspect, so that the dialog keeps its height', () => {
    fc.assert(
      fc.property(fc.array(printSizes, { maxLength: 8 }), (sizes) => {
        for (const { width, height } of scenesOf(sizes)) expect(width / height).toBeCloseTo(sceneAspect)
      }),
    )
  })

  test('place the prints on a shelf next to the mug and the books, all in the middle', () => {
    const shelf = scenesOf([size(5, 7), size(5, 7)]).find(({ kind }) => kind === 'shelf')
    const [first, second] = shelf?.prints ?? []
    const left = first?.x ?? Number.NaN
    const right = (second?.x ?? Number.NaN) + 5 + shelfGap + shelfObjectsWidth
    expect(left).toBeCloseTo((shelf?.width ?? 0) - right)
  })
})
