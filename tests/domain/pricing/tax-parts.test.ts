import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addTax, discountOrder } from '#domain/pricing/pricing.ts'
import {
  refundTaxParts,
  shareTaxParts,
  subtractTaxParts,
  sumTaxParts,
  type TaxPart,
  taxPartsOf,
} from '#domain/pricing/tax-parts.ts'

const order = discountOrder({
  ...{ servicesCents: 500, promotions: [], shippingCents: 695 },
  lines: [
    { lineId: 'print', cents: 2500 },
    { lineId: 'file', cents: 1500 },
  ],
})

describe('the parts of an order by tax rate', () => {
  test('each line is taxed at its own rate, and parts of the same rate are added up', () => {
    const goodsRates = [80_000, 0, 80_000, 80_000]
    const totals = addTax(order, { goodsCents: 240, shippingCents: 14, goodsRates, shippingRate: 20_000 })
    expect(totals.perLine.map(({ taxCents }) => taxCents)).toEqual([200, 0])
    expect(taxPartsOf(totals)).toEqual([
      { rate: 80_000, goodsCents: 3000, taxCents: 240 },
      { rate: 20_000, goodsCents: 695, taxCents: 14 },
      { rate: 0, goodsCents: 1500, taxCents: 0 },
    ])
  })

  test('a tax without rates is split by the amounts', () => {
    const totals = addTax(order, { goodsCents: 45, shippingCents: 0, goodsRates: [], shippingRate: 0 })
    expect(totals.perLine.map(({ taxCents }) => taxCents)).toEqual([25, 15])
    expect(taxPartsOf(totals)).toEqual([{ rate: 0, goodsCents: 5195, taxCents: 45 }])
  })

  const part: fc.Arbitrary<TaxPart> = fc.record({
    rate: fc.constantFrom(0, 50_000, 72_500),
    goodsCents: fc.nat(100_000),
    taxCents: fc.nat(9000),
  })
  const parts = fc.array(part, { minLength: 1, maxLength: 5 })

  test('a share adds up to its amount and takes no more than there is; what remains and the share are the whole', () => {
    fc.assert(
      fc.property(parts, fc.integer({ min: 0, max: 1000 }), (whole, permille) => {
        const cents = Math.floor((sumTaxParts(whole) * permille) / 1000)
        const share = shareTaxParts(cents, whole)
        expect(sumTaxParts(share)).toBe(cents)
        const rest = subtractTaxParts(whole, share)
        for (const { goodsCents, taxCents } of rest) expect(Math.min(goodsCents, taxCents)).toBeGreaterThanOrEqual(0)
        expect(subtractTaxParts(rest, subtractTaxParts(whole, share))).toEqual([])
        expect(shareTaxParts(sumTaxParts(rest), rest)).toEqual(rest)
      }),
    )
  })

  test('an amount is not shared over parts that have less than nothing', () => {
    const mixed = [
      { rate: 80_000, goodsCents: 1000, taxCents: 80 },
      { rate: 0, goodsCents: -500, taxCents: 0 },
    ]
    expect(shareTaxParts(540, mixed)).toEqual([{ rate: 80_000, goodsCents: 500, taxCents: 40 }])
    expect(shareTaxParts(580, mixed)).toEqual(mixed)
  })

  test('a refund has the parts of what was taken off, as far as they are still paid, and of the rest a share', () => {
    const paid = [
      { rate: 80_000, goodsCents: 300, taxCents: 24 },
      { rate: 0, goodsCents: 500, taxCents: 0 },
    ]
    const takenOff = [{ rate: 80_000, goodsCents: 1000, taxCents: 80 }]
    expect(refundTaxParts(324, { paid, takenOff })).toEqual([paid[0]])
    expect(refundTaxParts(424, { paid, takenOff })).toEqual([paid[0], { rate: 0, goodsCents: 100, taxCents: 0 }])
    expect(refundTaxParts(824, { paid, takenOff })).toEqual(paid)
    expect(refundTaxParts(108, { paid, takenOff: [{ rate: 80_000, goodsCents: 100, taxCents: 8 }] })).toEqual([
      { rate: 80_000, goodsCents: 100, taxCents: 8 },
    ])
  })

  test('a refund adds up to its amount, and never takes back more of a rate than was paid', () => {
    fc.assert(
      fc.property(parts, parts, fc.integer({ min: 0, max: 1000 }), (paid, takenOff, permille) => {
        const cents = Math.floor((sumTaxParts(paid) * permille) / 1000)
        const refunded = refundTaxParts(cents, { paid, takenOff })
        expect(sumTaxParts(refunded)).toBe(cents)
        for (const { goodsCents, taxCents } of subtractTaxParts(paid, refunded))
          expect(Math.min(goodsCents, taxCents)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
