import type { CartPackage, TextChoice } from '../cart/cart.ts'
import { type AutofillSubject, autofillText } from './autofill.ts'
import type { Package } from './catalogue.ts'

/**
 * The autofilled texts of a line after the subject's data changed; null if none of them differs. Text the customer
 * typed stays. Without this, a misspelled name would still be printed after its correction.
 */
export const refreshLineTexts = (line: CartPackage, subject: AutofillSubject): TextChoice[] | null => {
  const texts = line.cartPackageItems.flatMap((item) => item.textNodes)
  const refreshed = refreshTexts(line.snapshot.package, texts, subject)
  return refreshed.some(({ value }, index) => value !== texts[index]?.value) ? refreshed : null
}

/** The texts of a package with autofilled ones updated from the subject's current data. */
export const refreshTexts = (
  { items }: Package,
  texts: readonly TextChoice[],
  subject: AutofillSubject,
): TextChoice[] => {
  const nodes = new Map(items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  return texts.map(({ packageItemTextNodeId, value, autoFilled }) => {
    const node = nodes.get(packageItemTextNodeId)
    const refreshed = autoFilled && node ? autofillText(node, subject) : { value, autoFilled }
    return { packageItemTextNodeId, ...refreshed }
  })
}

/**
 * All texts of a package for a subject: the typed ones, and the initial texts of the others (section 5). Whether a text
 * counts as autofilled is computed from the data, never sent. Texts for unknown nodes are passed on for the rules to
 * reject.
 */
export const autofillPackageTexts = (
  { items }: Pick<Package, 'items'>,
  typedTexts: readonly TextChoice[],
  subject: AutofillSubject,
): TextChoice[] => {
  const nodes = items.flatMap((item) => item.textNodes)
  const unknownTexts = typedTexts.filter((text) => !nodes.some(({ id }) => id === text.packageItemTextNodeId))
  const texts = nodes.map((node) => {
    const autofilled = autofillText(node, subject)
    const value = typedTexts.find((text) => text.packageItemTextNodeId === node.id)?.value ?? autofilled.value
    return { packageItemTextNodeId: node.id, value, autoFilled: autofilled.autoFilled && value === autofilled.value }
  })
  return [...texts, ...unknownTexts]
}
