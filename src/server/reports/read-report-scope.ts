import type { ReportFilter } from '#contract/system/reports.ts'
import { isTimeZone } from '#domain/shared/time-zones.ts'
import { isPaymentState, type ReportDescription } from '#domain/studio/reports.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import type { ReportScope } from './report-scope.ts'

/** `MM/DD/YYYY` as `YYYY-MM-DD`; the contract checked that the day exists. */
const toIsoDay = (day: string | undefined): string | null =>
  day === undefined ? null : day.replace(/^(..)\/(..)\/(....)$/, '$3-$1-$2')

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
  if (filter !== null && !('text' in filter)) return filter
  const [startDay, endDay] = description.hasDays ? [toIsoDay(startDate), toIsoDay(endDate)] : [null, null]
  if (startDay !== null && endDay !== null && startDay > endDay)
    return fieldProblem('endDate', 'The last day is before the first day')
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return fieldProblem('timeZone', 'This value is not a time zone we know')
  if (jobId === undefined && description.job === 'required') return fieldProblem('jobId', 'Choose a job')
  if (jobId !== undefined && studioId !== null) {
    const job = await db
      .selectFrom('jobs')
      .select('id')
      .where('studio_id', '=', studioId)
      .where('id', '=', jobId)
      .executeTakeFirst()
    if (!job) return problem('not-found')
  }
  return { studioId, jobId: jobId ?? null, startDay, endDay, timeZone: timeZone ?? null, filter, now: clock() }
}
