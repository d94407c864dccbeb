import { differenceInCalendarDays, parseISO } from 'date-fns'

export type OrderBy = { day: string; left: string | null; passed: boolean }

/** The last day to order, in words; with how long that is, where the studio wants it counted. `today` in the device's own time. */
export const orderByWords = (orderBy: string | null, countdown: boolean, today: Date): OrderBy | null => {
  if (orderBy === null) return null
  const day = parseISO(orderBy)
  const days = differenceInCalendarDays(day, today)
  const words = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'long', day: 'numeric' }).format(day)
  return { day: words, left: countdown && days >= 0 ? daysWords(days) : null, passed: days < 0 }
}

const daysWords = (days: number): string => {
  if (days === 0) return 'today is the last day'
  return days === 1 ? 'one day left' : `${days} days left`
}
