import { type AutofillSubject, autofillText } from '../catalogue/autofill.ts'
import type { Package, TextNode } from '../catalogue/catalogue.ts'
import { isBrokenMask, isMasked } from '../catalogue/mask.ts'
import type { CartPackage, TextChoice } from './cart.ts'

/** What texts of a line are held against. */
export type FixedTextContext = {
  made: Pick<Package, 'items'>
  /** Whom the line is for, as they are known now. */
  subject: AutofillSubject
  /** The line as it stands; undefined for a new one. */
  before: CartPackage | undefined
  /** Whether a text stood at a node in another version of the package, or stands there on another line: a copy brings it along. */
  isKnown: (nodeId: number, value: string) => boolean
}

/**
 * Texts of a line with those that nobody may edit as they have to be: what the line has, the node's own words, or what it is filled in
 * with for the person. What a device says only because it has not heard of a change since is replaced by what is true now; null
 * where something else stands there.
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

/** `follows`: whether an editable text of the same name reads so; devices of old let all of one name follow what was typed. */
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
