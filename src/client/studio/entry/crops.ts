import type { EntryPicture, EntrySubject } from '../../../contract/studio/entry.ts'
import type { ImageNode, PackageItem } from '../../../domain/catalogue.ts'
import type { NodeCrop } from '../../../domain/paper-order.ts'
import type { KeyedLine } from './entry-form.ts'

/** A place of a package whose picture may be cut. */
export type CutPlace = { item: PackageItem; node: ImageNode }

/** A line with another picture: what was cut of the one before is no part of it. The same picture again keeps its crops. */
export const withPicture = (line: KeyedLine, imageId: number | null): Partial<KeyedLine> =>
  imageId === line.imageId ? {} : { imageId, crops: [] }

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

/** A line's picture as the server has it by now; as it was when its person was chosen, where it does not say. */
export const pictureOf = (
  { subject, imageId }: Pick<KeyedLine, 'subject' | 'imageId'>,
  people: readonly EntrySubject[],
): EntryPicture | undefined => {
  const now = people.find(({ subjectId }) => subjectId === subject.subjectId) ?? subject
  return now.pictures.find((one) => one.imageId === imageId)
}
