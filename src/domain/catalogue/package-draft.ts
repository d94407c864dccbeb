import { lackingSentence, lettersLacking } from '../printing/printable-letters.ts'
import { requiredList, validationMessages } from '../shared/validators.ts'
import { type ImageNode, isDigital, type Package, type PackageItem, type TextNode } from './catalogue.ts'
import { downloadKindOf } from './downloads.ts'
import { isEditableImageNode } from './nodes.ts'

/** A package as staff write it. New items and nodes have negative ids until they are saved. */
export type PackageDraft = Omit<Package, 'id' | 'version'>

/** What a package may be made of. */
export type Product = {
  code: string
  name: string
  /** Size of the print in inches; null where nothing is printed. */
  widthInches: number | null
  heightInches: number | null
}

/** What a draft is held against: the products there are, and the standard packages an add-on of its set may go with. */
export type Around = { products: readonly Product[]; standardIds: readonly number[] }

/** Most of everything: more than any studio sells in one package, and little enough for a telephone. */
export const mostItems = 40
export const mostNodes = 30
export const longestName = 100
export const longestDescription = 500
/** Dollars. */
export const highestPrice = 10_000
/** Percentages of the print: what is smaller can neither be seen nor taken hold of. */
export const smallestSide = 2

export const draftSentences = {
  long: 'This is too long',
  price: `A price is between $0.00 and $${highestPrice.toLocaleString('en-US')}.00, with at most two decimals`,
  manyItems: `A package has at most ${mostItems} items`,
  manyNodes: `An item has at most ${mostNodes} pictures and texts`,
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
  small: `This must be at least ${smallestSide} % wide and high`,
  silentText: 'Nothing would stand here. Write what does, say where it comes from, or let customers type it',
  onlyAddOn: 'Only an add-on has this',
  onlyMinimum: 'Only an add-on from a price on has this',
  needsRequired: 'Say that it needs a standard package first',
  goesWith: 'This is not a standard package of this set. Please choose another one',
} as const

type Say = (path: string, sentence: string) => void

const checkItems = requiredList<PackageDraft>()

/**
 * Everything that keeps a draft from being sold, by the path of its field (`items.0.imageNodes.1.name`): what customers could not be
 * shown, could not fill in, or could not be told the price of. An empty record means it is good.
 */
export const draftProblems = (draft: PackageDraft, around: Around): Record<string, string[]> => {
  const found = new Map<string, string[]>()
  const say: Say = (path, sentence) => {
    const said = found.get(path) ?? []
    if (!said.includes(sentence)) found.set(path, [...said, sentence])
  }
  checkName(draft.name, 'name', say)
  if (!isPrice(draft.retailCost)) say('retailCost', draftSentences.price)
  if ((draft.altName ?? '').length > longestName) say('altName', draftSentences.long)
  if ((draft.altDescription ?? '').length > longestDescription) say('altDescription', draftSentences.long)
  const noItems = checkItems(draft.items, draft)
  if (noItems) say('items', noItems)
  if (draft.items.length > mostItems) say('items', draftSentences.manyItems)
  for (const [place, item] of draft.items.entries()) {
    checkItem(item, around, (path, sentence) => say(`items.${place}${path && `.${path}`}`, sentence))
  }
  checkAddon(draft, around, (path, sentence) => say(`packageAddon.${path}`, sentence))
  return Object.fromEntries(found)
}

const checkName = (name: string, path: string, say: Say): void => {
  if (name.trim() === '') say(path, validationMessages.required)
  if (name.length > longestName) say(path, draftSentences.long)
}

const isPrice = (dollars: number): boolean =>
  dollars >= 0 && dollars <= highestPrice && Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6

const checkItem = (item: PackageItem, { products }: Around, say: Say): void => {
  checkName(item.name, 'name', say)
  const product = products.find(({ code }) => code === item.productCode)
  if (!product) say('productCode', draftSentences.product)
  else if (!isSizeOf(item, product))
    say('widthInches', product.widthInches ? draftSentences.size : draftSentences.fileSize)
  if (item.imageNodes.length + item.textNodes.length > mostNodes) say('', draftSentences.manyNodes)
  if (isDigital(item.productCode)) checkFile(item, say)
  else if (item.imageNodes.length + item.textNodes.length === 0) say('', draftSentences.nothingOn)
  checkSameNames(item, say)
  for (const [place, node] of item.imageNodes.entries()) {
    checkImageNode(node, item, (path, sentence) => say(`imageNodes.${place}.${path}`, sentence))
  }
  for (const [place, node] of item.textNodes.entries()) {
    checkTextNode(node, (path, sentence) => say(`textNodes.${place}.${path}`, sentence))
  }
}

