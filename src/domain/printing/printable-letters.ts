import { isDigital, type Package, type TextNode } from '../catalogue/catalogue.ts'

/**
 * All letters of the print font, including the space: European and Vietnamese names, Pinyin, the dotted letters of
 * transliterations, digits and common punctuation. The font's outlines are generated from this list.
 */
const printLetters = /^[ -~¡-¬®-īĮ-ıĴ-ťŨ-ſƏƠơƯưǍ-ǜǦǧǸǹȘ-țəʻʼḌ-ḏḠḡḤḥḪḫḶ-ḻḾḿṂ-ṉṚ-ṣṬ-ṯẀ-ẅẎẏẒẓẗẞẠ-ỹ–—‘-‚“-„†•…‹›€™]$/u

/** Whether the print font has a letter: one character, composed (NFC). */
export const canPrintLetter = (letter: string): boolean => printLetters.test(letter)

/** Splits text into what a reader sees as letters: an emoji of several characters is one. */
const readLetters = (value: string): string[] => {
  // Missing in Firefox before 2024; characters are then listed one by one.
  if (!('Segmenter' in Intl)) return [...value]
  return Array.from(new Intl.Segmenter('en').segment(value), ({ segment }) => segment)
}

const canPrint = (text: string): boolean => [...stripInvisible(text)].every(canPrintLetter)

/** The distinct letters of a text that the print font lacks, in order. Splitting a text into letters takes 30 times as long as the check. */
export const unprintableLetters = (value: string): string[] => {
  const text = composeText(value)
  return canPrint(text) ? [] : [...new Set(readLetters(text).filter((letter) => !canPrint(letter)))]
}

const maxListedLetters = 3

/** The message for letters the print font lacks: `The print can’t show “😀”`. */
export const unprintableMessage = (letters: readonly string[]): string => {
  const listed = letters.slice(0, maxListedLetters).map((letter) => `“${letter}”`)
  const remainingCount = letters.length - listed.length
  const parts = remainingCount > 0 ? [...listed, `${remainingCount} more`] : listed
  const [last = '', ...before] = parts.toReversed()
  return `The print can’t show ${before.length > 0 ? `${before.toReversed().join(', ')} and ${last}` : last}`
}

/** A text that cannot be printed as it is. `packageItemTextNodeId` is its node. */
export type UnprintableText = { itemId: number; node: TextNode; lacking: string[] }

type NodeText = { readonly packageItemTextNodeId: number; readonly value: string }

/**
 * The texts with letters that the print font lacks, in the order of the package's items. Includes the studio's own and
 * autofilled texts, which would be printed wrong too. Files have no texts.
 */
export const unprintableTexts = ({ items }: Pick<Package, 'items'>, texts: readonly NodeText[]): UnprintableText[] => {
  const lackingByNode = new Map(texts.map(({ packageItemTextNodeId: id, value }) => [id, unprintableLetters(value)]))
  return items
    .filter((item) => !isDigital(item.productCode))
    .flatMap((item) =>
      item.textNodes.map((node) => ({ itemId: item.id, node, lacking: lackingByNode.get(node.id) ?? [] })),
    )
    .filter(({ lacking }) => lacking.length > 0)
}

// Joiners, directional marks and the like: invisible, but often part of pasted text.
const invisible = /[\p{DI}\p{Cc}]/gu

export const stripInvisible = (value: string): string => value.replace(invisible, '')

/** Composes accents with their letters (NFC) and collapses white space. */
export const composeText = (value: string): string => value.normalize('NFC').replace(/\s+/g, ' ')

/** A text as it is printed: composed, and without invisible characters. */
export const printedText = (value: string): string => stripInvisible(composeText(value)).trim()

/** The message for a typed text with letters that the print font lacks. */
export const unprintableLettersMessage = (letters: readonly string[]): string =>
  `${unprintableMessage(letters)}. Please write it without`
