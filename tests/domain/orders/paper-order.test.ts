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

const numberedPackages = [
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
  ])('the input %j selects the package %i with the quantity %i', (typed, number, quantity) => {
    const parsed = parseTypedPackage(typed, numberedPackages)
    expect([parsed?.match.number, parsed?.quantity]).toEqual([number, quantity])
  })

  it.each(['', ' ', '4', 'del', 'x', '1x0', 'nothing'])('the input %j matches no package', (typed) => {
    expect(parseTypedPackage(typed, numberedPackages)).toBeNull()
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
    const packageVersion = packageOf({
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
    expect(textsToEnter(packageVersion, subject).map(({ id }) => id)).toEqual([2])
  })

  it('an image is needed if the package has a node for one', () => {
    const packageWithImageNode = (name: string, overrides = {}) =>
      packageOf({
        items: [packageItem({ id: 1, imageNodes: [imageNode({ id: 1, name, ...overrides })], textNodes: [] })],
      })
    expect(needsImage(packageWithImageNode('image 1'))).toBe(true)
    expect(needsImage(packageWithImageNode('image 1', { static: true }))).toBe(false)
    expect(needsImage(packageWithImageNode('logo'))).toBe(false)
  })
})

describe('the image of an order form', () => {
  const packageVersion = packageOf({
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
  const chooseImages = (ownImages: Parameters<typeof imageChoicesOfForm>[1]['own'], groupImageId: number | null) =>
    imageChoicesOfForm(packageVersion, { own: ownImages, groupImageId }).map((choice) => [
      choice.packageItemImageNodeId,
      choice.subjectImageId,
      choice.groupImageId,
    ])

  it('a subject’s image is never used for a group node, which stays empty', () => {
    expect(chooseImages({ subjectImageId: 7 }, null)).toEqual([[1, 7, null]])
  })

  it('a group’s image is used for group nodes, and for subject nodes only if it was picked for them', () => {
    expect(chooseImages({ subjectImageId: 7 }, 9)).toEqual([
      [1, 7, null],
      [2, null, 9],
    ])
    expect(chooseImages({ subjectImageId: null }, 9)).toEqual([[2, null, 9]])
    expect(chooseImages({ groupImageId: 8 }, 9)).toEqual([
      [1, null, 8],
      [2, null, 9],
    ])
    expect(chooseImages({ subjectImageId: null }, null)).toEqual([])
  })

  it('the required kinds of images follow from the nodes', () => {
    const kindsFor = (...names: string[]) => {
      const imageNodes = names.map((name, index) => imageNode({ id: index + 1, name }))
      return requiredImageKinds(packageOf({ items: [packageItem({ id: 1, imageNodes, textNodes: [] })] }))
    }
    expect(requiredImageKinds(packageVersion)).toEqual({ own: true, groups: true })
    expect(kindsFor('image 1', 'logo')).toEqual({ own: true, groups: false })
    expect(kindsFor('Group image 1')).toEqual({ own: false, groups: true })
    expect(kindsFor('logo')).toEqual({ own: false, groups: false })
  })
})

describe('the crops of an order form', () => {
  const crop = { cropDimensions: null, frontendCropDimensions: null, rotation: 90 }
  const node = (id: number, overrides = {}) => imageNode({ id, name: `image ${id}`, ...overrides })
  const packageVersion = packageOf({
    items: [
      packageItem({ id: 1, imageNodes: [node(1), node(2, { allowConsumerCrop: false }), node(3, { name: 'logo' })] }),
      packageItem({ id: 2, productCode: 'Composite', imageNodes: [node(4)] }),
      packageItem({ id: 3, imageNodes: [node(5)] }),
    ],
  })

  it('only editable nodes that may be cropped can be cropped', () => {
    expect(croppableNodes(packageVersion).map(({ item, node: { id } }) => [item.id, id])).toEqual([
      [1, 1],
      [3, 5],
    ])
  })

  it('crops apply to their own nodes and leave the others', () => {
    const uncropped = imageChoicesOfForm(packageVersion, { own: { subjectImageId: 7 }, groupImageId: null })
    const cropped = withCrops(uncropped, [{ nodeId: 5, ...crop }])
    expect(cropped).toHaveLength(uncropped.length)
    expect(cropped.find((choice) => choice.packageItemImageNodeId === 5)).toMatchObject({
      subjectImageId: 7,
      rotation: 90,
    })
    expect(cropped.filter((choice) => choice.rotation === 0)).toEqual(
      uncropped.filter((choice) => choice.packageItemImageNodeId !== 5),
    )
  })

  it('a crop of a node without an image becomes an empty choice for the rules to reject', () => {
    expect(withCrops([], [{ nodeId: 9, ...crop }])).toMatchObject([
      { packageItemImageNodeId: 9, subjectImageId: null, rotation: 90 },
    ])
  })
})

describe('the order of packages when they are added', () => {
  const packageOfType = (type: 'standard' | 'addon_standard' | 'addon_price', name: string) => ({
    package: { packageAddon: { type, requiredMinPrice: null, requiresStandard: false, packageId: null } },
    name,
  })

  it('standard packages come before the add-ons that need them, and the order is otherwise stable', () => {
    const lines = [
      packageOfType('addon_price', 'p'),
      packageOfType('addon_standard', 's'),
      packageOfType('standard', '1'),
      packageOfType('standard', '2'),
    ]
    expect(sortForAdding(lines).map(({ name }) => name)).toEqual(['1', '2', 's', 'p'])
  })
})