/** The product's size, upright or lying. */
const isSizeOf = ({ widthInches, heightInches }: PackageItem, product: Product): boolean =>
  (widthInches === product.widthInches && heightInches === product.heightInches) ||
  (widthInches === product.heightInches && heightInches === product.widthInches)

const checkFile = ({ productCode, imageNodes, textNodes }: PackageItem, say: Say): void => {
  if (textNodes.length > 0) say('textNodes', draftSentences.noTexts)
  const isSingle = downloadKindOf(productCode) === 'single'
  const chosen = imageNodes.filter((node) => !node.static)
  if (isSingle && (chosen.length !== 1 || imageNodes.length !== 1)) say('imageNodes', draftSentences.onePicture)
  if (!isSingle && imageNodes.length > 0) say('imageNodes', draftSentences.noNodes)
}

const nameKey = (name: string): string => name.normalize('NFC').trim().toLowerCase()

const checkSameNames = ({ imageNodes, textNodes }: PackageItem, say: Say): void => {
  const taken = new Set<string>()
  const named = [
    ...imageNodes.map(({ name }, place) => ({ name, path: `imageNodes.${place}.name` })),
    ...textNodes.map(({ name }, place) => ({ name, path: `textNodes.${place}.name` })),
  ]
  for (const { name, path } of named) {
    const key = nameKey(name)
    if (key !== '' && taken.has(key)) say(path, draftSentences.sameName)
    taken.add(key)
  }
}

const slack = 1e-6

const checkPlace = ({ positionCoords: box }: Pick<ImageNode, 'positionCoords'>, say: Say): void => {
  const { x, y, width, height } = box
  if (width < smallestSide - slack || height < smallestSide - slack) say('positionCoords', draftSentences.small)
  // False also for what is no number.
  const isInside = x >= -slack && y >= -slack && x + width <= 100 + slack && y + height <= 100 + slack
  if (!isInside) say('positionCoords', draftSentences.outside)
}

const checkImageNode = (node: ImageNode, item: PackageItem, say: Say): void => {
  checkName(node.name, 'name', say)
  if (node.name.trim() !== '' && !node.static && !isEditableImageNode(node)) say('name', draftSentences.pictureName)
  if (node.productCode !== item.productCode) say('productCode', draftSentences.nodeProduct)
  checkPlace(node, say)
}

const checkTextNode = (node: TextNode, say: Say): void => {
  checkName(node.name, 'name', say)
  for (const path of ['value', 'dataSource', 'altDataSource'] as const) {
    if ((node[path] ?? '').length > longestName) say(path, draftSentences.long)
  }
  const lacking = lettersLacking(node.value)
  if (lacking.length > 0) say('value', `${lackingSentence(lacking)}. Please write it without`)
  const isSilent = [node.value, node.dataSource, node.altDataSource].every((one) => (one ?? '').trim() === '')
  if (!node.editable && isSilent) say('value', draftSentences.silentText)
  checkPlace(node, say)
}

const checkAddon = ({ packageAddon }: PackageDraft, { standardIds }: Around, say: Say): void => {
  const { type, requiredMinPrice, requiresStandard, packageId } = packageAddon
  if (type === 'standard') {
    if (requiredMinPrice !== null) say('requiredMinPrice', draftSentences.onlyAddOn)
    if (requiresStandard) say('requiresStandard', draftSentences.onlyAddOn)
    if (packageId !== null) say('packageId', draftSentences.onlyAddOn)
    return
  }
  if (requiredMinPrice !== null && type !== 'addon_price') say('requiredMinPrice', draftSentences.onlyMinimum)
  else if (requiredMinPrice !== null && !isPrice(requiredMinPrice)) say('requiredMinPrice', draftSentences.price)
  if (packageId === null) return
  if (!requiresStandard) say('packageId', draftSentences.needsRequired)
  if (!standardIds.includes(packageId)) say('packageId', draftSentences.goesWith)
}
