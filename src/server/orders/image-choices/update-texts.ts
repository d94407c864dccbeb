import type { CartPackage, CartTextNode, TextChoice } from '#domain/cart/cart.ts'
import { brokenMaskMessage, isBrokenMask, unmask } from '#domain/catalogue/mask.ts'
import { unprintableTexts } from '#domain/printing/printable-letters.ts'
import { fixedTextMessage, unprintableLettersMessage } from '#server/carts/store/text-messages.ts'
import { type Problem, problem } from '#server/http/problem.ts'

/** A text as it is meant: a mask that nobody touched stands for what is behind it. */
const meant = ({ packageItemTextNodeId, value: sent }: TextChoice, standing: CartTextNode): TextChoice => {
  const value = unmask(sent, standing.value)
  return { packageItemTextNodeId, value, autoFilled: standing.autoFilled && value === standing.value }
}

/** Texts for a sold line as they will print, by the rules of a cart's line; or why not. Nodes that it does not have are left to `fill`. */
export const updatedTexts = (
  { snapshot, cartPackageItems }: CartPackage,
  sent: readonly TextChoice[],
): TextChoice[] | Problem<'refused'> => {
  const made = snapshot.package
  const nodes = new Map(made.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  const standing = new Map(
    cartPackageItems.flatMap((item) => item.textNodes).map((text) => [text.packageItemTextNodeId, text]),
  )
  const texts: TextChoice[] = []
  for (const text of sent) {
    const before = standing.get(text.packageItemTextNodeId)
    const known = before ? meant(text, before) : text
    if (before && isBrokenMask({ shown: known.value, original: before.value }))
      return problem('refused', brokenMaskMessage)
    const isFixed = nodes.get(text.packageItemTextNodeId)?.editable === false
    if (isFixed && known.value !== before?.value) return problem('refused', fixedTextMessage)
    texts.push(known)
  }
  const [unprintable] = unprintableTexts(made, texts)
  return unprintable ? problem('refused', unprintableLettersMessage(unprintable.lacking)) : texts
}
