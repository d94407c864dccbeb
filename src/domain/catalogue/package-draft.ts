import { unprintableLetters, unprintableMessage } from '../printing/printable-letters.ts'
import { requiredList, validationMessages } from '../shared/validators.ts'
import { type ImageNode, isDigital, type Package, type PackageItem, type TextNode } from './catalogue.ts'
import { downloadKindOf } from './downloads.ts'
import { isEditableImageNode } from './nodes.ts'

/** A package while staff edit it. New items and nodes have negative ids until they are saved. */
export type PackageDraft = Omit<Package, 'id' | 'version'>

/** What a package item can be made of. */
export type Product = {
  code: string
  name: string
  /** Size of the print in inches; null if nothing is printed. */
  widthInches: number | null
  heightInches: number | null
}

/**
 * What a draft is validated against: the existing products, and the standard packages that an add-on of its set may
 * require.
 */
export type PackageDraftContext = { products: readonly Product[]; standardIds: readonly number[] }

/** Limits: more than any studio sells in one package, and small enough for a phone. */
export const maxPackageItems = 40
export const maxItemNodes = 30
export const maxPackageNameLength = 100
export const maxPackageDescriptionLength = 500
/** Dollars. */
export const maxPackagePrice = 10_000
/** Percentages of the print: anything smaller can neither be seen nor grabbed. */
export const minNodeSide = 2

export const packageDraftMessages = {
  long: 'This is too long',
  price: `A price is between $0.00 and $${maxPackagePrice.toLocaleString('en-US')}.00, with at most two decimals`,
  manyItems: `A package has at most ${maxPackageItems} items`,
  manyNodes: `An item has at most ${maxItemNodes} pictures and texts`,
  product: 'This product does not exist any more. Please choose another one',
  size: 'The size is not that of the product',
  fileSize: 'Nothing of this is printed, so it has no size',
  nothingOn: 'Nothing would be printed. Put a picture or a text on it',
  onePicture: 'One picture is chosen for this, no more and no less',
  noNodes: 'Everything of the person is delivered, so there is nothing to choose',
  noTexts: 'This comes as a file, so no text can stand on it',
  sameName: 'Something else on this print has this name',
  pictureName:
    'Its customer can’t choose it. Give it a name like “Image 1” or “Group 1”, ending in a number from 0 to 98',
  nodeProduct: 'This is not the product of its item',
  outside: 'This lies outside of the print',
  small: `This must be at least ${minNodeSide} % wide and high`,
  silentText: 'Nothing would stand here. Write what does, say where it comes from, or let customers type it',
  onlyAddOn: 'Only an add-on has this',
  onlyMinimum: 'Only an add-on from a price on has this',
  needsRequired: 'Say that it needs a standard package first',
  goesWith: 'This is not a standard package of this set. Please choose another one',
} as const

type AddError = (path: string, sentence: string) => void

const checkItems = requiredList<PackageDraft>()

/**
 * All errors of a draft by the path of its field (`items.0.imageNodes.1.name`): what could not be shown to customers,
 * filled in by them, or priced. An empty record means that the draft is valid.
 */
export const packageDraftErrors = (draft: PackageDraft, around: PackageDraftContext): Record<string, string[]> => {
  const found = new Map<string, string[]>()
  const say: AddError = (path, sentence) => {
    const said = found.get(path) ?? []
    if (!said.includes(sentence)) found.set(path, [...said, sentence])
  }
  checkName(draft.name, 'name', say)
  if (!isPrice(draft.retailCost)) say('retailCost', packageDraftMessages.price)
  if ((draft.altName ?? '').length > maxPackageNameLength) say('altName', packageDraftMessages.long)
  if ((draft.altDescription ?? '').length > maxPackageDescriptionLength)
    say('altDescription', packageDraftMessages.long)
  const noItems = checkItems(draft.items, draft)
  if (noItems) say('items', noItems)
  if (draft.items.length > maxPackageItems) say('items', packageDraftMessages.manyItems)
  for (const [place, item] of draft.items.entries()) {
    checkItem(item, around, (path, sentence) => say(`items.${place}${path && `.${path}`}`, sentence))
  }
  checkAddon(draft, around, (path, sentence) => say(`packageAddon.${path}`, sentence))
  return Object.fromEntries(found)
}

const checkName = (name: string, path: string, say: AddError): void => {
  if (name.trim() === '') say(path, validationMessages.required)
  if (name.length > maxPackageNameLength) say(path, packageDraftMessages.long)
}

const isPrice = (dollars: number): boolean =>
  dollars >= 0 && dollars <= maxPackagePrice && Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6

