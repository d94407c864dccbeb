import currency from 'currency.js'

/** Whole cents of US dollars; all amounts inside the product are in this unit. */
export type Cents = number

/** Converts decimal dollars, as used by fields of the specification, to whole cents. */
export const toCents = (dollars: number): Cents => currency(dollars).intValue

/** Converts whole cents to decimal dollars, for fields of the specification. */
export const toDollars = (cents: Cents): number => currency(cents, { fromCents: true }).value

export const sumCents = (amounts: readonly Cents[]): Cents => amounts.reduce((sum, amount) => sum + amount, 0)

/** Multiplies an amount by a whole number. Throws the specification's error for anything else (sections 5 and 8). */
export const timesCents = (amount: Cents, times: number): Cents => {
  if (!Number.isInteger(times)) throw new Error('Multiplication of floating point numbers is not supported')
  return amount * times
}

/**
 * Multiplies an amount by a rate in millionths (82,500 is 8.25 %), in whole cents. The only place where money is
 * rounded: half a cent rounds away from zero. Throws if the rate is not a whole number.
 */
export const millionthsOfCents = (amount: Cents, millionths: number): Cents => {
  const product = timesCents(amount, millionths)
  return Math.sign(product) * Math.floor((Math.abs(product) + 500_000) / 1_000_000) + 0
}

/**
 * Splits an amount in proportion to whole, non-negative weights by the largest remainder: the parts always add up to
 * the amount, none is more than a cent from its share, and of equal remainders the earlier part gets the cent. Throws
 * if the amount is not 0 and all weights are.
 */
export const splitCents = (total: Cents, weights: readonly number[]): Cents[] => {
  if (weights.some((weight) => weight < 0)) throw new RangeError('A weight is negative')
  // The product of two amounts can exceed the safe integers.
  const totalWeight = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (totalWeight === 0n) {
    if (total !== 0) throw new RangeError('There is nothing to split this amount over')
    return weights.map(() => 0)
  }
  const amount = BigInt(Math.abs(total))
  const shares = weights.map((weight) => amount * BigInt(weight))
  const floors = shares.map((share) => Number(share / totalWeight))
  const remainingCents = Math.abs(total) - sumCents(floors)
  // The sort is stable: equal remainders stay in order.
  const indexesWithExtraCent = new Set(
    shares
      .map((share, index) => ({ index, remainder: share % totalWeight }))
      .sort((a, b) => Number(b.remainder - a.remainder))
      .slice(0, remainingCents)
      .map(({ index }) => index),
  )
  return floors.map((floor, index) => Math.sign(total) * (floor + (indexesWithExtraCent.has(index) ? 1 : 0)) + 0)
}

/** Formats cents as `$1,234.50` (section 9: dollar sign, two decimals, thousands separators, US English). */
export const formatMoney = (cents: Cents): string => currency(cents, { fromCents: true }).format()

/** Formats cents as `$16`, or as `$16.50` if there are any: for prices within a sentence. */
export const formatShortMoney = (cents: Cents): string => formatMoney(cents).replace(/\.00$/, '')
