import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PositionCoords } from '#domain/catalogue/catalogue.ts'
import {
  type GlyphTable,
  type PlacedText,
  placeTexts,
  printInk,
  printLight,
  printUnitsPerInch,
} from '#domain/printing/print-text.ts'
import { canPrintLetter } from '#domain/printing/printable-letters.ts'
import { glyphTable } from '#support/printing/glyph-table.ts'
import { svgPathBounds } from '#support/printing/svg-path-bounds.ts'
import { imageNode, packageItem, textNode } from '../cart/cart-fixtures.ts'

const foot: PositionCoords = { x: 10, y: 88, width: 80, height: 6 }

const place = (words: string, box = foot, pictures: number[] = []) => {
  const item = packageItem({ textNodes: [textNode({ positionCoords: box })] })
  return placeTexts(
    item,
    { texts: new Map([[21, words]]), images: new Map(pictures.map((id) => [id, true])) },
    glyphTable,
  )
}

/** The area of a placed text with its edge, in percentages of an 8x10. */
const covers = ({ path, x, y, scale, ink }: PlacedText) => {
  const { left, top, right, bottom } = svgPathBounds(path)
  const edge = (ink.edge?.width ?? 0) / 2
  return {
    left: (x + (left - edge) * scale) / (0.08 * printUnitsPerInch),
    right: (x + (right + edge) * scale) / (0.08 * printUnitsPerInch),
    top: (y + (top - edge) * scale) / (0.1 * printUnitsPerInch),
    bottom: (y + (bottom + edge) * scale) / (0.1 * printUnitsPerInch),
  }
}

/** A font of two letters: one with a single outline, one with two. */
const small: GlyphTable = {
  unitsPerEm: 10,
  ascent: 8,
  descent: 2,
  overhang: 0,
  shapes: ['h2', 'v3'],
  glyphs: { l: [4, 1, 0, 0], i: [5, 0, 1, 0, 1, 2, -6] },
}

const letter = fc.constantFrom(...Object.keys(glyphTable.glyphs))
const words = fc.string({ unit: letter, minLength: 1, maxLength: 200 }).filter((text) => text.trim() !== '')
const box = fc.record({ x: fc.integer({ min: 0, max: 80 }), y: fc.integer({ min: 0, max: 80 }) }).chain(({ x, y }) =>
  fc.record({
    x: fc.constant(x),
    y: fc.constant(y),
    width: fc.integer({ min: 1, max: 100 - x }),
    height: fc.integer({ min: 1, max: 100 - y }),
  }),
)

describe('a text in its box', () => {
  test('a text is never clipped, whatever its letters and length, even on an image with its edge', () => {
    fc.assert(
      fc.property(words, box, fc.boolean(), (text, room, photo) => {
        const [placed] = place(text, room, photo ? [11] : [])
        if (!placed) throw new Error('nothing was placed')
        const { left, right, top, bottom } = covers(placed)
        const slack = 1e-9
        expect(left).toBeGreaterThanOrEqual(room.x - slack)
        expect(right).toBeLessThanOrEqual(room.x + room.width + slack)
        expect(top).toBeGreaterThanOrEqual(room.y - slack)
        expect(bottom).toBeLessThanOrEqual(room.y + room.height + slack)
      }),
    )
  })

  test('a text is centred in its box', () => {
    const [placed] = place('HOH')
    if (!placed) throw new Error('nothing was placed')
    const { left, right } = covers(placed)
    expect((left + right) / 2).toBeCloseTo(50, 1)
  })

  test('a text keeps its size as long as it fits, then shrinks', () => {
    const scaleOf = (text: string) => place(text)[0]?.scale ?? 0
    expect(scaleOf('Ada')).toBe(scaleOf('Nguyễn'))
    expect(scaleOf('Ada'.repeat(20))).toBeLessThan(scaleOf('Ada'))
    expect(scaleOf('Ada'.repeat(40))).toBeCloseTo(scaleOf('Ada'.repeat(20)) / 2, 2)
  })

  test('a text is drawn as it reads: accents composed, white space collapsed, nothing invisible', () => {
    expect(place('Jose\u0301  \u200bAda ')).toEqual(place('José Ada'))
  })

  test('a letter starts where the previous one ends', () => {
    const one = place('A')[0]?.path ?? ''
    const two = place('AA')[0]?.path ?? ''
    expect(two.startsWith(one)).toBe(true)
    const { right } = svgPathBounds(one)
    expect(svgPathBounds(two).right).toBe(right + (glyphTable.glyphs.A?.[0] ?? 0))
  })

  test('a text is drawn with every outline of its letters, without letters the font lacks', () => {
    const drawn = (words: string) =>
      placeTexts(packageItem(), { texts: new Map([[21, words]]), images: new Map() }, small)
    expect(drawn('il')[0]?.path).toBe('M1 0h2zM2 -6v3zM5 0v3z')
    expect(drawn('i李l')).toEqual(drawn('il'))
  })
})

describe('the ink of a text', () => {
  const photo = { x: 0, y: 0, width: 100, height: 90 }
  const item = (middle: number, box: PositionCoords) =>
    packageItem({
      imageNodes: [imageNode({ positionCoords: box })],
      textNodes: [textNode({ positionCoords: { x: 10, y: middle - 3, width: 80, height: 6 } })],
    })
  const inkAt = (middle: number, pictures: ReadonlyMap<number, unknown>, box = photo) =>
    placeTexts(item(middle, box), { texts: new Map([[21, 'Ada']]), images: pictures }, glyphTable)[0]?.ink
  const chosen = new Map([[11, true]])

  test('a text is light with a dark edge if its middle is on an image', () => {
    expect(inkAt(89, chosen)).toEqual({
      fill: printLight,
      edge: { colour: printInk, opacity: 0.35, width: 0.07 * glyphTable.unitsPerEm },
    })
  })

  test('a text is dark on paper, and while no image is chosen', () => {
    expect(inkAt(91, chosen)).toEqual({ fill: printInk, edge: null })
    expect(inkAt(50, new Map())).toEqual({ fill: printInk, edge: null })
  })

  test.each<[string, PositionCoords]>([
    ['left', { x: 0, y: 30, width: 45, height: 40 }],
    ['right', { x: 55, y: 30, width: 45, height: 40 }],
    ['above', { x: 30, y: 0, width: 40, height: 45 }],
    ['below', { x: 30, y: 55, width: 40, height: 45 }],
  ])('a text is dark if an image is %s of its middle', (_name, box) => {
    expect(inkAt(50, chosen, box)?.fill).toBe(printInk)
  })
})

test.each([
  ['a blank text', packageItem(), ' \u200b\n'],
  ['a file', packageItem({ productCode: 'SingleDigDown' }), 'Ada'],
  ['what has no size', packageItem({ widthInches: null, heightInches: null }), 'Ada'],
  ['what has no height', packageItem({ heightInches: null }), 'Ada'],
  ['a text that nobody wrote', packageItem({ textNodes: [textNode({ id: 22 })] }), 'Ada'],
  ['only letters the font lacks', packageItem(), '李😀'],
])('%s draws nothing', (_name, item, text) => {
  expect(placeTexts(item, { texts: new Map([[21, text]]), images: new Map() }, glyphTable)).toEqual([])
})

test('every letter the rules allow has an outline of its own', () => {
  const seen = Object.keys(glyphTable.glyphs).filter((one) => one !== ' ')
  expect(seen.every(canPrintLetter)).toBe(true)
  expect(seen.filter((one) => place(one).length !== 1)).toEqual([])
})
