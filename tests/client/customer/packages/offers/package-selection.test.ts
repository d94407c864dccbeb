import { describe, expect, test } from 'vitest'
import {
  addOnAvailability,
  emptySelection,
  selectedPackages,
  toggleAddOn,
  validSelection,
} from '#client/customer/packages/offers/package-selection.ts'
import { orderDeadline } from '#client/customer/packages/selection/order-deadline-notice.tsx'
import { emptyCart } from '#domain/cart/cart.ts'
import { added, addOn, cartAfter, packageOf } from '#tests/domain/cart/cart-fixtures.ts'

const classic = packageOf({ id: 1, name: 'Classic', retailCost: 25 })
const deluxe = packageOf({ id: 2, name: 'Deluxe', retailCost: 40 })
const extraAddOn = addOn(10, { requiresStandard: false }, 8)
const onlyDeluxe = addOn(11, { packageId: 2 }, 9)
const frame = addOn(12, { type: 'addon_price', requiredMinPrice: 30, requiresStandard: false }, 12)
const offered = [classic, deluxe, extraAddOn, onlyDeluxe, frame]
const emptyGalleryCart = emptyCart(1, 'gallery')
const withoutCart = { offeredPackages: offered, cart: emptyGalleryCart }
const selectAddOns = (standard: number, ...addOns: { id: number }[]) =>
  addOns.reduce(
    (selection, toggled) => toggleAddOn(selection, toggled as typeof classic, withoutCart),
    validSelection({ standard, addOns: [] }, offered, emptyGalleryCart),
  )

describe('package selection', () => {
  test('deselects an add-on after a second tap', () => {
    expect(selectAddOns(1, extraAddOn)).toEqual({ standard: 1, addOns: [10] })
    expect(selectAddOns(1, extraAddOn, extraAddOn)).toEqual({ standard: 1, addOns: [] })
  })

  test('deselects add-ons that are no longer allowed', () => {
    const withDeluxe = selectAddOns(2, onlyDeluxe, extraAddOn)
    expect(withDeluxe).toEqual({ standard: 2, addOns: [11, 10] })
    expect(validSelection({ ...withDeluxe, standard: 1 }, offered, emptyGalleryCart)).toEqual({
      standard: 1,
      addOns: [10],
    })
    expect(selectAddOns(1, extraAddOn, frame, extraAddOn)).toEqual({ standard: 1, addOns: [] })
  })

  test('counts other selected packages and the cart towards a minimum', () => {
    expect(selectAddOns(1, frame)).toEqual({ standard: 1, addOns: [] })
    expect(selectAddOns(1, extraAddOn, frame)).toEqual({ standard: 1, addOns: [10, 12] })
    const cart = cartAfter(added(deluxe, 'in-cart'))
    expect(toggleAddOn(emptySelection, frame, { offeredPackages: offered, cart })).toEqual({
      standard: null,
      addOns: [12],
    })
  })

  test('shows how much is missing if only the amount is too low', () => {
    expect(addOnAvailability(frame, { cart: emptyGalleryCart, chosenPackages: [classic] })).toEqual({
      isAvailable: false,
      missingCents: 500,
    })
    const deluxeFrame = addOn(13, { type: 'addon_price', requiredMinPrice: 30, packageId: 2 })
    for (const [needing, chosenPackages] of [
      [frame, []],
      [onlyDeluxe, [classic]],
      [deluxeFrame, [classic]],
    ] as const)
      expect(addOnAvailability(needing, { cart: emptyGalleryCart, chosenPackages })).toEqual({
        isAvailable: false,
        missingCents: 0,
      })
  })

  test('drops packages that are no longer offered from an old draft', () => {
    expect(validSelection({ standard: 99, addOns: [10] }, offered, emptyGalleryCart)).toEqual(emptySelection)
  })

  test('is added to the cart in an order in which each package is allowed', () => {
    expect(selectedPackages({ standard: 2, addOns: [12, 10] }, offered).map((selected) => selected.id)).toEqual([
      2, 10, 12,
    ])
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
  ])('is shown for the deadline %s, with a countdown: %s', (orderBy, countdown, expected) => {
    expect(orderDeadline(orderBy, countdown, today)).toEqual(expected)
  })

  test('shows nothing if there is no deadline', () => {
    expect(orderDeadline(null, true, today)).toBeNull()
  })
})
