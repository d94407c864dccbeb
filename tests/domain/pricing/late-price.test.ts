import { describe, expect, test } from 'vitest'
import { type LatePrice, lateFeeOf, latePriceNote } from '#domain/pricing/late-price.ts'
import { priceOrder } from '#domain/pricing/pricing.ts'

const tenPerCent: LatePrice = { kind: 'percent', basisPoints: 1000 }
const fiveDollars: LatePrice = { kind: 'amount', amountCents: 500 }

describe('the late price of an order', () => {
  test.each<[string, LatePrice | null, number, number]>([
    ['none in time', null, 1995, 0],
    ['a percentage of the goods, rounded to the cent', tenPerCent, 1995, 200],
    ['an amount', fiveDollars, 1995, 500],
    ['none on goods that cost nothing', fiveDollars, 0, 0],
  ])('the late price is %s', (_, latePrice, goodsCents, feeCents) =>
    expect(lateFeeOf(latePrice, goodsCents)).toBe(feeCents),
  )

  test('the late price is of the goods after their discount, is taxed as goods, and is neither on shipping nor on lines', () => {
    const totals = priceOrder({
      lines: [{ lineId: 'a', cents: 4000 }],
      servicesCents: 1000,
      promotions: [
        {
          id: 1,
          code: 'SAVE',
          value: { kind: 'amount', amountCents: 1000 },
          isAutomatic: true,
          isStackable: false,
          discountedLines: null,
        },
      ],
      shippingCents: 600,
      latePrice: tenPerCent,
      taxRates: { goodsMillionths: 100_000, shippingMillionths: 0 },
    })
    expect(totals).toMatchObject({
      discountCents: 1000,
      lateFeeCents: 400,
      taxCents: 440,
      totalCents: 4000 + 400 + 600 + 440,
    })
    expect(totals.lateFee).toEqual({ cents: 400, discountCents: 0, taxCents: 40, totalCents: 440, taxRate: 100_000 })
    expect(totals.perLine).toMatchObject([{ cents: 4000, discountCents: 800, taxCents: 320, totalCents: 3520 }])
  })

  test.each<[LatePrice, boolean, string]>([
    [tenPerCent, false, 'Prices go up 10% after 03/03/2027'],
    [fiveDollars, false, 'Prices go up $5.00 an order after 03/03/2027'],
    [tenPerCent, true, 'Late price: 10% is added to your order at checkout'],
    [fiveDollars, true, 'Late price: $5.00 is added to your order at checkout'],
  ])('parents read what %o costs, late: %s', (latePrice, isLate, note) =>
    expect(latePriceNote(latePrice, { orderBy: '2027-03-03', isLate })).toBe(note),
  )
})
