import { TZDate } from '@date-fns/tz'
import { addMonths } from 'date-fns/addMonths'
import { addWeeks } from 'date-fns/addWeeks'
import { setHours } from 'date-fns/setHours'
import { startOfMonth } from 'date-fns/startOfMonth'
import { startOfWeek } from 'date-fns/startOfWeek'
import { type Rules, required } from '../shared/validators.ts'
import { periodDays } from './report-periods.ts'
import { type StudioReport, studioReports } from './reports.ts'

/** When a saved report is emailed: a week or a month, after it has ended. */
export const reportSchedules = ['weekly', 'monthly'] as const
export type ReportSchedule = (typeof reportSchedules)[number]

/** The parameters of the report screen's address, except the page. */
export const reportChoiceNames = [
  'report',
  'period',
  'from',
  'to',
  'jobId',
  'type',
  'state',
  'filter',
  'without',
] as const
export type ReportChoices = { [Name in (typeof reportChoiceNames)[number]]?: string | undefined }

export type SavedReportDraft = { name: string; choices: ReportChoices; schedule: ReportSchedule | null }

const maxNameLength = 60

export const savedReportMessages = {
  longName: `A name has at most ${maxNameLength} characters`,
  noDays: 'This report has no dates, so it can’t be emailed',
  taken: 'There is already a saved report with this name',
} as const

/** The report of this name; the first one for any other name, and for none. */
export const studioReportOf = (name: string | null | undefined): StudioReport =>
  name && Object.hasOwn(studioReports, name) ? (name as StudioReport) : 'payments' // a key of the table

export const haveSameChoices = (one: ReportChoices, other: ReportChoices): boolean =>
  reportChoiceNames.every((name) => (one[name] ?? '') === (other[name] ?? ''))

/** The rules of a draft whose name is trimmed, for the form and the server. */
export const savedReportRules: Rules<SavedReportDraft> = {
  name: [required(), (_, { name }) => (name.length > maxNameLength ? savedReportMessages.longName : null)],
  schedule: (_, { schedule, choices }) =>
    schedule === null || studioReports[studioReportOf(choices.report)].hasDays ? null : savedReportMessages.noDays,
}

/** The hour of the day at which reports are sent. */
const sendingHour = 6

/** The next moment (ISO 8601) at which a report is sent: the next Sunday or first day of a month, at six in the morning. */
export const nextSending = (schedule: ReportSchedule, instant: string, timeZone: string): string => {
  const now = new TZDate(instant, timeZone)
  const start = schedule === 'weekly' ? startOfWeek(now) : startOfMonth(now)
  const next = schedule === 'weekly' ? addWeeks(start, 1) : addMonths(start, 1)
  const [first, second] = [setHours(start, sendingHour), setHours(next, sendingHour)]
  return new Date(first > now ? first : second).toISOString()
}

/** The days of a report that is sent at an instant: the week or month that has ended. */
export const sentDays = (schedule: ReportSchedule, instant: string, timeZone: string): [string, string] =>
  periodDays(schedule === 'weekly' ? 'lastWeek' : 'lastMonth', instant, timeZone)
