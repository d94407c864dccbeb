import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PackageItem, PositionCoords } from '#domain/catalogue/catalogue.ts'
import { defaultPackageItem, duplicateItem, nextFreeName } from '#domain/catalogue/default-package-item.ts'
import {
  type PackageDraft,
  type Product,
  packageDraftErrors,
  packageDraftMessages,
} from '#domain/catalogue/package-draft.ts'
import { assignNodeIds, nextDraftId, nodeIdsOf } from '#domain/catalogue/stable-node-ids.ts'
import { imageNode, packageItem, textNode } from '../cart/cart-fixtures.ts'

const products: Product[] = [
  { code: '8x10', name: '8×10 print', widthInches: 8, heightInches: 10 },
  { code: 'ClassGroup', name: 'Class picture', widthInches: 10, heightInches: 8 },
  { code: 'SingleDigDown', name: 'Single Digital Download', widthInches: null, heightInches: null },
  { code: 'WholeDigDown', name: 'Download All Images For Subject', widthInches: null, heightInches: null },
]
const context = { products, standardIds: [7] }
const standard = { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null } as const

const draft = (overrides: Partial<PackageDraft> = {}): PackageDraft => ({
  name: 'Package A',
  retailCost: 25,
  altName: null,
  altDescription: null,
  items: [packageItem()],
  packageAddon: standard,
  ...overrides,
})
const withItem = (overrides: Partial<PackageItem>) => draft({ items: [packageItem(overrides)] })
const withImageNode = (overrides: Parameters<typeof imageNode>[0]) => withItem({ imageNodes: [imageNode(overrides)] })
const withText = (overrides: Parameters<typeof textNode>[0]) => withItem({ textNodes: [textNode(overrides)] })
const withPosition = (position: Partial<PositionCoords>) =>
  withImageNode({ positionCoords: { x: 0, y: 0, width: 100, height: 100, ...position } })
const withAddon = (overrides: Partial<PackageDraft['packageAddon']>) =>
  draft({ packageAddon: { ...standard, type: 'addon_standard', ...overrides } })
const digitalItem = (
  productCode: string,
  imageNodes = [imageNode({ productCode })],
  overrides: Partial<PackageItem> = {},
) => withItem({ productCode, widthInches: null, heightInches: null, textNodes: [], imageNodes, ...overrides })

const required = 'This field is required'

