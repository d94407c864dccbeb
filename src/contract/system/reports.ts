import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  object,
  optional,
  record,
  size,
  string,
  type,
  union,
} from 'superstruct'
import { platformReportNames, reportColumnTypes, reportFilterTypes, studioReportNames } from '#domain/studio/reports.ts'
import { call } from '../shapes/call.ts'
import { Count, Id, shortText } from '../shapes/primitives.ts'
import { pageOf } from '../shapes/responses.ts'
import {
  administrators,
  FileContent,
  financeStaff,
  ReportDate,
  readProblems,
  studioParams,
  studioPath,
} from '../shapes/staff-call.ts'

/**
 * Which rows a report contains. Both days are included, in `timeZone`; by default in the time zone of the studio. Without
 * a day, the period is open on that side.
 */
const reportFilter = {
  startDate: optional(ReportDate),
  endDate: optional(ReportDate),
  timeZone: optional(shortText(60)),
  filter: optional(shortText(60)),
  filterType: optional(enums(reportFilterTypes)),
  jobId: optional(Id),
}
const ReportFilter = object(reportFilter)
export type ReportFilter = Infer<typeof ReportFilter>

/** The keys of the columns; by default all. */
const ReportColumns = size(array(size(string(), 1, 40)), 1, 40)

export const ReportFormat = enums(['csv', 'xlsx'])
export type ReportFormat = Infer<typeof ReportFormat>

const exportOptions = { columns: optional(ReportColumns), format: optional(ReportFormat) }
const ExportOptions = object(exportOptions)
export type ExportOptions = Infer<typeof ExportOptions>

/** Cents of a `money` column, millionths of a `percent` column, `YYYY-MM-DD` of a `date` column. */
const ReportCell = nullable(union([string(), number()]))

/**
 * Amounts by day (`2027-04-15`) or month (`2027-04`), without those of no amount; by range, such as the age of orders, from the first to the
 * last; or by name, the largest first.
 */
export const ReportChart = type({
  heading: string(),
  by: enums(['time', 'range', 'name']),
  points: array(type({ label: string(), cents: number() })),
})
export type ReportChart = Infer<typeof ReportChart>

const ReportPage = type({
  ...pageOf(record(string(), ReportCell)).schema,
  /** A detail is left out on a screen until it is chosen. */
  columns: array(type({ key: string(), heading: string(), type: enums(reportColumnTypes), isDetail: boolean() })),
  /** The sums over all pages, of the columns that have one. */
  totals: record(string(), number()),
  /** The column that matters most; null if none does. */
  keyColumn: nullable(string()),
  chart: nullable(ReportChart),
})
export type ReportPage = Infer<typeof ReportPage>

const paging = { currentPage: optional(Count), pageSize: optional(Count) }

/** Whether a report lists the access codes of subjects. */
export const hasCodes = ({ report }: Readonly<Record<string, unknown>>): boolean => report === 'subjects'

/** A page of a studio's report, with its totals. */
export const getReport = call({
  method: 'GET',
  path: `${studioPath}/reports/:report`,
  who: financeStaff,
  needs: { feature: 'reports' },
  params: object({ ...studioParams, report: enums(studioReportNames) }),
  query: object({ ...reportFilter, ...paging }),
  answer: ReportPage,
  usesCodes: hasCodes,
  problems: [...readProblems, 'refused'],
})

/** A studio's whole report as a file. */
export const exportReport = call({
  ...getReport,
  method: 'POST',
  path: `${studioPath}/reports/:report/export`,
  query: object({}),
  body: object({ ...reportFilter, ...exportOptions }),
  answer: FileContent,
})

const platformFilter = { ...reportFilter, studioId: optional(Id) }

/** A page of a report over all studios, or over one. */
export const getPlatformReport = call({
  method: 'GET',
  path: '/api/admin/reports/:report',
  who: administrators,
  params: object({ report: enums(platformReportNames) }),
  query: object({ ...platformFilter, ...paging }),
  answer: ReportPage,
  problems: [...readProblems, 'refused'],
})

/** The whole report as a file. */
export const exportPlatformReport = call({
  ...getPlatformReport,
  method: 'POST',
  query: object({}),
  body: object({ ...platformFilter, ...exportOptions }),
  answer: FileContent,
})
