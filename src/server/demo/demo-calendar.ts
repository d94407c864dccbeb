import { addHours } from 'date-fns/addHours'

/**
 * The demo's calendar. Its dates are relative to the moment of seeding, so that the jobs are open whenever the demo
 * starts.
 */
export type DemoCalendar = {
  readonly now: Date
  /** The instant this many days from now. */
  instant: (days: number) => Date
  /** The studio's calendar day this many days from now, as `2027-04-15`. */
  day: (days: number) => string
  /** 9:30 of that day on the camera's clock, written as UTC, because cameras have no time zone. */
  morning: (days: number) => Date
}

/** The calendar of the studios in a time zone. */
export const demoCalendarFrom = (now: Date, timeZone: string): DemoCalendar => {
  const instant = (days: number): Date => addHours(now, days * 24)
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const dayOf = (days: number): string => format.format(instant(days))
  return { now, instant, day: dayOf, morning: (days) => new Date(`${dayOf(days)}T09:30:00Z`) }
}
