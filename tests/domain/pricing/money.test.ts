import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatMoney,
  millionthsOfCents,
  splitCents,
  sumCents,
  timesCents,
  toCents,
  toDollars,
} from '#domain/pricing/money.ts'

const cents = fc.integer({ min: -10_000_000, max: 10_000_000 })
const weights = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 20 })

describe('money maths works in cents (section 5)', () => {
  test.each([
    [0, 0],
    [0.1, 10],
    [0.29, 29],
    [1.15, 115],
    [19.99, 1999],
    [1234.5, 123_450],
  ])('%d dollars are %d cents', (dollars, amount) => {
    expect(toCents(dollars)).toBe(amount)
    expect(toDollars(amount)).toBe(dollars)
  })

  test('converting dollars to cents and back never changes an amount', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(toCents(toDollars(amount))).toBe(amount)
      }),
    )
  })

  test('multiplication rejects numbers that are not whole (section 8)', () => {
    expect(timesCents(1999, 3)).toBe(5997)
    for (const times of [1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => timesCents(100, times)).toThrow(
        new Error('Multiplication of floating point numbers is not supported'),
      )
  })
})

describe('rounding: half a cent rounds away from zero', () => {
  test.each([
    [100, 82_500, 8],
    [200, 82_500, 17],
    [10, 50_000, 1],
    [-10, 50_000, -1],
    [9, 50_000, 0],
    [1999, 100_000, 200],
    [1995, 100_000, 200],
    [-1995, 100_000, -200],
    [100, 0, 0],
    [12_345, 1_000_000, 12_345],
    [1_000_000, 88_755, 88_755],
  ])('of %d cents, %d millionths are %d cents', (amount, millionths, part) => {
    expect(millionthsOfCents(amount, millionths)).toBe(part)
  })

  test('rounding never returns a negative zero', () => expect(Object.is(millionthsOfCents(-1, 1), 0)).toBe(true))

  test('rounding is within half a cent of the exact value', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 1_000_000 }), (amount, millionths) => {
        const doubledError =
          2n * (BigInt(millionthsOfCents(amount, millionths)) * 1_000_000n - BigInt(amount) * BigInt(millionths))
        expect(doubledError <= 1_000_000n && doubledError >= -1_000_000n).toBe(true)
      }),
    )
  })
})

describe('splitting an amount', () => {
  test.each([
    ['evenly', 100, [1, 1, 1], [34, 33, 33]],
    ['by weight', 100, [1, 2, 1], [25, 50, 25]],
    ['so that the largest remainder gets the cent', 10, [15, 25, 60], [2, 2, 6]],
    ['without anything for weight 0', 5, [0, 1, 0], [0, 5, 0]],
    ['into nothing if it is 0 and there are no weights', 0, [], []],
    ['into zeros if it is 0 and all weights are', 0, [0, 0], [0, 0]],
    ['into the same parts, but negative, if it is negative', -100, [1, 1, 1], [-34, -33, -33]],
    ['without a negative zero for weight 0', -5, [0, 1], [0, -5]],
  ])('an amount is split %s', (_name, total, partWeights, parts) =>
    expect(splitCents(total, partWeights)).toEqual(parts),
  )

  test.each([
    ['no parts', 1, [], 'There is nothing to split this amount over'],
    ['only zero weights', 1, [0, 0], 'There is nothing to split this amount over'],
    ['a negative weight', 1, [2, -1], 'A weight is negative'],
    ['a fractional weight', 1, [0.5], 'integer'],
  ])('splitting an amount over %s throws instead of losing money', (_name, total, partWeights, message) => {
    expect(() => splitCents(total, partWeights)).toThrow(RangeError)
    expect(() => splitCents(total, partWeights)).toThrow(message)
  })

  test('the parts always add up, each within a cent of its share', () => {
    fc.assert(
      fc.property(cents, weights, (total, partWeights) => {
        fc.pre(sumCents(partWeights) > 0)
        const parts = splitCents(total, partWeights)
        expect(sumCents(parts)).toBe(total)
        parts.forEach((part, index) => {
          const exact = (total * (partWeights[index] ?? 0)) / sumCents(partWeights)
          expect(Math.abs(part - exact)).toBeLessThan(1 + 1e-6)
        })
      }),
    )
  })

  test('no part of a discount exceeds the part of the goods that it belongs to', () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (prices, share) => {
        fc.pre(sumCents(prices) > 0)
        const parts = splitCents(Math.floor(sumCents(prices) * share), prices)
        parts.forEach((part, index) => {
          expect(part).toBeGreaterThanOrEqual(0)
          expect(part).toBeLessThanOrEqual(prices[index] ?? 0)
        })
      }),
    )
  })
})

describe('money format: dollar sign, two decimals, thousands separators (section 9)', () => {
  test.each([
    [0, '$0.00'],
    [5, '$0.05'],
    [123_450, '$1,234.50'],
    [123_456_789, '$1,234,567.89'],
    [-500, '-$5.00'],
  ])('%d cents are shown as %s', (amount, formatted) => expect(formatMoney(amount)).toBe(formatted))
})
