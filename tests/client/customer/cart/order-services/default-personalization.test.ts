import { expect, test } from 'vitest'
import { initialPersonalization, printsWithName } from '#client/customer/cart/order-services/default-personalization.ts'
import { lineOf, packageItem, packageOf, textNode } from '#tests/domain/cart/cart-fixtures.ts'

const ada = { firstName: 'Ada', lastName: 'Lovelace' }
const flags = { allowRetouch: true, allowNameOnAllPrints: true, allowNameOnWallets: true, imageLevelService: false }
const now = '2026-11-28T12:00:00.000Z'
const print = packageItem({ name: '8x10 Print', textNodes: [textNode({ id: 1 })] })

const lineWith = (text: string) => {
  const line = lineOf(packageOf({ items: [print] }))
  return {
    ...line,
    cartPackageItems: line.cartPackageItems.map((item) => ({
      ...item,
      textNodes: item.textNodes.map((node) => ({ ...node, value: text })),
    })),
  }
}

test.each([
  ['nothing', '', '2026'],
  ['a year', '2027', '2027'],
  ['a text with a year', 'Spring 2027', '2027'],
  ['a number that is no year', 'Room 1204', '2026'],
])('if the prints show %s, the year to print is %s %s', (_, text, year) => {
  const choice = initialPersonalization(ada, flags, { lines: [lineWith(text)], now })
  expect(choice).toMatchObject({ yearToPrint: year, nameToPrint: 'Ada Lovelace' })
})

test('the prints that have the name already are listed once', () => {
  expect(printsWithName([lineWith('ADA L.'), lineWith('Ada Lovelace')], ada)).toEqual(['8×10 Print'])
  expect(printsWithName([lineWith('Grace'), lineWith('Canada')], ada)).toEqual([])
})
