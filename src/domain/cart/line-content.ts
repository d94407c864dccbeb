import type { PackageItem } from '../catalogue/catalogue.ts'
import type { CartImageNode, CartPackage, CartPackageItem, CartTextNode, ImageChoice, LineSnapshot } from './cart.ts'
import type { LineContent } from './mutation.ts'

/** An item of a line before anything is chosen or typed. */
export const emptyItem = (item: PackageItem): CartPackageItem => ({
  id: null,
  packageItemId: item.id,
  name: item.name,
  productCode: item.productCode,
  textNodes: item.textNodes.map((node) => ({
    id: null,
    packageItemTextNodeId: node.id,
    value: node.value,
    autoFilled: false,
  })),
  imageNodes: item.imageNodes.map((node) => emptyImageNode(node.id)),
})

const emptyImageNode = (packageItemImageNodeId: number): CartImageNode => ({
  id: null,
  packageItemImageNodeId,
  subjectImageId: null,
  groupImageId: null,
  replacementImageId: null,
  cropDimensions: null,
  frontendCropDimensions: null,
  rotation: 0,
  imageThumbnailUrl: null,
})

/** Replaces the content of a line; null if the content refers to a node the line does not have. */
export const fillLine = (line: CartPackage, content: LineContent): CartPackage | null => {
  const texts = new Map(content.textNodes.map((choice) => [choice.packageItemTextNodeId, choice]))
  const images = new Map(content.imageNodes.map((choice) => [choice.packageItemImageNodeId, choice]))
  const fillText = (node: CartTextNode): CartTextNode => ({ ...node, ...takeValue(texts, node.packageItemTextNodeId) })
  const fillImage = (node: CartImageNode): CartImageNode => {
    const choice = takeValue(images, node.packageItemImageNodeId)
    return choice ? { ...node, ...choice, imageThumbnailUrl: thumbnailOf(line.snapshot, choice) } : node
  }
  const cartPackageItems = line.cartPackageItems.map((item) => ({
    ...item,
    textNodes: item.textNodes.map(fillText),
    imageNodes: item.imageNodes.map(fillImage),
  }))
  if (texts.size > 0 || images.size > 0) return null
  const greenScreen = content.greenScreenBackgroundId === null ? null : { id: content.greenScreenBackgroundId }
  return { ...line, greenScreen, dataFields: content.dataFields, cartPackageItems }
}

const takeValue = <Value>(map: Map<number, Value>, key: number): Value | undefined => {
  const value = map.get(key)
  map.delete(key)
  return value
}

const thumbnailOf = (snapshot: LineSnapshot, choice: ImageChoice): string | null => {
  const imageId = shownImageId(choice)
  return snapshot.images.find((image) => image.imageId === imageId)?.thumbnailUrl ?? null
}

/** Moves a line to a newer version of its package: choices for nodes that still exist stay. */
export const withPackageVersion = (line: CartPackage, snapshot: LineSnapshot): CartPackage => {
  const texts = line.cartPackageItems.flatMap((item) => item.textNodes)
  const images = line.cartPackageItems.flatMap((item) => item.imageNodes)
  const cartPackageItems = snapshot.package.items.map((item) => {
    const empty = emptyItem(item)
    const previousItem = line.cartPackageItems.find((candidate) => candidate.packageItemId === item.id)
    return {
      ...empty,
      id: previousItem?.id ?? null,
      textNodes: empty.textNodes.map(
        (node) => texts.find((text) => text.packageItemTextNodeId === node.packageItemTextNodeId) ?? node,
      ),
      imageNodes: empty.imageNodes.map(
        (node) => images.find((image) => image.packageItemImageNodeId === node.packageItemImageNodeId) ?? node,
      ),
    }
  })
  return { ...line, price: snapshot.package.retailCost, snapshot, cartPackageItems }
}

/** The image of a node that is shown and printed; a replacement takes precedence. Null for an empty node. */
export const shownImageId = ({
  replacementImageId,
  subjectImageId,
  groupImageId,
}: Pick<ImageChoice, 'replacementImageId' | 'subjectImageId' | 'groupImageId'>): number | null =>
  replacementImageId ?? subjectImageId ?? groupImageId

/** A line's snapshot with the images of a later choice appended. */
export const withSnapshotImages = (current: LineSnapshot, later: LineSnapshot | null): LineSnapshot => {
  const currentIds = new Set(current.images.map((image) => image.imageId))
  const newImages = later?.images.filter((image) => !currentIds.has(image.imageId)) ?? []
  return newImages.length === 0 ? current : { ...current, images: [...current.images, ...newImages] }
}
