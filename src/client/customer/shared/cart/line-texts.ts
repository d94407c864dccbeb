import type { CartPackage } from '#domain/cart/cart.ts'
import { maskNodeText } from '#domain/catalogue/mask.ts'

/** A line's name: the display name if the package has one. */
export const lineName = ({ snapshot }: CartPackage): string => snapshot.package.altName ?? snapshot.package.name

/** The texts printed on a line, without duplicates, masked if private. */
export const lineTexts = (line: CartPackage): { name: string; shown: string }[] => {
  const texts = line.snapshot.package.items.flatMap((item) =>
    item.textNodes.flatMap((node) => {
      const filled = line.cartPackageItems
        .flatMap((one) => one.textNodes)
        .find((one) => one.packageItemTextNodeId === node.id)
      const shown = filled ? maskNodeText(node, filled.value) : ''
      return shown.trim() === '' ? [] : [{ name: node.name, shown }]
    }),
  )
  return [...new Map(texts.map((text) => [`${text.name} ${text.shown}`, text])).values()]
}