describe('the errors of a package draft', () => {
  test.each<[string, PackageDraft]>([
    ['a print with an image and a text', draft()],
    ['a free package', draft({ retailCost: 0 })],
    ['a print in landscape format', withItem({ widthInches: 10, heightInches: 8 })],
    ['artwork of any name', withImageNode({ static: true, name: 'Frame' })],
    ['a print with only a text', withItem({ imageNodes: [] })],
    ['a digital product with one image', digitalItem('SingleDigDown')],
    ['a digital product with all images', digitalItem('WholeDigDown', [])],
    ['an add-on to any standard package', withAddon({ requiresStandard: true })],
    ['an add-on to a standard package of the set', withAddon({ requiresStandard: true, packageId: 7 })],
    ['an add-on with a minimum price', withAddon({ type: 'addon_price', requiredMinPrice: 30.5 })],
    ['a text that its source fills in', withText({ editable: false, dataSource: 'name', value: '' })],
    ['a node that exceeds the edge by a rounding error', withPosition({ x: 33.33, width: 66.67 })],
  ])('%s has no errors', (_, validDraft) => expect(packageDraftErrors(validDraft, context)).toEqual({}))

  test.each<[string, PackageDraft, string, string]>([
    ['a blank name', draft({ name: ' ' }), 'name', required],
    ['a name that is too long', draft({ name: 'A'.repeat(101) }), 'name', packageDraftMessages.long],
    ['a price of half a cent', draft({ retailCost: 9.995 }), 'retailCost', packageDraftMessages.price],
    ['a negative price', draft({ retailCost: -1 }), 'retailCost', packageDraftMessages.price],
    ['a price that is no number', draft({ retailCost: Number.NaN }), 'retailCost', packageDraftMessages.price],
    ['no items', draft({ items: [] }), 'items', 'Requires at least 1 item'],
    [
      'too many items',
      draft({ items: Array.from({ length: 41 }, () => packageItem()) }),
      'items',
      packageDraftMessages.manyItems,
    ],
    [
      'an unknown product',
      withItem({ productCode: 'Mug', imageNodes: [] }),
      'items.0.productCode',
      packageDraftMessages.product,
    ],
    ['another size than the product’s', withItem({ widthInches: 5 }), 'items.0.widthInches', packageDraftMessages.size],
    [
      'a digital product with a size',
      digitalItem('WholeDigDown', [], { widthInches: 8 }),
      'items.0.widthInches',
      packageDraftMessages.fileSize,
    ],
    ['an empty print', withItem({ imageNodes: [], textNodes: [] }), 'items.0', packageDraftMessages.nothingOn],
    [
      'a digital product without an image',
      digitalItem('SingleDigDown', []),
      'items.0.imageNodes',
      packageDraftMessages.onePicture,
    ],
    [
      'a digital product of artwork',
      digitalItem('SingleDigDown', [imageNode({ static: true, productCode: 'SingleDigDown' })]),
      'items.0.imageNodes',
      packageDraftMessages.onePicture,
    ],
    [
      'an image node although all images are delivered',
      digitalItem('WholeDigDown'),
      'items.0.imageNodes',
      packageDraftMessages.noNodes,
    ],
    [
      'a text on a digital product',
      digitalItem('SingleDigDown', undefined, { textNodes: [textNode()] }),
      'items.0.textNodes',
      packageDraftMessages.noTexts,
    ],
    [
      'two nodes of the same name',
      withText({ name: ' image1 ' }),
      'items.0.textNodes.0.name',
      packageDraftMessages.sameName,
    ],
    [
      'an image node that customers cannot choose',
      withImageNode({ name: 'Portrait' }),
      'items.0.imageNodes.0.name',
      packageDraftMessages.pictureName,
    ],
    [
      'an image node of another product',
      withImageNode({ productCode: 'ClassGroup' }),
      'items.0.imageNodes.0.productCode',
      packageDraftMessages.nodeProduct,
    ],
    [
      'an image node beyond the right edge',
      withPosition({ x: 60, width: 50 }),
      'items.0.imageNodes.0.positionCoords',
      packageDraftMessages.outside,
    ],
    [
      'an image node above the top edge',
      withPosition({ y: -1 }),
      'items.0.imageNodes.0.positionCoords',
      packageDraftMessages.outside,
    ],
    [
      'an image node without a valid position',
      withPosition({ x: Number.NaN }),
      'items.0.imageNodes.0.positionCoords',
      packageDraftMessages.outside,
    ],
    [
      'an image node that is too small',
      withPosition({ width: 1 }),
      'items.0.imageNodes.0.positionCoords',
      packageDraftMessages.small,
    ],
    [
      'a letter that cannot be printed',
      withText({ value: 'Go 😀' }),
      'items.0.textNodes.0.value',
      'The print can’t show “😀”. Please write it without',
    ],
    [
      'a fixed text that is always empty',
      withText({ editable: false, dataSource: null }),
      'items.0.textNodes.0.value',
      packageDraftMessages.silentText,
    ],
    [
      'a minimum price of a standard package',
      draft({ packageAddon: { ...standard, requiredMinPrice: 5 } }),
      'packageAddon.requiredMinPrice',
      packageDraftMessages.onlyAddOn,
    ],
    [
      'a minimum price of an add-on of another type',
      withAddon({ requiredMinPrice: 5 }),
      'packageAddon.requiredMinPrice',
      packageDraftMessages.onlyMinimum,
    ],
    [
      'a minimum price of half a cent',
      withAddon({ type: 'addon_price', requiredMinPrice: 0.005 }),
      'packageAddon.requiredMinPrice',
      packageDraftMessages.price,
    ],
    [
      'an add-on to a package of another set',
      withAddon({ requiresStandard: true, packageId: 8 }),
      'packageAddon.packageId',
      packageDraftMessages.goesWith,
    ],
    [
      'an add-on to a package it does not need',
      withAddon({ packageId: 7 }),
      'packageAddon.packageId',
      packageDraftMessages.needsRequired,
    ],
  ])('the error of a draft with %s is reported at its path', (_, invalidDraft, path, message) =>
    expect(packageDraftErrors(invalidDraft, context)).toEqual({ [path]: [message] }),
  )

  test('the errors of each item are reported at its own path', () => {
    const items = [
      packageItem(),
      packageItem({ id: 2, name: '' }),
      packageItem({ id: 3, productCode: 'Mug', imageNodes: [] }),
    ]
    expect(Object.keys(packageDraftErrors(draft({ items }), context))).toEqual(['items.1.name', 'items.2.productCode'])
  })
})

