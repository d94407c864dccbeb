import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sumCents } from '#domain/pricing/money.ts'
import { addTax, discountOrder, noTax, priceOrder } from '#domain/pricing/pricing.ts'
import type { PromotionValue } from '#domain/pricing/promotion.ts'
import {
  checkPromotion,
  discountOf,
  normalisePromotionCode,
  type Promotion,
  type PromotionContext,
} from '#domain/pricing/promotion.ts'

const lines = [
  { lineId: 'a', cents: 2500 },
  { lineId: 'b', cents: 999 },
]
const noRates = { goodsMillionths: 0, shippingMillionths: 0 }
const undiscounted = { lines, servicesCents: 1000, promotions: [], shippingCents: 595, taxRates: noRates }

/** A promotion that applies to an order. */
const granted = (value: PromotionValue | null, discountedLines: ReadonlySet<string> | null = null) =>
  value ? [{ id: 1, code: 'SAVE', value, isAutomatic: false, isStackable: false, discountedLines }] : []

describe('pricing an order', () => {
  test('packages, services and shipping add up to the total', () => {
    expect(priceOrder(undiscounted)).toMatchObject({ packagesCents: 3499, servicesCents: 1000, totalCents: 5094 })
  })

  test('a promotion discounts packages and services, never shipping, and is split to the cent', () => {
    const totals = priceOrder({ ...undiscounted, promotions: granted({ kind: 'percent', basisPoints: 1000 }) })
    expect(totals).toMatchObject({ discountCents: 450, shippingCents: 595, totalCents: 4644 })
    expect(totals.perLine.map((line) => line.discountCents)).toEqual([250, 100])
    expect(totals.services.discountCents).toBe(100)
    expect(totals.shipping).toEqual({ cents: 595, discountCents: 0, taxCents: 0, totalCents: 595, taxRate: 0 })
  })

  test('a promotion for some lines discounts only these, and no services', () => {
    const percent = { kind: 'percent', basisPoints: 1000 } as const
    const totals = priceOrder({ ...undiscounted, promotions: granted(percent, new Set(['b'])) })
    expect(totals).toMatchObject({ discountCents: 100, totalCents: 4994 })
    expect(totals.perLine.map((line) => line.discountCents)).toEqual([0, 100])
    expect(totals.services.discountCents).toBe(0)
    const amount = { kind: 'amount', amountCents: 5000 } as const
    const discountOf = (...lineIds: string[]) =>
      priceOrder({ ...undiscounted, promotions: granted(amount, new Set(lineIds)) }).discountCents
    expect([discountOf('b'), discountOf()]).toEqual([999, 0])
  })

  test('an amount larger than the goods leaves only the shipping to pay', () => {
    const totals = priceOrder({ ...undiscounted, promotions: granted({ kind: 'amount', amountCents: 100_000 }) })
    expect(totals).toMatchObject({ discountCents: 4499, totalCents: 595 })
  })

  test('tax is on the discounted goods, and on shipping by its own rate', () => {
    const promotions = granted({ kind: 'amount', amountCents: 499 })
    const totals = priceOrder({
      ...undiscounted,
      promotions,
      taxRates: { goodsMillionths: 82_500, shippingMillionths: 50_000 },
    })
    expect(totals.taxCents).toBe(330 + 30)
    expect(totals.shipping.taxCents).toBe(30)
    expect(totals.totalCents).toBe(4000 + 595 + 360)
  })

  test('tax is split by the discounted price of each line', () => {
    const lineOfOneCent = (lineId: string) => ({ lineId, cents: 1 })
    const totals = priceOrder({
      lines: [lineOfOneCent('a'), lineOfOneCent('b'), lineOfOneCent('c')],
      servicesCents: 0,
      promotions: granted({ kind: 'amount', amountCents: 2 }),
      shippingCents: 0,
      taxRates: { goodsMillionths: 1_000_000, shippingMillionths: 0 },
    })
    expect(totals.perLine.map((line) => line.discountCents)).toEqual([1, 1, 0])
    expect(totals.perLine.map((line) => line.taxCents)).toEqual([0, 0, 1])
  })

  test('tax that an external service computed is used as it is', () => {
    const discounted = discountOrder(undiscounted)
    expect(discounted.taxable).toEqual({ goodsCents: 4499, shippingCents: 595 })
    expect(addTax(discounted, { ...noTax, goodsCents: 371 }).totalCents).toBe(5094 + 371)
  })

  test('an order of nothing costs nothing', () => {
    const emptyOrder = { lines: [], servicesCents: 0, promotions: [], shippingCents: 0, taxRates: noRates }
    expect(priceOrder(emptyOrder)).toMatchObject({ totalCents: 0, perLine: [] })
  })

  const amount = fc.integer({ min: 0, max: 500_000 })
  const promotion: fc.Arbitrary<PromotionValue | null> = fc.oneof(
    fc.constant(null),
    fc.record({ kind: fc.constant('percent' as const), basisPoints: fc.integer({ min: 1, max: 10_000 }) }),
    fc.record({ kind: fc.constant('amount' as const), amountCents: fc.integer({ min: 1, max: 2_000_000 }) }),
  )
  const rate = fc.integer({ min: 0, max: 150_000 })
  const order = fc.record({
    lines: fc.array(fc.record({ lineId: fc.uuid(), cents: fc.oneof(amount, fc.integer({ min: 0, max: 3 })) }), {
      maxLength: 12,
    }),
    servicesCents: amount,
    promotion,
    latePrice: promotion,
    shippingCents: amount,
    taxRates: fc.record({ goodsMillionths: rate, shippingMillionths: rate }),
  })

  test('lines, services, late price and shipping add up to the totals exactly, and nothing is negative', () => {
    fc.assert(
      fc.property(order, ({ promotion, ...orderToPrice }) => {
        const totals = priceOrder({ ...orderToPrice, promotions: granted(promotion) })
        const parts = [...totals.perLine, totals.services, totals.lateFee, totals.shipping]
        expect(sumCents(parts.map((part) => part.totalCents))).toBe(totals.totalCents)
        expect(sumCents(parts.map((part) => part.discountCents))).toBe(totals.discountCents)
        expect(sumCents(parts.map((part) => part.taxCents))).toBe(totals.taxCents)
        const { packagesCents, servicesCents, discountCents, lateFeeCents, shippingCents, taxCents, totalCents } =
          totals
        const goodsCents = packagesCents + servicesCents - discountCents
        expect(goodsCents + lateFeeCents + shippingCents + taxCents).toBe(totalCents)
        for (const part of parts)
          for (const value of [part.cents, part.discountCents, part.taxCents, part.totalCents])
            expect(value).toBeGreaterThanOrEqual(0)
        expect(totalCents).toBeGreaterThanOrEqual(orderToPrice.shippingCents)
        // Goods that are free after the discount are not taxed.
        for (const part of totals.perLine) if (part.cents === part.discountCents) expect(part.taxCents).toBe(0)
      }),
    )
  })
})

