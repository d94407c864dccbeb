import type { CartPackage, TextChoice } from '../cart/cart.ts'
import { type AutofillSubject, autofillText } from './autofill.ts'
import type { Package } from './catalogue.ts'

/**
 * The autofilled texts of a line after the subject's data changed; null if none of them differs. Text the customer
 * typed stays. Without this, a misspelled name would still be printed after its correction.
 */
export const refreshLineTexts = (line: CartPackage, subject: AutofillSubject): TextChoice[] | null => {
  const texts = line.cartPackageItems.flatMap((item) => item.textNodes)
  const now = refreshTexts(line.snapshot.package, texts, subject)
  return now.some(({ value }, place) => value !== texts[place]?.value) ? now : null
}

/** The texts of a package with autofilled ones updated from the subject's current data. */
export const refreshTexts = (of: Package, texts: readonly TextChoice[], subject: AutofillSubject): TextChoice[] => {
  const nodes = new Map(of.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  return texts.map(({ packageItemTextNodeId, value, autoFilled }) => {
    const node = nodes.get(packageItemTextNodeId)
    const now = autoFilled && node ? autofillText(node, subject) : { value, autoFilled }
    return { packageItemTextNodeId, ...now }
  })
}

/**
 * All texts of a package for a subject: the given ones, and the initial texts of the others (section 5). Whether a text
 * counts as autofilled is computed from the data, never sent. Texts for unknown nodes are passed on for the rules to
 * reject.
 */
export const autofillPackageTexts = (
  { items }: Pick<Package, 'items'>,
  given: readonly TextChoice[],
  subject: AutofillSubject,
): TextChoice[] => {
  const nodes = items.flatMap((item) => item.textNodes)
  const strange = given.filter((text) => !nodes.some(({ id }) => id === text.packageItemTextNodeId))
  const texts = nodes.map((node) => {
    const known = autofillText(node, subject)
    const value = given.find((text) => text.packageItemTextNodeId === node.id)?.value ?? known.value
    return { packageItemTextNodeId: node.id, value, autoFilled: known.autoFilled && value === known.value }
  })
  return [...texts, ...strange]
}
