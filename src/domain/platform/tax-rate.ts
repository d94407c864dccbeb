import { isStateCode } from '../shared/us-states.ts'
import { oneOf, type Rules, required } from '../shared/validators.ts'
import { calendarDay, wholeNumber } from '../studio/rates.ts'

/** What is taxed at a rate of its own. Without a rate for downloads they are taxed as goods; without one for shipping it is not taxed. */
export const taxRateClasses = {
  standard: 'Prints and other goods',
  digital: 'Downloads',
  shipping: 'Shipping',
} as const
export type TaxRateClass = keyof typeof taxRateClasses

/** A sales tax of a state, or of the ZIP codes with a prefix, from a day on. */
export type TaxRateDraft = {
  /** The code of the state. */
  region: string
  /** The first digits of the ZIP codes; empty for the whole state. */
  postalPrefix: string
  taxClass: TaxRateClass
  /** 82,500 is 8.25%. */
  rateMillionths: number
  /** A calendar day, such as `2027-01-01`. */
  validFrom: string
}

export const taxRateMessages = {
  region: 'Enter a state, such as IL',
  postalPrefix: 'Enter up to five digits',
  zip: 'Enter the five digits of a ZIP code',
  rate: 'Enter a percentage from 0 to 100, with at most four decimals',
} as const

const stateError = (value: unknown): string | null =>
  value === '' || isStateCode(String(value)) ? null : taxRateMessages.region

export const taxRateRules: Rules<TaxRateDraft> = {
  region: [required(), stateError],
  postalPrefix: (value) => (/^\d{0,5}$/.test(String(value).trim()) ? null : taxRateMessages.postalPrefix),
  taxClass: oneOf(Object.keys(taxRateClasses)),
  rateMillionths: wholeNumber(0, 1_000_000, taxRateMessages.rate),
  validFrom: calendarDay(),
}

/** An address for a test of the rates. */
export type TaxAddress = { state: string; zip: string }

export const taxAddressRules: Rules<TaxAddress> = {
  state: [required(), stateError],
  zip: (value) => (/^\d{5}$/.test(String(value).trim()) ? null : taxRateMessages.zip),
}

/** A rate as people write it: 8.25%. */
export const formatTaxRate = (rateMillionths: number): string => `${rateMillionths / 10_000}%`
