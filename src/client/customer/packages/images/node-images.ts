import type { Image } from '#contract/shapes/image-structs.ts'
import type { ImageChoice, SnapshotImage } from '#domain/cart/cart.ts'
import { shownImageId } from '#domain/cart/line-content.ts'
import type { ImageNode, OrganizationType, PackageItem } from '#domain/catalogue/catalogue.ts'
import { isGroupNode, mayCrop } from '#domain/catalogue/nodes.ts'
import { centredCrop } from '#domain/printing/crop.ts'
import { aspectOf, cropAspect } from '#domain/printing/crop-aspect.ts'

/** The label of a node; `number` only if an item has several of a kind. */
export const imageNodeLabel = (node: Pick<ImageNode, 'name'>, number: number | null): string =>
  [isGroupNode(node) ? 'Group photo' : 'Photo', number].filter((part) => part !== null).join(' ')

/** Whether the image is used only in place of another one. */
export const isReplacement = ({ type }: Image): boolean => type === 'replacement'

/** The subject's own images first, then the groups'. */
export const sortOwnFirst = (images: readonly Image[]): Image[] => [
  ...images.filter(({ type }) => type === 'hosted-individual'),
  ...images.filter(({ type }) => type !== 'hosted-individual'),
]

/**
 * The images that a node accepts, by its name: the subject's group images for a group node, otherwise the subject's
 * own; then their replacements. A class photo is never cropped to one child. For a subject without group images, a
 * group node accepts their own.
 */
export const imagesForNode = (node: Pick<ImageNode, 'name'>, images: readonly Image[]): readonly Image[] => {
  const cached = cache.get(images) ?? { groups: sortedImages(images, true), own: sortedImages(images, false) }
  cache.set(images, cached)
  return isGroupNode(node) ? cached.groups : cached.own
}

// Every node of every package needs the sorted images, and a subject may have hundreds.
const cache = new WeakMap<readonly Image[], { groups: readonly Image[]; own: readonly Image[] }>()

const sortedImages = (images: readonly Image[], isGroup: boolean): readonly Image[] => {
  const originals = images.filter((image) => !isReplacement(image))
  const sameKind = originals.filter((image) => (image.type === 'hosted-group') === isGroup)
  const fitting = isGroup && sameKind.length === 0 ? originals : sameKind
  return isGroup || fitting.length === 0 ? fitting : [...fitting, ...images.filter(isReplacement)]
}

/** Aspect (width / height) of an image's crop in a node (section 4), with a warning to log if it is unknown. */
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

type NodePlacement = {
  item: PackageItem
  node: ImageNode
  image: Image
  /** The current choice of the node. A replacement image keeps the id of the image that it replaces. */
  before?: ImageChoice | undefined
}

/** Puts an image into a node, with a centred crop if the customer may crop. */
export const toImageChoice = (placement: NodePlacement, organizationType: OrganizationType): ImageChoice => {
  const { item, node, image, before } = placement
  const cropped = mayCrop(item, node) && aspectOf(node, item) !== null
  const idForType = (type: Image['type'], replacedId: number | null = null) =>
    image.type === type ? image.id : isReplacement(image) ? replacedId : null
  return {
    packageItemImageNodeId: node.id,
    subjectImageId: idForType('hosted-individual', before?.subjectImageId),
    groupImageId: idForType('hosted-group', before?.groupImageId),
    replacementImageId: idForType('replacement'),
    cropDimensions: cropped ? centredCrop(image, cropFrame(placement, organizationType).aspect, 0) : null,
    frontendCropDimensions: null,
    rotation: 0,
  }
}

/** The image of a choice; null for an empty node. */
export const chosenImageId = (choice: ImageChoice | undefined): number | null => (choice ? shownImageId(choice) : null)

/** The images in the format that lines store. */
export const toSnapshotImages = (images: readonly Image[]): SnapshotImage[] =>
  images.map(({ id, width, height, thumbnailUrl, hasAlpha }) => ({
    imageId: id,
    width,
    height,
    thumbnailUrl,
    hasAlpha,
  }))

/** An image's name among those that a node accepts. */
export const imageOptionLabel = ({ type, groupName }: Image, index: number): string => {
  const source = type === 'replacement' ? 'From the studio' : groupName
  return source ? `${source}, photo ${index + 1}` : `Photo ${index + 1}`
}

/** An image's name to a customer: its place among the subject's images, or its group. */
export const poseLabel = (image: Image, index: number): string =>
  image.type === 'hosted-group' ? `${image.groupName ?? 'Group'} photo` : `Photo ${index + 1}`
