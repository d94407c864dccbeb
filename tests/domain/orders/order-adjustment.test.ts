import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withLineQuantities } from '#domain/cart/cart-rules.ts'
import {
  adjustDiscount,
  adjustShipping,
  type PromotionTerms,
  shippingPriceFor,
} from '#domain/orders/order-adjustment.ts'
import { sumCents } from '#domain/pricing/money.ts'
import { discountOf, type PromotionValue } from '#domain/pricing/promotion.ts'
import { added, cartAfter, packageOf } from '../cart/cart-fixtures.ts'

const tenPerCent: PromotionTerms = { kind: 'percent', basisPoints: 1000, minimumCents: 0, packageIds: null }
const fiveDollars: PromotionTerms = { kind: 'amount', amountCents: 500, minimumCents: 5000, packageIds: null }

/** An order of a package 1 for each of these amounts, without services. */
const goodsOf = (...amounts: number[]) => ({
  lines: amounts.map((cents, index) => ({ lineId: `line-${index}`, packageId: 1, cents })),
  servicesCents: 0,
})

const soldPromotions = (discountCents: number, terms: PromotionTerms | null) =>
  discountCents === 0 ? [] : [{ id: 1, code: 'SAVE', discountCents, terms }]

/** The discount of an order of one line after its price changed. */
const adjustedCents = (
  sold: { goodsCents: number; discountCents: number; promotion: PromotionTerms | null },
  goodsCents: number,
): number => {
  const { discountCents, promotion } = sold
  const promotions = soldPromotions(discountCents, promotion)
  const soldDiscount = { goods: goodsOf(sold.goodsCents), discountCents, discountedLines: null, promotions }
  const { discounts, promotions: shares } = adjustDiscount(soldDiscount, goodsOf(goodsCents))
  expect(sumCents(shares.map((share) => share.discountCents))).toBe(sumCents(discounts))
  return sumCents(discounts)
}

