import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  canPrintLetter,
  printedText,
  unprintableLetters,
  unprintableMessage,
  unprintableTexts,
} from '#domain/printing/printable-letters.ts'
import { packageItem, packageOf, textNode } from '../cart/cart-fixtures.ts'

afterEach(() => vi.unstubAllGlobals())

describe('letters in the print font', () => {
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
    // Decomposed accents, which some keyboards produce.
    'Jose\u0301 Nguye\u0302\u0303n',
    // Invisible characters, which pasted text can contain.
    'Ada\u200b\u00ad\u200d\u2060',
    'two\nlines\tand\u00a0a gap',
    '',
  ])('the print font has all letters of %j', (text) => expect(unprintableLetters(text)).toEqual([]))
})

describe('letters missing from the print font', () => {
  test.each([
    ['Ada 😀', ['😀']],
    ['👩‍👩‍👧 and 🇺🇸', ['👩‍👩‍👧', '🇺🇸']],
    ['I ❤️ you ❤️', ['❤️']],
    ['李 Wei 李明', ['李', '明']],
    ['x\u030c', ['x\u030c']],
    ['Ŧ', ['Ŧ']],
  ])('the unprintable letters of %j are %j, each as a reader sees it', (text, unprintable) =>
    expect(unprintableLetters(text)).toEqual(unprintable),
  )

  test('an emoji of several characters is listed by character if the browser has no Intl.Segmenter', () => {
    vi.stubGlobal('Intl', {})
    expect(unprintableLetters('I 👩‍👧')).toEqual(['👩', '👧'])
  })

  test.each([
    [['😀'], 'The print can’t show “😀”'],
    [['😀', '李'], 'The print can’t show “😀” and “李”'],
    [['a', 'b', 'c'], 'The print can’t show “a”, “b” and “c”'],
    [['a', 'b', 'c', 'd', 'e'], 'The print can’t show “a”, “b”, “c” and 2 more'],
  ])('the message for the letters %j is “%s”', (letters, message) => expect(unprintableMessage(letters)).toBe(message))
})

test('a printed text has composed letters, single spaces and no invisible characters', () => {
  expect(printedText(' Jose\u0301 \n\u200band\u00a0Zoë ')).toBe('José and Zoë')
})

test('printedText is idempotent, and its result has unprintable letters only if unprintableLetters reports some', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const printed = printedText(text)
      expect(printedText(printed)).toBe(printed)
      const lostLetters = [...printed].filter((letter) => !canPrintLetter(letter))
      expect(lostLetters.length > 0).toBe(unprintableLetters(text).length > 0)
    }),
  )
})

describe('texts that cannot be printed', () => {
  const textsWith = (value: string) => [{ packageItemTextNodeId: 21, value }]
  const readOnlyNode = textNode({ editable: false })

  test.each([
    ['a typed text with an unprintable letter is reported', packageItem(), 'Ada 😀', ['😀']],
    ['a text that the customer cannot edit is reported', packageItem({ textNodes: [readOnlyNode] }), '李 Wei', ['李']],
    ['a text of printable letters is not reported', packageItem(), 'Ada', []],
    ['a node without a text is not reported', packageItem({ textNodes: [textNode({ id: 22 })] }), 'Ada 😀', []],
    ['a text of a digital file is not reported', packageItem({ productCode: 'SingleDigDown' }), 'Ada 😀', []],
  ])('%s', (_name, item, value, unprintable) => {
    const reported = unprintableTexts(packageOf({ items: [item] }), textsWith(value))
    expect(reported).toEqual(
      unprintable.length > 0 ? [{ itemId: item.id, node: item.textNodes[0], lacking: unprintable }] : [],
    )
  })
})
