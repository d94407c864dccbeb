import type { EarnedOrders } from '#contract/studio/studio.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { wallClock } from '#domain/shared/wall-clock.ts'
import { subjectFullName } from '#domain/subjects/subject-draft.ts'

export const formatCount = (count: number): string => count.toLocaleString('en-US')

/** Formats a number with what it counts: "1 person", "4,812 people". Without a plural, the singular gets an "s". */
export const pluralize = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`

export const formatSubjectCount = (count: number): string => pluralize(count, 'person', 'people')

export const formatOrderCount = (count: number): string => pluralize(count, 'order')

/** Formats orders with their amount, if the user may see it: "2 orders for $80.00". */
export const formatEarnedOrders = ({ orderCount, orderedCents }: EarnedOrders): string =>
  `${formatOrderCount(orderCount)}${orderedCents === null ? '' : ` for ${formatMoney(orderedCents)}`}`

/** Display name of a subject, with a fallback if both names are empty. */
export const subjectDisplayName = (subject: { firstName: string; lastName: string }): string =>
  subjectFullName(subject) || 'No name'

/** Formats the day of an instant in the studio's time zone as MM/DD/YYYY. */
export const formatDay = (instant: string, timeZone: string): string =>
  formatDate(wallClock(instant, timeZone).slice(0, 10))

/** Formats an instant in the studio's time zone. */
export const formatMoment = (instant: string, timeZone: string | undefined): string =>
  new Date(instant).toLocaleString('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  })
