import type { Image } from '#contract/customer/discovery-calls.ts'
import type { ImageChoice } from '#domain/cart/cart.ts'
import type { ImageNode, OrganizationType, PackageItem, TextNode } from '#domain/catalogue/catalogue.ts'
import { isEditableImageNode } from '#domain/catalogue/nodes.ts'
import type { Cropped } from '#ui/crop/crop-dialog.tsx'
import { choiceOf, imageOf, picturesFor } from '../images/node-images.ts'
import type { Part } from './customised-package.ts'

/** A node of one of the packages being customised. */
export type Place = { part: number; nodeId: number }

/** What the customer does while making packages their own. */
export type Doing =
  | { do: 'start'; parts: Part[] }
  | ({ do: 'type'; shown: string } & Place)
  | ({
      do: 'choose'
      image: Image
      images: readonly Image[]
      organizationType: OrganizationType
      everywhere: boolean
    } & Place)
  | ({ do: 'crop' } & Cropped & Place)
  | { do: 'stand'; part: number; greenScreenId: number | null }

/** The packages after one thing the customer did. Pure, so that a draft read back is all there is to it. */
export const customise = (parts: Part[], doing: Doing): Part[] => {
  if (doing.do === 'start') return doing.parts
  if (doing.do === 'type') return type(parts, doing)
  if (doing.do === 'choose') return choose(parts, doing)
  if (doing.do === 'stand') return stand(parts, doing)
  const { cropDimensions, frontendCropDimensions, rotation } = doing
  return withChoice(parts, doing, (choice) => ({ ...choice, cropDimensions, frontendCropDimensions, rotation }))
}

/** A background is the whole package's: everybody cut out on it stands on the same. */
const stand = (parts: Part[], { part: at, greenScreenId }: Doing & { do: 'stand' }): Part[] =>
  parts.map((part, index) =>
    index === at ? { ...part, kept: { ...part.kept, greenScreenBackgroundId: greenScreenId } } : part,
  )

const withChoice = (parts: Part[], at: Place, change: (choice: ImageChoice) => ImageChoice): Part[] =>
  parts.map((part, index) =>
    index === at.part
      ? { ...part, images: part.images.map((one) => (one.packageItemImageNodeId === at.nodeId ? change(one) : one)) }
      : part,
  )

/** A text of a package; undefined where it has none of that id. */
export const nodeOf = (part: Part | undefined, nodeId: number): TextNode | undefined =>
  part?.package.items.flatMap((item) => item.textNodes).find((node) => node.id === nodeId)

/**
 * Nobody types the same twice: later texts of the same name that read the same follow along, earlier ones stay, so that each can still
 * be made different. A text with a mask in front of it follows nobody, nor does one that only the studio can change.
 */
const type = (parts: Part[], { part: at, nodeId, shown }: Doing & { do: 'type' }): Part[] => {
  const name = nodeOf(parts[at], nodeId)?.name
  const before = parts[at]?.texts.find((field) => field.nodeId === nodeId)?.shown
  let reached = false
  return parts.map((part, index) => ({
    ...part,
    texts: part.texts.map((field) => {
      const itself = index === at && field.nodeId === nodeId
      reached ||= itself
      const node = nodeOf(part, field.nodeId)
      const alike = node?.editable && node.name === name && field.shown === before
      return itself || (reached && alike && isPlain(field)) ? { ...field, shown } : field
    }),
  }))
}

const isPlain = ({ shown }: { shown: string }): boolean => !shown.includes('***')

const choose = (parts: Part[], doing: Doing & { do: 'choose' }): Part[] =>
  parts.map((part, index) => {
    const chosen = new Map<number, ImageChoice>()
    for (const { item, node } of placesOf(part)) {
      const itself = index === doing.part && node.id === doing.nodeId
      if (itself || (doing.everywhere && takes(node, doing))) {
        const before = part.images.find((one) => one.packageItemImageNodeId === node.id)
        // The same picture again keeps the crop somebody made of it.
        if (imageOf(before) !== doing.image.id) chosen.set(node.id, placed({ item, node, before }, doing))
      }
    }
    if (chosen.size === 0) return part
    const others = part.images.filter((one) => !chosen.has(one.packageItemImageNodeId))
    return { ...part, images: [...others, ...chosen.values()] }
  })

type Into = { item: PackageItem; node: ImageNode; before: ImageChoice | undefined }

/** What replaces nothing yet, in a node still empty, replaces the first picture that could lie there. */
const placed = ({ before, ...at }: Into, { image, images, organizationType }: Doing & { do: 'choose' }) => {
  const [first = image] = picturesFor(at.node, images)
  const lying = imageOf(before) === null ? choiceOf({ ...at, image: first }, organizationType) : before
  return choiceOf({ ...at, image, before: lying }, organizationType)
}

const takes = (node: ImageNode, { image, images }: Doing & { do: 'choose' }): boolean =>
  picturesFor(node, images).some((one) => one.id === image.id)

/** The nodes of a package a customer chooses pictures for, with their items. */
export const placesOf = (part: Part): { item: PackageItem; node: ImageNode }[] =>
  part.package.items.flatMap((item) => item.imageNodes.filter(isEditableImageNode).map((node) => ({ item, node })))
