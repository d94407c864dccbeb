import type { RawBuilder } from 'kysely'
import type { ReportColumnType } from '#domain/studio/reports.ts'
import type { ReportScope } from './report-scope.ts'

/** Cents of a `money` column, millionths of a `percent` column, `YYYY-MM-DD` of a `date` column. */
export type ReportCell = string | number | null
export type ReportRow = Readonly<Record<string, ReportCell>>

export type ReportColumn = {
  /** The name of the column in the rows' SQL. */
  readonly key: string
  readonly heading: string
  readonly type: ReportColumnType
  /** Whether the report ends with the sum of the column. */
  readonly hasTotal?: boolean
}

/** A report: everything else (access, days, pages, totals, files) is the same for all of them. */
export type ReportDefinition = {
  readonly columns: readonly ReportColumn[]
  /** A `select` of the columns by their keys, and of what `order` needs. */
  readonly rows: (scope: ReportScope) => RawBuilder<unknown>
  /** The complete order of the rows, by columns of `rows`. */
  readonly order: RawBuilder<unknown>
  /** The columns of the chart: its labels are days, or names of which the largest are shown. */
  readonly chart?: { readonly label: string; readonly cents: string }
}

export const textColumn = (key: string, heading: string): ReportColumn => ({ key, heading, type: 'text' })
export const dateColumn = (key: string, heading: string): ReportColumn => ({ key, heading, type: 'date' })
export const countColumn = (key: string, heading: string): ReportColumn => ({
  key,
  heading,
  type: 'count',
  hasTotal: true,
})
export const moneyColumn = (key: string, heading: string): ReportColumn => ({
  key,
  heading,
  type: 'money',
  hasTotal: true,
})
