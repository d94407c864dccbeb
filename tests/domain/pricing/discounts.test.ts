import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bestDiscount, type GrantedPromotion, promotionCodesLabel, stackDiscounts } from '#domain/pricing/discounts.ts'
import { sumCents } from '#domain/pricing/money.ts'
import type { PromotionValue } from '#domain/pricing/promotion.ts'

const goods = { lines: [2500, 999].map((cents, index) => ({ lineId: `line-${index}`, cents })), servicesCents: 1001 }

const percent = (basisPoints: number): PromotionValue => ({ kind: 'percent', basisPoints })
const amount = (amountCents: number): PromotionValue => ({ kind: 'amount', amountCents })

const promotionOf = (id: number, value: PromotionValue, terms: Partial<GrantedPromotion> = {}): GrantedPromotion => ({
  ...{ id, code: `CODE${id}`, value, isAutomatic: true, isStackable: true, discountedLines: null },
  ...terms,
})
const alone = { isStackable: false }

const appliedTo = (...promotions: GrantedPromotion[]) => {
  const { discounts, promotions: shares } = bestDiscount(goods, promotions)
  return { cents: sumCents(discounts), shares: shares.map(({ id, discountCents }) => [id, discountCents]) }
}

describe('promotions on one cart', () => {
  test('no promotion gives no discount', () => expect(appliedTo()).toEqual({ cents: 0, shares: [] }))

  test('stackable percentages come off first, then amounts, each from what is left', () => {
    expect(
      appliedTo(promotionOf(1, amount(500)), promotionOf(2, percent(1000)), promotionOf(3, percent(5000))),
    ).toEqual({
      cents: 450 + 2025 + 500,
      shares: [
        [2, 450],
        [3, 2025],
        [1, 500],
      ],
    })
  })

  test('of amounts, that for chosen packages comes first, so that the customer gets all of both', () => {
    const onSecond = { discountedLines: new Set(['line-1']) }
    expect(appliedTo(promotionOf(1, amount(1000)), promotionOf(2, amount(999), onSecond))).toEqual({
      cents: 1999,
      shares: [
        [2, 999],
        [1, 1000],
      ],
    })
  })

  test.each<[string, GrantedPromotion[], number[]]>([
    [
      'the larger of two that do not combine',
      [promotionOf(1, percent(1000), alone), promotionOf(2, percent(2000), alone)],
      [2],
    ],
    [
      'one alone if it is better than all that combine',
      [promotionOf(1, percent(3000), alone), promotionOf(2, percent(1000)), promotionOf(3, percent(1000))],
      [1],
    ],
    [
      'those that combine if they are better than one alone',
      [promotionOf(1, percent(1500), alone), promotionOf(2, percent(1000)), promotionOf(3, percent(1000))],
      [2, 3],
    ],
    ['the older of equal ones', [promotionOf(2, percent(1000), alone), promotionOf(1, percent(1000), alone)], [1]],
    [
      'the typed code, if an automatic promotion gives as much',
      [promotionOf(1, percent(1000), alone), promotionOf(2, percent(1000), { ...alone, isAutomatic: false })],
      [2],
    ],
    ['one alone if the others add nothing to it', [promotionOf(1, percent(10_000)), promotionOf(2, amount(500))], [1]],
  ])('the customer gets %s', (_name, promotions, ids) =>
    expect(appliedTo(...promotions).shares.map(([id]) => id)).toEqual(ids),
  )

  test('the codes are named in the order in which they were applied', () => {
    const { promotions } = bestDiscount(goods, [promotionOf(1, amount(500)), promotionOf(2, percent(1000))])
    expect([promotionCodesLabel(promotions), promotionCodesLabel([])]).toEqual(['CODE2 + CODE1', null])
  })

  const anyCents = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 500_000 }))
  const anyGoods = fc.record({
    lines: fc
      .array(anyCents, { maxLength: 8 })
      .map((all) => all.map((cents, index) => ({ lineId: `line-${index}`, cents }))),
    servicesCents: anyCents,
  })
  const anyPromotions = fc
    .array(
      fc.record({
        value: fc.oneof(
          fc.integer({ min: 1, max: 10_000 }).map(percent),
          fc.integer({ min: 1, max: 600_000 }).map(amount),
        ),
        isAutomatic: fc.boolean(),
        isStackable: fc.boolean(),
        discountedLines: fc.option(
          fc.subarray([0, 1, 2, 3]).map((all) => new Set(all.map((index) => `line-${index}`))),
        ),
      }),
      { maxLength: 6 },
    )
    .map((all) => all.map((promotion, index) => ({ ...promotion, id: index + 1, code: `CODE${index + 1}` })))

  test('the shares of the promotions and of the lines add up to the discount, and no price becomes negative', () => {
    fc.assert(
      fc.property(anyGoods, anyPromotions, (anyCart, promotions) => {
        const { discounts, promotions: shares } = bestDiscount(anyCart, promotions)
        expect(sumCents(shares.map(({ discountCents }) => discountCents))).toBe(sumCents(discounts))
        for (const { discountCents } of shares) expect(discountCents).toBeGreaterThan(0)
        expect(discounts).toHaveLength(anyCart.lines.length + 1)
        for (const [index, discount] of discounts.entries()) {
          expect(discount).toBeGreaterThanOrEqual(0)
          expect(discount).toBeLessThanOrEqual(anyCart.lines[index]?.cents ?? anyCart.servicesCents)
        }
        const applied = promotions.filter(({ id }) => shares.some((share) => share.id === id))
        if (applied.length > 1) expect(applied.every(({ isStackable }) => isStackable)).toBe(true)
        // Only lines of an applied promotion have a part of the discount.
        for (const [index, { lineId }] of anyCart.lines.entries())
          if (!applied.some(({ discountedLines }) => discountedLines?.has(lineId) ?? true))
            expect(discounts[index]).toBe(0)
      }),
    )
  })

  test('the order in which promotions are listed does not matter', () => {
    const shuffled = anyPromotions.chain((promotions) =>
      fc.record({
        promotions: fc.constant(promotions),
        other: fc.shuffledSubarray(promotions, { minLength: promotions.length }),
      }),
    )
    fc.assert(
      fc.property(anyGoods, shuffled, (anyCart, { promotions, other }) => {
        expect(bestDiscount(anyCart, other)).toEqual(bestDiscount(anyCart, promotions))
      }),
    )
  })

  test('no single promotion, and no combination of stackable ones, is better by more than rounding', () => {
    fc.assert(
      fc.property(anyGoods, anyPromotions, fc.nat(), (anyCart, promotions, mask) => {
        const best = sumCents(bestDiscount(anyCart, promotions).discounts)
        const centsOf = (choice: GrantedPromotion[]) => sumCents(stackDiscounts(anyCart, choice).discounts)
        for (const promotion of promotions) expect(best).toBeGreaterThanOrEqual(centsOf([promotion]))
        const stackable = promotions.filter(({ isStackable }) => isStackable)
        const some = stackable.filter((_, index) => (mask >> index) % 2 === 1)
        expect(best).toBeGreaterThanOrEqual(centsOf(some) - stackable.length * (anyCart.lines.length + 1))
      }),
    )
  })
})
