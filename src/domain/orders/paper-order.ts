import type { ImageChoice } from '../cart/cart.ts'
import { type AutofillSubject, autofillText } from '../catalogue/autofill.ts'
import { type ImageNode, isDigital, type Package, type PackageItem, type TextNode } from '../catalogue/catalogue.ts'
import { isEditableImageNode, isGroupNode, mayCrop } from '../catalogue/nodes.ts'
import type { Cents } from '../pricing/money.ts'

/** How a paper order is paid. */
export const paperPayments = ['cash', 'check'] as const
export type PaperPayment = (typeof paperPayments)[number]

/** The change due, in whole cents; null if the amount received is less than the total. */
export const changeDue = (totalCents: Cents, receivedCents: Cents): Cents | null =>
  receivedCents >= totalCents ? receivedCents - totalCents : null

/** A package and its number on the order form. */
export type NumberedPackage = { number: number; package: Pick<Package, 'name' | 'altName'> }

const maxTypedQuantity = 99
const nameKey = (name: string): string => name.toLowerCase().replace(/\s+/g, ' ').trim()

const findPackage = <Candidate extends NumberedPackage>(
  typed: string,
  packages: readonly Candidate[],
): Candidate | null => {
  const key = nameKey(typed)
  if (key === '') return null
  const byNumber = packages.find(({ number }) => String(number) === key)
  if (byNumber) return byNumber
  const namesOf = ({ package: { name, altName } }: Candidate) => [name, altName ?? ''].map(nameKey)
  const byName = packages.filter((candidate) => namesOf(candidate).includes(key))
  const byPrefix = packages.filter((candidate) => namesOf(candidate).some((name) => name.startsWith(key)))
  const [match, secondMatch] = byName.length > 0 ? byName : byPrefix
  return match && !secondMatch ? match : null
}

/**
 * Parses what staff type for a package: its number (`3`), or the beginning of its name or short name; `3x2` and `a x2`
 * mean two. Null if nothing matches, or several packages do.
 */
export const parseTypedPackage = <Candidate extends NumberedPackage>(
  typed: string,
  packages: readonly Candidate[],
): { match: Candidate; quantity: number } | null => {
  // A name may look like a quantity: `8x10`.
  const exactMatch = findPackage(typed, packages)
  if (exactMatch) return { match: exactMatch, quantity: 1 }
  const [, packageText = '', quantityText = '0'] = /^(.*?)\s*[x×*]\s*(\d{1,2})\s*$/i.exec(typed) ?? []
  const match = findPackage(packageText, packages)
  const quantity = Number(quantityText)
  return match && quantity >= 1 && quantity <= maxTypedQuantity ? { match, quantity } : null
}

/** The texts that staff must type: those that the subject's data leaves empty. */
export const textsToEnter = ({ items }: Pick<Package, 'items'>, subject: AutofillSubject): TextNode[] =>
  items
    .filter(({ productCode }) => !isDigital(productCode))
    .flatMap((item) => item.textNodes)
    .filter((node) => node.editable && autofillText(node, subject).value.trim() === '')

/** Whether a package has images to choose. */
export const needsImage = ({ items }: Pick<Package, 'items'>): boolean =>
  items.some((item) => item.imageNodes.some(isEditableImageNode))

/** The image chosen for the subject, and the one for nodes that take a group image. */
export type PickedImages = { subjectImageId: number | null; groupImageId: number | null }

const imageChoice = (packageItemImageNodeId: number, values: Partial<ImageChoice>): ImageChoice => ({
  packageItemImageNodeId,
  ...{ subjectImageId: null, groupImageId: null, replacementImageId: null },
  ...{ cropDimensions: null, frontendCropDimensions: null, rotation: 0 },
  ...values,
})

const editableImageNodes = ({ items }: Pick<Package, 'items'>): ImageNode[] =>
  items.flatMap((item) => item.imageNodes).filter(isEditableImageNode)

/** The kinds of images a package needs: the subject's own, a group's, both, or none. */
export const requiredImageKinds = (packageVersion: Pick<Package, 'items'>): { own: boolean; groups: boolean } => {
  const nodes = editableImageNodes(packageVersion)
  return { own: nodes.some((node) => !isGroupNode(node)), groups: nodes.some(isGroupNode) }
}

/**
 * Image choices of an order form: subject nodes get the subject's image, or the one picked instead; group nodes get the
 * group image only. Nodes without an image are left out.
 */
export const imageChoicesOfForm = (
  packageVersion: Pick<Package, 'items'>,
  { own, groupImageId }: { own: Partial<PickedImages>; groupImageId: number | null },
): ImageChoice[] =>
  editableImageNodes(packageVersion).flatMap((node) => {
    const picked = isGroupNode(node) ? { groupImageId } : own
    return Object.values(picked).includes(null) ? [] : [imageChoice(node.id, picked)]
  })

/** Image choices of a package: each editable node gets the image of its kind. */
export const imageChoicesByNode = (
  packageVersion: Pick<Package, 'items'>,
  { subjectImageId, groupImageId }: PickedImages,
): ImageChoice[] => imageChoicesOfForm(packageVersion, { own: { subjectImageId }, groupImageId })

/** Crop and rotation of the image of one node. */
export type NodeCrop = { nodeId: number } & Pick<ImageChoice, 'cropDimensions' | 'frontendCropDimensions' | 'rotation'>

/** The nodes of a package whose image the customer may choose and crop (section 5). */
export const croppableNodes = ({ items }: Pick<Package, 'items'>): { item: PackageItem; node: ImageNode }[] =>
  items.flatMap((item) =>
    item.imageNodes.filter((node) => isEditableImageNode(node) && mayCrop(item, node)).map((node) => ({ item, node })),
  )

/**
 * Applies the crops of the form to the chosen images. A crop of a node without an image becomes an empty choice, so
 * that the rules reject it instead of it being silently ignored.
 */
export const withCrops = (choices: readonly ImageChoice[], crops: readonly NodeCrop[]): ImageChoice[] => {
  const cropByNode = new Map(crops.map(({ nodeId, ...crop }) => [nodeId, crop]))
  const cropped = choices.map((choice) => ({ ...choice, ...cropByNode.get(choice.packageItemImageNodeId) }))
  for (const { packageItemImageNodeId } of choices) cropByNode.delete(packageItemImageNodeId)
  return [...cropped, ...[...cropByNode].map(([nodeId, crop]) => imageChoice(nodeId, crop))]
}

/** Sorts packages for adding to a cart: standard packages before the add-ons that need them. */
export const sortForAdding = <Line extends { package: Pick<Package, 'packageAddon'> }>(
  lines: readonly Line[],
): Line[] => {
  const rank = ({ package: { packageAddon } }: Line): number =>
    packageAddon.type === 'standard' ? 0 : packageAddon.type === 'addon_standard' ? 1 : 2
  return lines.toSorted((a, b) => rank(a) - rank(b))
}
