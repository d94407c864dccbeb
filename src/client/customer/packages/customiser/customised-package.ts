import type { Image } from '#contract/customer/discovery-calls.ts'
import type { CartPackage, ImageChoice, ImageFact, LineSnapshot } from '#domain/cart/cart.ts'
import { emptyItem, fill } from '#domain/cart/line-content.ts'
import type { LineContent } from '#domain/cart/mutation.ts'
import { autofillText, sourceValue } from '#domain/catalogue/autofill.ts'
import type { OrderMethod, OrganizationType, Package, TextNode } from '#domain/catalogue/catalogue.ts'
import { type MaskedText, shownText, unmask } from '#domain/catalogue/mask.ts'
import { isEditableImageNode, isGroupNode } from '#domain/catalogue/nodes.ts'
import { type Unprintable, unprintableTexts } from '#domain/printing/printable-letters.ts'
import { choiceOf, imageOf, isReplacement, picturesFor } from '../images/node-images.ts'
import type { Person } from '../package-subject.ts'

/** A text as it is being filled in. */
export type TextField = MaskedText & { nodeId: number; autoFilled: boolean }

/** One package being made the customer's own. */
export type Part = {
  package: Package
  texts: TextField[]
  images: ImageChoice[]
  quantity: number
  /** What the screen does not touch goes back as it came. */
  kept: Pick<LineContent, 'greenScreenBackgroundId' | 'dataFields'>
}

export type Situation = {
  person: Person
  images: readonly Image[]
  /** The pose chosen before, where it fits. */
  imageId: number | null
  orderMethod: OrderMethod
  organizationType: OrganizationType
}

/** A package filled in as far as it can be: the pose in the middle of each node, what the studio knows in each text. */
export const startPart = (of: Package, situation: Situation): Part => ({
  package: of,
  texts: of.items.flatMap((item) => item.textNodes.map((node) => startText(node, situation.person))),
  images: situation.orderMethod === 'prepay' ? [] : of.items.flatMap((item) => startImages(item, situation)),
  quantity: 1,
  kept: { greenScreenBackgroundId: null, dataFields: situation.person.dataFields ?? [] },
})

const startText = (node: TextNode, person: Person): TextField => {
  const { value, autoFilled } = autofillText(node, person)
  const source = sourceValue(node.dataSource, person) === '' ? node.altDataSource : node.dataSource
  const shown = autoFilled ? shownText({ dataSource: source, altDataSource: null }, value) : value
  return { nodeId: node.id, original: value, autoFilled, shown }
}

const startImages = (item: Package['items'][number], situation: Situation): ImageChoice[] =>
  item.imageNodes.filter(isEditableImageNode).flatMap((node) => {
    const fitting = picturesFor(node, situation.images)
    const image = fitting.find((one) => one.id === situation.imageId && !isReplacement(one)) ?? fitting[0]
    return image ? [choiceOf({ item, node, image }, situation.organizationType)] : []
  })

/**
 * A line of the cart, opened again. What stands empty on it, as texts do that a newer version brought, is filled in from what is known
 * of the `person`: nobody could have meant it so.
 */
export const partOfLine = (line: CartPackage, person: Person | null = null): Part => ({
  package: line.snapshot.package,
  texts: line.snapshot.package.items.flatMap((item) =>
    item.textNodes.flatMap((node) => textOfLine(node, line, person)),
  ),
  images: line.cartPackageItems
    .flatMap((item) => item.imageNodes)
    .filter((node) => imageOf(node) !== null && fitsPlace(node, line))
    .map(({ id: _, imageThumbnailUrl: __, ...choice }) => choice),
  quantity: line.quantity,
  kept: { greenScreenBackgroundId: line.greenScreen?.id ?? null, dataFields: line.dataFields },
})

/** A class photo in the place of one child's, as carts from before could hold, is chosen once more. */
const fitsPlace = ({ packageItemImageNodeId, groupImageId }: ImageChoice, { snapshot }: CartPackage): boolean => {
  const nodes = snapshot.package.items.flatMap((item) => item.imageNodes)
  const node = nodes.find(({ id }) => id === packageItemImageNodeId)
  return groupImageId === null || node === undefined || isGroupNode(node)
}

const textOfLine = (node: TextNode, line: CartPackage, person: Person | null): TextField[] =>
  line.cartPackageItems
    .flatMap((item) => item.textNodes)
    .filter((one) => one.packageItemTextNodeId === node.id)
    .map(({ value, autoFilled }) =>
      person && value === ''
        ? startText(node, person)
        : { nodeId: node.id, original: value, autoFilled, shown: shownText(node, value) },
    )

/** What goes to the cart: masks nobody touched are their originals again (section 5). */
export const contentOf = (part: Part): LineContent => ({
  ...part.kept,
  textNodes: part.texts.map((field) => {
    const value = meantText(field)
    return { packageItemTextNodeId: field.nodeId, value, autoFilled: field.autoFilled && value === field.original }
  }),
  imageNodes: part.images,
})

/** What will stand on the print. */
export const meantText = ({ shown, original }: TextField): string => unmask(shown, original)

/** The texts of a package that its prints can't show as they are, what was filled in by itself among them. */
export const unprintableIn = (part: Part): Unprintable[] =>
  unprintableTexts(
    part.package,
    part.texts.map((field) => ({ packageItemTextNodeId: field.nodeId, value: meantText(field) })),
  )

/** What a line is made from: the package as it was shown, the person, the pictures the line uses and what they stand on. */
export const snapshotOf = (part: Part, person: Person, facts: readonly ImageFact[]): LineSnapshot => {
  const used = new Set(part.images.map(imageOf))
  const { greenScreenBackgroundId } = part.kept
  const isUsed = ({ imageId, greenScreenId }: ImageFact): boolean =>
    greenScreenId === undefined ? used.has(imageId) : greenScreenId === greenScreenBackgroundId
  const { firstName, lastName, imageThumbnailUrl } = person
  return {
    package: part.package,
    subject: { firstName, lastName, imageThumbnailUrl },
    images: facts.filter(isUsed),
  }
}

/** The line a part would become, to draw it and to ask what is missing. Texts stand in it as they are shown. */
export const previewOf = (part: Part, person: Person, facts: readonly ImageFact[]): CartPackage => {
  const line: CartPackage = {
    id: null,
    lineId: '',
    packageId: part.package.id,
    subjectId: person.subjectId,
    personId: person.personId,
    quantity: 1,
    price: part.package.retailCost,
    greenScreen: null,
    cartPackageItems: part.package.items.map(emptyItem),
    dataFields: [],
    snapshot: snapshotOf(part, person, facts),
  }
  const textNodes = part.texts.map((field) => ({
    packageItemTextNodeId: field.nodeId,
    value: field.shown,
    autoFilled: field.autoFilled,
  }))
  const filled = fill(line, { ...contentOf(part), textNodes })
  // A part is made of its own package's nodes: another one would be our mistake.
  if (!filled) throw new Error(`${part.package.name} does not have these nodes`)
  return filled
}
