import type { ImageChoice, WithdrawnContent } from '#domain/cart/cart.ts'
import { imageIdsOf, isImageOfSubject } from './image-choice-rules.ts'
import type { ImageRecord, SubjectRecord } from './subject-and-image-queries.ts'

/** The published images among those of a cart or an order. While the job shows no images, none counts as withdrawn. */
export type ShownImages = { readonly showsImages: boolean; readonly images: ReadonlyMap<number, ImageRecord> }

type ImageSubject = Pick<SubjectRecord, 'id' | 'groupIds' | 'isHidden'>

/** Whether an image that was chosen for retouching is no longer shown to its subject. */
export const isImageWithdrawn = (
  imageId: number,
  subject: ImageSubject,
  { showsImages, images }: ShownImages,
): boolean =>
  showsImages &&
  !(['subject', 'group', 'replacement'] as const).some((role) => isImageOfSubject(images.get(imageId), role, subject))

/**
 * Returns the images and the subject of a package that may no longer be shown, and therefore not be sold.
 * `isConfirmed`: whether this session may see the subject.
 */
export const withdrawnOf = (
  nodes: readonly ImageChoice[],
  subject: ImageSubject & { readonly isConfirmed: boolean },
  { showsImages, images }: ShownImages,
): WithdrawnContent | undefined => {
  const visibleChoices = showsImages ? nodes.flatMap((node) => imageIdsOf(node).slice(0, 1)) : []
  const withdrawn = visibleChoices.filter(({ id, role }) => !isImageOfSubject(images.get(id), role, subject))
  const imageIds = [...new Set(withdrawn.map(({ id }) => id))]
  const subjectProblem = subject.isHidden ? 'hidden' : subject.isConfirmed ? null : 'unconfirmed'
  return subjectProblem === null && imageIds.length === 0 ? undefined : { person: subjectProblem, imageIds }
}