describe('the ids of items and nodes', () => {
  const requestedItems = fc.array(
    fc.record({
      id: fc.integer({ min: -9, max: 30 }),
      images: fc.array(fc.integer({ min: -9, max: 30 }), { maxLength: 3 }),
      texts: fc.array(fc.integer({ min: -9, max: 30 }), { maxLength: 3 }),
    }),
    { maxLength: 5 },
  )
  test('assigned ids are unique and were never used for something else', () => {
    fc.assert(
      fc.property(requestedItems, fc.uniqueArray(fc.integer({ min: 1, max: 20 })), (requested, known) => {
        const items = requested.map(({ id, images, texts }) =>
          packageItem({
            id,
            imageNodes: images.map((nodeId) => imageNode({ id: nodeId })),
            textNodes: texts.map((nodeId) => textNode({ id: nodeId })),
          }),
        )
        const ids = nodeIdsOf(assignNodeIds(items, { known: new Set(known), last: 20 }))
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.filter((id) => id <= 20 && !known.includes(id))).toEqual([])
        const before = nodeIdsOf(items)
        // A known id stays with its first occurrence.
        for (const id of known) expect(ids.includes(id)).toBe(before.includes(id))
      }),
    )
  })

  test('ids of a draft are lower than all existing ones', () => {
    expect(nextDraftId([])).toBe(-1)
    expect(nextDraftId([packageItem({ id: -4 })])).toBe(-5)
    expect(nextDraftId([packageItem()])).toBe(-1)
  })
})

describe('the default item of a product', () => {
  const noNodes = { imageNodes: [], textNodes: [] }
  const defaults = { items: [], allowConsumerCrop: true }
  test.each(products.map((product) => [product.code, product] as const))(
    'the default item of %s has no errors',
    (_, product) => {
      const item = defaultPackageItem({ ...product, nodes: noNodes }, defaults)
      expect(packageDraftErrors(draft({ items: [item] }), context)).toEqual({})
      const copy = duplicateItem(item, [item])
      expect(packageDraftErrors(draft({ items: [item, copy] }), context)).toEqual({})
      expect(new Set(nodeIdsOf([item, copy])).size).toBe(nodeIdsOf([item, copy]).length)
    },
  )

  test('a default item has copies of its product’s nodes', () => {
    const nodes = { imageNodes: [imageNode({ name: 'Group 1', productCode: 'other' })], textNodes: [textNode()] }
    const item = defaultPackageItem(
      { ...(products[0] as Product), nodes },
      { ...defaults, items: [packageItem({ id: -3 })] },
    )
    expect(item.imageNodes).toMatchObject([{ name: 'Group 1', productCode: '8x10' }])
    expect(nodeIdsOf([item])).toEqual([-4, -5, -6])
  })

  test('a default item can be cropped if the studio’s packages and its product allow it', () => {
    const crop = (code: number, allowConsumerCrop: boolean) =>
      defaultPackageItem({ ...(products[code] as Product), nodes: noNodes }, { items: [], allowConsumerCrop })
        .imageNodes[0]?.allowConsumerCrop
    expect([crop(0, true), crop(0, false), crop(1, true), crop(2, true)]).toEqual([true, false, false, false])
  })

  test('default nodes have unique names', () => {
    expect(nextFreeName('Image', { imageNodes: [imageNode({ name: 'image 1' })], textNodes: [] })).toBe('Image 2')
    expect(nextFreeName('Text', { imageNodes: [], textNodes: [] })).toBe('Text 1')
  })
})
