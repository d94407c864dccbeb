import { describe, expect, test } from 'vitest'
import { orderDeadline } from '#client/customer/packages/selection/order-deadline.ts'
import {
  addOnAvailability,
  addOnRequirement,
  emptySelection,
  selectedPackages,
  togglePackage,
  validSelection,
} from '#client/customer/packages/selection/package-selection.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { added, addOn, cartAfter, packageOf } from '../../../../domain/cart/cart-fixtures.ts'

const classic = packageOf({ id: 1, name: 'Classic', retailCost: 25 })
const deluxe = packageOf({ id: 2, name: 'Deluxe', retailCost: 40 })
const extra = addOn(10, { requiresStandard: false }, 8)
const onlyDeluxe = addOn(11, { packageId: 2 }, 9)
const frame = addOn(12, { type: 'addon_price', requiredMinPrice: 30, requiresStandard: false }, 12)
const offered = [classic, deluxe, extra, onlyDeluxe, frame]
const empty = emptyCart(1, 'gallery')
const choose = (...ids: number[]) =>
  ids.reduce((selection, id) => {
    const one = offered.find((each) => each.id === id)
    if (!one) throw new Error(`not offered: ${id}`)
    return togglePackage(selection, one, { offered, cart: empty })
  }, emptySelection)

describe('package selection', () => {
  test('holds one standard package at a time, and none after a second tap', () => {
    expect(choose(1, 2)).toEqual({ standard: 2, addOns: [] })
    expect(choose(1, 1)).toEqual(emptySelection)
  })

  test('deselects add-ons that are no longer allowed', () => {
    expect(choose(2, 11, 10)).toEqual({ standard: 2, addOns: [11, 10] })
    expect(choose(2, 11, 10, 1)).toEqual({ standard: 1, addOns: [10] })
    expect(choose(2, 10, 2)).toEqual(emptySelection)
  })

  test('counts other selected packages and the cart towards a minimum', () => {
    expect(choose(1, 12)).toEqual({ standard: 1, addOns: [] })
    expect(choose(1, 10, 12)).toEqual({ standard: 1, addOns: [10, 12] })
    const cart = cartAfter(added(deluxe, 'in-cart'))
    expect(togglePackage(emptySelection, frame, { offered, cart })).toEqual({ standard: null, addOns: [12] })
  })

  test('shows how much is missing if only the amount is too low', () => {
    expect(addOnAvailability(frame, { cart: empty, chosen: [classic] })).toEqual({ stands: false, missingCents: 500 })
    expect(addOnAvailability(frame, { cart: empty, chosen: [] })).toEqual({ stands: false, missingCents: 0 })
  })

  test('drops packages that are no longer offered from an old draft', () => {
    expect(validSelection({ standard: 99, addOns: [10] }, offered, empty)).toEqual(emptySelection)
  })

  test('is added to the cart in an order in which each package is allowed', () => {
    expect(selectedPackages({ standard: 2, addOns: [12, 10] }, offered).map((one) => one.id)).toEqual([2, 10, 12])
  })

  test.each([
    [extra, 'With any package'],
    [onlyDeluxe, 'With Deluxe'],
    [frame, 'With $30.00 or more'],
    [addOn(13, { type: 'addon_price', requiredMinPrice: 30, packageId: 2 }), 'With Deluxe and $30.00 or more'],
    [addOn(14, { type: 'addon_price', requiredMinPrice: null, requiresStandard: false }), 'With any package'],
  ])('%# states its requirement', (one, words) => {
    expect(addOnRequirement(one, offered)).toBe(words)
  })
})

describe('the order deadline', () => {
  const today = new Date(2027, 3, 10, 23)
  test.each([
    ['2027-04-15', true, { day: '04/15/2027', left: '5 days left', passed: false }],
    ['2027-04-11', true, { day: '04/11/2027', left: 'one day left', passed: false }],
    ['2027-04-10', true, { day: '04/10/2027', left: 'today is the last day', passed: false }],
    ['2027-04-09', true, { day: '04/09/2027', left: null, passed: true }],
    ['2027-04-15', false, { day: '04/15/2027', left: null, passed: false }],
  ])('%s, with countdown: %s', (orderBy, countdown, words) => {
    expect(orderDeadline(orderBy, countdown, today)).toEqual(words)
  })

  test('shows nothing if there is no deadline', () => {
    expect(orderDeadline(null, true, today)).toBeNull()
  })
})
