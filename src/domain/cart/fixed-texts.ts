import { type AutofillSubject, autofillText } from '../catalogue/autofill.ts'
import type { Package, TextNode } from '../catalogue/catalogue.ts'
import { isBrokenMask, isMasked } from '../catalogue/mask.ts'
import type { CartPackage, TextChoice } from './cart.ts'

/** What the texts of a line are checked against. */
export type FixedTextContext = {
  made: Pick<Package, 'items'>
  /** The line's subject with current data. */
  subject: AutofillSubject
  /** The line as it is stored; undefined for a new one. */
  before: CartPackage | undefined
  /**
   * Whether a node had this text in another package version, or has it on another line: a copied line brings it along.
   */
  isKnown: (nodeId: number, value: string) => boolean
}

/**
 * Returns the texts with those the customer may not edit set to what they must be: the line's stored text, the node's
 * own text, or the subject's autofilled data. Outdated text from a device that has not seen a change yet is replaced;
 * any other text returns null.
 */
export const enforceFixedTexts = (given: readonly TextChoice[], about: FixedTextContext): TextChoice[] | null => {
  const nodes = new Map(about.made.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  const follows = ({ name }: TextNode, value: string): boolean =>
    given.some((text) => {
      const node = nodes.get(text.packageItemTextNodeId)
      return node?.editable === true && node.name === name && text.value === value
    })
  const texts = given.flatMap((text) => {
    const node = nodes.get(text.packageItemTextNodeId)
    return node && !node.editable ? (fixedText(text, node, { ...about, follows }) ?? []) : text
  })
  return texts.length === given.length ? texts : null
}

/**
 * `follows`: whether an editable text of the same name has this value; older devices copy typed text to all nodes of
 * one name.
 */
type FixedTextLookup = FixedTextContext & { follows: (node: TextNode, value: string) => boolean }

const fixedText = (text: TextChoice, node: TextNode, about: FixedTextLookup): TextChoice | null => {
  const { value, autoFilled } = text
  const own = autofillText(node, about.subject)
  const mask = { shown: value, original: own.value }
  if (value === currentText(about.before, node.id)) return text
  if (autoFilled || isMasked(mask) || isBrokenMask(mask)) return { ...text, ...own }
  if (value === own.value || value === node.value) return text
  return about.isKnown(node.id, value) || about.follows(node, value) ? { ...text, ...own } : null
}

const currentText = (line: CartPackage | undefined, nodeId: number): string | undefined =>
  line?.cartPackageItems.flatMap((item) => item.textNodes).find((one) => one.packageItemTextNodeId === nodeId)?.value
