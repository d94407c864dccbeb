import { isDigital, type Package, type TextNode } from '../catalogue/catalogue.ts'
import { composeText, stripInvisible } from './printed-text.ts'

/**
 * Every letter the print font has, the space among them: all that European and Vietnamese names are written with, Pinyin,
 * the dotted letters of transliterations, digits and the usual signs. The font's outlines are made from this list.
 */
const printLetters = /^[ -~¡-¬®-īĮ-ıĴ-ťŨ-ſƏƠơƯưǍ-ǜǦǧǸǹȘ-țəʻʼḌ-ḏḠḡḤḥḪḫḶ-ḻḾḿṂ-ṉṚ-ṣṬ-ṯẀ-ẅẎẏẒẓẗẞẠ-ỹ–—‘-‚“-„†•…‹›€™]$/u

/** Whether the print font has a letter: one character, composed (NFC). */
export const canPrintLetter = (letter: string): boolean => printLetters.test(letter)

/** What a reader takes for single letters: an emoji of several characters is one. */
const readLetters = (value: string): string[] => {
  // Firefox learnt it in 2024; a phone without it names the characters one by one.
  if (!('Segmenter' in Intl)) return [...value]
  return Array.from(new Intl.Segmenter('en').segment(value), ({ segment }) => segment)
}

/** The letters of a text that the print font lacks, each once, in the order they stand there. */
export const unprintableLetters = (value: string): string[] => {
  const letters = readLetters(composeText(value))
  return [...new Set(letters.filter((letter) => ![...stripInvisible(letter)].every(canPrintLetter)))]
}

const maxLettersNamed = 3

/** What to say of letters the print font lacks: `The print can’t show “😀”`. */
export const unprintableMessage = (letters: readonly string[]): string => {
  const named = letters.slice(0, maxLettersNamed).map((letter) => `“${letter}”`)
  const more = letters.length - named.length
  const all = more > 0 ? [...named, `${more} more`] : named
  const [last = '', ...before] = all.toReversed()
  return `The print can’t show ${before.length > 0 ? `${before.toReversed().join(', ')} and ${last}` : last}`
}

/** A text that a print of a package can't show as it is. `packageItemTextNodeId` is its node. */
export type UnprintableText = { itemId: number; node: TextNode; lacking: string[] }

type NodeText = { readonly packageItemTextNodeId: number; readonly value: string }

/**
 * The texts that hold letters the print font lacks, in the order of the package's items. Nobody's text is left out, the
 * studio's own and what was filled in by itself among them: it would print as wrong. Files have no texts.
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
