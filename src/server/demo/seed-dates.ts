const day = 24 * 60 * 60 * 1000

/** The demo's calendar: counted from the moment it is made, so that it is open whenever it is started. */
export type DemoCalendar = {
  readonly now: Date
  /** An instant so many days from now. */
  instant: (days: number) => Date
  /** A calendar day of the studio, `2027-04-15`, so many days from now. */
  day: (days: number) => string
  /** The camera's clock at half past nine of that day; cameras know no time zone, so it is written as if it were UTC. */
  morning: (days: number) => Date
}

/** The calendar of studios in a time zone. */
export const demoCalendarFrom = (now: Date, timeZone: string): DemoCalendar => {
  const instant = (days: number): Date => new Date(now.getTime() + days * day)
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const dayOf = (days: number): string => format.format(instant(days))
  return { now, instant, day: dayOf, morning: (days) => new Date(`${dayOf(days)}T09:30:00Z`) }
}
