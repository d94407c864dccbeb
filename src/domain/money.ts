import currency from 'currency.js'

/** Whole cents of US dollars; every amount inside the product is one of these. */
export type Cents = number

/** Shows cents as `$1,234.50` (section 9: dollar sign, two decimals, thousands separators, US English). */
export const formatMoney = (cents: Cents): string => currency(cents, { fromCents: true }).format()
