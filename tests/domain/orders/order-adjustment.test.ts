import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withLineQuantities } from '#domain/cart/cart-rules.ts'
import {
  adjustDiscount,
  adjustShipping,
  type PromotionTerms,
  shippingPriceFor,
} from '#domain/orders/order-adjustment.ts'
import { discountOf, type PromotionValue } from '#domain/pricing/promotion.ts'
import { added, cartAfter, packageOf } from '../cart/cart-fixtures.ts'

const tenPerCent: PromotionTerms = { kind: 'percent', basisPoints: 1000, minimumCents: 0 }
const five: PromotionTerms = { kind: 'amount', amountCents: 500, minimumCents: 5000 }

describe('the discount of an adjusted order', () => {
  test.each<[string, number, number, PromotionTerms | null, number, number]>([
    ['none stays none', 6000, 0, null, 3000, 0],
    ['none stays none, whatever the code takes off by now', 6000, 0, tenPerCent, 3000, 0],
    ['per cent of what is left', 6000, 600, tenPerCent, 3500, 350],
    ['an amount stays', 6000, 500, five, 5000, 500],
    ['an amount whose minimum is not reached goes', 6000, 500, five, 4999, 0],
    ['an amount takes off no more than is left', 300, 300, { ...five, minimumCents: 0 }, 200, 200],
    ['of a promotion that is gone, in proportion', 6000, 600, null, 3000, 300],
    ['of one with other terms by now, in proportion', 6000, 600, { ...five, minimumCents: 5900 }, 3000, 300],
    ['nothing left, nothing off', 6000, 600, null, 0, 0],
    ['per cent of what there is more', 6000, 600, tenPerCent, 8000, 800],
    ['of a promotion that is gone, no more for more', 6000, 600, null, 8000, 600],
  ])('%s', (_, goodsCents, discountCents, promotion, left, expected) =>
    expect(adjustDiscount({ goodsCents, discountCents, promotion }, left)).toBe(expected),
  )

  test('the discount exceeds neither the remaining goods nor the old discount', () => {
    const value = fc.oneof(
      fc.record({ kind: fc.constant('percent' as const), basisPoints: fc.integer({ min: 1, max: 10_000 }) }),
      fc.record({ kind: fc.constant('amount' as const), amountCents: fc.integer({ min: 1, max: 20_000 }) }),
    )
    const terms = fc.option(fc.tuple(value, fc.nat(10_000)))
    fc.assert(
      fc.property(
        value,
        terms,
        fc.integer({ min: 1, max: 20_000 }),
        fc.nat(100),
        (sold: PromotionValue, now, goods, of) => {
          const discountCents = discountOf(sold, goods)
          const left = Math.floor((goods * of) / 100)
          const promotion = now && { ...now[0], minimumCents: now[1] }
          const discount = adjustDiscount({ goodsCents: goods, discountCents, promotion }, left)
          expect(discount).toBeGreaterThanOrEqual(0)
          expect(discount).toBeLessThanOrEqual(Math.min(left, discountCents))
        },
      ),
    )
  })
})

describe('the shipping of an adjusted order', () => {
  const rates = { priceCents: 695, eachMoreCents: 100 }

  test.each([
    [0, 695],
    [1, 695],
    [2, 795],
    [4, 995],
  ])('%i packages cost %i', (packages, cents) => expect(shippingPriceFor(rates, packages)).toBe(cents))

  test.each<[string, Parameters<typeof adjustShipping>[0], { packages: number; isMailed: boolean }, number]>([
    ['as for fewer packages', { shippingCents: 895, packages: 3, rates }, { packages: 2, isMailed: true }, 795],
    ['as it was, at other rates', { shippingCents: 900, packages: 3, rates }, { packages: 2, isMailed: true }, 900],
    [
      'as it was, without a rate',
      { shippingCents: 895, packages: 3, rates: null },
      { packages: 1, isMailed: true },
      895,
    ],
    ['nothing for files alone', { shippingCents: 895, packages: 3, rates }, { packages: 1, isMailed: false }, 0],
  ])('%s', (_, sold, left, expected) => expect(adjustShipping(sold, left)).toBe(expected))
})

describe('a cart with other quantities', () => {
  const standard = packageOf({ id: 1 })
  const addOn = packageOf({
    id: 2,
    packageAddon: { type: 'addon_standard', requiredMinPrice: null, requiresStandard: true, packageId: null },
  })
  const cart = cartAfter(added(standard, 'line-1', 3), added(addOn, 'line-2'))

  test('quantities are set, and everything else stays', () => {
    const { cart: left, dropped } = withLineQuantities(cart, new Map([['line-1', 1]]))
    expect(left.cartPackages.map(({ lineId, quantity }) => [lineId, quantity])).toEqual([
      ['line-1', 1],
      ['line-2', 1],
    ])
    expect(dropped).toEqual([])
  })

  test('add-ons that are no longer allowed are dropped', () => {
    const { cart: left, dropped } = withLineQuantities(cart, new Map([['line-1', 0]]))
    expect(left.cartPackages).toEqual([])
    expect(dropped.map(({ lineId }) => lineId)).toEqual(['line-2'])
  })
})
