import type { ImageChoice, WithdrawnContent } from '#domain/cart/cart.ts'
import { imageIdsOf, isImageOfSubject } from './image-choice-rules.ts'
import type { ImageRecord, SubjectRecord } from './subject-and-image-queries.ts'

/** The images a cart or an order names, as far as customers may see them. While the event shows none of its photos, no single one is withdrawn. */
export type ShownImages = { readonly picturesShow: boolean; readonly pictures: ReadonlyMap<number, ImageRecord> }

type Whose = Pick<SubjectRecord, 'id' | 'groupIds' | 'isHidden'>

/** Whether an image that was chosen for retouching is shown to its subject no more. */
export const isPhotoWithdrawn = (imageId: number, whose: Whose, { picturesShow, pictures }: ShownImages): boolean =>
  picturesShow &&
  !(['subject', 'group', 'replacement'] as const).some((as) => isImageOfSubject(pictures.get(imageId), as, whose))

/** What of a package's images and subject may not be shown, and so not sold; `isConfirmed`: whether this session may see the subject. */
export const withdrawnOf = (
  nodes: readonly ImageChoice[],
  whose: Whose & { readonly isConfirmed: boolean },
  { picturesShow, pictures }: ShownImages,
): WithdrawnContent | undefined => {
  const shown = picturesShow ? nodes.flatMap((node) => imageIdsOf(node).slice(0, 1)) : []
  const gone = shown.filter(({ id, as }) => !isImageOfSubject(pictures.get(id), as, whose))
  const imageIds = [...new Set(gone.map(({ id }) => id))]
  const person = whose.isHidden ? 'hidden' : whose.isConfirmed ? null : 'unconfirmed'
  return person === null && imageIds.length === 0 ? undefined : { person, imageIds }
}