describe('the discount of an adjusted order', () => {
  test.each<[string, number, number, PromotionTerms | null, number, number]>([
    ['stays 0 if there was none', 6000, 0, null, 3000, 0],
    ['stays 0 if there was none, whatever the promotion grants now', 6000, 0, tenPerCent, 3000, 0],
    ['is the percentage of the remaining goods', 6000, 600, tenPerCent, 3500, 350],
    ['of a fixed amount stays', 6000, 500, fiveDollars, 5000, 500],
    ['is 0 if the minimum is no longer reached', 6000, 500, fiveDollars, 4999, 0],
    [
      'of a fixed amount is at most the price of the remaining goods',
      300,
      300,
      { ...fiveDollars, minimumCents: 0 },
      200,
      200,
    ],
    ['of a deleted promotion shrinks in proportion', 6000, 600, null, 3000, 300],
    [
      'of a promotion with changed terms shrinks in proportion',
      6000,
      600,
      { ...fiveDollars, minimumCents: 5900 },
      3000,
      300,
    ],
    ['is 0 if no goods remain', 6000, 600, null, 0, 0],
    ['grows with the goods if it is a percentage', 6000, 600, tenPerCent, 8000, 800],
    ['of a deleted promotion does not grow', 6000, 600, null, 8000, 600],
  ])('the adjusted discount %s', (_, goodsCents, discountCents, promotion, remainingCents, expected) =>
    expect(adjustedCents({ goodsCents, discountCents, promotion }, remainingCents)).toBe(expected),
  )

  describe('of chosen packages', () => {
    const line = (packageId: number, cents: number) => ({ lineId: `line-${packageId}`, packageId, cents })
    const sold = { lines: [line(1, 4000), line(2, 2000)], servicesCents: 1000 }
    const onFirst: PromotionTerms = { ...tenPerCent, packageIds: [1] }
    const soldDiscount = { goods: sold, discountCents: 400, discountedLines: new Set(['line-1']) }
    const adjust = (promotion: PromotionTerms | null, ...lines: (typeof sold)['lines']) =>
      adjustDiscount({ ...soldDiscount, promotions: soldPromotions(400, promotion) }, { lines, servicesCents: 1000 })

    test.each<[string, PromotionTerms | null, (typeof sold)['lines'], number]>([
      ['is that of the remaining ones', onFirst, [line(1, 2000), line(2, 2000)], 200],
      ['stays if others are removed', onFirst, [line(1, 4000)], 400],
      ['is 0 if none of them remains', onFirst, [line(2, 2000)], 0],
      ['is 0 if the whole order is below the minimum', { ...onFirst, minimumCents: 6000 }, [line(1, 4000)], 0],
      ['of a deleted promotion shrinks with its packages only', null, [line(1, 1000), line(2, 2000)], 100],
      ['of a promotion for other packages by now stays if others are removed', tenPerCent, [line(1, 4000)], 400],
      ['of a deleted promotion is 0 if none of them remains', null, [line(2, 2000)], 0],
    ])('the discount %s', (_, promotion, lines, expected) => {
      const { discounts } = adjust(promotion, ...lines)
      // Only the line of the promotion's package has it, and no services.
      expect(discounts).toEqual([...lines.map(({ lineId }) => (lineId === 'line-1' ? expected : 0)), 0])
    })
  })

  test('the discount of a reduced order exceeds neither the remaining goods nor the old discount', () => {
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
        (sold: PromotionValue, currentTerms, goods, percent) => {
          const discountCents = discountOf(sold, goods)
          const remainingCents = Math.floor((goods * percent) / 100)
          const promotion = currentTerms && { ...currentTerms[0], minimumCents: currentTerms[1], packageIds: null }
          const discount = adjustedCents({ goodsCents: goods, discountCents, promotion }, remainingCents)
          expect(discount).toBeGreaterThanOrEqual(0)
          expect(discount).toBeLessThanOrEqual(Math.min(remainingCents, discountCents))
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
  ])('shipping %i packages costs %i cents', (packages, cents) => expect(shippingPriceFor(rates, packages)).toBe(cents))

  test.each<[string, Parameters<typeof adjustShipping>[0], { packages: number; hasPrints: boolean }, number]>([
    [
      'that of the remaining packages',
      { shippingCents: 895, packages: 3, rates },
      { packages: 2, hasPrints: true },
      795,
    ],
    [
      'unchanged if the rates changed',
      { shippingCents: 900, packages: 3, rates },
      { packages: 2, hasPrints: true },
      900,
    ],
    [
      'unchanged if the option was deleted',
      { shippingCents: 895, packages: 3, rates: null },
      { packages: 1, hasPrints: true },
      895,
    ],
    ['0 for files alone', { shippingCents: 895, packages: 3, rates }, { packages: 1, hasPrints: false }, 0],
  ])('the adjusted shipping price is %s', (_, sold, remaining, expected) =>
    expect(adjustShipping(sold, remaining)).toBe(expected),
  )
})

describe('a cart with other quantities', () => {
  const standard = packageOf({ id: 1 })
  const addOn = packageOf({
    id: 2,
    packageAddon: { type: 'addon_standard', requiredMinPrice: null, requiresStandard: true, packageId: null },
  })
  const cart = cartAfter(added(standard, 'line-1', 3), added(addOn, 'line-2'))

  test('quantities are set, and everything else stays', () => {
    const { cart: remaining, dropped } = withLineQuantities(cart, new Map([['line-1', 1]]))
    expect(remaining.cartPackages.map(({ lineId, quantity }) => [lineId, quantity])).toEqual([
      ['line-1', 1],
      ['line-2', 1],
    ])
    expect(dropped).toEqual([])
  })

  test('add-ons that are no longer allowed are dropped', () => {
    const { cart: remaining, dropped } = withLineQuantities(cart, new Map([['line-1', 0]]))
    expect(remaining.cartPackages).toEqual([])
    expect(dropped.map(({ lineId }) => lineId)).toEqual(['line-2'])
  })
})
