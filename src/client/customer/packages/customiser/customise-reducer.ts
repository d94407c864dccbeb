import type { Image } from '#contract/shapes/image-structs.ts'
import type { ImageChoice } from '#domain/cart/cart.ts'
import type { ImageNode, OrganizationType, PackageItem, TextNode } from '#domain/catalogue/catalogue.ts'
import { isEditableImageNode } from '#domain/catalogue/nodes.ts'
import type { CropResult } from '#ui/crop/crop-dialog.tsx'
import { chosenImageId, imagesForNode, toImageChoice } from '../images/node-images.ts'
import type { CustomisedPackage } from './customised-package.ts'

/** A node of one of the packages being customised. */
export type NodeRef = { part: number; nodeId: number }

/** An action of the customer while customising packages. */
export type CustomiseAction =
  | { do: 'start'; parts: CustomisedPackage[] }
  | ({ do: 'type'; shown: string } & NodeRef)
  | ({
      do: 'choose'
      image: Image
      images: readonly Image[]
      organizationType: OrganizationType
      everywhere: boolean
    } & NodeRef)
  | ({ do: 'crop' } & CropResult & NodeRef)
  | { do: 'stand'; part: number; greenScreenId: number | null }

/** Applies one action. Pure, so that replaying a draft is enough to restore the state. */
export const customiseReducer = (parts: CustomisedPackage[], action: CustomiseAction): CustomisedPackage[] => {
  if (action.do === 'start') return action.parts
  if (action.do === 'type') return type(parts, action)
  if (action.do === 'choose') return choose(parts, action)
  if (action.do === 'stand') return setBackground(parts, action)
  const { cropDimensions, frontendCropDimensions, rotation } = action
  return withChoice(parts, action, (choice) => ({ ...choice, cropDimensions, frontendCropDimensions, rotation }))
}

/** The background applies to the whole package, so every cut-out uses the same one. */
const setBackground = (
  parts: CustomisedPackage[],
  { part: at, greenScreenId }: CustomiseAction & { do: 'stand' },
): CustomisedPackage[] =>
  parts.map((part, index) =>
    index === at ? { ...part, passthrough: { ...part.passthrough, greenScreenBackgroundId: greenScreenId } } : part,
  )

const withChoice = (
  parts: CustomisedPackage[],
  at: NodeRef,
  change: (choice: ImageChoice) => ImageChoice,
): CustomisedPackage[] =>
  parts.map((part, index) =>
    index === at.part
      ? { ...part, images: part.images.map((one) => (one.packageItemImageNodeId === at.nodeId ? change(one) : one)) }
      : part,
  )

/** A text of a package; undefined if no node has that id. */
export const textNodeOf = (part: CustomisedPackage | undefined, nodeId: number): TextNode | undefined =>
  part?.package.items.flatMap((item) => item.textNodes).find((node) => node.id === nodeId)

/**
 * Later texts with the same name and value follow the change, so that nothing is typed twice. Earlier ones stay, so
 * that each can be edited separately. Masked texts, and texts only the studio can change, never follow.
 */
const type = (
  parts: CustomisedPackage[],
  { part: at, nodeId, shown }: CustomiseAction & { do: 'type' },
): CustomisedPackage[] => {
  const name = textNodeOf(parts[at], nodeId)?.name
  const before = parts[at]?.texts.find((field) => field.nodeId === nodeId)?.shown
  let reached = false
  return parts.map((part, index) => ({
    ...part,
    texts: part.texts.map((field) => {
      const itself = index === at && field.nodeId === nodeId
      reached ||= itself
      const node = textNodeOf(part, field.nodeId)
      const alike = node?.editable && node.name === name && field.shown === before
      return itself || (reached && alike && isPlain(field)) ? { ...field, shown } : field
    }),
  }))
}

const isPlain = ({ shown }: { shown: string }): boolean => !shown.includes('***')

const choose = (parts: CustomisedPackage[], action: CustomiseAction & { do: 'choose' }): CustomisedPackage[] =>
  parts.map((part, index) => {
    const chosen = new Map<number, ImageChoice>()
    for (const { item, node } of editableImageNodes(part)) {
      const itself = index === action.part && node.id === action.nodeId
      if (itself || (action.everywhere && accepts(node, action))) {
        const before = part.images.find((one) => one.packageItemImageNodeId === node.id)
        // Choosing the same image again keeps its crop.
        if (chosenImageId(before) !== action.image.id) chosen.set(node.id, placed({ item, node, before }, action))
      }
    }
    if (chosen.size === 0) return part
    const others = part.images.filter((one) => !chosen.has(one.packageItemImageNodeId))
    return { ...part, images: [...others, ...chosen.values()] }
  })

type Placement = { item: PackageItem; node: ImageNode; before: ImageChoice | undefined }

/** A replacement image put into an empty node replaces the first image that fits there. */
const placed = (
  { before, ...at }: Placement,
  { image, images, organizationType }: CustomiseAction & { do: 'choose' },
) => {
  const [first = image] = imagesForNode(at.node, images)
  const lying = chosenImageId(before) === null ? toImageChoice({ ...at, image: first }, organizationType) : before
  return toImageChoice({ ...at, image, before: lying }, organizationType)
}

const accepts = (node: ImageNode, { image, images }: CustomiseAction & { do: 'choose' }): boolean =>
  imagesForNode(node, images).some((one) => one.id === image.id)

/** The nodes for which the customer chooses an image, with their items. */
export const editableImageNodes = (part: CustomisedPackage): { item: PackageItem; node: ImageNode }[] =>
  part.package.items.flatMap((item) => item.imageNodes.filter(isEditableImageNode).map((node) => ({ item, node })))
