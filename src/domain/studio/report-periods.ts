import { TZDate } from '@date-fns/tz'
import { endOfMonth } from 'date-fns/endOfMonth'
import { endOfQuarter } from 'date-fns/endOfQuarter'
import { endOfWeek } from 'date-fns/endOfWeek'
import { lightFormat } from 'date-fns/lightFormat'
import { startOfMonth } from 'date-fns/startOfMonth'
import { startOfQuarter } from 'date-fns/startOfQuarter'
import { startOfWeek } from 'date-fns/startOfWeek'
import { subMonths } from 'date-fns/subMonths'
import { subWeeks } from 'date-fns/subWeeks'

/** The periods of a report, by their names on the screen. */
export const reportPeriodNames = {
  week: 'This week',
  lastWeek: 'Last week',
  month: 'This month',
  lastMonth: 'Last month',
  quarter: 'This quarter',
  schoolYear: 'This school year',
  all: 'All dates',
  custom: 'Custom dates',
} as const
export type ReportPeriod = keyof typeof reportPeriodNames
/** A period with a first and a last day that follow from today. */
type ComputedPeriod = Exclude<ReportPeriod, 'all' | 'custom'>

export const daysReversedMessage = 'The last day is before the first day'

const isReportPeriod = (text: string): text is ReportPeriod => Object.hasOwn(reportPeriodNames, text)

/** The period of this name; the default one for any other name, and for none. */
export const reportPeriodOf = (name: string, defaultPeriod: ReportPeriod = 'month'): ReportPeriod =>
  isReportPeriod(name) ? name : defaultPeriod

/** The month in which a school year begins, from 0. */
const july = 6

const schoolYear = (today: Date): [string, string] => {
  const startYear = today.getMonth() >= july ? today.getFullYear() : today.getFullYear() - 1
  return [`${startYear}-07-01`, `${startYear + 1}-06-30`]
}

const toDay = (date: Date): string => lightFormat(date, 'yyyy-MM-dd')

/**
 * The first and the last day (`2027-04-15`) of the period that contains an instant (ISO 8601) in a time zone, or of the one before it. Weeks start on
 * Sunday, school years on July 1.
 */
export const periodDays = (period: ComputedPeriod, instant: string, timeZone: string): [string, string] => {
  const today = new TZDate(instant, timeZone)
  if (period === 'week') return [toDay(startOfWeek(today)), toDay(endOfWeek(today))]
  if (period === 'lastWeek') {
    const lastWeek = subWeeks(today, 1)
    return [toDay(startOfWeek(lastWeek)), toDay(endOfWeek(lastWeek))]
  }
  if (period === 'month') return [toDay(startOfMonth(today)), toDay(endOfMonth(today))]
  if (period === 'lastMonth') {
    const lastMonth = subMonths(today, 1)
    return [toDay(startOfMonth(lastMonth)), toDay(endOfMonth(lastMonth))]
  }
  if (period === 'quarter') return [toDay(startOfQuarter(today)), toDay(endOfQuarter(today))]
  return schoolYear(today)
}
