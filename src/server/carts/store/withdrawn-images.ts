import type { ImageChoice, WithdrawnContent } from '#domain/cart/cart.ts'
import { imageIdsOf, isImageOfSubject } from './image-choice-rules.ts'
import type { ImageRecord, SubjectRecord } from './subject-and-image-queries.ts'

/** The visible ones of the images that a cart or an order names. While the job shows no images at all, none counts as withdrawn. */
export type ShownImages = { readonly showsImages: boolean; readonly images: ReadonlyMap<number, ImageRecord> }

type Whose = Pick<SubjectRecord, 'id' | 'groupIds' | 'isHidden'>

/** Whether an image chosen for retouching is not shown to its subject any more. */
export const isImageWithdrawn = (imageId: number, whose: Whose, { showsImages, images }: ShownImages): boolean =>
  showsImages &&
  !(['subject', 'group', 'replacement'] as const).some((as) => isImageOfSubject(images.get(imageId), as, whose))

/** Which images and subject of a package may not be shown, and so not sold. `isConfirmed`: whether this session may see the subject. */
export const withdrawnOf = (
  nodes: readonly ImageChoice[],
  whose: Whose & { readonly isConfirmed: boolean },
  { showsImages, images }: ShownImages,
): WithdrawnContent | undefined => {
  const shown = showsImages ? nodes.flatMap((node) => imageIdsOf(node).slice(0, 1)) : []
  const gone = shown.filter(({ id, as }) => !isImageOfSubject(images.get(id), as, whose))
  const imageIds = [...new Set(gone.map(({ id }) => id))]
  const person = whose.isHidden ? 'hidden' : whose.isConfirmed ? null : 'unconfirmed'
  return person === null && imageIds.length === 0 ? undefined : { person, imageIds }
}
