import { type ImageNode, isDigital, type PackageItem, type PositionCoords, type TextNode } from './catalogue.ts'
import { downloadKindOf } from './downloads.ts'
import type { Product } from './package-draft.ts'
import { nextDraftId } from './stable-node-ids.ts'

/** A product with the nodes that a new item starts with, if its administrators set any. */
export type ProductWithNodes = Product & {
  nodes: { imageNodes: readonly Omit<ImageNode, 'id'>[]; textNodes: readonly Omit<TextNode, 'id'>[] }
}

const fullPrint: PositionCoords = { x: 0, y: 0, width: 100, height: 100 }

/** The first unused name of a kind on an item: `Image 2` if there is an `Image 1`. */
export const nextFreeName = (
  kind: string,
  { imageNodes, textNodes }: Pick<PackageItem, 'imageNodes' | 'textNodes'>,
): string => {
  const takenNames = new Set([...imageNodes, ...textNodes].map(({ name }) => name.trim().toLowerCase()))
  let number = 1
  while (takenNames.has(`${kind} ${number}`.toLowerCase())) number += 1
  return `${kind} ${number}`
}

type ItemContext = { items: readonly PackageItem[]; allowConsumerCrop: boolean }

/** A new item for a package: with the product's own nodes, otherwise with one image that fills the print. */
export const defaultPackageItem = (
  product: ProductWithNodes,
  { items, allowConsumerCrop }: ItemContext,
): PackageItem => {
  const { code, name, widthInches, heightInches, nodes } = product
  let id = nextDraftId(items) + 1
  const nextId = (): number => {
    id -= 1
    return id
  }
  const { imageNodes, textNodes } = hasNodes(nodes)
    ? nodes
    : { imageNodes: defaultImageNodes(code, allowConsumerCrop), textNodes: [] }
  return {
    id: nextId(),
    name,
    productCode: code,
    widthInches,
    heightInches,
    imageNodes: imageNodes.map((node) => ({ ...node, productCode: code, id: nextId() })),
    textNodes: textNodes.map((node) => ({ ...node, id: nextId() })),
  }
}

const hasNodes = ({ imageNodes, textNodes }: ProductWithNodes['nodes']): boolean =>
  imageNodes.length + textNodes.length > 0

const defaultImageNodes = (productCode: string, allowConsumerCrop: boolean): Omit<ImageNode, 'id'>[] => {
  if (downloadKindOf(productCode) === 'all') return []
  const isOfGroup = productCode === 'ClassGroup'
  return [
    {
      name: isOfGroup ? 'Group 1' : 'Image 1',
      static: false,
      positionCoords: fullPrint,
      allowConsumerCrop: allowConsumerCrop && !isOfGroup && !isDigital(productCode),
      productCode,
    },
  ]
}

/** A copy of an item with new ids for the item and its nodes. */
export const duplicateItem = (item: PackageItem, items: readonly PackageItem[]): PackageItem => {
  let id = nextDraftId(items) + 1
  const withNewId = <Entity extends { id: number }>(entity: Entity): Entity => {
    id -= 1
    return { ...entity, id }
  }
  return { ...withNewId(item), imageNodes: item.imageNodes.map(withNewId), textNodes: item.textNodes.map(withNewId) }
}
