import { formatDate } from '#domain/shared/dates.ts'

const dayMs = 86_400_000

export type OrderDeadline = { day: string; left: string | null; passed: boolean }

/** The last day to order, with the days left if the studio wants a countdown. `today` is in local time. */
export const orderDeadline = (orderBy: string | null, countdown: boolean, today: Date): OrderDeadline | null => {
  if (orderBy === null) return null
  const thisDay = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate())
  const days = (Date.parse(orderBy) - thisDay) / dayMs
  return { day: formatDate(orderBy), left: countdown && days >= 0 ? daysWords(days) : null, passed: days < 0 }
}

const daysWords = (days: number): string => {
  if (days === 0) return 'today is the last day'
  return days === 1 ? 'one day left' : `${days} days left`
}
