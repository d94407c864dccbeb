import { describe, expect, test } from 'vitest'
import { editableItems, isEditableImageNode, mayCrop } from '#domain/catalogue/nodes.ts'
import { imageNode, packageItem, packageOf, textNode } from '../cart/cart-fixtures.ts'

describe('which image nodes a customer edits (section 5)', () => {
  test.each([
    ['Image1', true],
    ['IMAGE 0', true],
    ['Group98', true],
    ['Group99', false],
    ['Image100', false],
    ['Image199', false],
    ['Image', false],
    ['Portrait1', false],
    ['1 image', false],
    ['Team group photo 7', true],
  ])('an image node named %s is editable: %s', (name, editable) => {
    expect(isEditableImageNode(imageNode({ name }))).toBe(editable)
  })

  test('artwork is never editable', () => expect(isEditableImageNode(imageNode({ static: true }))).toBe(false))
})

describe('cropping needs permission of the package and an ordinary product code (section 5)', () => {
  test.each([
    ['8x10', '8x10', true, true],
    ['8x10', '8x10', false, false],
    ['Composite', '8x10', true, false],
    ['ClassGroup', '8x10', true, false],
    ['8x10', 'Composite', true, false],
  ])(
    'an item %s with a node %s and permission %s can be cropped: %s',
    (productCode, nodeCode, allowConsumerCrop, isAllowed) => {
      expect(mayCrop(packageItem({ productCode }), imageNode({ productCode: nodeCode, allowConsumerCrop }))).toBe(
        isAllowed,
      )
    },
  )
})

describe('editable items (section 5)', () => {
  const ada = { firstName: 'Ada', lastName: 'Lovelace', fields: [] }
  const imageItem = packageItem({ id: 1, textNodes: [] })
  const autofilledItem = packageItem({ id: 2, imageNodes: [], textNodes: [textNode({ dataSource: 'first' })] })
  const typedTextItem = packageItem({ id: 3, imageNodes: [], textNodes: [textNode({ dataSource: 'motto' })] })
  const fixedTextItem = packageItem({
    id: 4,
    imageNodes: [],
    textNodes: [textNode({ editable: false, dataSource: 'motto' })],
  })
  const memoryMate = packageItem({ id: 5, productCode: 'MemoryMate', imageNodes: [], textNodes: [] })
  const traderCards = packageItem({ id: 6, productCode: 'TraderCards', imageNodes: [], textNodes: [] })
  const artworkItem = packageItem({ id: 7, imageNodes: [imageNode({ static: true })], textNodes: [] })
  const packageVersion = packageOf({
    items: [imageItem, autofilledItem, typedTextItem, fixedTextItem, memoryMate, traderCards, artworkItem],
  })

  test.each([
    ['gallery', true, [1, 3, 5, 6]],
    ['gallery', false, [1, 2, 3, 5, 6]],
    ['prepay', true, [3, 5, 6]],
    ['prepay', false, [2, 3, 5, 6]],
  ] as const)(
    'with the order method %s and imported data %s, the editable items are %j',
    (orderMethod, importedData, ids) => {
      expect(editableItems(packageVersion, { orderMethod, importedData, subject: ada }).map((item) => item.id)).toEqual(
        ids,
      )
    },
  )
})
