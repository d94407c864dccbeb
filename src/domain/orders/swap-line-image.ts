import type { CartPackageItem, ImageChoice, LineSnapshot } from '../cart/cart.ts'

/** A new image for a line: its id and its upright size in pixels. */
export type NewLineImage = {
  readonly imageId: number
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

type NodeImageIds = Pick<ImageChoice, 'subjectImageId' | 'groupImageId' | 'replacementImageId'>

const withImageReplaced = <Node extends NodeImageIds>(node: Node, from: number, to: number): Node => {
  const replaceId = (id: number | null) => (id === from ? to : id)
  return {
    ...node,
    subjectImageId: replaceId(node.subjectImageId),
    groupImageId: replaceId(node.groupImageId),
    replacementImageId: replaceId(node.replacementImageId),
  }
}

/**
 * Replaces an image on a line. Crops stay, as they are percentages; if the new image has another aspect ratio, a node
 * shows the largest centred part that fills it, as always.
 */
export const swapLineImage = (
  { items, snapshot }: { items: readonly CartPackageItem[]; snapshot: LineSnapshot },
  from: number,
  to: NewLineImage,
): { items: CartPackageItem[]; snapshot: LineSnapshot } => ({
  items: items.map((item) => ({
    ...item,
    imageNodes: item.imageNodes.map((node) => withImageReplaced(node, from, to.imageId)),
  })),
  snapshot: {
    ...snapshot,
    images: snapshot.images.map((image) => (image.imageId === from ? { ...image, ...to } : image)),
  },
})
