import type { Image } from '#contract/shapes/image-structs.ts'
import type { CartPackage, ImageChoice } from '#domain/cart/cart.ts'
import { autofillText } from '#domain/catalogue/autofill.ts'
import type { Package, TextNode } from '#domain/catalogue/catalogue.ts'
import { maskNodeText } from '#domain/catalogue/mask.ts'
import { chosenImageId, toImageChoice } from '../images/node-images.ts'
import { editableImageNodes } from './customise-reducer.ts'
import {
  type CustomiseContext,
  type CustomisedPackage,
  newCustomisedPackage,
  type TextEntry,
} from './customised-package.ts'

type CopySource = {
  line: CartPackage
  /** The images from which the original was chosen; empty if unavailable. */
  images: readonly Image[]
  /** The job's current backgrounds; undefined if unavailable. */
  backgrounds?: readonly { id: number }[] | undefined
}

/**
 * Copies a cart package to another subject, using the currently offered version: matching images and texts of the new
 * subject; the same background (if it still exists) and quantity. Crops start centred, because faces are in different
 * positions.
 */
export const copyPackage = (
  offer: Package,
  { line, images, backgrounds }: CopySource,
  context: CustomiseContext,
): CustomisedPackage => {
  const initial = newCustomisedPackage(offer, context)
  const originalChoices = line.cartPackageItems.flatMap((item) => item.imageNodes)
  const slots = context.orderMethod === 'prepay' ? [] : editableImageNodes(initial)
  const choices = slots.flatMap(({ item, node }): ImageChoice[] => {
    const originalChoice = originalChoices.find((choice) => choice.packageItemImageNodeId === node.id)
    const image = matchingImage(chosenImageId(originalChoice), images, context.images)
    const initialChoice = initial.images.find((choice) => choice.packageItemImageNodeId === node.id)
    return image ? [toImageChoice({ item, node, image, before: initialChoice }, context.organizationType)] : []
  })
  const filledNodeIds = new Set(choices.map((choice) => choice.packageItemImageNodeId))
  const backgroundId = line.greenScreen?.id ?? null
  const isGone = backgrounds?.every(({ id }) => id !== backgroundId) ?? false
  const texts = initial.texts.map((field) => copyText(field, { offer, line, context }))
  return {
    ...initial,
    quantity: line.quantity,
    texts,
    images: [...initial.images.filter((choice) => !filledNodeIds.has(choice.packageItemImageNodeId)), ...choices],
    passthrough: { ...initial.passthrough, greenScreenBackgroundId: isGone ? null : backgroundId },
  }
}

/** The image at the same position among the images of the same type; undefined if there is none. */
const matchingImage = (
  imageId: number | null,
  originalImages: readonly Image[],
  images: readonly Image[],
): Image | undefined => {
  const original = originalImages.find((image) => image.id === imageId)
  if (!original) return undefined
  const withSameType = (candidates: readonly Image[]) => candidates.filter(({ type }) => type === original.type)
  return withSameType(images)[withSameType(originalImages).indexOf(original)]
}

type CopyTextContext = { offer: Package; line: CartPackage; context: CustomiseContext }

/** Texts about the subject are filled in from the new one; typed text is copied if it contains no name. */
const copyText = (field: TextEntry, { offer, line, context }: CopyTextContext): TextEntry => {
  const node = offer.items.flatMap((item) => item.textNodes).find((textNode) => textNode.id === field.nodeId)
  const originalText = line.cartPackageItems
    .flatMap((item) => item.textNodes)
    .find((textNode) => textNode.packageItemTextNodeId === field.nodeId)
  if (
    !node ||
    !originalText ||
    isFilledFromSubject(node, context) ||
    mentionsName(originalText.value, line.snapshot.subject)
  )
    return field
  return { ...field, original: originalText.value, autoFilled: false, shown: maskNodeText(node, originalText.value) }
}

const isFilledFromSubject = (node: TextNode, { subject }: CustomiseContext): boolean =>
  node.dataSource !== null || node.altDataSource !== null || autofillText(node, subject).autoFilled

const mentionsName = (text: string, { firstName, lastName }: { firstName: string; lastName: string }): boolean => {
  const names = text.toLocaleLowerCase().split(/[^\p{L}\p{N}]+/u)
  return [firstName, lastName].some((name) =>
    name
      .toLocaleLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((part) => part !== '' && names.includes(part)),
  )
}
