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
  ])('%s: %s', (name, editable) => {
    expect(isEditableImageNode(imageNode({ name }))).toBe(editable)
  })

  test('artwork is never editable', () => expect(isEditableImageNode(imageNode({ static: true }))).toBe(false))
})

describe('cropping needs consent of the package and an ordinary product code (section 5)', () => {
  test.each([
    ['8x10', '8x10', true, true],
    ['8x10', '8x10', false, false],
    ['Composite', '8x10', true, false],
    ['ClassGroup', '8x10', true, false],
    ['8x10', 'Composite', true, false],
  ])('item %s, node %s, crop allowed %s: %s', (productCode, nodeCode, allowConsumerCrop, may) => {
    expect(mayCrop(packageItem({ productCode }), imageNode({ productCode: nodeCode, allowConsumerCrop }))).toBe(may)
  })
})

describe('editable items (section 5)', () => {
  const ada = { firstName: 'Ada', lastName: 'Lovelace', fields: [] }
  const pictures = packageItem({ id: 1, textNodes: [] })
  const filled = packageItem({ id: 2, imageNodes: [], textNodes: [textNode({ dataSource: 'first' })] })
  const open = packageItem({ id: 3, imageNodes: [], textNodes: [textNode({ dataSource: 'motto' })] })
  const locked = packageItem({ id: 4, imageNodes: [], textNodes: [textNode({ editable: false, dataSource: 'motto' })] })
  const special = packageItem({ id: 5, productCode: 'MemoryMate', imageNodes: [], textNodes: [] })
  const traders = packageItem({ id: 6, productCode: 'TraderCards', imageNodes: [], textNodes: [] })
  const plain = packageItem({ id: 7, imageNodes: [imageNode({ static: true })], textNodes: [] })
  const all = packageOf({ items: [pictures, filled, open, locked, special, traders, plain] })

  test.each([
    ['gallery', true, [1, 3, 5, 6]],
    ['gallery', false, [1, 2, 3, 5, 6]],
    ['prepay', true, [3, 5, 6]],
    ['prepay', false, [2, 3, 5, 6]],
  ] as const)('%s, imported data %s: items %j', (orderMethod, importedData, ids) => {
    expect(editableItems(all, { orderMethod, importedData, subject: ada }).map((item) => item.id)).toEqual(ids)
  })
})