describe('promotions: percent or amount, dates, use limits', () => {
  const save10: Promotion = {
    kind: 'percent',
    basisPoints: 1000,
    code: 'SAVE10',
    jobId: null,
    isAutomatic: false,
    isStackable: false,
    isEnabled: true,
    startsAt: '2027-04-01T00:00:00Z',
    endsAt: '2027-05-01T00:00:00Z',
    minimumCents: 2000,
    packageIds: null,
    maximumUses: 100,
    maximumUsesPerCustomer: 1,
  }
  const today: PromotionContext = {
    now: '2027-04-15T12:00:00.000Z',
    jobId: 1,
    goodsCents: 5000,
    packageIds: [1, 2],
    uses: 0,
    usesByCustomer: 0,
    isCodeUsed: false,
  }

  test.each<[string, Partial<Promotion>, Partial<PromotionContext>, string | null]>([
    ['that is valid', {}, {}, null],
    ['for one of the packages', { packageIds: [2, 3] }, {}, null],
    ['for other packages', { packageIds: [3] }, {}, 'other-packages'],
    ['whose single use is taken', {}, { isCodeUsed: true }, 'used-up'],
    ['that is not enabled', { isEnabled: false }, {}, 'not-enabled'],
    ['of another job', { jobId: 2 }, {}, 'other-job'],
    ['of this job', { jobId: 1 }, {}, null],
    ['before its start', {}, { now: '2027-03-31T23:59:59.999Z' }, 'not-yet'],
    ['at its start', {}, { now: '2027-04-01T00:00:00.000Z' }, null],
    ['in its last second', {}, { now: '2027-04-30T23:59:59.999Z' }, null],
    ['at its end', {}, { now: '2027-05-01T00:00:00.000Z' }, 'over'],
    ['without dates', { startsAt: null, endsAt: null }, { now: '2030-01-01T00:00:00.000Z' }, null],
    ['before its last use', {}, { uses: 99 }, null],
    ['that is used up', {}, { uses: 100 }, 'used-up'],
    ['that this customer has used', {}, { usesByCustomer: 1 }, 'used-by-customer'],
    ['without limits', { maximumUses: null, maximumUsesPerCustomer: null }, { uses: 1e6, usesByCustomer: 9 }, null],
    ['at its minimum', {}, { goodsCents: 2000 }, null],
    ['below its minimum', {}, { goodsCents: 1999 }, 'below-minimum'],
  ])('a promotion %s is checked', (_name, change, context, reason) => {
    expect(checkPromotion({ ...save10, ...change } as Promotion, { ...today, ...context })).toBe(reason)
  })

  test('a missing promotion is reported as unknown', () => expect(checkPromotion(null, today)).toBe('unknown'))
  test('typed codes are normalised', () => expect(normalisePromotionCode(' save 10 ')).toBe('SAVE10'))

  test.each<[string, PromotionValue | null, number, number]>([
    ['no promotion', null, 1000, 0],
    ['10 per cent', { kind: 'percent', basisPoints: 1000 }, 1995, 200],
    ['100 per cent', { kind: 'percent', basisPoints: 10_000 }, 1995, 1995],
    ['five dollars', { kind: 'amount', amountCents: 500 }, 1995, 500],
    ['five dollars on goods of three dollars', { kind: 'amount', amountCents: 500 }, 300, 300],
  ])('the discount is computed for %s', (_name, value, goodsCents, discountCents) =>
    expect(discountOf(value, goodsCents)).toBe(discountCents),
  )
})
