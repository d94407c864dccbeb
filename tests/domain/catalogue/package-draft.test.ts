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
const around = { products, standardIds: [7] }
const standard = { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null } as const

const draft = (with_: Partial<PackageDraft> = {}): PackageDraft => ({
  name: 'Package A',
  retailCost: 25,
  altName: null,
  altDescription: null,
  items: [packageItem()],
  packageAddon: standard,
  ...with_,
})
const withItem = (with_: Partial<PackageItem>) => draft({ items: [packageItem(with_)] })
const withPicture = (with_: Parameters<typeof imageNode>[0]) => withItem({ imageNodes: [imageNode(with_)] })
const withText = (with_: Parameters<typeof textNode>[0]) => withItem({ textNodes: [textNode(with_)] })
const withPlace = (place: Partial<PositionCoords>) =>
  withPicture({ positionCoords: { x: 0, y: 0, width: 100, height: 100, ...place } })
const withAddon = (with_: Partial<PackageDraft['packageAddon']>) =>
  draft({ packageAddon: { ...standard, type: 'addon_standard', ...with_ } })
const file = (productCode: string, imageNodes = [imageNode({ productCode })], with_: Partial<PackageItem> = {}) =>
  withItem({ productCode, widthInches: null, heightInches: null, textNodes: [], imageNodes, ...with_ })

const required = 'This field is required'

