import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PositionCoords } from '#domain/catalogue/catalogue.ts'
import {
  type GlyphTable,
  isTooLongToRead,
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

const footBox: PositionCoords = { x: 10, y: 88, width: 80, height: 6 }

const placeText = (text: string, box = footBox, imageIds: number[] = []) => {
  const item = packageItem({ textNodes: [textNode({ positionCoords: box })] })
  return placeTexts(
    item,
    { texts: new Map([[21, text]]), images: new Map(imageIds.map((id) => [id, true])) },
    glyphTable,
  )
}

/** The area of a placed text with its edge, in percentages of an 8x10. */
const coveredArea = ({ path, x, y, scale, ink }: PlacedText) => {
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
const twoLetterFont: GlyphTable = {
  unitsPerEm: 10,
  ascent: 8,
  descent: 2,
  overhang: 0,
  shapes: ['h2', 'v3'],
  glyphs: { l: [4, 1, 0, 0], i: [5, 0, 1, 0, 1, 2, -6] },
}

const letter = fc.constantFrom(...Object.keys(glyphTable.glyphs))
const anyText = fc.string({ unit: letter, minLength: 1, maxLength: 200 }).filter((text) => text.trim() !== '')
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
      fc.property(anyText, box, fc.boolean(), (text, textBox, hasImage) => {
        const [placed] = placeText(text, textBox, hasImage ? [11] : [])
        if (!placed) throw new Error('nothing was placed')
        const { left, right, top, bottom } = coveredArea(placed)
        const slack = 1e-9
        expect(left).toBeGreaterThanOrEqual(textBox.x - slack)
        expect(right).toBeLessThanOrEqual(textBox.x + textBox.width + slack)
        expect(top).toBeGreaterThanOrEqual(textBox.y - slack)
        expect(bottom).toBeLessThanOrEqual(textBox.y + textBox.height + slack)
      }),
    )
  })

  test('a text is centred horizontally in its box', () => {
    const [placed] = placeText('HOH')
    if (!placed) throw new Error('nothing was placed')
    const { left, right } = coveredArea(placed)
    expect((left + right) / 2).toBeCloseTo(50, 1)
  })

  test('a text keeps its size as long as it fits, then shrinks', () => {
    const scaleOf = (text: string) => placeText(text)[0]?.scale ?? 0
    expect(scaleOf('Ada')).toBe(scaleOf('Nguyễn'))
    expect(scaleOf('Ada'.repeat(20))).toBeLessThan(scaleOf('Ada'))
    expect(scaleOf('Ada'.repeat(40))).toBeCloseTo(scaleOf('Ada'.repeat(20)) / 2, 2)
  })

  test('a text is drawn as it reads: accents composed, white space collapsed, nothing invisible', () => {
    expect(placeText('Jose\u0301  \u200bAda ')).toEqual(placeText('José Ada'))
  })

  test('a letter starts where the previous one ends', () => {
    const oneLetter = placeText('A')[0]?.path ?? ''
    const twoLetters = placeText('AA')[0]?.path ?? ''
    expect(twoLetters.startsWith(oneLetter)).toBe(true)
    const { right } = svgPathBounds(oneLetter)
    expect(svgPathBounds(twoLetters).right).toBe(right + (glyphTable.glyphs.A?.[0] ?? 0))
  })

  test('a text is drawn with every outline of its letters, without letters the font lacks', () => {
    const draw = (text: string) =>
      placeTexts(packageItem(), { texts: new Map([[21, text]]), images: new Map() }, twoLetterFont)
    expect(draw('il')[0]?.path).toBe('M1 0h2zM2 -6v3zM5 0v3z')
    expect(draw('i李l')).toEqual(draw('il'))
  })
})

describe('the ink of a text', () => {
  const imageBox = { x: 0, y: 0, width: 100, height: 90 }
  const item = (middle: number, box: PositionCoords) =>
    packageItem({
      imageNodes: [imageNode({ positionCoords: box })],
      textNodes: [textNode({ positionCoords: { x: 10, y: middle - 3, width: 80, height: 6 } })],
    })
  const inkAt = (middle: number, images: ReadonlyMap<number, unknown>, box = imageBox) =>
    placeTexts(item(middle, box), { texts: new Map([[21, 'Ada']]), images }, glyphTable)[0]?.ink
  const chosenImages = new Map([[11, true]])

  test('a text is light with a dark edge if its middle is on an image', () => {
    expect(inkAt(89, chosenImages)).toEqual({
      fill: printLight,
      edge: { colour: printInk, opacity: 0.35, width: 0.07 * glyphTable.unitsPerEm },
    })
  })

  test('a text is dark on paper, and while no image is chosen', () => {
    expect(inkAt(91, chosenImages)).toEqual({ fill: printInk, edge: null })
    expect(inkAt(50, new Map())).toEqual({ fill: printInk, edge: null })
  })

  test.each<[string, PositionCoords]>([
    ['left', { x: 0, y: 30, width: 45, height: 40 }],
    ['right', { x: 55, y: 30, width: 45, height: 40 }],
    ['above', { x: 30, y: 0, width: 40, height: 45 }],
    ['below', { x: 30, y: 55, width: 40, height: 45 }],
  ])('a text is dark if an image is %s of its middle', (_name, box) => {
    expect(inkAt(50, chosenImages, box)?.fill).toBe(printInk)
  })
})

test.each([
  ['a blank text', packageItem(), ' \u200b\n'],
  ['a digital product', packageItem({ productCode: 'SingleDigDown' }), 'Ada'],
  ['an item without a size', packageItem({ widthInches: null, heightInches: null }), 'Ada'],
  ['an item without a height', packageItem({ heightInches: null }), 'Ada'],
  ['a node without a text', packageItem({ textNodes: [textNode({ id: 22 })] }), 'Ada'],
  ['a text of letters that the font lacks', packageItem(), '李😀'],
])('%s draws nothing', (_name, item, text) => {
  expect(placeTexts(item, { texts: new Map([[21, text]]), images: new Map() }, glyphTable)).toEqual([])
})

test('every letter of the font is printable, and every one but the space has an outline', () => {
  const letters = Object.keys(glyphTable.glyphs).filter((character) => character !== ' ')
  expect(letters.every(canPrintLetter)).toBe(true)
  expect(letters.filter((character) => placeText(character).length !== 1)).toEqual([])
})

test.each([
  ['a name fits', 'Ada Lovelace', footBox, false],
  ['67 letters on a wallet', 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorff senior the second', footBox, true],
  ['one letter in a box of one point', 'A', { ...footBox, height: 0.3 }, false],
])('%s: whether the text is too long to read', (_, text, positionCoords, isTooLong) => {
  const node = textNode({ positionCoords })
  const wallet = packageItem({ widthInches: 2.5, heightInches: 3.5, textNodes: [node] })
  expect(isTooLongToRead(wallet, node, text, glyphTable)).toBe(isTooLong)
})
