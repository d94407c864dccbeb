import type { CartPackage, CartTextNode, TextChoice } from '#domain/cart/cart.ts'
import { brokenMaskMessage, isBrokenMask, unmask } from '#domain/catalogue/mask.ts'
import { unprintableTexts } from '#domain/printing/printable-letters.ts'
import { fixedTextMessage, unprintableLettersMessage } from '#server/carts/store/text-messages.ts'
import { type Problem, problem } from '#server/http/problem.ts'

/** Resolves a text: an unchanged mask stands for the value behind it. */
const unmasked = ({ packageItemTextNodeId, value: sentTexts }: TextChoice, currentTexts: CartTextNode): TextChoice => {
  const value = unmask(sentTexts, currentTexts.value)
  return { packageItemTextNodeId, value, autoFilled: currentTexts.autoFilled && value === currentTexts.value }
}

/**
 * The texts that a sold line will print, by the rules of cart lines; or a problem. Unknown nodes are left to
 * `fillLine`.
 */
export const updatedTexts = (
  { snapshot, cartPackageItems }: CartPackage,
  sentTexts: readonly TextChoice[],
): TextChoice[] | Problem<'refused'> => {
  const soldPackage = snapshot.package
  const nodes = new Map(soldPackage.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  const currentTexts = new Map(
    cartPackageItems.flatMap((item) => item.textNodes).map((text) => [text.packageItemTextNodeId, text]),
  )
  const texts: TextChoice[] = []
  for (const text of sentTexts) {
    const before = currentTexts.get(text.packageItemTextNodeId)
    const resolved = before ? unmasked(text, before) : text
    if (before && isBrokenMask({ shown: resolved.value, original: before.value }))
      return problem('refused', brokenMaskMessage)
    const isFixed = nodes.get(text.packageItemTextNodeId)?.editable === false
    if (isFixed && resolved.value !== before?.value) return problem('refused', fixedTextMessage)
    texts.push(resolved)
  }
  const [unprintable] = unprintableTexts(soldPackage, texts)
  return unprintable ? problem('refused', unprintableLettersMessage(unprintable.lacking)) : texts
}
