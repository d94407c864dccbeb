import { TZDate } from '@date-fns/tz'
import { addDays } from 'date-fns/addDays'
import { isValid } from 'date-fns/isValid'
import { lightFormat } from 'date-fns/lightFormat'
import { parseISO } from 'date-fns/parseISO'
import { subMinutes } from 'date-fns/subMinutes'

const fieldFormat = "yyyy-MM-dd'T'HH:mm"

/**
 * The local time of a time zone at an instant (ISO 8601), in the format of a date and time field: `2027-04-15T08:00`.
 */
export const wallClock = (instant: string, timeZone: string): string =>
  lightFormat(new TZDate(instant, timeZone), fieldFormat)

/**
 * The instant (ISO 8601 in UTC) of the local time `2027-04-15T08:00` in a time zone; null if the date does not exist.
 * When clocks are set back, the first of both instants; a time that is skipped moves one hour later.
 */
export const instantAt = (localTime: string, timeZone: string): string | null => {
  const asUtc = parseISO(`${localTime}Z`)
  if (!isValid(asUtc) || asUtc.toISOString().slice(0, 16) !== localTime) return null
  const [year, month, date, hours, minutes] = localTime.split(/\D/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const zonedDate = new TZDate(year, month - 1, date, hours, minutes, timeZone)
  // Clocks are set back by an hour, on Lord Howe Island by half of one.
  const earlier = [60, 30]
    .map((clockShift) => subMinutes(zonedDate, clockShift))
    .find((candidate) => lightFormat(candidate, fieldFormat) === localTime)
  return new Date(earlier ?? zonedDate).toISOString()
}

/** The instant (ISO 8601 in UTC) at which a day (`2027-04-15`) begins in a time zone; null if the day does not exist. */
export const startOfDayAt = (day: string, timeZone: string): string | null => instantAt(`${day}T00:00`, timeZone)

/** The day (`2027-04-15`) that is `count` days after another, or before it if `count` is negative. */
export const addDaysTo = (day: string, count: number): string =>
  lightFormat(addDays(parseISO(day), count), 'yyyy-MM-dd')
