import { TZDate } from '@date-fns/tz'
import { addMonths } from 'date-fns/addMonths'
import { addWeeks } from 'date-fns/addWeeks'
import { setHours } from 'date-fns/setHours'
import { startOfMonth } from 'date-fns/startOfMonth'
import { startOfWeek } from 'date-fns/startOfWeek'
import { type Rules, required } from '../shared/validators.ts'
import { periodDays, reportPeriodOf } from './report-periods.ts'
import { type ReportDescription, type StudioReport, studioReports } from './reports.ts'

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
  'with',
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

/** Column ids of an address in one order, because the order in which they were hidden or chosen changes nothing. */
const sortedIds = (ids = ''): string => ids.split(',').toSorted().join()

/** The choices with the values that the screen shows for absent and unknown ones, without those that it ignores. */
const effectiveChoices = ({ period = '', from, to, filter, ...choices }: ReportChoices): ReportChoices => {
  const report = studioReportOf(choices.report)
  const { hasDays, filterTypes, defaultPeriod }: ReportDescription = studioReports[report]
  const shownPeriod = hasDays ? reportPeriodOf(period, defaultPeriod) : ''
  const state = filterTypes.includes('paymentState') && choices.state !== 'settled' ? (choices.state ?? '') : ''
  const text = state === '' && filterTypes.length > 0 ? (filter ?? '') : ''
  return {
    ...{ report, state, filter: text, jobId: choices.jobId ?? '', period: shownPeriod },
    ...(shownPeriod === 'custom' && { from: from ?? '', to: to ?? '' }),
    type: text === '' ? '' : (filterTypes.find((type) => type === choices.type) ?? filterTypes[0]),
    with: sortedIds(choices.with),
    without: sortedIds(choices.without),
  }
}

/** Whether the screen shows the same for both choices. */
export const haveSameChoices = (one: ReportChoices, other: ReportChoices): boolean => {
  const [shown, otherShown] = [effectiveChoices(one), effectiveChoices(other)]
  return reportChoiceNames.every((name) => shown[name] === otherShown[name])
}

/** The name and email of a subject or customer whose data is deleted. */
export type NameAndEmail = { readonly firstName: string; readonly lastName: string; readonly email: string | null }

/** The words of a text in lower case, each between spaces. */
const wordsOf = (text: string): string => ` ${(text.toLowerCase().match(/[^\s,;]+/g) ?? []).join(' ')} `

const hasWords = (text: string, words: string): boolean => words.trim() !== '' && text.includes(wordsOf(words))

/**
 * Whether what was typed on the report screen, or as the name of a saved report, is about a person: a search that has the last name or the
 * email, or a name that has the whole name or the email. A last name may also be that of a job or an organization.
 */
export const mentionsName = (
  { name, choices: { type, filter = '' } }: Pick<SavedReportDraft, 'name' | 'choices'>,
  { firstName, lastName, email }: NameAndEmail,
): boolean => {
  const [nameWords, searchWords] = [wordsOf(name), wordsOf(filter)]
  const isNamedAfter =
    hasWords(nameWords, `${firstName} ${lastName}`) || hasWords(nameWords, `${lastName} ${firstName}`)
  if (isNamedAfter || hasWords(nameWords, email ?? '') || hasWords(searchWords, email ?? '')) return true
  return type !== 'job' && type !== 'organization' && hasWords(searchWords, lastName || firstName)
}

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

/** Whether a saved report shows all dates, whenever it is opened. */
export const showsAllDates = ({ report, period = '' }: ReportChoices): boolean => {
  const { defaultPeriod }: ReportDescription = studioReports[studioReportOf(report)]
  return reportPeriodOf(period, defaultPeriod) === 'all'
}

/** The days of a report that is sent at an instant: the week or month that has ended. */
export const sentDays = (schedule: ReportSchedule, instant: string, timeZone: string): [string, string] =>
  periodDays(schedule === 'weekly' ? 'lastWeek' : 'lastMonth', instant, timeZone)
