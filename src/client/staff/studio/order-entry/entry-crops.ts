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
  which: ReturnType<typeof imageFieldOf>
  imageId: number | null
  packageDefinition: Pick<Package, 'items'>
}

/** The line with another image. Crops of the previous image are removed; choosing the same image keeps its crops. */
export const withImage = (
  line: EntryFormLine,
  { which, imageId, packageDefinition }: ImageChoice,
): Partial<EntryFormLine> => {
  if (imageId === (line[which] ?? null)) return {}
  const removedNodes = new Set(
    croppableNodes(packageDefinition).flatMap(({ node }) => (imageFieldOf(node) === which ? [node.id] : [])),
  )
  return { [which]: imageId, crops: (line.crops ?? []).filter(({ nodeId }) => !removedNodes.has(nodeId)) }
}

export const withCrop = (crops: readonly NodeCrop[] = [], crop: NodeCrop): NodeCrop[] => [
  ...crops.filter(({ nodeId }) => nodeId !== crop.nodeId),
  crop,
]

/** Labels of crops: the item names, numbered if they repeat. */
export const cropLabels = (nodes: readonly CroppableNode[]): string[] =>
  nodes.map(({ item: { name } }, at) => {
    const sameName = nodes.filter((one) => one.item.name === name)
    if (sameName.length === 1) return name
    return `${name}, ${nodes.slice(0, at + 1).filter((one) => one.item.name === name).length} of ${sameName.length}`
  })

/** The latest data of a subject's image, or the data at selection if the server does not list it. */
export const imageOf = (
  { subject }: Pick<EntryFormLine, 'subject'>,
  imageId: number | null | undefined,
  subjects: readonly EntrySubject[],
): EntryImage | undefined => {
  const latest = subjects.find(({ subjectId }) => subjectId === subject.subjectId) ?? subject
  return latest.pictures.find((one) => one.imageId === imageId)
}
