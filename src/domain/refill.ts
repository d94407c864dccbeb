import { type AutofillSubject, autofillText } from './autofill.ts'
import type { CartPackage, TextChoice } from './cart.ts'
import type { Package } from './catalogue.ts'

/**
 * The texts of a line that were filled in from somebody's data, as they read after that data changed; null where none of them reads
 * differently. What the customer wrote in their own words stays. Without it a name typed wrong once would still be printed.
 */
export const refilledTexts = (line: CartPackage, subject: AutofillSubject): TextChoice[] | null => {
  const texts = line.cartPackageItems.flatMap((item) => item.textNodes)
  const now = refilled(line.snapshot.package, texts, subject)
  return now.some(({ value }, place) => value !== texts[place]?.value) ? now : null
}

/** Texts of a package as they read by somebody's data now. */
export const refilled = (of: Package, texts: readonly TextChoice[], subject: AutofillSubject): TextChoice[] => {
  const nodes = new Map(of.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  return texts.map(({ packageItemTextNodeId, value, autoFilled }) => {
    const node = nodes.get(packageItemTextNodeId)
    const now = autoFilled && node ? autofillText(node, subject) : { value, autoFilled }
    return { packageItemTextNodeId, ...now }
  })
}
