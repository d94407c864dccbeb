import { type Cart, type CartPackage, emptyCart, type LineSnapshot } from '#domain/cart/cart.ts'
import { applyMutation } from '#domain/cart/cart-rules.ts'
import { type Change, type LineContent, mutationVersion, type RecordedMutation } from '#domain/cart/mutation.ts'
import type { ImageNode, Package, PackageItem, TextNode } from '#domain/catalogue/catalogue.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'

const whole = { x: 0, y: 0, width: 100, height: 100 }

export const imageNode = (with_: Partial<ImageNode> = {}): ImageNode => ({
  id: 11,
  name: 'Image1',
  static: false,
  positionCoords: whole,
  allowConsumerCrop: true,
  productCode: '8x10',
  ...with_,
})

export const textNode = (with_: Partial<TextNode> = {}): TextNode => ({
  id: 21,
  name: 'First line',
  editable: true,
  dataSource: 'First Name',
  altDataSource: null,
  value: '',
  positionCoords: whole,
  ...with_,
})

export const packageItem = (with_: Partial<PackageItem> = {}): PackageItem => ({
  id: 1,
  name: 'Portrait',
  productCode: '8x10',
  widthInches: 8,
  heightInches: 10,
  imageNodes: [imageNode()],
  textNodes: [textNode()],
  ...with_,
})

export const packageOf = (with_: Partial<Package> = {}): Package => ({
  id: 100,
  version: 1,
  name: 'Package A',
  retailCost: 25,
  altName: null,
  altDescription: null,
  items: [packageItem()],
  packageAddon: { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null },
  ...with_,
})

export const addOn = (id: number, addon: Partial<Package['packageAddon']>, retailCost = 5): Package =>
  packageOf({
    id,
    retailCost,
    packageAddon: { type: 'addon_standard', requiredMinPrice: null, requiresStandard: true, packageId: null, ...addon },
  })

export const snapshotOf = (of: Package): LineSnapshot => ({
  package: of,
  subject: { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null },
  images: [{ imageId: 501, width: 2400, height: 3000, thumbnailUrl: '/photos/1/501/thumb-a' }],
})

export const noContent: LineContent = { greenScreenBackgroundId: null, dataFields: [], textNodes: [], imageNodes: [] }

let count = 0

export const recorded = (change: Change, from: Package | null = null): RecordedMutation => {
  count += 1
  const id = `m${count}`
  return {
    mutation: { id, v: mutationVersion, at: '2027-04-01T10:00:00.000Z', ...change },
    snapshot: from && snapshotOf(from),
  }
}

export const added = (
  of: Package,
  lineId: string,
  quantity = 1,
  content: Partial<LineContent> = {},
): RecordedMutation =>
  recorded(
    {
      do: 'line.add',
      lineId,
      packageId: of.id,
      packageVersion: of.version,
      quantity,
      subjectId: 7,
      personId: null,
      ...noContent,
      ...content,
    },
    of,
  )

/** A cart after these mutations; throws if one is rejected. */
export const cartAfter = (...mutations: RecordedMutation[]): Cart =>
  mutations.reduce(
    (cart, { mutation, snapshot }) => {
      const applied = applyMutation(cart, mutation, snapshot)
      if (!applied.ok) throw new Error(`${mutation.do} refused: ${applied.problem}`)
      return applied.cart
    },
    emptyCart(1, 'gallery'),
  )

export const customField = (with_: Partial<CustomField> = {}): CustomField => ({
  id: 1,
  name: 'Teacher',
  label: 'Teacher',
  inputType: 'text',
  required: false,
  hasOptions: false,
  options: [],
  templateId: null,
  ...with_,
})

export const lineOf = (of: Package, content: Partial<LineContent> = {}): CartPackage => {
  const [line] = cartAfter(added(of, 'line-1', 1, content)).cartPackages
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
