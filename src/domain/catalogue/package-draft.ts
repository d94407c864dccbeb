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

/** Limits that no studio reaches, low enough to edit a package on a phone. */
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
  manyNodes: `An item has at most ${maxItemNodes} images and texts`,
  product: 'This product no longer exists. Please choose another one',
  size: 'The size is not that of the product',
  fileSize: 'Nothing of this is printed, so it has no size',
  nothingOn: 'Nothing would be printed. Add an image or a text',
  onePicture: 'This needs exactly one image',
  noNodes: 'Everything of the person is delivered, so there is nothing to choose',
  noTexts: 'This is a file, so it can’t have text',
  sameName: 'Something else on this print has this name',
  pictureName: 'Customers can’t choose it. Give it a name like “Image 1” or “Group 1”, ending in a number from 0 to 98',
  nodeProduct: 'This is not the product of its item',
  outside: 'This is outside of the print',
  small: `This must be at least ${minNodeSide} % wide and high`,
  silentText: 'This would be empty. Enter the text, choose its source, or let customers type it',
  onlyAddOn: 'Only an add-on has this',
  onlyMinimum: 'Only an add-on above a minimum total has this',
  needsRequired: 'Say that it needs a standard package first',
  goesWith: 'This is not a standard package of this set. Please choose another one',
} as const

type AddError = (path: string, message: string) => void

const checkItems = requiredList<PackageDraft>()

/**
 * All errors of a draft by the path of its field (`items.0.imageNodes.1.name`): what could not be shown to customers,
 * filled in by them, or priced. An empty record means that the draft is valid.
 */
export const packageDraftErrors = (draft: PackageDraft, context: PackageDraftContext): Record<string, string[]> => {
  const errors = new Map<string, string[]>()
  const addError: AddError = (path, message) => {
    const messages = errors.get(path) ?? []
    if (!messages.includes(message)) errors.set(path, [...messages, message])
  }
  checkName(draft.name, 'name', addError)
  if (!isPrice(draft.retailCost)) addError('retailCost', packageDraftMessages.price)
  if ((draft.altName ?? '').length > maxPackageNameLength) addError('altName', packageDraftMessages.long)
  if ((draft.altDescription ?? '').length > maxPackageDescriptionLength)
    addError('altDescription', packageDraftMessages.long)
  const itemsError = checkItems(draft.items, draft)
  if (itemsError) addError('items', itemsError)
  if (draft.items.length > maxPackageItems) addError('items', packageDraftMessages.manyItems)
  for (const [index, item] of draft.items.entries()) {
    checkItem(item, context, (path, message) => addError(`items.${index}${path && `.${path}`}`, message))
  }
  checkAddon(draft, context, (path, message) => addError(`packageAddon.${path}`, message))
  return Object.fromEntries(errors)
}

const checkName = (name: string, path: string, addError: AddError): void => {
  if (name.trim() === '') addError(path, validationMessages.required)
  if (name.length > maxPackageNameLength) addError(path, packageDraftMessages.long)
}

const isPrice = (dollars: number): boolean =>
  dollars >= 0 && dollars <= maxPackagePrice && Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6

const checkItem = (item: PackageItem, { products }: PackageDraftContext, addError: AddError): void => {
  checkName(item.name, 'name', addError)
  const product = products.find(({ code }) => code === item.productCode)
  if (!product) addError('productCode', packageDraftMessages.product)
  else if (!isSizeOf(item, product))
    addError('widthInches', product.widthInches ? packageDraftMessages.size : packageDraftMessages.fileSize)
  if (item.imageNodes.length + item.textNodes.length > maxItemNodes) addError('', packageDraftMessages.manyNodes)
  if (isDigital(item.productCode)) checkFile(item, addError)
  else if (item.imageNodes.length + item.textNodes.length === 0) addError('', packageDraftMessages.nothingOn)
  checkSameNames(item, addError)
  for (const [index, node] of item.imageNodes.entries()) {
    checkImageNode(node, item, (path, message) => addError(`imageNodes.${index}.${path}`, message))
  }
  for (const [index, node] of item.textNodes.entries()) {
    checkTextNode(node, (path, message) => addError(`textNodes.${index}.${path}`, message))
  }
}