const checkItem = (item: PackageItem, { products }: PackageDraftContext, say: AddError): void => {
  checkName(item.name, 'name', say)
  const product = products.find(({ code }) => code === item.productCode)
  if (!product) say('productCode', packageDraftMessages.product)
  else if (!isSizeOf(item, product))
    say('widthInches', product.widthInches ? packageDraftMessages.size : packageDraftMessages.fileSize)
  if (item.imageNodes.length + item.textNodes.length > maxItemNodes) say('', packageDraftMessages.manyNodes)
  if (isDigital(item.productCode)) checkFile(item, say)
  else if (item.imageNodes.length + item.textNodes.length === 0) say('', packageDraftMessages.nothingOn)
  checkSameNames(item, say)
  for (const [place, node] of item.imageNodes.entries()) {
    checkImageNode(node, item, (path, sentence) => say(`imageNodes.${place}.${path}`, sentence))
  }
  for (const [place, node] of item.textNodes.entries()) {
    checkTextNode(node, (path, sentence) => say(`textNodes.${place}.${path}`, sentence))
  }
}

/** Whether the item has the product's size, in portrait or landscape. */
const isSizeOf = ({ widthInches, heightInches }: PackageItem, product: Product): boolean =>
  (widthInches === product.widthInches && heightInches === product.heightInches) ||
  (widthInches === product.heightInches && heightInches === product.widthInches)

const checkFile = ({ productCode, imageNodes, textNodes }: PackageItem, say: AddError): void => {
  if (textNodes.length > 0) say('textNodes', packageDraftMessages.noTexts)
  const isSingle = downloadKindOf(productCode) === 'single'
  const chosen = imageNodes.filter((node) => !node.static)
  if (isSingle && (chosen.length !== 1 || imageNodes.length !== 1)) say('imageNodes', packageDraftMessages.onePicture)
  if (!isSingle && imageNodes.length > 0) say('imageNodes', packageDraftMessages.noNodes)
}

const nameKey = (name: string): string => name.normalize('NFC').trim().toLowerCase()

const checkSameNames = ({ imageNodes, textNodes }: PackageItem, say: AddError): void => {
  const taken = new Set<string>()
  const named = [
    ...imageNodes.map(({ name }, place) => ({ name, path: `imageNodes.${place}.name` })),
    ...textNodes.map(({ name }, place) => ({ name, path: `textNodes.${place}.name` })),
  ]
  for (const { name, path } of named) {
    const key = nameKey(name)
    if (key !== '' && taken.has(key)) say(path, packageDraftMessages.sameName)
    taken.add(key)
  }
}

const slack = 1e-6

const checkPlace = ({ positionCoords: box }: Pick<ImageNode, 'positionCoords'>, say: AddError): void => {
  const { x, y, width, height } = box
  if (width < minNodeSide - slack || height < minNodeSide - slack) say('positionCoords', packageDraftMessages.small)
  // Also rejects NaN.
  const isInside = x >= -slack && y >= -slack && x + width <= 100 + slack && y + height <= 100 + slack
  if (!isInside) say('positionCoords', packageDraftMessages.outside)
}

const checkImageNode = (node: ImageNode, item: PackageItem, say: AddError): void => {
  checkName(node.name, 'name', say)
  if (node.name.trim() !== '' && !node.static && !isEditableImageNode(node))
    say('name', packageDraftMessages.pictureName)
  if (node.productCode !== item.productCode) say('productCode', packageDraftMessages.nodeProduct)
  checkPlace(node, say)
}

const checkTextNode = (node: TextNode, say: AddError): void => {
  checkName(node.name, 'name', say)
  for (const path of ['value', 'dataSource', 'altDataSource'] as const) {
    if ((node[path] ?? '').length > maxPackageNameLength) say(path, packageDraftMessages.long)
  }
  const lacking = unprintableLetters(node.value)
  if (lacking.length > 0) say('value', `${unprintableMessage(lacking)}. Please write it without`)
  const isSilent = [node.value, node.dataSource, node.altDataSource].every((one) => (one ?? '').trim() === '')
  if (!node.editable && isSilent) say('value', packageDraftMessages.silentText)
  checkPlace(node, say)
}

const checkAddon = ({ packageAddon }: PackageDraft, { standardIds }: PackageDraftContext, say: AddError): void => {
  const { type, requiredMinPrice, requiresStandard, packageId } = packageAddon
  if (type === 'standard') {
    if (requiredMinPrice !== null) say('requiredMinPrice', packageDraftMessages.onlyAddOn)
    if (requiresStandard) say('requiresStandard', packageDraftMessages.onlyAddOn)
    if (packageId !== null) say('packageId', packageDraftMessages.onlyAddOn)
    return
  }
  if (requiredMinPrice !== null && type !== 'addon_price') say('requiredMinPrice', packageDraftMessages.onlyMinimum)
  else if (requiredMinPrice !== null && !isPrice(requiredMinPrice)) say('requiredMinPrice', packageDraftMessages.price)
  if (packageId === null) return
  if (!requiresStandard) say('packageId', packageDraftMessages.needsRequired)
  if (!standardIds.includes(packageId)) say('packageId', packageDraftMessages.goesWith)
}
