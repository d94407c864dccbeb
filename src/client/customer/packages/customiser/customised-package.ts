import type { Image } from '#contract/shapes/image-structs.ts'
import type { CartPackage, ImageChoice, LineSnapshot, SnapshotImage } from '#domain/cart/cart.ts'
import { emptyItem, fillLine } from '#domain/cart/line-content.ts'
import type { LineContent } from '#domain/cart/mutation.ts'
import { autofillText, sourceValue } from '#domain/catalogue/autofill.ts'
import type { OrderMethod, OrganizationType, Package, TextNode } from '#domain/catalogue/catalogue.ts'
import { type MaskedText, maskNodeText, unmask } from '#domain/catalogue/mask.ts'
import { isEditableImageNode, isGroupNode } from '#domain/catalogue/nodes.ts'
import { type UnprintableText, unprintableTexts } from '#domain/printing/printable-letters.ts'
import type { PrintedItem } from '#ui/print/package-prints.tsx'
import { printedItems } from '#ui/print/print-content.ts'
import { chosenImageId, imagesForNode, isReplacement, toImageChoice, toSnapshotImages } from '../images/node-images.ts'
import type { PackageSubject } from '../package-context.ts'

/** A text that is being filled in. */
export type TextEntry = MaskedText & { nodeId: number; autoFilled: boolean }

/** One package being customised. */
export type CustomisedPackage = {
  package: Package
  texts: TextEntry[]
  images: ImageChoice[]
  quantity: number
  /** It came onto the screen after the others had been edited, so its prints never join theirs. */
  isAddedLater?: boolean
  /** The background of the package, and the subject's field values, which the customiser returns unchanged. */
  passthrough: Pick<LineContent, 'greenScreenBackgroundId' | 'dataFields'>
}

export type CustomiseContext = {
  subject: PackageSubject
  images: readonly Image[]
  /** The pose chosen before, used where it fits. */
  imageId: number | null
  orderMethod: OrderMethod
  organizationType: OrganizationType
}

/** A package prefilled as far as possible: the pose centred in each node, known data in each text. */
export const newCustomisedPackage = (offer: Package, context: CustomiseContext): CustomisedPackage => ({
  package: offer,
  texts: offer.items.flatMap((item) => item.textNodes.map((node) => initialText(node, context.subject))),
  images: context.orderMethod === 'prepay' ? [] : offer.items.flatMap((item) => initialImages(item, context)),
  quantity: 1,
  passthrough: { greenScreenBackgroundId: null, dataFields: context.subject.dataFields ?? [] },
})

const initialText = (node: TextNode, subject: PackageSubject): TextEntry => {
  const { value, autoFilled } = autofillText(node, subject)
  const source = sourceValue(node.dataSource, subject) === '' ? node.altDataSource : node.dataSource
  const shown = autoFilled ? maskNodeText({ dataSource: source, altDataSource: null }, value) : value
  return { nodeId: node.id, original: value, autoFilled, shown }
}

const initialImages = (item: Package['items'][number], context: CustomiseContext): ImageChoice[] =>
  item.imageNodes.filter(isEditableImageNode).flatMap((node) => {
    const fittingImages = imagesForNode(node, context.images)
    const image =
      fittingImages.find((candidate) => candidate.id === context.imageId && !isReplacement(candidate)) ??
      fittingImages[0]
    return image ? [toImageChoice({ item, node, image }, context.organizationType)] : []
  })

/**
 * Reopens a cart line. Empty texts, e.g. ones that a newer version added, are filled in from the subject: leaving them
 * empty was not a choice.
 */
export const customisedPackageFromLine = (
  line: CartPackage,
  subject: PackageSubject | null = null,
): CustomisedPackage => ({
  package: line.snapshot.package,
  texts: line.snapshot.package.items.flatMap((item) =>
    item.textNodes.flatMap((node) => textOfLine(node, line, subject)),
  ),
  images: line.cartPackageItems
    .flatMap((item) => item.imageNodes)
    .filter((node) => chosenImageId(node) !== null && fitsNode(node, line))
    .map(({ id: _, imageThumbnailUrl: __, ...choice }) => choice),
  quantity: line.quantity,
  passthrough: { greenScreenBackgroundId: line.greenScreen?.id ?? null, dataFields: line.dataFields },
})

