import { type Cart, type CartPackage, emptyCart, type LineSnapshot } from '#domain/cart/cart.ts'
import { type Change, type LineContent, mutationVersion, type RecordedMutation } from '#domain/cart/mutation.ts'
import { applyMutation } from '#domain/cart/mutations.ts'
import type { ImageNode, Package, PackageItem, TextNode } from '#domain/catalogue/catalogue.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'

const fullPrint = { x: 0, y: 0, width: 100, height: 100 }

export const imageNode = (overrides: Partial<ImageNode> = {}): ImageNode => ({
  id: 11,
  name: 'Image1',
  static: false,
  positionCoords: fullPrint,
  allowConsumerCrop: true,
  productCode: '8x10',
  ...overrides,
})

export const textNode = (overrides: Partial<TextNode> = {}): TextNode => ({
  id: 21,
  name: 'First line',
  editable: true,
  dataSource: 'First Name',
  altDataSource: null,
  value: '',
  positionCoords: fullPrint,
  ...overrides,
})

export const packageItem = (overrides: Partial<PackageItem> = {}): PackageItem => ({
  id: 1,
  name: 'Portrait',
  productCode: '8x10',
  widthInches: 8,
  heightInches: 10,
  imageNodes: [imageNode()],
  textNodes: [textNode()],
  ...overrides,
})

export const packageOf = (overrides: Partial<Package> = {}): Package => ({
  id: 100,
  version: 1,
  name: 'Package A',
  retailCost: 25,
  altName: null,
  altDescription: null,
  items: [packageItem()],
  packageAddon: { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null },
  ...overrides,
})

export const addOn = (id: number, addon: Partial<Package['packageAddon']>, retailCost = 5): Package =>
  packageOf({
    id,
    retailCost,
    packageAddon: { type: 'addon_standard', requiredMinPrice: null, requiresStandard: true, packageId: null, ...addon },
  })

export const snapshotOf = (packageVersion: Package): LineSnapshot => ({
  package: packageVersion,
  subject: { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null },
  images: [{ imageId: 501, width: 2400, height: 3000, thumbnailUrl: '/photos/1/501/thumb-a' }],
})

export const noContent: LineContent = { greenScreenBackgroundId: null, dataFields: [], textNodes: [], imageNodes: [] }

let count = 0

export const recorded = (change: Change, packageVersion: Package | null = null): RecordedMutation => {
  count += 1
  const id = `m${count}`
  return {
    mutation: { id, v: mutationVersion, at: '2027-04-01T10:00:00.000Z', ...change },
    snapshot: packageVersion && snapshotOf(packageVersion),
  }
}

export const added = (
  packageVersion: Package,
  lineId: string,
  quantity = 1,
  content: Partial<LineContent> = {},
): RecordedMutation =>
  recorded(
    {
      do: 'line.add',
      lineId,
      packageId: packageVersion.id,
      packageVersion: packageVersion.version,
      quantity,
      subjectId: 7,
      personId: null,
      ...noContent,
      ...content,
    },
    packageVersion,
  )

/** A cart after these mutations; throws if one is rejected. */
export const cartAfter = (...mutations: RecordedMutation[]): Cart =>
  mutations.reduce(
    (cart, { mutation, snapshot }) => {
      const applied = applyMutation(cart, mutation, snapshot)
      if (!applied.ok) throw new Error(`${mutation.do} rejected: ${applied.problem}`)
      return applied.cart
    },
    emptyCart(1, 'gallery'),
  )

export const customField = (overrides: Partial<CustomField> = {}): CustomField => ({
  id: 1,
  name: 'Teacher',
  label: 'Teacher',
  inputType: 'text',
  required: false,
  hasOptions: false,
  options: [],
  templateId: null,
  ...overrides,
})

export const lineOf = (packageVersion: Package, content: Partial<LineContent> = {}): CartPackage => {
  const [line] = cartAfter(added(packageVersion, 'line-1', 1, content)).cartPackages
  if (!line) throw new Error('the line was not added')
  return line
}

export const imageChoice = (nodeId: number, subjectImageId: number | null = 501) => ({
  packageItemImageNodeId: nodeId,
  subjectImageId,
  groupImageId: null,
  replacementImageId: null,
  cropDimensions: null,
  frontendCropDimensions: null,
  rotation: 0,
})

export const textChoice = (nodeId: number, value: string) => ({
  packageItemTextNodeId: nodeId,
  value,
  autoFilled: false,
})
