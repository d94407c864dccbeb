import { sourceKey } from '../catalogue/autofill.ts'
import { email, phone } from '../shared/validators.ts'
import type { SubjectDetails } from '../subjects/subject-details.ts'

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** Days of a month, counted from 1; February always has 29. */
const daysInMonth = (month: number): number => (month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31)

const isDay = (year: number, month: number, day: number): boolean =>
  year >= 1900 && year <= 2100 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(month)

/** Accepts month/day/year (United States), year-month-day, or a date with the month's name. */
const isDate = (value: string): boolean => {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(value) ?? []
  if (year !== '') return isDay(Number(year), Number(month), Number(day))
  const [, isoYear = '', isoMonth = '', isoDay = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(value) ?? []
  if (isoYear !== '') return isDay(Number(isoYear), Number(isoMonth), Number(isoDay))
  const words = value
    .toLowerCase()
    .split(/[\s,.-]/)
    .filter((word) => word !== '')
  const hasMonth = words.some((word) => months.includes(word.slice(0, 3)))
  return words.length === 3 && hasMonth && words.some((word) => /^(?:19|20)\d\d$/.test(word))
}

type Check = { readonly names: RegExp; readonly isGood: (value: string) => boolean; readonly message: string }

const checks: readonly Check[] = [
  {
    names: /(?:dob|dateofbirth|birthdate|birthday)$/,
    isGood: isDate,
    message: 'is not a date as month/day/year, such as 12/31/2015',
  },
  {
    names: /(?:email|emailaddress)\d?$/,
    isGood: (value) => email()(value, {}) === null,
    message: 'is not an email address',
  },
  {
    names: /(?:phone|phonenumber|mobile|cell|cellphone)\d?$/,
    isGood: (value) => phone()(value, {}) === null,
    message: 'is not a phone number',
  },
]

/** Likely mistakes in a subject's fields, one message for each field. The values are stored unchanged. */
export const importRowWarnings = ({ fields }: Pick<SubjectDetails, 'fields'>): string[] =>
  fields.flatMap(({ name, value }) => {
    const check = checks.find(({ names }) => names.test(sourceKey(name)))
    return value === '' || !check || check.isGood(value) ? [] : [`${name} “${value}” ${check.message}`]
  })
