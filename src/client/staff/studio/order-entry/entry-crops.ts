import type { EntryPicture, EntrySubject } from '#contract/studio/order-entry.ts'
import type { ImageNode, Package, PackageItem } from '#domain/catalogue/catalogue.ts'
import { isGroupNode } from '#domain/catalogue/nodes.ts'
import { cutPlaces, type NodeCrop } from '#domain/orders/paper-order.ts'
import type { KeyedLine } from './entry-form-values.ts'

/** A place of a package whose picture may be cut. */
export type CutPlace = { item: PackageItem; node: ImageNode }

/** Which of a line's two pictures stands at a place. */
export const imageAt = ({ name }: Pick<ImageNode, 'name'>): 'imageId' | 'groupImageId' =>
  isGroupNode({ name }) ? 'groupImageId' : 'imageId'

type Picking = { which: ReturnType<typeof imageAt>; imageId: number | null; made: Pick<Package, 'items'> }

/** A line with another picture: what was cut of the one before is no part of it. The same picture again keeps its crops. */
export const withPicture = (line: KeyedLine, { which, imageId, made }: Picking): Partial<KeyedLine> => {
  if (imageId === (line[which] ?? null)) return {}
  const gone = new Set(cutPlaces(made).flatMap(({ node }) => (imageAt(node) === which ? [node.id] : [])))
  return { [which]: imageId, crops: (line.crops ?? []).filter(({ nodeId }) => !gone.has(nodeId)) }
}

export const withCrop = (crops: readonly NodeCrop[] = [], crop: NodeCrop): NodeCrop[] => [
  ...crops.filter(({ nodeId }) => nodeId !== crop.nodeId),
  crop,
]

/** What places are called: by their items, numbered where several are called alike. */
export const cutNames = (places: readonly CutPlace[]): string[] =>
  places.map(({ item: { name } }, at) => {
    const alike = places.filter((one) => one.item.name === name)
    if (alike.length === 1) return name
    return `${name}, ${places.slice(0, at + 1).filter((one) => one.item.name === name).length} of ${alike.length}`
  })

/** A picture of a line's person as the server has it by now; as it was when they were chosen, where it does not say. */
export const pictureOf = (
  { subject }: Pick<KeyedLine, 'subject'>,
  imageId: number | null | undefined,
  people: readonly EntrySubject[],
): EntryPicture | undefined => {
  const now = people.find(({ subjectId }) => subjectId === subject.subjectId) ?? subject
  return now.pictures.find((one) => one.imageId === imageId)
}
