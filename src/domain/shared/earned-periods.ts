import { TZDate } from '@date-fns/tz'
import { addDays } from 'date-fns/addDays'
import { addMonths } from 'date-fns/addMonths'
import { addWeeks } from 'date-fns/addWeeks'
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { lightFormat } from 'date-fns/lightFormat'
import { startOfMonth } from 'date-fns/startOfMonth'
import { startOfWeek } from 'date-fns/startOfWeek'
import { subDays } from 'date-fns/subDays'
import { subMonths } from 'date-fns/subMonths'
import { subWeeks } from 'date-fns/subWeeks'
import { instantAt, wallClock } from './wall-clock.ts'

/** A period of time: `from` is inside, `until` is not. */
export type Period = { readonly from: Date; readonly until: Date }

/** A period and the one before it. */
export type ComparedPeriod = Period & { readonly before: Period }

/** All time. */
export const allTime: Period = { from: new Date(0), until: new Date('9999-01-01T00:00:00Z') }

/** The local time at an instant, as a date whose UTC fields are the local ones: arithmetic on it has no clock changes. */
const localTimeAt = (instant: Date, timeZone: string): TZDate =>
  new TZDate(`${wallClock(instant.toISOString(), timeZone)}Z`, 'UTC')

const instantOf = (localTime: Date, timeZone: string): Date => {
  const instant = instantAt(lightFormat(localTime, "yyyy-MM-dd'T'HH:mm"), timeZone)
  if (instant === null) throw new Error('a date of date-fns is a date of the calendar')
  return new Date(instant)
}

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
export const periodOfDays = (
  days: { readonly startDay: string | undefined; readonly endDay: string | undefined },
  timeZone: string,
): Period & { readonly before: Period | null } => {
  const startOf = (day: Date): Date => instantOf(day, timeZone)
  const start = days.startDay === undefined ? undefined : new TZDate(`${days.startDay}T00:00Z`, 'UTC')
  const end = days.endDay === undefined ? undefined : addDays(new TZDate(`${days.endDay}T00:00Z`, 'UTC'), 1)
  const from = start ? startOf(start) : allTime.from
  const until = end ? startOf(end) : allTime.until
  if (!start || !end) return { from, until, before: null }
  const dayCount = Math.max(0, differenceInCalendarDays(end, start))
  return { from, until, before: { from: startOf(subDays(start, dayCount)), until: from } }
}
