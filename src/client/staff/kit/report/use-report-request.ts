import { formatDate, isCalendarDay } from '#domain/shared/dates.ts'
import { periodDays, type ReportPeriod, reportPeriodOf } from '#domain/studio/report-periods.ts'
import { type ReportDescription, type ReportFilterType, reportFilterTypes } from '#domain/studio/reports.ts'
import { type ListState, useList } from '../list/use-list.ts'

export const reportListNames = [
  'report',
  'period',
  'from',
  'to',
  'jobId',
  'type',
  'state',
  'studioId',
  'chart',
] as const
export type ReportList = ListState<(typeof reportListNames)[number]>

/** The rows that the screen shows, as the calls name them. */
export type ReportRequest = {
  startDate?: string
  endDate?: string
  filter?: string
  filterType?: ReportFilterType
  jobId?: number
}

export const periodOf = (
  { filters: { period = '' } }: ReportList,
  { defaultPeriod }: Pick<ReportDescription, 'defaultPeriod'>,
): ReportPeriod => reportPeriodOf(period, defaultPeriod)

/** The id that a filter has in the URL; undefined if it has none. */
export const chosenId = ({ filters }: ReportList, name: 'jobId' | 'studioId'): number | undefined => {
  const id = Number(filters[name])
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && isCalendarDay(text)

type DaysOptions = { description: ReportDescription; timeZone: string }

const daysOf = (list: ReportList, { description, timeZone }: DaysOptions): (string | undefined)[] => {
  const period = periodOf(list, description)
  const { from, to } = list.filters
  if (!description.hasDays || period === 'all') return []
  return period === 'custom' ? [from, to] : periodDays(period, new Date().toISOString(), timeZone)
}

/** What a report is filtered by: its payment state if one is chosen, or else the typed text. */
const filterOf = (list: ReportList, { filterTypes }: ReportDescription): ReportRequest => {
  const { type, state } = list.filters
  if (state && filterTypes.includes('paymentState')) return { filterType: 'paymentState', filter: state }
  const { filter } = list.query
  const chosenType = reportFilterTypes.find((filterType) => filterType === type) ?? filterTypes[0]
  return filter && chosenType && filterTypes.includes(chosenType) ? { filterType: chosenType, filter } : {}
}

/** The choices on a report screen, which are stored in the URL, and the request for the rows they describe. */
export const useReportRequest = (
  descriptionOf: (name: string | undefined) => ReportDescription,
  timeZone: string,
): { list: ReportList; request: ReportRequest } => {
  const list = useList(reportListNames)
  const description = descriptionOf(list.filters.report)
  const [startDay, endDay] = daysOf(list, { description, timeZone })
  const jobId = chosenId(list, 'jobId')
  return {
    list,
    request: {
      ...(isDay(startDay) && { startDate: formatDate(startDay) }),
      ...(isDay(endDay) && { endDate: formatDate(endDay) }),
      ...filterOf(list, description),
      ...(jobId !== undefined && { jobId }),
    },
  }
}
