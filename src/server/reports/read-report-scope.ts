import type { ReportFilter } from '#contract/system/reports.ts'
import { isoDayOf } from '#domain/shared/dates.ts'
import { isTimeZone } from '#domain/shared/time-zones.ts'
import { daysReversedMessage } from '#domain/studio/report-periods.ts'
import { isPaymentState, type ReportDescription } from '#domain/studio/reports.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem } from '../http/problem.ts'
import { jobExists } from '../jobs/store/find-job.ts'
import type { ReportScope } from './report-scope.ts'

const toIsoDay = (date: string | undefined): string | null => (date === undefined ? null : isoDayOf(date))

const fieldProblem = (field: string, message: string): Problem<'refused'> =>
  problem('refused', message, { fields: { [field]: [message] } })

/** What a request filters by, or the problem with it. */
const readFilter = (
  { filter = '', filterType }: ReportFilter,
  { filterTypes }: ReportDescription,
): ReportScope['filter'] | Problem<'refused'> => {
  const text = filter.trim()
  if (text === '') return null
  if (filterType === undefined || !filterTypes.includes(filterType))
    return fieldProblem('filterType', 'Choose what to filter by')
  if (filterType === 'paymentState' && !isPaymentState(text)) return fieldProblem('filter', 'Choose a payment state')
  return { type: filterType, text }
}

type ReportRequest = {
  readonly filter: ReportFilter
  readonly description: ReportDescription
  /** Null for all studios. */
  readonly studioId: number | null
}

/** Reads which rows a request asks for. A job of another studio is not found. */
export const readReportScope = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { filter: requestFilter, description, studioId }: ReportRequest,
): Promise<ReportScope | Problem<'refused' | 'not-found'>> => {
  const { startDate, endDate, timeZone, jobId } = requestFilter
  const filter = readFilter(requestFilter, description)
  if (filter instanceof Problem) return filter
  const [startDay, endDay] = description.hasDays ? [toIsoDay(startDate), toIsoDay(endDate)] : [null, null]
  if (startDay !== null && endDay !== null && startDay > endDay) return fieldProblem('endDate', daysReversedMessage)
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return fieldProblem('timeZone', 'This value is not a time zone we know')
  if (jobId === undefined && description.job === 'required') return fieldProblem('jobId', 'Choose a job')
  if (jobId !== undefined && studioId !== null && !(await jobExists(db, { studioId, jobId })))
    return problem('not-found')
  return { studioId, jobId: jobId ?? null, startDay, endDay, timeZone: timeZone ?? null, filter, now: clock() }
}
