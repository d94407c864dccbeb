import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  canPrintLetter,
  unprintableLetters,
  unprintableMessage,
  unprintableTexts,
} from '#domain/printing/printable-letters.ts'
import { printedText } from '#domain/printing/printed-text.ts'
import { packageItem, packageOf, textNode } from '../cart/cart-fixtures.ts'

afterEach(() => vi.unstubAllGlobals())

describe('letters the print font has', () => {
  test.each([
    'Ada Lovelace',
    'José',
    'Zoë',
    'Łukasz',
    'Šárka',
    'Nguyễn Thị Phượng',
    'Þórður',
    'Ștefan',
    'Ağca',
    'Kaʻiulani',
    'Nǚ Lǐ',
    'O’Brien & Söhne, Class of ’27 – “Onward!” (€5)',
    // Typed with decomposed accents, as some keyboards do.
    'Jose\u0301 Nguye\u0302\u0303n',
    // Pasted with invisible characters.
    'Ada\u200b\u00ad\u200d\u2060',
    'two\nlines\tand\u00a0a gap',
    '',
  ])('%j', (text) => expect(unprintableLetters(text)).toEqual([]))
})

describe('unprintable letters are listed as a reader sees them', () => {
  test.each([
    ['Ada 😀', ['😀']],
    ['👩‍👩‍👧 and 🇺🇸', ['👩‍👩‍👧', '🇺🇸']],
    ['I ❤️ you ❤️', ['❤️']],
    ['李 Wei 李明', ['李', '明']],
    ['x\u030c', ['x\u030c']],
    ['Ŧ', ['Ŧ']],
  ])('%j', (text, lacking) => expect(unprintableLetters(text)).toEqual(lacking))

  test('unprintable letters are listed one by one without Intl.Segmenter', () => {
    vi.stubGlobal('Intl', {})
    expect(unprintableLetters('I 👩‍👧')).toEqual(['👩', '👧'])
  })

  test.each([
    [['😀'], 'The print can’t show “😀”'],
    [['😀', '李'], 'The print can’t show “😀” and “李”'],
    [['a', 'b', 'c'], 'The print can’t show “a”, “b” and “c”'],
    [['a', 'b', 'c', 'd', 'e'], 'The print can’t show “a”, “b”, “c” and 2 more'],
  ])('%j: %s', (letters, sentence) => expect(unprintableMessage(letters)).toBe(sentence))
})

test('a text is printed as it reads, and only letters that are reported are lost', () => {
  expect(printedText(' Jose\u0301 \n\u200band\u00a0Zoë ')).toBe('José and Zoë')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const printed = printedText(text)
      expect(printedText(printed)).toBe(printed)
      const lost = [...printed].filter((letter) => !canPrintLetter(letter))
      expect(lost.length > 0).toBe(unprintableLetters(text).length > 0)
    }),
  )
})

describe('texts that cannot be printed', () => {
  const written = (value: string) => [{ packageItemTextNodeId: 21, value }]
  const fixed = textNode({ editable: false })

  test.each([
    ['what was typed', packageItem(), 'Ada 😀', ['😀']],
    ['what nobody may edit', packageItem({ textNodes: [fixed] }), '李 Wei', ['李']],
    ['a good one', packageItem(), 'Ada', []],
    ['one that nobody wrote', packageItem({ textNodes: [textNode({ id: 22 })] }), 'Ada 😀', []],
    ['a file has none', packageItem({ productCode: 'SingleDigDown' }), 'Ada 😀', []],
  ])('%s', (_name, item, value, lacking) => {
    const found = unprintableTexts(packageOf({ items: [item] }), written(value))
    expect(found).toEqual(lacking.length > 0 ? [{ itemId: item.id, node: item.textNodes[0], lacking }] : [])
  })
})
