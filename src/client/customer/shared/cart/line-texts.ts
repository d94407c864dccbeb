import type { CartPackage } from '#domain/cart/cart.ts'
import { maskNodeText } from '#domain/catalogue/mask.ts'

/** A line's name: the display name if the package has one. */
export const lineName = ({ snapshot }: CartPackage): string => snapshot.package.altName ?? snapshot.package.name

/** The texts printed on a line, without duplicates, masked if private. */
export const lineTexts = (line: CartPackage): { name: string; value: string }[] => {
  const texts = line.snapshot.package.items.flatMap((item) =>
    item.textNodes.flatMap((node) => {
      const textNode = line.cartPackageItems
        .flatMap((item) => item.textNodes)
        .find((textNode) => textNode.packageItemTextNodeId === node.id)
      const value = textNode ? maskNodeText(node, textNode.value) : ''
      return value.trim() === '' ? [] : [{ name: node.name, value }]
    }),
  )
  return [...new Map(texts.map((text) => [`${text.name} ${text.value}`, text])).values()]
}

/** The number of packages as text. */
export const packageCountLabel = (count: number): string => (count === 1 ? '1 package' : `${count} packages`)
