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

type Copied = {
  line: CartPackage
  /** The images that the original's were chosen from; empty if unavailable. */
  images: readonly Image[]
  /** The job's current backgrounds; undefined if unavailable. */
  backgrounds?: readonly { id: number }[] | undefined
}

/**
 * Copies a cart package to another subject, using the currently offered version: matching images and texts of the new
 * subject; the same background (if it still exists) and quantity. Crops start centred, since faces differ in position.
 */
export const copyPackage = (
  of: Package,
  { line, images, backgrounds }: Copied,
  to: CustomiseContext,
): CustomisedPackage => {
  const started = newCustomisedPackage(of, to)
  const chosen = line.cartPackageItems.flatMap((item) => item.imageNodes)
  const slots = to.orderMethod === 'prepay' ? [] : editableImageNodes(started)
  const placed = slots.flatMap(({ item, node }): ImageChoice[] => {
    const before = chosen.find((one) => one.packageItemImageNodeId === node.id)
    const image = likeFor(chosenImageId(before), images, to.images)
    const own = started.images.find((one) => one.packageItemImageNodeId === node.id)
    return image ? [toImageChoice({ item, node, image, before: own }, to.organizationType)] : []
  })
  const used = new Set(placed.map((one) => one.packageItemImageNodeId))
  const screen = line.greenScreen?.id ?? null
  const isGone = backgrounds?.every(({ id }) => id !== screen) ?? false
  const texts = started.texts.map((field) => copyText(field, { of, line, to }))
  return {
    ...started,
    quantity: line.quantity,
    texts,
    images: [...started.images.filter((one) => !used.has(one.packageItemImageNodeId)), ...placed],
    passthrough: { ...started.passthrough, greenScreenBackgroundId: isGone ? null : screen },
  }
}

/** The image at the same position among images of its kind (own or group); undefined if there is none. */
const likeFor = (imageId: number | null, from: readonly Image[], to: readonly Image[]): Image | undefined => {
  const before = from.find((one) => one.id === imageId)
  if (!before) return undefined
  const ofKind = (images: readonly Image[]) => images.filter(({ type }) => type === before.type)
  return ofKind(to)[ofKind(from).indexOf(before)]
}

type CopyingText = { of: Package; line: CartPackage; to: CustomiseContext }

/** Texts about the subject are filled in from the new one; typed text is copied if it contains no name. */
const copyText = (field: TextEntry, { of, line, to }: CopyingText): TextEntry => {
  const node = of.items.flatMap((item) => item.textNodes).find((one) => one.id === field.nodeId)
  const before = line.cartPackageItems
    .flatMap((item) => item.textNodes)
    .find((one) => one.packageItemTextNodeId === field.nodeId)
  if (!node || !before || isOwn(node, to) || mentionsName(before.value, line.snapshot.subject)) return field
  return { ...field, original: before.value, autoFilled: false, shown: maskNodeText(node, before.value) }
}

const isOwn = (node: TextNode, { person }: CustomiseContext): boolean =>
  node.dataSource !== null || node.altDataSource !== null || autofillText(node, person).autoFilled

const mentionsName = (text: string, { firstName, lastName }: { firstName: string; lastName: string }): boolean => {
  const names = text.toLocaleLowerCase().split(/[^\p{L}\p{N}]+/u)
  return [firstName, lastName].some((name) =>
    name
      .toLocaleLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((part) => part !== '' && names.includes(part)),
  )
}
