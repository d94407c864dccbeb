import type { Image } from '#contract/shapes/image-structs.ts'
import type { ImageChoice, SnapshotImage } from '#domain/cart/cart.ts'
import { shownImageId } from '#domain/cart/line-images.ts'
import type { ImageNode, OrganizationType, PackageItem } from '#domain/catalogue/catalogue.ts'
import { isGroupNode, mayCrop } from '#domain/catalogue/nodes.ts'
import { centredCrop } from '#domain/printing/crop.ts'
import { aspectOf, cropAspect } from '#domain/printing/crop-aspect.ts'

/** The label of a node; `number` only if an item has several of a kind. */
export const imageNodeLabel = (node: Pick<ImageNode, 'name'>, number: number | null): string =>
  [isGroupNode(node) ? 'Group photo' : 'Photo', number].filter((part) => part !== null).join(' ')

/** Whether an image is only a replacement in front of another. */
export const isReplacement = ({ type }: Image): boolean => type === 'replacement'

/**
 * The images that a node accepts, by its name: the subject's group images for a group node, otherwise the subject's
 * own; then their replacements. A class photo is never cropped to one child. For a subject without group images, a
 * group node accepts their own.
 */
export const imagesForNode = (node: Pick<ImageNode, 'name'>, images: readonly Image[]): readonly Image[] => {
  const known = cache.get(images) ?? { groups: sorted(images, true), own: sorted(images, false) }
  cache.set(images, known)
  return isGroupNode(node) ? known.groups : known.own
}

// Every node of every package asks for them, and a subject may have hundreds.
const cache = new WeakMap<readonly Image[], { groups: readonly Image[]; own: readonly Image[] }>()

const sorted = (images: readonly Image[], group: boolean): readonly Image[] => {
  const accepted = images.filter((image) => !isReplacement(image))
  const ofKind = accepted.filter((image) => (image.type === 'hosted-group') === group)
  const fitting = group && ofKind.length === 0 ? accepted : ofKind
  return group || fitting.length === 0 ? fitting : [...fitting, ...images.filter(isReplacement)]
}

/** Aspect (width / height) of an image's crop in a node, with warnings to log (section 4). */
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
  /** The current image of the node, which a replacement is put in front of. */
  before?: ImageChoice | undefined
}

/** Puts an image into a node, with a centred crop if the customer may crop. */
export const toImageChoice = (place: NodePlacement, organizationType: OrganizationType): ImageChoice => {
  const { item, node, image, before } = place
  const cropped = mayCrop(item, node) && aspectOf(node, item) !== null
  const idAs = (type: Image['type'], replaced: number | null = null) =>
    image.type === type ? image.id : isReplacement(image) ? replaced : null
  return {
    packageItemImageNodeId: node.id,
    subjectImageId: idAs('hosted-individual', before?.subjectImageId),
    groupImageId: idAs('hosted-group', before?.groupImageId),
    replacementImageId: idAs('replacement'),
    cropDimensions: cropped ? centredCrop(image, cropFrame(place, organizationType).aspect, 0) : null,
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
