import type { ReportChart } from '#contract/system/reports.ts'
import { formatDate } from '#domain/shared/dates.ts'

type Points = ReportChart['points']

/** The number of bars that are drawn at most. */
const longestChart = 400

/** Whether the labels are months (`2027-04`) instead of days (`2027-04-15`). */
export const isByMonth = (points: Points): boolean => points[0]?.label.length === '2027-04'.length

/** A day as MM/DD/YYYY, a month as `Apr 2027`, other labels as they are. */
export const pointLabel = (label: string): string => {
  if (/^\d{4}-\d\d-\d\d$/.test(label)) return formatDate(label)
  if (!/^\d{4}-\d\d$/.test(label)) return label
  return new Date(label).toLocaleDateString('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })
}

const nextTime = (label: string): string => {
  const time = new Date(label)
  if (label.length === '2027-04'.length) time.setUTCMonth(time.getUTCMonth() + 1)
  else time.setUTCDate(time.getUTCDate() + 1)
  return time.toISOString().slice(0, label.length)
}

/** The points of a chart over time, with the days or months between them on which nothing was moved. */
export const withEmptyTimes = (points: Points): Points => {
  const centsOf = new Map(points.map(({ label, cents }) => [label, cents]))
  const last = points.at(-1)?.label ?? ''
  const labels: string[] = []
  for (let label = points[0]?.label ?? '~'; label <= last && labels.length < longestChart; label = nextTime(label))
    labels.push(label)
  return labels.map((label) => ({ label, cents: centsOf.get(label) ?? 0 }))
}
