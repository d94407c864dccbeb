import { expect, test } from 'vitest'
import { packageChanges } from '#domain/catalogue/package-changes.ts'
import { imageNode, packageItem, packageOf, textNode } from '../cart/cart-fixtures.ts'

const nameOf = ({ name }: { name: string }) => name
const portrait = packageItem({ id: 1, name: '8×10' })
const small = (id: number) => packageItem({ id, name: '5×7', widthInches: 5, heightInches: 7 })
const download = packageItem({ id: 9, name: 'Digital download', productCode: 'SingleDigDown' })
const before = packageOf({ items: [portrait, small(2), small(3), download] })

test('equal contents under a new version and another price are no change', () => {
  expect(packageChanges(before, { ...before, version: 2, retailCost: 59 }, nameOf)).toEqual([])
})

test('items that are fewer, removed or new are listed with their counts before and after', () => {
  const now = packageOf({ items: [portrait, small(2), packageItem({ id: 12, name: 'Mug' })] })
  expect(packageChanges(before, now, nameOf)).toEqual([
    { name: '5×7', countBefore: 2, countNow: 1, details: null },
    { name: 'Digital download', countBefore: 1, countNow: 0, details: null },
    { name: 'Mug', countBefore: 0, countNow: 1, details: null },
  ])
})

test.each([
  ['size', { ...portrait, widthInches: 9 }, /^9×10 in, 1 photo/],
  ['texts', { ...portrait, textNodes: [textNode({ name: 'Second line' })] }, /text “Second line”$/],
  ['photos', { ...portrait, imageNodes: [imageNode(), imageNode({ id: 12, name: 'Image2' })] }, /2 photos/],
  ['crop', { ...portrait, imageNodes: [imageNode({ allowConsumerCrop: false })] }, /no crop/],
  [
    'layout',
    { ...portrait, imageNodes: [imageNode({ positionCoords: { x: 0, y: 0, width: 50, height: 50 } })] },
    /^in a new layout$/,
  ],
])('an item with the same name and a different %s is shown before and after', (_, item, pattern) => {
  const [change, ...others] = packageChanges(before, { ...before, items: [item, ...before.items.slice(1)] }, nameOf)
  expect(others).toEqual([])
  expect(change).toMatchObject({ name: '8×10', countBefore: 1, countNow: 1 })
  expect(change?.details?.now).toMatch(pattern)
  expect(change?.details?.before).not.toMatch(pattern)
})
