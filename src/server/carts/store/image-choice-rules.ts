import type { CropDimensions, ImageChoice } from '#domain/cart/cart.ts'
import type { ImageNode, Package, PackageItem } from '#domain/catalogue/catalogue.ts'
import { isEditableImageNode, isGroupNode, mayCrop } from '#domain/catalogue/nodes.ts'
import { isCropInside } from '#domain/printing/crop.ts'
import type { ImageRecord, SubjectRecord } from './subject-and-image-queries.ts'

/** Why an image is rejected for a node. */
export type ImageChoiceProblem = 'picture-gone' | 'picture-fixed' | 'picture-of-group' | 'crop-refused' | 'crop-outside'

export const imageChoiceMessages: Readonly<Record<ImageChoiceProblem, string>> = {
  'picture-gone': 'This picture is not available any more. Please choose another one',
  'picture-fixed': 'This picture of the package cannot be changed',
  'picture-of-group': 'This place takes a photo of the person alone. Please choose another one',
  'crop-refused': 'This picture cannot be cropped',
  'crop-outside': 'The crop reaches over the edge of the picture. Please set it again',
}

/** The message for a rejected background. */
export const backgroundGoneMessage = 'This background is not available any more. Please choose another one'

/** Whether a line may have a background: it is on offer, or was on the line before it was disabled. */
export const isBackgroundAllowed = (
  screen: number | null,
  { before, isOffered }: { before: number | null; isOffered: boolean },
): boolean => screen === null || isOffered || screen === before

type ImageChoiceContext = {
  linePackage: Package
  subject: SubjectRecord
  imageById: (id: number) => ImageRecord | undefined
}

/** The first problem with the images chosen for a subject's package: their owner, their node or their crop. */
export const imageChoiceProblem = (
  choices: readonly ImageChoice[],
  about: ImageChoiceContext,
): ImageChoiceProblem | undefined => {
  for (const choice of choices) {
    const wrong = wrongWith(choice, about)
    if (wrong) return wrong
  }
  return undefined
}

const nodeOf = (made: Package, nodeId: number): { item: PackageItem; node: ImageNode } | undefined => {
  for (const item of made.items) {
    const node = item.imageNodes.find((one) => one.id === nodeId)
    if (node) return { item, node }
  }
  return undefined
}

const wrongWith = (
  choice: ImageChoice,
  { linePackage, subject, imageById: pictureOf }: ImageChoiceContext,
): ImageChoiceProblem | undefined => {
  const place = nodeOf(linePackage, choice.packageItemImageNodeId)
  // The cart rules reject a node that the package does not have.
  if (!place) return undefined
  const chosen = imageIdsOf(choice)
  if (chosen.length > 0 && !isEditableImageNode(place.node)) return 'picture-fixed'
  const isTheirs = chosen.every(({ id, as }) => isImageOfSubject(pictureOf(id), as, subject))
  if (!isTheirs) return 'picture-gone'
  if (choice.groupImageId !== null && !isGroupNode(place.node)) return 'picture-of-group'
  if (choice.cropDimensions === null && choice.rotation === 0) return undefined
  if (!mayCrop(place.item, place.node)) return 'crop-refused'
  const [shown] = chosen
  const picture = shown && pictureOf(shown.id)
  return choice.cropDimensions === null || fits(choice.cropDimensions, picture, choice.rotation)
    ? undefined
    : 'crop-outside'
}

const fits = (crop: CropDimensions, picture: ImageRecord | undefined, rotation: number): boolean =>
  picture !== undefined && crop.width > 0 && crop.height > 0 && isCropInside(crop, picture, rotation)

type ImageRole = 'subject' | 'group' | 'replacement'

/** The images of a node; the one shown comes first. */
export const imageIdsOf = (choice: ImageChoice): { id: number; as: ImageRole }[] => {
  const { replacementImageId, subjectImageId, groupImageId } = choice
  return [
    ...(replacementImageId === null ? [] : [{ id: replacementImageId, as: 'replacement' as const }]),
    ...(subjectImageId === null ? [] : [{ id: subjectImageId, as: 'subject' as const }]),
    ...(groupImageId === null ? [] : [{ id: groupImageId, as: 'group' as const }]),
  ]
}

/** Whether an image may be used for a subject in the given role. */
export const isImageOfSubject = (
  picture: ImageRecord | undefined,
  as: ImageRole,
  person: Pick<SubjectRecord, 'id' | 'groupIds'>,
): boolean => {
  if (!picture) return false
  if (as === 'subject') return picture.kind === 'hosted-individual' && picture.subjectId === person.id
  if (as === 'group') {
    return picture.kind === 'hosted-group' && picture.groupId !== null && person.groupIds.includes(picture.groupId)
  }
  return picture.kind === 'replacement' && (picture.subjectId === null || picture.subjectId === person.id)
}
