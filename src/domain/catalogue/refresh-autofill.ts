import type { CartPackage, TextChoice } from '../cart/cart.ts'
import { type AutofillSubject, autofillText } from './autofill.ts'
import type { Package } from './catalogue.ts'

/**
 * The texts of a line that were filled in from somebody's data, as they read after that data changed; null where none of them reads
 * differently. What the customer wrote in their own words stays. Without it a name typed wrong once would still be printed.
 */
export const refreshLineTexts = (line: CartPackage, subject: AutofillSubject): TextChoice[] | null => {
  const texts = line.cartPackageItems.flatMap((item) => item.textNodes)
  const now = refreshTexts(line.snapshot.package, texts, subject)
  return now.some(({ value }, place) => value !== texts[place]?.value) ? now : null
}

/** Texts of a package as they read by somebody's data now. */
export const refreshTexts = (of: Package, texts: readonly TextChoice[], subject: AutofillSubject): TextChoice[] => {
  const nodes = new Map(of.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  return texts.map(({ packageItemTextNodeId, value, autoFilled }) => {
    const node = nodes.get(packageItemTextNodeId)
    const now = autoFilled && node ? autofillText(node, subject) : { value, autoFilled }
    return { packageItemTextNodeId, ...now }
  })
}

/**
 * Every text of a package for a person: those that are given, and the others as they start (section 5). Which of them read as the
 * person's data says is seen from the data, never told. What is given for a node the package does not have stays for the rules to refuse.
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
