import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changeDue,
  croppableNodes,
  imageChoicesOfForm,
  needsImage,
  parseTypedPackage,
  requiredImageKinds,
  sortForAdding,
  textsToEnter,
  withCrops,
} from '#domain/orders/paper-order.ts'
import { imageNode, packageItem, packageOf, textNode } from '../cart/cart-fixtures.ts'

const numbered = [
  { number: 1, package: { name: 'Deluxe', altName: 'A' } },
  { number: 2, package: { name: 'Deluxe Plus', altName: 'B' } },
  { number: 3, package: { name: 'Wallets', altName: null } },
  { number: 12, package: { name: '8x10', altName: null } },
]

describe('typing a package by number or name', () => {
  it.each([
    ['1', 1, 1],
    [' 12 ', 12, 1],
    ['3x2', 3, 2],
    ['3 * 10', 3, 10],
    ['a', 1, 1],
    ['B x3', 2, 3],
    ['deluxe', 1, 1],
    ['deluxe p', 2, 1],
    ['wal', 3, 1],
    ['8x10', 12, 1],
    ['8x10 x2', 12, 2],
  ])('%j is the package %i, quantity %i', (typed, number, quantity) => {
    const keyed = parseTypedPackage(typed, numbered)
    expect([keyed?.found.number, keyed?.quantity]).toEqual([number, quantity])
  })

  it.each(['', ' ', '4', 'del', 'x', '1x0', 'nothing'])('%j matches no package', (typed) => {
    expect(parseTypedPackage(typed, numbered)).toBeNull()
  })
})

describe('the change due', () => {
  const cents = fc.integer({ min: 0, max: 99_999_999 })

  it('change and total add up to the amount received, and there is none if that is too little', () => {
    fc.assert(
      fc.property(cents, cents, (total, received) => {
        const change = changeDue(total, received)
        expect(change === null ? received < total : change + total === received).toBe(true)
      }),
    )
  })
})

const subject = { firstName: 'Ada', lastName: 'Lovelace', fields: [{ name: 'Team', value: 'Rapids' }] }

describe('the input of a package on a paper order', () => {
  it('texts to enter are those of printed items that no data fills in', () => {
    const made = packageOf({
      items: [
        packageItem({
          id: 1,
          textNodes: [
            textNode({ id: 1, dataSource: 'firstname', value: '' }),
            textNode({ id: 2, dataSource: 'Jersey', altDataSource: null, value: '' }),
            textNode({ id: 3, dataSource: 'team', value: '' }),
            textNode({ id: 4, dataSource: null, value: 'Season 2027' }),
            textNode({ id: 5, dataSource: null, value: '', editable: false }),
          ],
        }),
        packageItem({ id: 2, productCode: 'Dj', textNodes: [textNode({ id: 6, dataSource: null, value: '' })] }),
      ],
    })
    expect(textsToEnter(made, subject).map(({ id }) => id)).toEqual([2])
  })

  it('an image is needed if the package has a node for one', () => {
    const of = (name: string, own = {}) =>
      packageOf({ items: [packageItem({ id: 1, imageNodes: [imageNode({ id: 1, name, ...own })], textNodes: [] })] })
    expect(needsImage(of('image 1'))).toBe(true)
    expect(needsImage(of('image 1', { static: true }))).toBe(false)
    expect(needsImage(of('logo'))).toBe(false)
  })
})

describe('the image of an order form', () => {
  const made = packageOf({
    items: [
      packageItem({
        id: 1,
        imageNodes: [
          imageNode({ id: 1, name: 'image 1' }),
          imageNode({ id: 2, name: 'group 2' }),
          imageNode({ id: 3, name: 'logo' }),
        ],
        textNodes: [],
      }),
    ],
  })
  const chosen = (own: Parameters<typeof imageChoicesOfForm>[1]['own'], groupImageId: number | null) =>
    imageChoicesOfForm(made, { own, groupImageId }).map((one) => [
      one.packageItemImageNodeId,
      one.subjectImageId,
      one.groupImageId,
    ])

  it('a subject’s image is never used for a group node, which stays empty', () => {
    expect(chosen({ subjectImageId: 7 }, null)).toEqual([[1, 7, null]])
  })

  it('a group’s image is used for group nodes, and for subject nodes only if it was picked for them', () => {
    expect(chosen({ subjectImageId: 7 }, 9)).toEqual([
      [1, 7, null],
      [2, null, 9],
    ])
    expect(chosen({ subjectImageId: null }, 9)).toEqual([[2, null, 9]])
    expect(chosen({ groupImageId: 8 }, 9)).toEqual([
      [1, null, 8],
      [2, null, 9],
    ])
    expect(chosen({ subjectImageId: null }, null)).toEqual([])
  })

  it('the required kinds of images follow from the nodes', () => {
    const of = (...names: string[]) => {
      const imageNodes = names.map((name, at) => imageNode({ id: at + 1, name }))
      return requiredImageKinds(packageOf({ items: [packageItem({ id: 1, imageNodes, textNodes: [] })] }))
    }
    expect(requiredImageKinds(made)).toEqual({ own: true, groups: true })
    expect(of('image 1', 'logo')).toEqual({ own: true, groups: false })
    expect(of('Group image 1')).toEqual({ own: false, groups: true })
    expect(of('logo')).toEqual({ own: false, groups: false })
  })
})

describe('the crops of an order form', () => {
  const crop = { cropDimensions: null, frontendCropDimensions: null, rotation: 90 }
  const node = (id: number, own = {}) => imageNode({ id, name: `image ${id}`, ...own })
  const made = packageOf({
    items: [
      packageItem({ id: 1, imageNodes: [node(1), node(2, { allowConsumerCrop: false }), node(3, { name: 'logo' })] }),
      packageItem({ id: 2, productCode: 'Composite', imageNodes: [node(4)] }),
      packageItem({ id: 3, imageNodes: [node(5)] }),
    ],
  })

  it('only editable nodes that may be cropped can be cropped', () => {
    expect(croppableNodes(made).map(({ item, node: { id } }) => [item.id, id])).toEqual([
      [1, 1],
      [3, 5],
    ])
  })

  it('crops apply to their own nodes and leave the others', () => {
    const whole = imageChoicesOfForm(made, { own: { subjectImageId: 7 }, groupImageId: null })
    const cut = withCrops(whole, [{ nodeId: 5, ...crop }])
    expect(cut).toHaveLength(whole.length)
    expect(cut.find((one) => one.packageItemImageNodeId === 5)).toMatchObject({ subjectImageId: 7, rotation: 90 })
    expect(cut.filter((one) => one.rotation === 0)).toEqual(whole.filter((one) => one.packageItemImageNodeId !== 5))
  })

  it('a crop of a node without an image becomes an empty choice for the rules to reject', () => {
    expect(withCrops([], [{ nodeId: 9, ...crop }])).toMatchObject([
      { packageItemImageNodeId: 9, subjectImageId: null, rotation: 90 },
    ])
  })
})

describe('the order of packages when they are added', () => {
  const of = (type: 'standard' | 'addon_standard' | 'addon_price', name: string) => ({
    package: { packageAddon: { type, requiredMinPrice: null, requiresStandard: false, packageId: null } },
    name,
  })

  it('standard packages come before the add-ons that need them, and the order is otherwise stable', () => {
    const lines = [of('addon_price', 'p'), of('addon_standard', 's'), of('standard', '1'), of('standard', '2')]
    expect(sortForAdding(lines).map(({ name }) => name)).toEqual(['1', '2', 's', 'p'])
  })
})