/** Whether the item has the product's size, in portrait or landscape. */
const isSizeOf = ({ widthInches, heightInches }: PackageItem, product: Product): boolean =>
  (widthInches === product.widthInches && heightInches === product.heightInches) ||
  (widthInches === product.heightInches && heightInches === product.widthInches)

const checkFile = ({ productCode, imageNodes, textNodes }: PackageItem, addError: AddError): void => {
  if (textNodes.length > 0) addError('textNodes', packageDraftMessages.noTexts)
  const isSingle = downloadKindOf(productCode) === 'single'
  const customerNodes = imageNodes.filter((node) => !node.static)
  if (isSingle && (customerNodes.length !== 1 || imageNodes.length !== 1))
    addError('imageNodes', packageDraftMessages.onePicture)
  if (!isSingle && imageNodes.length > 0) addError('imageNodes', packageDraftMessages.noNodes)
}

const nameKey = (name: string): string => name.normalize('NFC').trim().toLowerCase()

const checkSameNames = ({ imageNodes, textNodes }: PackageItem, addError: AddError): void => {
  const takenKeys = new Set<string>()
  const namedNodes = [
    ...imageNodes.map(({ name }, index) => ({ name, path: `imageNodes.${index}.name` })),
    ...textNodes.map(({ name }, index) => ({ name, path: `textNodes.${index}.name` })),
  ]
  for (const { name, path } of namedNodes) {
    const key = nameKey(name)
    if (key !== '' && takenKeys.has(key)) addError(path, packageDraftMessages.sameName)
    takenKeys.add(key)
  }
}

const tolerance = 1e-6

const checkPosition = ({ positionCoords: box }: Pick<ImageNode, 'positionCoords'>, addError: AddError): void => {
  const { x, y, width, height } = box
  if (width < minNodeSide - tolerance || height < minNodeSide - tolerance)
    addError('positionCoords', packageDraftMessages.small)
  // Also rejects NaN.
  const isInside = x >= -tolerance && y >= -tolerance && x + width <= 100 + tolerance && y + height <= 100 + tolerance
  if (!isInside) addError('positionCoords', packageDraftMessages.outside)
}

const checkImageNode = (node: ImageNode, item: PackageItem, addError: AddError): void => {
  checkName(node.name, 'name', addError)
  if (node.name.trim() !== '' && !node.static && !isEditableImageNode(node))
    addError('name', packageDraftMessages.pictureName)
  if (node.productCode !== item.productCode) addError('productCode', packageDraftMessages.nodeProduct)
  checkPosition(node, addError)
}

const checkTextNode = (node: TextNode, addError: AddError): void => {
  checkName(node.name, 'name', addError)
  for (const path of ['value', 'dataSource', 'altDataSource'] as const) {
    if ((node[path] ?? '').length > maxPackageNameLength) addError(path, packageDraftMessages.long)
  }
  const unprintable = unprintableLetters(node.value)
  if (unprintable.length > 0) addError('value', `${unprintableMessage(unprintable)}. Please write it without`)
  const isAlwaysEmpty = [node.value, node.dataSource, node.altDataSource].every((text) => (text ?? '').trim() === '')
  if (!node.editable && isAlwaysEmpty) addError('value', packageDraftMessages.silentText)
  checkPosition(node, addError)
}

const checkAddon = ({ packageAddon }: PackageDraft, { standardIds }: PackageDraftContext, addError: AddError): void => {
  const { type, requiredMinPrice, requiresStandard, packageId } = packageAddon
  if (type === 'standard') {
    if (requiredMinPrice !== null) addError('requiredMinPrice', packageDraftMessages.onlyAddOn)
    if (requiresStandard) addError('requiresStandard', packageDraftMessages.onlyAddOn)
    if (packageId !== null) addError('packageId', packageDraftMessages.onlyAddOn)
    return
  }
  if (requiredMinPrice !== null && type !== 'addon_price')
    addError('requiredMinPrice', packageDraftMessages.onlyMinimum)
  else if (requiredMinPrice !== null && !isPrice(requiredMinPrice))
    addError('requiredMinPrice', packageDraftMessages.price)
  if (packageId === null) return
  if (!requiresStandard) addError('packageId', packageDraftMessages.needsRequired)
  if (!standardIds.includes(packageId)) addError('packageId', packageDraftMessages.goesWith)
}
