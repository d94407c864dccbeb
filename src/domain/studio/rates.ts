import { isCalendarDay } from '../shared/dates.ts'
import type { Validator } from '../shared/validators.ts'

// What the rates of discounts and commissions have in common: a percentage, an amount, and days.

export const rateMessages = {
  percent: 'Enter a percentage from 0.01 to 100, with at most two decimals',
  amount: 'Enter an amount from $0.01 to $999,999.99',
  day: 'Enter a day that exists',
} as const

/** The highest amount of one charge. */
export const maxAmountCents = 99_999_999

/** A whole number from `min` to `max`; otherwise the message. */
export const wholeNumber =
  <Model>(min: number, max: number, message: string): Validator<Model> =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? null : message

/** Hundredths of a per cent. */
export const percentage = <Model>(): Validator<Model> => wholeNumber(1, 10_000, rateMessages.percent)

export const amount = <Model>(): Validator<Model> => wholeNumber(1, maxAmountCents, rateMessages.amount)

/** A day of the calendar, such as `2027-04-15`. */
export const calendarDay =
  <Model>(): Validator<Model> =>
  (value) =>
    isCalendarDay(String(value)) ? null : rateMessages.day

/** A percentage as people write it, from its basis points: 12.5%. */
export const formatPercent = (basisPoints: number): string => `${basisPoints / 100}%`
