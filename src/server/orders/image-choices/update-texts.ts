import type { CartPackage, CartTextNode, TextChoice } from '#domain/cart/cart.ts'
import { fixedTextMessage } from '#domain/cart/fixed-texts.ts'
import { brokenMaskMessage, isBrokenMask, unmask } from '#domain/catalogue/mask.ts'
import { unprintableLettersMessage, unprintableTexts } from '#domain/printing/printable-letters.ts'
import { type Problem, problem } from '#server/http/problem.ts'

/** Replaces an unchanged mask by the value that it hides. */
const resolveMask = ({ packageItemTextNodeId, value: input }: TextChoice, currentText: CartTextNode): TextChoice => {
  const value = unmask(input, currentText.value)
  return { packageItemTextNodeId, value, autoFilled: currentText.autoFilled && value === currentText.value }
}

/**
 * The texts that a sold line will print, by the rules of cart lines; or a problem. `fillLine` rejects unknown nodes.
 */
export const updatedTexts = (
  { snapshot, cartPackageItems }: CartPackage,
  inputTexts: readonly TextChoice[],
): TextChoice[] | Problem<'refused'> => {
  const soldPackage = snapshot.package
  const nodeById = new Map(soldPackage.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  const currentTexts = new Map(
    cartPackageItems.flatMap((item) => item.textNodes).map((text) => [text.packageItemTextNodeId, text]),
  )
  const texts: TextChoice[] = []
  for (const text of inputTexts) {
    const currentText = currentTexts.get(text.packageItemTextNodeId)
    const resolved = currentText ? resolveMask(text, currentText) : text
    if (currentText && isBrokenMask({ shown: resolved.value, original: currentText.value }))
      return problem('refused', brokenMaskMessage)
    const isFixed = nodeById.get(text.packageItemTextNodeId)?.editable === false
    if (isFixed && resolved.value !== currentText?.value) return problem('refused', fixedTextMessage)
    texts.push(resolved)
  }
  const [unprintable] = unprintableTexts(soldPackage, texts)
  return unprintable ? problem('refused', unprintableLettersMessage(unprintable.lacking)) : texts
}