describe('the errors of a package draft', () => {
  test.each<[string, PackageDraft]>([
    ['a print with picture and text', draft()],
    ['nothing to pay', draft({ retailCost: 0 })],
    ['lying instead of upright', withItem({ widthInches: 10, heightInches: 8 })],
    ['artwork of any name', withPicture({ static: true, name: 'Frame' })],
    ['a text alone', withItem({ imageNodes: [] })],
    ['a picture as a file', file('SingleDigDown')],
    ['all pictures as files', file('WholeDigDown', [])],
    ['an add-on to any standard package', withAddon({ requiresStandard: true })],
    ['an add-on to one of the set', withAddon({ requiresStandard: true, packageId: 7 })],
    ['an add-on from a price on', withAddon({ type: 'addon_price', requiredMinPrice: 30.5 })],
    ['a text that its source fills in', withText({ editable: false, dataSource: 'name', value: '' })],
    ['a place that ends at the edge but for a rounding', withPlace({ x: 33.33, width: 66.67 })],
  ])('%s: no error', (_, good) => expect(packageDraftErrors(good, around)).toEqual({}))

  test.each<[string, PackageDraft, string, string]>([
    ['a blank name', draft({ name: ' ' }), 'name', required],
    ['a name without end', draft({ name: 'A'.repeat(101) }), 'name', packageDraftMessages.long],
    ['half a cent', draft({ retailCost: 9.995 }), 'retailCost', packageDraftMessages.price],
    ['a price below nothing', draft({ retailCost: -1 }), 'retailCost', packageDraftMessages.price],
    ['a price that is no number', draft({ retailCost: Number.NaN }), 'retailCost', packageDraftMessages.price],
    ['nothing in it', draft({ items: [] }), 'items', 'Requires at least 1 item'],
    [
      'too much in it',
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
      'a file with a size',
      file('WholeDigDown', [], { widthInches: 8 }),
      'items.0.widthInches',
      packageDraftMessages.fileSize,
    ],
    ['an empty print', withItem({ imageNodes: [], textNodes: [] }), 'items.0', packageDraftMessages.nothingOn],
    ['a file of no picture', file('SingleDigDown', []), 'items.0.imageNodes', packageDraftMessages.onePicture],
    [
      'a file of artwork',
      file('SingleDigDown', [imageNode({ static: true, productCode: 'SingleDigDown' })]),
      'items.0.imageNodes',
      packageDraftMessages.onePicture,
    ],
    ['a choice where all is delivered', file('WholeDigDown'), 'items.0.imageNodes', packageDraftMessages.noNodes],
    [
      'a text on a file',
      file('SingleDigDown', undefined, { textNodes: [textNode()] }),
      'items.0.textNodes',
      packageDraftMessages.noTexts,
    ],
    ['two of a name', withText({ name: ' image1 ' }), 'items.0.textNodes.0.name', packageDraftMessages.sameName],
    [
      'a picture nobody can choose',
      withPicture({ name: 'Portrait' }),
      'items.0.imageNodes.0.name',
      packageDraftMessages.pictureName,
    ],
    [
      'a picture of another product',
      withPicture({ productCode: 'ClassGroup' }),
      'items.0.imageNodes.0.productCode',
      packageDraftMessages.nodeProduct,
    ],
    [
      'a picture over the edge',
      withPlace({ x: 60, width: 50 }),
      'items.0.imageNodes.0.positionCoords',
      packageDraftMessages.outside,
    ],
    [
      'a picture above the edge',
      withPlace({ y: -1 }),
      'items.0.imageNodes.0.positionCoords',
      packageDraftMessages.outside,
    ],
    [
      'a picture nowhere',
      withPlace({ x: Number.NaN }),
      'items.0.imageNodes.0.positionCoords',
      packageDraftMessages.outside,
    ],
    [
      'a picture too small to see',
      withPlace({ width: 1 }),
      'items.0.imageNodes.0.positionCoords',
      packageDraftMessages.small,
    ],
    [
      'a letter that is not printed',
      withText({ value: 'Go 😀' }),
      'items.0.textNodes.0.value',
      'The print can’t show “😀”. Please write it without',
    ],
    [
      'a text that never stands',
      withText({ editable: false, dataSource: null }),
      'items.0.textNodes.0.value',
      packageDraftMessages.silentText,
    ],
    [
      'a minimum of a standard package',
      draft({ packageAddon: { ...standard, requiredMinPrice: 5 } }),
      'packageAddon.requiredMinPrice',
      packageDraftMessages.onlyAddOn,
    ],
    [
      'a minimum of an add-on that has none',
      withAddon({ requiredMinPrice: 5 }),
      'packageAddon.requiredMinPrice',
      packageDraftMessages.onlyMinimum,
    ],
    [
      'a minimum of half a cent',
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
  ])('%s', (_, wrong, path, sentence) => expect(packageDraftErrors(wrong, around)).toEqual({ [path]: [sentence] }))

  test('the errors of each item are reported at its own path', () => {
    const items = [
      packageItem(),
      packageItem({ id: 2, name: '' }),
      packageItem({ id: 3, productCode: 'Mug', imageNodes: [] }),
    ]
    expect(Object.keys(packageDraftErrors(draft({ items }), around))).toEqual(['items.1.name', 'items.2.productCode'])
  })
})

describe('the ids of items and nodes', () => {
  const some = fc.array(
    fc.record({
      id: fc.integer({ min: -9, max: 30 }),
      images: fc.array(fc.integer({ min: -9, max: 30 }), { maxLength: 3 }),
      texts: fc.array(fc.integer({ min: -9, max: 30 }), { maxLength: 3 }),
    }),
    { maxLength: 5 },
  )
  test('assigned ids are unique and were never used for something else', () => {
    fc.assert(
      fc.property(some, fc.uniqueArray(fc.integer({ min: 1, max: 20 })), (asked, known) => {
        const items = asked.map(({ id, images, texts }) =>
          packageItem({
            id,
            imageNodes: images.map((one) => imageNode({ id: one })),
            textNodes: texts.map((one) => textNode({ id: one })),
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
  const none = { imageNodes: [], textNodes: [] }
  const begin = { items: [], allowConsumerCrop: true }
  test.each(products.map((product) => [product.code, product] as const))(
    'the default item of %s has no errors',
    (_, product) => {
      const item = defaultPackageItem({ ...product, nodes: none }, begin)
      expect(packageDraftErrors(draft({ items: [item] }), around)).toEqual({})
      const copy = duplicateItem(item, [item])
      expect(packageDraftErrors(draft({ items: [item, copy] }), around)).toEqual({})
      expect(new Set(nodeIdsOf([item, copy])).size).toBe(nodeIdsOf([item, copy]).length)
    },
  )

  test('a default item has copies of its product’s nodes', () => {
    const nodes = { imageNodes: [imageNode({ name: 'Group 1', productCode: 'other' })], textNodes: [textNode()] }
    const item = defaultPackageItem(
      { ...(products[0] as Product), nodes },
      { ...begin, items: [packageItem({ id: -3 })] },
    )
    expect(item.imageNodes).toMatchObject([{ name: 'Group 1', productCode: '8x10' }])
    expect(nodeIdsOf([item])).toEqual([-4, -5, -6])
  })

  test('a default item can be cropped if the studio’s packages can', () => {
    const crop = (code: number, allowConsumerCrop: boolean) =>
      defaultPackageItem({ ...(products[code] as Product), nodes: none }, { items: [], allowConsumerCrop })
        .imageNodes[0]?.allowConsumerCrop
    expect([crop(0, true), crop(0, false), crop(1, true), crop(2, true)]).toEqual([true, false, false, false])
  })

  test('default nodes have unique names', () => {
    expect(nextFreeName('Image', { imageNodes: [imageNode({ name: 'image 1' })], textNodes: [] })).toBe('Image 2')
    expect(nextFreeName('Text', { imageNodes: [], textNodes: [] })).toBe('Text 1')
  })
})
