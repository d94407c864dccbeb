import { type AutofillSubject, autofillText } from './autofill.ts'
import type { CartPackage } from './cart.ts'
import type { LineContent } from './mutation.ts'

/**
 * The texts of a line that were filled in from somebody's data, as they read after that data changed; null where none of them reads
 * differently. What the customer wrote in their own words stays. Without it a name typed wrong once would still be printed.
 */
export const refilledTexts = (line: CartPackage, subject: AutofillSubject): LineContent['textNodes'] | null => {
  const nodes = new Map(line.snapshot.package.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  const texts = line.cartPackageItems.flatMap((item) => item.textNodes)
  const refilled = texts.map(({ packageItemTextNodeId, value, autoFilled }) => {
    const node = nodes.get(packageItemTextNodeId)
    const now = autoFilled && node ? autofillText(node, subject) : { value, autoFilled }
    return { packageItemTextNodeId, ...now }
  })
  return refilled.some(({ value }, place) => value !== texts[place]?.value) ? refilled : null
}
