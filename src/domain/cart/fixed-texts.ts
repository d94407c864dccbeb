import { type AutofillSubject, autofillText } from '../catalogue/autofill.ts'
import type { Package, TextNode } from '../catalogue/catalogue.ts'
import { isBrokenMask, isMasked } from '../catalogue/mask.ts'
import type { CartPackage, TextChoice } from './cart.ts'

/** The message for a text that only the studio may write. */
export const fixedTextMessage = 'This text of the package can’t be changed'

/** What the texts of a line are checked against. */
export type FixedTextContext = {
  definition: Pick<Package, 'items'>
  /** The line's subject with current data. */
  subject: AutofillSubject
  /** The line as it is stored; undefined for a new one. */
  before: CartPackage | undefined
  /**
   * Whether the node had this text in another package version, or has it on another line: copying that line copies
   * the text.
   */
  isKnown: (nodeId: number, value: string) => boolean
}

/**
 * Sets the texts that the customer may not edit to what they must be: the line's stored text, the node's own text, or
 * the subject's autofilled data. Outdated text from a device that has not seen a change yet is replaced. Returns null
 * if such a text has any other value.
 */
export const enforceFixedTexts = (texts: readonly TextChoice[], context: FixedTextContext): TextChoice[] | null => {
  const nodes = new Map(context.definition.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  const matchesEditableText = ({ name }: TextNode, value: string): boolean =>
    texts.some((text) => {
      const node = nodes.get(text.packageItemTextNodeId)
      return node?.editable === true && node.name === name && text.value === value
    })
  const allowedTexts = texts.flatMap((text) => {
    const node = nodes.get(text.packageItemTextNodeId)
    return node && !node.editable ? (fixedText(text, node, { ...context, matchesEditableText }) ?? []) : text
  })
  return allowedTexts.length === texts.length ? allowedTexts : null
}

/**
 * `matchesEditableText`: whether an editable text of the same name has this value; older builds of the client copy
 * typed text to all nodes of one name.
 */
type FixedTextLookup = FixedTextContext & { matchesEditableText: (node: TextNode, value: string) => boolean }

const fixedText = (text: TextChoice, node: TextNode, context: FixedTextLookup): TextChoice | null => {
  const { value, autoFilled } = text
  const autofilled = autofillText(node, context.subject)
  const mask = { shown: value, original: autofilled.value }
  if (value === currentText(context.before, node.id)) return text
  if (autoFilled || isMasked(mask) || isBrokenMask(mask)) return { ...text, ...autofilled }
  if (value === autofilled.value || value === node.value) return text
  return context.isKnown(node.id, value) || context.matchesEditableText(node, value) ? { ...text, ...autofilled } : null
}

const currentText = (line: CartPackage | undefined, nodeId: number): string | undefined =>
  line?.cartPackageItems.flatMap((item) => item.textNodes).find((node) => node.packageItemTextNodeId === nodeId)?.value
