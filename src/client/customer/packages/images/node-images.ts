import type { Image } from '#contract/customer/discovery-calls.ts'
import type { ImageChoice, SnapshotImage } from '#domain/cart/cart.ts'
import { shownImageId } from '#domain/cart/line-images.ts'
import type { ImageNode, OrganizationType, PackageItem } from '#domain/catalogue/catalogue.ts'
import { isGroupNode, mayCrop } from '#domain/catalogue/nodes.ts'
import { centredCrop } from '#domain/printing/crop.ts'
import { aspectOf, cropAspect } from '#domain/printing/crop-aspect.ts'

/** What a node is called on the screen; `number` only where an item has several of a kind. */
export const imageNodeLabel = (node: Pick<ImageNode, 'name'>, number: number | null): string =>
  [isGroupNode(node) ? 'Group photo' : 'Photo', number].filter((part) => part !== null).join(' ')

/** Whether a picture only stands in front of another. */
export const isReplacement = ({ type }: Image): boolean => type === 'replacement'

/**
 * The pictures a node takes, by its name: the person's groups' for a group node, their own for any other, and then what may replace
 * these. A class photo is never cut to one child. For a person without any group's photo a group node takes their own.
 */
export const imagesForNode = (node: Pick<ImageNode, 'name'>, images: readonly Image[]): readonly Image[] => {
  const known = found.get(images) ?? { groups: sorted(images, true), own: sorted(images, false) }
  found.set(images, known)
  return isGroupNode(node) ? known.groups : known.own
}

// Every node of every package asks for them, and a person may have hundreds.
const found = new WeakMap<readonly Image[], { groups: readonly Image[]; own: readonly Image[] }>()

const sorted = (images: readonly Image[], group: boolean): readonly Image[] => {
  const taken = images.filter((image) => !isReplacement(image))
  const ofKind = taken.filter((image) => (image.type === 'hosted-group') === group)
  const fitting = group && ofKind.length === 0 ? taken : ofKind
  return group || fitting.length === 0 ? fitting : [...fitting, ...images.filter(isReplacement)]
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

type Place = {
  item: PackageItem
  node: ImageNode
  image: Image
  /** What lies in the node: a replacement stands in front of it. */
  before?: ImageChoice | undefined
}

/** An image node with a picture in it, cropped in the middle where the customer may crop at all. */
export const toImageChoice = (place: Place, organizationType: OrganizationType): ImageChoice => {
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

/** The picture of a choice; null for a node still empty. */
export const chosenImageId = (choice: ImageChoice | undefined): number | null => (choice ? shownImageId(choice) : null)

/** The pictures as lines keep them. */
export const toSnapshotImages = (images: readonly Image[]): SnapshotImage[] =>
  images.map(({ id, width, height, thumbnailUrl, hasAlpha }) => ({
    imageId: id,
    width,
    height,
    thumbnailUrl,
    hasAlpha,
  }))
