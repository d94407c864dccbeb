import { TZDate } from '@date-fns/tz'
import { addMonths } from 'date-fns/addMonths'
import { addWeeks } from 'date-fns/addWeeks'
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { lightFormat } from 'date-fns/lightFormat'
import { parseISO } from 'date-fns/parseISO'
import { startOfMonth } from 'date-fns/startOfMonth'
import { startOfWeek } from 'date-fns/startOfWeek'
import { subMonths } from 'date-fns/subMonths'
import { subWeeks } from 'date-fns/subWeeks'
import { addDaysTo, instantAt, startOfDayAt, wallClock } from './wall-clock.ts'

/** A period of time: `from` is inside, `until` is not. */
export type Period = { readonly from: Date; readonly until: Date }

/** A period and the one before it. */
export type ComparedPeriod = Period & { readonly before: Period }

/** The days after a reminder or a shared link in which an order counts as earned by it. */
export const earningDays = 14

/** All time. */
export const allTime: Period = { from: new Date(0), until: new Date('9999-01-01T00:00:00Z') }

/** The local time at an instant, as a date whose UTC fields are the local ones: arithmetic on it has no clock changes. */
const localTimeAt = (instant: Date, timeZone: string): TZDate =>
  new TZDate(`${wallClock(instant.toISOString(), timeZone)}Z`, 'UTC')

/** The instant of a local time of a day that exists. */
const existing = (instant: string | null): Date => {
  if (instant === null) throw new Error('this day does not exist')
  return new Date(instant)
}

const instantOf = (localTime: Date, timeZone: string): Date =>
  existing(instantAt(lightFormat(localTime, "yyyy-MM-dd'T'HH:mm"), timeZone))

/**
 * This month and this week (from Sunday) in a time zone, each with the last one up to the same local time. Where the last month is shorter,
 * it ends at the same time of its last day.
 */
export const earnedPeriods = (
  now: Date,
  timeZone: string,
): { readonly thisMonth: ComparedPeriod; readonly thisWeek: ComparedPeriod } => {
  const localNow = localTimeAt(now, timeZone)
  const at = (localTime: Date): Date => instantOf(localTime, timeZone)
  const [month, week] = [startOfMonth(localNow), startOfWeek(localNow)]
  return {
    thisMonth: {
      ...{ from: at(month), until: at(addMonths(month, 1)) },
      before: { from: at(subMonths(month, 1)), until: at(subMonths(localNow, 1)) },
    },
    thisWeek: {
      ...{ from: at(week), until: at(addWeeks(week, 1)) },
      before: { from: at(subWeeks(week, 1)), until: at(subWeeks(localNow, 1)) },
    },
  }
}

/**
 * The period of the days from `startDay` to `endDay` (`2027-04-15`, both inclusive) in a time zone, and as many days before it. A missing day
 * leaves that side open, and then there is nothing to compare with.
 */
export const requestedPeriod = (
  { startDay, endDay }: { readonly startDay: string | undefined; readonly endDay: string | undefined },
  timeZone: string,
): Period & { readonly before: Period | null } => {
  const startOf = (day: string): Date => existing(startOfDayAt(day, timeZone))
  const from = startDay === undefined ? allTime.from : startOf(startDay)
  const until = endDay === undefined ? allTime.until : startOf(addDaysTo(endDay, 1))
  if (startDay === undefined || endDay === undefined) return { from, until, before: null }
  const dayCount = Math.max(0, differenceInCalendarDays(parseISO(endDay), parseISO(startDay)) + 1)
  return { from, until, before: { from: startOf(addDaysTo(startDay, -dayCount)), until: from } }
}
