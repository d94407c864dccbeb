import { type FieldErrors, type Validator, validate, validationMessages } from '#domain/shared/validators.ts'
import type { CardInput } from '../card/card-provider.ts'

/** The card in the test provider's fields. */
export type TestCard = { number: string; expiry: string; cvc: string }

export const testCardOf = (input: CardInput): TestCard => ({ number: '', expiry: '', cvc: '', ...input })

/** The four card numbers that the test provider accepts, each with its own outcome. */
const testTokens: Readonly<Record<string, string>> = {
  '4242424242424242': 'test_visa',
  '4000000000000002': 'test_declined',
  '4000000000009995': 'test_insufficient',
  '4000002500003155': 'test_authenticate',
}

export const cardMessages = {
  unknown: 'Only test cards work here, such as 4242 4242 4242 4242',
  expiry: 'Enter the month and year, like 04/31',
  expired: 'This card has expired',
  cvc: 'Enter the three or four digits on the back of the card',
} as const

const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** A card number in groups of four, as it is printed on the card. */
export const formatCardNumber = (text: string): string =>
  digitsOf(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ')

/** Formats an expiry as MM/YY; autofill may write the full year, and a user a single digit for the month. */
export const formatExpiry = (text: string): string => {
  const [, month, year] = /^\s*(\d{1,2})\s*[/-]\s*(?:20)?(\d{0,2})\s*$/.exec(text) ?? []
  if (month !== undefined) return `${month.padStart(2, '0')}/${year}`
  const digits = digitsOf(/^[2-9]/.test(text) ? `0${text}` : text).slice(0, 4)
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits
}

export const formatCvc = (text: string): string => digitsOf(text).slice(0, 4)

/** The token of a card the test provider knows; null for any other. */
export const testTokenFor = (number: string): string | null => testTokens[digitsOf(number)] ?? null

/** The last four digits, the only ones that are shown later. */
export const lastFourDigits = (number: string): string => digitsOf(number).slice(-4)

const requiredAnd =
  (check: (value: string) => string | null): Validator<TestCard> =>
  (value) => {
    if (typeof value !== 'string' || value.trim() === '') return validationMessages.required
    return check(value)
  }

const checkExpiry =
  (today: Date) =>
  (value: string): string | null => {
    const [, month, year] = /^(\d\d)\/(\d\d)$/.exec(value) ?? []
    if (month === undefined || Number(month) < 1 || Number(month) > 12) return cardMessages.expiry
    // A card is valid to the last day of its month.
    const [thisYear, thisMonth] = [today.getFullYear(), today.getMonth() + 1]
    const monthsLeft = (2000 + Number(year) - thisYear) * 12 + Number(month) - thisMonth
    return monthsLeft < 0 ? cardMessages.expired : null
  }

/** The validation errors of the card, by field: `number`, `expiry`, `cvc`. */
export const validateTestCard = (input: CardInput, today: Date): FieldErrors =>
  validate(testCardOf(input), {
    number: requiredAnd((value) => (testTokenFor(value) === null ? cardMessages.unknown : null)),
    expiry: requiredAnd(checkExpiry(today)),
    cvc: requiredAnd((value) => (/^\d{3,4}$/.test(value) ? null : cardMessages.cvc)),
  })