/** Older carts can hold a class photo in a node for one child: the customer chooses again. */
const fitsNode = ({ packageItemImageNodeId, groupImageId }: ImageChoice, { snapshot }: CartPackage): boolean => {
  const nodes = snapshot.package.items.flatMap((item) => item.imageNodes)
  const node = nodes.find(({ id }) => id === packageItemImageNodeId)
  return groupImageId === null || node === undefined || isGroupNode(node)
}

const textOfLine = (node: TextNode, line: CartPackage, subject: PackageSubject | null): TextEntry[] =>
  line.cartPackageItems
    .flatMap((item) => item.textNodes)
    .filter((textNode) => textNode.packageItemTextNodeId === node.id)
    .map(({ value, autoFilled }) =>
      subject && value === ''
        ? initialText(node, subject)
        : { nodeId: node.id, original: value, autoFilled, shown: maskNodeText(node, value) },
    )

/** The content for the cart: unedited masks are replaced by their original values (section 5). */
export const toLineContent = (part: CustomisedPackage): LineContent => ({
  ...part.passthrough,
  textNodes: part.texts.map((field) => {
    const value = unmaskedText(field)
    return { packageItemTextNodeId: field.nodeId, value, autoFilled: field.autoFilled && value === field.original }
  }),
  imageNodes: part.images,
})

/** The text as it will be printed. */
export const unmaskedText = ({ shown, original }: TextEntry): string => unmask(shown, original)

/** Texts that cannot be printed as they are, including automatically filled ones. */
export const findUnprintableTexts = (part: CustomisedPackage): UnprintableText[] =>
  unprintableTexts(
    part.package,
    part.texts.map((field) => ({ packageItemTextNodeId: field.nodeId, value: unmaskedText(field) })),
  )

/** A line's snapshot: the package version shown, the subject, and the images and backgrounds that the package uses. */
export const toLineSnapshot = (
  part: CustomisedPackage,
  subject: PackageSubject,
  images: readonly SnapshotImage[],
): LineSnapshot => {
  const usedImageIds = new Set(part.images.map(chosenImageId))
  const { greenScreenBackgroundId } = part.passthrough
  const isUsed = ({ imageId, greenScreenId }: SnapshotImage): boolean =>
    greenScreenId === undefined ? usedImageIds.has(imageId) : greenScreenId === greenScreenBackgroundId
  const { firstName, lastName, imageThumbnailUrl } = subject
  return {
    package: part.package,
    subject: { firstName, lastName, imageThumbnailUrl },
    images: images.filter(isUsed),
  }
}

/** The line a package would become, for previews and completeness checks. Texts are as shown, i.e. masked. */
export const previewLine = (
  part: CustomisedPackage,
  subject: PackageSubject,
  images: readonly SnapshotImage[],
): CartPackage => {
  const line: CartPackage = {
    id: null,
    lineId: '',
    packageId: part.package.id,
    subjectId: subject.subjectId,
    personId: subject.personId,
    quantity: 1,
    price: part.package.retailCost,
    greenScreen: null,
    cartPackageItems: part.package.items.map(emptyItem),
    dataFields: [],
    snapshot: toLineSnapshot(part, subject, images),
  }
  const textNodes = part.texts.map((field) => ({
    packageItemTextNodeId: field.nodeId,
    value: field.shown,
    autoFilled: field.autoFilled,
  }))
  const filledLine = fillLine(line, { ...toLineContent(part), textNodes })
  // A part is built from its own package's nodes: a mismatch is a bug.
  if (!filledLine) throw new Error(`${part.package.name} does not have these nodes`)
  return filledLine
}

/** The prints of an unchanged package: the current pose and the known texts. */
export type PreviewPackage = (offer: Package) => readonly PrintedItem[]

/** Computes previews on demand, one by one, so that taps are handled in between. */
export const createPackagePreview = (context: CustomiseContext): PreviewPackage => {
  const images = toSnapshotImages(context.images)
  return (offer) => printedItems(previewLine(newCustomisedPackage(offer, context), context.subject, images))
}
