import { expect, test } from 'vitest'
import { popularPackage } from '#domain/catalogue/popular-package.ts'
import { packageOf } from '#tests/domain/cart/cart-fixtures.ts'

const sale = (id: number, soldCount: number, isRecommended = false) => ({
  package: packageOf({ id }),
  soldCount,
  isRecommended,
})
const addOn = (id: number, soldCount: number) => ({
  ...sale(id, soldCount),
  package: packageOf({
    id,
    packageAddon: { type: 'addon_standard', requiredMinPrice: null, requiresStandard: true, packageId: null },
  }),
})

test.each([
  ['the one ordered most', [sale(1, 10), sale(2, 31), sale(3, 30, true)], 2],
  ['the one recommended while few are ordered', [sale(1, 9), sale(2, 0, true)], 2],
  ['the one recommended while two are ordered equally often', [sale(1, 20), sale(2, 20), sale(3, 1, true)], 3],
  ['none while few are ordered and none is recommended', [sale(1, 9), sale(2, 3)], null],
  ['never an add-on', [sale(1, 12), sale(2, 3), addOn(3, 90)], 1],
  ['none if there is only one', [sale(1, 50, true), addOn(2, 90)], null],
  ['none if there are no packages', [], null],
])('the most popular package is %s', (_, sales, id) => expect(popularPackage(sales)).toBe(id))
