import type { CropDimensions, ImageChoice } from '#domain/cart/cart.ts'
import type { ImageNode, Package, PackageItem } from '#domain/catalogue/catalogue.ts'
import { isEditableImageNode, isGroupNode, mayCrop } from '#domain/catalogue/nodes.ts'
import { isCropInside } from '#domain/printing/crop-changes.ts'
import type { ImageRecord, SubjectRecord } from './subject-and-image-queries.ts'

/** Why an image is rejected for a node. */
export type ImageChoiceProblem = 'picture-gone' | 'picture-fixed' | 'picture-of-group' | 'crop-refused' | 'crop-outside'

export const imageChoiceMessages: Readonly<Record<ImageChoiceProblem, string>> = {
  'picture-gone': 'This photo is no longer available. Please choose another one',
  'picture-fixed': 'This photo of the package can’t be changed',
  'picture-of-group': 'This spot needs a photo of one child. Please choose another one',
  'crop-refused': 'This photo can’t be cropped',
  'crop-outside': 'The crop reaches beyond the photo. Please set it again',
}

/** The message for a rejected background. */
export const backgroundGoneMessage = 'This background is no longer available. Please choose another one'

/** Whether a line may have a background: it is offered, or the line had it before it was disabled. */
export const isBackgroundAllowed = (
  greenScreenId: number | null,
  { before, isOffered }: { before: number | null; isOffered: boolean },
): boolean => greenScreenId === null || isOffered || greenScreenId === before

type ImageChoiceContext = {
  linePackage: Package
  subject: SubjectRecord
  imageById: (id: number) => ImageRecord | undefined
}

/**
 * Returns the first problem with the images chosen for a subject's package: their subject, their node or their crop.
 */
export const imageChoiceProblem = (
  choices: readonly ImageChoice[],
  context: ImageChoiceContext,
): ImageChoiceProblem | undefined => {
  for (const choice of choices) {
    const problem = findProblem(choice, context)
    if (problem) return problem
  }
  return undefined
}

const findNode = (linePackage: Package, nodeId: number): { item: PackageItem; node: ImageNode } | undefined => {
  for (const item of linePackage.items) {
    const node = item.imageNodes.find(({ id }) => id === nodeId)
    if (node) return { item, node }
  }
  return undefined
}

const findProblem = (
  choice: ImageChoice,
  { linePackage, subject, imageById }: ImageChoiceContext,
): ImageChoiceProblem | undefined => {
  const match = findNode(linePackage, choice.packageItemImageNodeId)
  // The cart rules reject a node that the package does not have.
  if (!match) return undefined
  const images = imageIdsOf(choice)
  if (images.length > 0 && !isEditableImageNode(match.node)) return 'picture-fixed'
  const areAllAllowed = images.every(({ id, role }) => isImageOfSubject(imageById(id), role, subject))
  if (!areAllAllowed) return 'picture-gone'
  if (choice.groupImageId !== null && !isGroupNode(match.node)) return 'picture-of-group'
  if (choice.cropDimensions === null && choice.rotation === 0) return undefined
  if (!mayCrop(match.item, match.node)) return 'crop-refused'
  const [visible] = images
  const image = visible && imageById(visible.id)
  return choice.cropDimensions === null || isCropValid(choice.cropDimensions, image, choice.rotation)
    ? undefined
    : 'crop-outside'
}

const isCropValid = (crop: CropDimensions, image: ImageRecord | undefined, rotation: number): boolean =>
  image !== undefined && crop.width > 0 && crop.height > 0 && isCropInside(crop, image, rotation)

type NodeImages = Pick<ImageChoice, 'subjectImageId' | 'groupImageId' | 'replacementImageId'>

type ImageRole = 'subject' | 'group' | 'replacement'

/** The images of a node; the visible one is first. */
export const imageIdsOf = (choice: NodeImages): { id: number; role: ImageRole }[] => {
  const { replacementImageId, subjectImageId, groupImageId } = choice
  return [
    ...(replacementImageId === null ? [] : [{ id: replacementImageId, role: 'replacement' as const }]),
    ...(subjectImageId === null ? [] : [{ id: subjectImageId, role: 'subject' as const }]),
    ...(groupImageId === null ? [] : [{ id: groupImageId, role: 'group' as const }]),
  ]
}

/** The ids of the images that nodes use, each once, in the order of the nodes; the visible image of a node is first. */
export const usedImageIds = (nodes: readonly NodeImages[]): number[] => [
  ...new Set(nodes.flatMap(imageIdsOf).map(({ id }) => id)),
]

/** Whether an image may be used for a subject in the given role. */
export const isImageOfSubject = (
  image: ImageRecord | undefined,
  role: ImageRole,
  subject: Pick<SubjectRecord, 'id' | 'groupIds'>,
): boolean => {
  if (!image) return false
  if (role === 'subject') return image.kind === 'hosted-individual' && image.subjectId === subject.id
  if (role === 'group') {
    return image.kind === 'hosted-group' && image.groupId !== null && subject.groupIds.includes(image.groupId)
  }
  return image.kind === 'replacement' && (image.subjectId === null || image.subjectId === subject.id)
}
