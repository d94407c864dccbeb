import type { CartPackageItem, ImageChoice, LineSnapshot } from '../cart/cart.ts'

/** A new image for a line: its id and its upright size in pixels. */
export type NewLineImage = {
  readonly imageId: number
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

type NodeImageIds = Pick<ImageChoice, 'subjectImageId' | 'groupImageId' | 'replacementImageId'>

const exchanged = <Node extends NodeImageIds>(node: Node, from: number, to: number): Node => {
  const next = (id: number | null) => (id === from ? to : id)
  return {
    ...node,
    subjectImageId: next(node.subjectImageId),
    groupImageId: next(node.groupImageId),
    replacementImageId: next(node.replacementImageId),
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
    imageNodes: item.imageNodes.map((node) => exchanged(node, from, to.imageId)),
  })),
  snapshot: {
    ...snapshot,
    images: snapshot.images.map((fact) => (fact.imageId === from ? { ...fact, ...to } : fact)),
  },
})
