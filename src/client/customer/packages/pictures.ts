import type { Image } from '../../../contract/customer-find.ts'
import type { ImageChoice, ImageFact } from '../../../domain/cart.ts'
import type { ImageNode, OrganizationType, PackageItem } from '../../../domain/catalogue.ts'
import { centredCrop } from '../../../domain/crop.ts'
import { aspectOf, cropAspect } from '../../../domain/crop-aspect.ts'
import { mayCrop } from '../../../domain/nodes.ts'

/** Whether a node is for a picture of the person's group. */
export const isForGroup = ({ name }: Pick<ImageNode, 'name'>): boolean => /group/i.test(name)

/** What a node is called on the screen; `number` only where an item has several of a kind. */
export const nodeWords = (node: Pick<ImageNode, 'name'>, number: number | null): string =>
  [isForGroup(node) ? 'Group photo' : 'Photo', number].filter((part) => part !== null).join(' ')

/**
 * The pictures a node takes, by its name: the person's groups' for a group node, their own for any other. Where there are none of
 * that kind the others are offered: an empty choice would leave the package unfinished for ever.
 */
export const picturesFor = (node: Pick<ImageNode, 'name'>, images: readonly Image[]): readonly Image[] => {
  const kind = isForGroup(node) ? 'hosted-group' : 'hosted-individual'
  const fitting = images.filter((image) => image.type === kind)
  return fitting.length > 0 ? fitting : images
}

/** Width / height of the crop of a picture in a node, with what is to be logged about it (section 4). */
export const cropFrame = (
  { item, node, image }: { item: PackageItem; node: ImageNode; image: Image },
  organizationType: OrganizationType,
): { aspect: number; warning?: string } =>
  cropAspect({
    nodeAspect: aspectOf(node, item),
    organizationType,
    imageType: image.type,
    imageWidth: image.width,
    imageHeight: image.height,
  })

/** An image node with a picture in it, cropped in the middle where the customer may crop at all. */
export const choiceOf = (
  place: { item: PackageItem; node: ImageNode; image: Image },
  organizationType: OrganizationType,
): ImageChoice => {
  const { item, node, image } = place
  const cropped = mayCrop(item, node) && aspectOf(node, item) !== null
  return {
    packageItemImageNodeId: node.id,
    subjectImageId: image.type === 'hosted-individual' ? image.id : null,
    groupImageId: image.type === 'hosted-group' ? image.id : null,
    replacementImageId: null,
    cropDimensions: cropped ? centredCrop(image, cropFrame(place, organizationType).aspect, 0) : null,
    frontendCropDimensions: null,
    rotation: 0,
  }
}

/** The picture of a choice; null for a node still empty. */
export const imageOf = (choice: ImageChoice | undefined): number | null =>
  choice?.replacementImageId ?? choice?.subjectImageId ?? choice?.groupImageId ?? null

/** The pictures as lines keep them. */
export const factsOf = (images: readonly Image[]): ImageFact[] =>
  images.map(({ id, width, height, thumbnailUrl, hasAlpha }) => ({
    imageId: id,
    width,
    height,
    thumbnailUrl,
    hasAlpha,
  }))
