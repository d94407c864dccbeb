import type { EntryImage, EntrySubject } from '#contract/studio/order-entry.ts'
import type { ImageNode, Package, PackageItem } from '#domain/catalogue/catalogue.ts'
import { isGroupNode } from '#domain/catalogue/nodes.ts'
import { croppableNodes, type NodeCrop } from '#domain/orders/paper-order.ts'
import type { EntryFormLine } from './entry-form-values.ts'

/** An image node of a package that can be cropped. */
export type CroppableNode = { item: PackageItem; node: ImageNode }

/** The field of the line that holds the image of this node. */
export const imageFieldOf = ({ name }: Pick<ImageNode, 'name'>): 'imageId' | 'groupImageId' =>
  isGroupNode({ name }) ? 'groupImageId' : 'imageId'

type ImageChoice = {
  imageField: ReturnType<typeof imageFieldOf>
  imageId: number | null
  packageDefinition: Pick<Package, 'items'>
}

/** The change of a line when an image is chosen. Crops of the previous image are removed; the same image keeps its crops. */
export const imageChangePatch = (
  line: EntryFormLine,
  { imageField, imageId, packageDefinition }: ImageChoice,
): Partial<EntryFormLine> => {
  if (imageId === (line[imageField] ?? null)) return {}
  const resetNodeIds = new Set(
    croppableNodes(packageDefinition).flatMap(({ node }) => (imageFieldOf(node) === imageField ? [node.id] : [])),
  )
  return { [imageField]: imageId, crops: (line.crops ?? []).filter(({ nodeId }) => !resetNodeIds.has(nodeId)) }
}

export const withCrop = (crops: readonly NodeCrop[] = [], crop: NodeCrop): NodeCrop[] => [
  ...crops.filter(({ nodeId }) => nodeId !== crop.nodeId),
  crop,
]

/** Labels of croppable nodes: the names of their items, numbered if a name repeats. */
export const cropLabels = (nodes: readonly CroppableNode[]): string[] =>
  nodes.map(({ item: { name } }, index) => {
    const isSameName = (other: CroppableNode) => other.item.name === name
    const total = nodes.filter(isSameName).length
    return total === 1 ? name : `${name}, ${nodes.slice(0, index + 1).filter(isSameName).length} of ${total}`
  })

/** The image of a line, from the given subjects if they include the line's subject, otherwise from the line. */
export const findEntryImage = (
  { subject }: Pick<EntryFormLine, 'subject'>,
  imageId: number | null | undefined,
  subjects: readonly EntrySubject[],
): EntryImage | undefined => {
  const latestSubject = subjects.find(({ subjectId }) => subjectId === subject.subjectId) ?? subject
  return latestSubject.images.find((image) => image.imageId === imageId)
}
