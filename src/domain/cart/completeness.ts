import { isDigital, type OrderMethod } from '../catalogue/catalogue.ts'
import { isEditableImageNode } from '../catalogue/nodes.ts'
import { printedText } from '../printing/printable-letters.ts'
import type { CartPackage, CartPackageItem } from './cart.ts'

export type Completeness = { all: boolean; textOnly: boolean; imageOnly: boolean }

export type MissingField = {
  /** `packageItemId` of the item. */
  itemId: number
  /** `packageItemImageNodeId` or `packageItemTextNodeId`, depending on `kind`. */
  nodeId: number
  kind: 'image' | 'text'
  name: string
}

/**
 * What the customer still has to provide on a line, in the order of its items (section 4, package completeness): images
 * (not for prepay, which has none yet) and texts (not for digital products). Nodes that are not editable need nothing.
 */
export const findMissingFields = (line: CartPackage, orderMethod: OrderMethod): MissingField[] =>
  line.cartPackageItems.flatMap((item) => missingInItem(line, item, orderMethod))

const missingInItem = (line: CartPackage, item: CartPackageItem, orderMethod: OrderMethod): MissingField[] => [
  ...(orderMethod === 'prepay' ? [] : missingImages(line, item)),
  ...(isDigital(item.productCode) ? [] : missingTexts(line, item)),
]

const missingImages = (line: CartPackage, item: CartPackageItem): MissingField[] => {
  const emptyNodeIds = new Set(
    item.imageNodes
      .filter((node) => node.subjectImageId === null && node.groupImageId === null)
      .map((node) => node.packageItemImageNodeId),
  )
  return (definitionOf(line, item)?.imageNodes ?? [])
    .filter((node) => isEditableImageNode(node) && emptyNodeIds.has(node.id))
    .map(({ id, name }) => ({ itemId: item.packageItemId, nodeId: id, kind: 'image', name }))
}

const missingTexts = (line: CartPackage, item: CartPackageItem): MissingField[] => {
  const blankNodeIds = new Set(
    item.textNodes.filter((node) => printedText(node.value) === '').map((node) => node.packageItemTextNodeId),
  )
  return (definitionOf(line, item)?.textNodes ?? [])
    .filter((node) => node.editable && blankNodeIds.has(node.id))
    .map(({ id, name }) => ({ itemId: item.packageItemId, nodeId: id, kind: 'text', name }))
}

const definitionOf = (line: CartPackage, item: CartPackageItem) =>
  line.snapshot.package.items.find((definition) => definition.id === item.packageItemId)

const completenessOf = (missing: readonly MissingField[]): Completeness => ({
  all: missing.length === 0,
  textOnly: missing.every((field) => field.kind !== 'text'),
  imageOnly: missing.every((field) => field.kind !== 'image'),
})

/** Completeness of one item of a line: overall, of its texts, and of its images (section 4). */
export const itemCompleteness = (line: CartPackage, packageItemId: number, orderMethod: OrderMethod): Completeness =>
  completenessOf(findMissingFields(line, orderMethod).filter((field) => field.itemId === packageItemId))

/** Completeness of a whole line (section 4). */
export const lineCompleteness = (line: CartPackage, orderMethod: OrderMethod): Completeness =>
  completenessOf(findMissingFields(line, orderMethod))
