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
  | ({ do: 'type'; shown: string } & NodeRef)
  | ({
      do: 'choose'
      image: Image
      images: readonly Image[]
      organizationType: OrganizationType
      everywhere: boolean
    } & NodeRef)
  | ({ do: 'crop' } & CropResult & NodeRef)
  | { do: 'set-background'; part: number; greenScreenId: number | null }

/** Applies one action of the customer. */
export const customiseReducer = (parts: CustomisedPackage[], action: CustomiseAction): CustomisedPackage[] => {
  if (action.do === 'type') return typeText(parts, action)
  if (action.do === 'choose') return chooseImage(parts, action)
  if (action.do === 'set-background') return setBackground(parts, action)
  const { cropDimensions, frontendCropDimensions, rotation } = action
  return withChoice(parts, action, (choice) => ({ ...choice, cropDimensions, frontendCropDimensions, rotation }))
}

/** The background applies to the whole package, so every cut-out uses the same one. */
const setBackground = (
  parts: CustomisedPackage[],
  { part: partIndex, greenScreenId }: CustomiseAction & { do: 'set-background' },
): CustomisedPackage[] =>
  parts.map((part, index) =>
    index === partIndex
      ? { ...part, passthrough: { ...part.passthrough, greenScreenBackgroundId: greenScreenId } }
      : part,
  )

const withChoice = (
  parts: CustomisedPackage[],
  nodeRef: NodeRef,
  change: (choice: ImageChoice) => ImageChoice,
): CustomisedPackage[] =>
  parts.map((part, index) =>
    index === nodeRef.part
      ? {
          ...part,
          images: part.images.map((choice) =>
            choice.packageItemImageNodeId === nodeRef.nodeId ? change(choice) : choice,
          ),
        }
      : part,
  )

/** A text of a package; undefined if no node has that id. */
export const textNodeOf = (part: CustomisedPackage | undefined, nodeId: number): TextNode | undefined =>
  part?.package.items.flatMap((item) => item.textNodes).find((node) => node.id === nodeId)

/**
 * Later texts with the same name and value follow the change, so that nothing is typed twice. Earlier ones stay, so
 * that each can be edited separately. Masked texts, and texts only the studio can change, never follow.
 */
const typeText = (
  parts: CustomisedPackage[],
  { part: partIndex, nodeId, shown }: CustomiseAction & { do: 'type' },
): CustomisedPackage[] => {
  const name = textNodeOf(parts[partIndex], nodeId)?.name
  const before = parts[partIndex]?.texts.find((field) => field.nodeId === nodeId)?.shown
  let isAtOrAfterTarget = false
  return parts.map((part, index) => ({
    ...part,
    texts: part.texts.map((field) => {
      const isTarget = index === partIndex && field.nodeId === nodeId
      isAtOrAfterTarget ||= isTarget
      const node = textNodeOf(part, field.nodeId)
      const hasSameText = node?.editable && node.name === name && field.shown === before
      return isTarget || (isAtOrAfterTarget && hasSameText && isPlain(field)) ? { ...field, shown } : field
    }),
  }))
}

const isPlain = ({ shown }: { shown: string }): boolean => !shown.includes('***')

const chooseImage = (parts: CustomisedPackage[], action: CustomiseAction & { do: 'choose' }): CustomisedPackage[] =>
  parts.map((part, index) => {
    const newChoices = new Map<number, ImageChoice>()
    for (const { item, node } of editableImageNodes(part)) {
      const isTarget = index === action.part && node.id === action.nodeId
      if (isTarget || (action.everywhere && acceptsImage(node, action))) {
        const before = part.images.find((choice) => choice.packageItemImageNodeId === node.id)
        // Choosing the same image again keeps its crop.
        if (chosenImageId(before) !== action.image.id)
          newChoices.set(node.id, placeImage({ item, node, before }, action))
      }
    }
    if (newChoices.size === 0) return part
    const otherChoices = part.images.filter((choice) => !newChoices.has(choice.packageItemImageNodeId))
    return { ...part, images: [...otherChoices, ...newChoices.values()] }
  })

type Placement = { item: PackageItem; node: ImageNode; before: ImageChoice | undefined }

/** A replacement image put into an empty node replaces the first image that fits there. */
const placeImage = (
  { before, ...at }: Placement,
  { image, images, organizationType }: CustomiseAction & { do: 'choose' },
) => {
  const [fallback = image] = imagesForNode(at.node, images)
  const previousChoice =
    chosenImageId(before) === null ? toImageChoice({ ...at, image: fallback }, organizationType) : before
  return toImageChoice({ ...at, image, before: previousChoice }, organizationType)
}

const acceptsImage = (node: ImageNode, { image, images }: CustomiseAction & { do: 'choose' }): boolean =>
  imagesForNode(node, images).some((fitting) => fitting.id === image.id)

/** The nodes for which the customer chooses an image, with their items. */
export const editableImageNodes = (part: CustomisedPackage): { item: PackageItem; node: ImageNode }[] =>
  part.package.items.flatMap((item) => item.imageNodes.filter(isEditableImageNode).map((node) => ({ item, node })))
