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

const named = <One extends NumberedPackage>(typed: string, packages: readonly One[]): One | null => {
  const key = nameKey(typed)
  if (key === '') return null
  const numbered = packages.find(({ number }) => String(number) === key)
  if (numbered) return numbered
  const namesOf = ({ package: { name, altName } }: One) => [name, altName ?? ''].map(nameKey)
  const exact = packages.filter((one) => namesOf(one).includes(key))
  const begun = packages.filter((one) => namesOf(one).some((name) => name.startsWith(key)))
  const [found, other] = exact.length > 0 ? exact : begun
  return found && !other ? found : null
}

/**
 * Parses what staff type for a package: its number (`3`), or the beginning of its name or short name; `3x2` and `a x2`
 * mean two. Null if nothing matches, or several packages do.
 */
export const parseTypedPackage = <One extends NumberedPackage>(
  typed: string,
  packages: readonly One[],
): { found: One; quantity: number } | null => {
  // A name may look like a quantity: `8x10`.
  const whole = named(typed, packages)
  if (whole) return { found: whole, quantity: 1 }
  const [, what = '', times = '0'] = /^(.*?)\s*[x×*]\s*(\d{1,2})\s*$/i.exec(typed) ?? []
  const found = named(what, packages)
  const quantity = Number(times)
  return found && quantity >= 1 && quantity <= maxTypedQuantity ? { found, quantity } : null
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

const choice = (packageItemImageNodeId: number, own: Partial<ImageChoice>): ImageChoice => ({
  packageItemImageNodeId,
  ...{ subjectImageId: null, groupImageId: null, replacementImageId: null },
  ...{ cropDimensions: null, frontendCropDimensions: null, rotation: 0 },
  ...own,
})

const chosenNodes = ({ items }: Pick<Package, 'items'>): ImageNode[] =>
  items.flatMap((item) => item.imageNodes).filter(isEditableImageNode)

/** The kinds of images a package needs: the subject's own, a group's, both, or none. */
export const requiredImageKinds = (made: Pick<Package, 'items'>): { own: boolean; groups: boolean } => {
  const places = chosenNodes(made)
  return { own: places.some((node) => !isGroupNode(node)), groups: places.some(isGroupNode) }
}

/**
 * Image choices of an order form: subject nodes get the subject's image, or the one picked instead; group nodes get the
 * group image only. Nodes without an image are left out.
 */
export const imageChoicesOfForm = (
  made: Pick<Package, 'items'>,
  { own, groupImageId }: { own: Partial<PickedImages>; groupImageId: number | null },
): ImageChoice[] =>
  chosenNodes(made).flatMap((node) => {
    const picked = isGroupNode(node) ? { groupImageId } : own
    return Object.values(picked).includes(null) ? [] : [choice(node.id, picked)]
  })

/** Image choices of a package: each editable node gets the image of its kind. */
export const imageChoicesByNode = (
  made: Pick<Package, 'items'>,
  { subjectImageId, groupImageId }: PickedImages,
): ImageChoice[] => imageChoicesOfForm(made, { own: { subjectImageId }, groupImageId })

/** Crop and rotation of the image of one node. */
export type NodeCrop = { nodeId: number } & Pick<ImageChoice, 'cropDimensions' | 'frontendCropDimensions' | 'rotation'>

/** The nodes of a package whose image can be cropped: editable, and open to a crop (section 5). */
export const croppableNodes = ({ items }: Pick<Package, 'items'>): { item: PackageItem; node: ImageNode }[] =>
  items.flatMap((item) =>
    item.imageNodes.filter((node) => isEditableImageNode(node) && mayCrop(item, node)).map((node) => ({ item, node })),
  )

/**
 * Applies the crops of the form to the chosen images. A crop of a node without an image becomes an empty choice, so
 * that the rules reject it instead of it being silently ignored.
 */
export const withCrops = (choices: readonly ImageChoice[], crops: readonly NodeCrop[]): ImageChoice[] => {
  const cropOf = new Map(crops.map(({ nodeId, ...crop }) => [nodeId, crop]))
  const cut = choices.map((one) => ({ ...one, ...cropOf.get(one.packageItemImageNodeId) }))
  for (const { packageItemImageNodeId } of choices) cropOf.delete(packageItemImageNodeId)
  return [...cut, ...[...cropOf].map(([nodeId, crop]) => choice(nodeId, crop))]
}

/** Sorts packages for adding to a cart: standard packages before the add-ons that need them. */
export const sortForAdding = <Line extends { package: Pick<Package, 'packageAddon'> }>(
  lines: readonly Line[],
): Line[] => {
  const rank = ({ package: { packageAddon } }: Line): number =>
    packageAddon.type === 'standard' ? 0 : packageAddon.type === 'addon_standard' ? 1 : 2
  return lines.toSorted((one, other) => rank(one) - rank(other))
}
