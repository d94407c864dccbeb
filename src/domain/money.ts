import currency from 'currency.js'

/** Whole cents of US dollars; every amount inside the product is one of these. */
export type Cents = number

/** Decimal dollars, as the fields the specification names carry them, to whole cents. */
export const toCents = (dollars: number): Cents => currency(dollars).intValue

/** Whole cents to decimal dollars, for the fields the specification names. */
export const toDollars = (cents: Cents): number => currency(cents, { fromCents: true }).value

export const sumCents = (amounts: readonly Cents[]): Cents => amounts.reduce((sum, amount) => sum + amount, 0)

/** An amount times a whole number. Throws the specification's error for anything else (sections 5 and 8). */
export const timesCents = (amount: Cents, times: number): Cents => {
  if (!Number.isInteger(times)) throw new Error('Multiplication of floating point numbers is not supported')
  return amount * times
}

/** Shows cents as `$1,234.50` (section 9: dollar sign, two decimals, thousands separators, US English). */
export const formatMoney = (cents: Cents): string => currency(cents, { fromCents: true }).format()
