import type { ImageChoice } from '../cart/cart.ts'
import { type AutofillSubject, autofillText } from '../catalogue/autofill.ts'
import { type ImageNode, isDigital, type Package, type PackageItem, type TextNode } from '../catalogue/catalogue.ts'
import { isEditableImageNode, isGroupNode, mayCrop } from '../catalogue/nodes.ts'
import type { Cents } from '../pricing/money.ts'

/** How an order on paper is paid. */
export const paperPayments = ['cash', 'check'] as const
export type PaperPayment = (typeof paperPayments)[number]

/** What goes back over the counter, in whole cents; null where less was given than the order comes to. */
export const changeDue = (totalCents: Cents, receivedCents: Cents): Cents | null =>
  receivedCents >= totalCents ? receivedCents - totalCents : null

/** A package as an order form numbers it. */
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
 * What somebody keys in for a package: its number (`3`), or the beginning of its name or short name; `3x2` and `a x2` are two of it.
 * Null where it is none, or could be several.
 */
export const parseTypedPackage = <One extends NumberedPackage>(
  typed: string,
  packages: readonly One[],
): { found: One; quantity: number } | null => {
  // A name may read like a number of something: `8x10`.
  const whole = named(typed, packages)
  if (whole) return { found: whole, quantity: 1 }
  const [, what = '', times = '0'] = /^(.*?)\s*[x×*]\s*(\d{1,2})\s*$/i.exec(typed) ?? []
  const found = named(what, packages)
  const quantity = Number(times)
  return found && quantity >= 1 && quantity <= maxTypedQuantity ? { found, quantity } : null
}

/** A text that has to be keyed in: what is known of the person leaves it empty. */
export const textsToEnter = ({ items }: Pick<Package, 'items'>, subject: AutofillSubject): TextNode[] =>
  items
    .filter(({ productCode }) => !isDigital(productCode))
    .flatMap((item) => item.textNodes)
    .filter((node) => node.editable && autofillText(node, subject).value.trim() === '')

/** Whether somebody chooses a picture for a package at all. */
export const needsImage = ({ items }: Pick<Package, 'items'>): boolean =>
  items.some((item) => item.imageNodes.some(isEditableImageNode))

/** The picture of a person that was picked, and that of their group, for where a group belongs. */
export type PickedImages = { subjectImageId: number | null; groupImageId: number | null }

const choice = (packageItemImageNodeId: number, own: Partial<ImageChoice>): ImageChoice => ({
  packageItemImageNodeId,
  ...{ subjectImageId: null, groupImageId: null, replacementImageId: null },
  ...{ cropDimensions: null, frontendCropDimensions: null, rotation: 0 },
  ...own,
})

const chosenNodes = ({ items }: Pick<Package, 'items'>): ImageNode[] =>
  items.flatMap((item) => item.imageNodes).filter(isEditableImageNode)

/** Whose pictures are chosen for a package: the person's own, those of a group, both, or none. */
export const requiredImageKinds = (made: Pick<Package, 'items'>): { own: boolean; groups: boolean } => {
  const places = chosenNodes(made)
  return { own: places.some((node) => !isGroupNode(node)), groups: places.some(isGroupNode) }
}

/** At a person's places their picture, or what is picked instead of one; at a group's the group's and no other. Without one, a place waits. */
export const imageChoicesOfForm = (
  made: Pick<Package, 'items'>,
  { own, groupImageId }: { own: Partial<PickedImages>; groupImageId: number | null },
): ImageChoice[] =>
  chosenNodes(made).flatMap((node) => {
    const picked = isGroupNode(node) ? { groupImageId } : own
    return Object.values(picked).includes(null) ? [] : [choice(node.id, picked)]
  })

/** At each place of a package where one is chosen the picture that belongs there, and no other. */
export const imageChoicesByNode = (
  made: Pick<Package, 'items'>,
  { subjectImageId, groupImageId }: PickedImages,
): ImageChoice[] => imageChoicesOfForm(made, { own: { subjectImageId }, groupImageId })

/** How the picture at one place of a package is cut and turned. */
export type NodeCrop = { nodeId: number } & Pick<ImageChoice, 'cropDimensions' | 'frontendCropDimensions' | 'rotation'>

/** The places of a package whose picture may be cut: chosen by hand, and open to a crop (section 5). */
export const croppableNodes = ({ items }: Pick<Package, 'items'>): { item: PackageItem; node: ImageNode }[] =>
  items.flatMap((item) =>
    item.imageNodes.filter((node) => isEditableImageNode(node) && mayCrop(item, node)).map((node) => ({ item, node })),
  )

/**
 * Chosen pictures, cut as the form says. A crop at a place that holds none stands there without one, for the rules of pictures to
 * refuse: nothing that was asked for is left out unsaid.
 */
export const withCrops = (choices: readonly ImageChoice[], crops: readonly NodeCrop[]): ImageChoice[] => {
  const cropOf = new Map(crops.map(({ nodeId, ...crop }) => [nodeId, crop]))
  const cut = choices.map((one) => ({ ...one, ...cropOf.get(one.packageItemImageNodeId) }))
  for (const { packageItemImageNodeId } of choices) cropOf.delete(packageItemImageNodeId)
  return [...cut, ...[...cropOf].map(([nodeId, crop]) => choice(nodeId, crop))]
}

/** Packages in the order in which a cart takes them: what add-ons stand on first. */
export const sortForAdding = <Line extends { package: Pick<Package, 'packageAddon'> }>(
  lines: readonly Line[],
): Line[] => {
  const rank = ({ package: { packageAddon } }: Line): number =>
    packageAddon.type === 'standard' ? 0 : packageAddon.type === 'addon_standard' ? 1 : 2
  return lines.toSorted((one, other) => rank(one) - rank(other))
}
