import type { EntryImage, EntrySubject } from '#contract/studio/order-entry.ts'
import type { ImageNode, Package, PackageItem } from '#domain/catalogue/catalogue.ts'
import { isGroupNode } from '#domain/catalogue/nodes.ts'
import { croppableNodes, type NodeCrop } from '#domain/orders/paper-order.ts'
import type { EntryFormLine } from './entry-form-values.ts'

/** A place of a package whose picture may be cut. */
export type CroppableNode = { item: PackageItem; node: ImageNode }

/** Which of a line's two pictures stands at a place. */
export const imageFieldOf = ({ name }: Pick<ImageNode, 'name'>): 'imageId' | 'groupImageId' =>
  isGroupNode({ name }) ? 'groupImageId' : 'imageId'

type ImageChoice = { which: ReturnType<typeof imageFieldOf>; imageId: number | null; made: Pick<Package, 'items'> }

/** A line with another picture: what was cut of the one before is no part of it. The same picture again keeps its crops. */
export const withImage = (line: EntryFormLine, { which, imageId, made }: ImageChoice): Partial<EntryFormLine> => {
  if (imageId === (line[which] ?? null)) return {}
  const gone = new Set(croppableNodes(made).flatMap(({ node }) => (imageFieldOf(node) === which ? [node.id] : [])))
  return { [which]: imageId, crops: (line.crops ?? []).filter(({ nodeId }) => !gone.has(nodeId)) }
}

export const withCrop = (crops: readonly NodeCrop[] = [], crop: NodeCrop): NodeCrop[] => [
  ...crops.filter(({ nodeId }) => nodeId !== crop.nodeId),
  crop,
]

/** What places are called: by their items, numbered where several are called alike. */
export const cropLabels = (places: readonly CroppableNode[]): string[] =>
  places.map(({ item: { name } }, at) => {
    const alike = places.filter((one) => one.item.name === name)
    if (alike.length === 1) return name
    return `${name}, ${places.slice(0, at + 1).filter((one) => one.item.name === name).length} of ${alike.length}`
  })

/** A picture of a line's person as the server has it by now; as it was when they were chosen, where it does not say. */
export const imageOf = (
  { subject }: Pick<EntryFormLine, 'subject'>,
  imageId: number | null | undefined,
  people: readonly EntrySubject[],
): EntryImage | undefined => {
  const now = people.find(({ subjectId }) => subjectId === subject.subjectId) ?? subject
  return now.pictures.find((one) => one.imageId === imageId)
}
