import ChartColumn from 'lucide-react/icons/chart-column'
import type { ReactNode } from 'react'
import type { ReportFormat, ReportPage } from '#contract/system/reports.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import type { ReportColumnType, ReportDescription } from '#domain/studio/reports.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { DownloadButton } from '../download/download-button.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import { useHiddenColumns } from '../list/use-hidden-columns.ts'
import type { QueryResult } from '../query/use-staff-query.ts'
import { formatCount } from '../screen/format.ts'
import { LazyReportChart } from './lazy-report-chart.tsx'
import { type ReportFileCalls, ReportFiles } from './report-files.tsx'
import { SearchFilters } from './report-filters.tsx'
import type { ReportList } from './use-report-request.ts'

const fileFormats = ['csv', 'xlsx'] as const satisfies readonly ReportFormat[]

type Row = ReportPage['resultItems'][number]

const formats: Record<ReportColumnType, (value: string | number) => string> = {
  text: String,
  date: (value) => formatDate(String(value)),
  money: (value) => formatMoney(Number(value)),
  count: (value) => formatCount(Number(value)),
  percent: (value) => `${Number(value) / 10_000}%`,
}

const cellText = (type: ReportColumnType, value: string | number | null | undefined): string =>
  value === null || value === undefined || value === '' ? '' : formats[type](value)

/** Texts longer than this, such as the reason of a refund, are sentences. */
const sentenceLength = 40

const columnsOf = ({ columns, resultItems }: ReportPage): Column<Row>[] =>
  columns.map(({ key, heading, type }) => {
    const texts = type === 'text' ? resultItems.map((row) => cellText(type, row[key])) : []
    return {
      id: key,
      header: heading,
      isNumber: type !== 'text' && type !== 'date',
      // Single words, such as order numbers, would be broken at their hyphens.
      isOneLine: type === 'date' || texts.every((text) => !text.includes(' ')),
      isLong: texts.some((text) => text.length > sentenceLength),
      cell: (row) => cellText(type, row[key]),
    }
  })

const totalsOf = ({ columns, totals, totalRecords }: ReportPage): ReadonlyMap<string, ReactNode> | undefined => {
  if (totalRecords === 0 || Object.keys(totals).length === 0) return undefined
  return new Map(columns.map(({ key, type }, index) => [key, index === 0 ? 'Total' : cellText(type, totals[key])]))
}

type FileOptions = { format: ReportFormat; columns: string[] }

type ReportTableProps = {
  list: ReportList
  description: ReportDescription
  query: QueryResult<ReportPage>
  /** Saves the report with these columns; returns the messages if that failed. */
  onExport: (options: FileOptions) => Promise<string[] | undefined>
  files: ReportFileCalls
  /** Starts making the report's file in the background with these columns. */
  onStart: (options: FileOptions) => Promise<unknown>
}

/** The chart and the table of a report, and its files. */
export const ReportTable = ({ list, description, query, onExport, files, onStart }: ReportTableProps) => {
  const hiddenColumns = useHiddenColumns()
  const { data } = query
  const columns = data?.columns ?? []
  const visibleKeys = columns.map(({ key }) => key).filter((key, index) => index === 0 || !hiddenColumns.ids.has(key))
  const { title, filterTypes } = description
  const hasRows = data !== undefined && data.totalRecords > 0
  const rowIds = new Map(data?.resultItems.map((row, index) => [row, String(index)]))
  return (
    <>
      <LazyReportChart chart={data?.chart} />
      <ListScreen
        label={title}
        {...(filterTypes.length > 0 && { searchPlaceholder: 'Search' })}
        // A report is always filtered, so `empty` is about the filters too.
        list={{ ...list, isFiltered: false }}
        query={query}
        columns={data ? columnsOf(data) : []}
        totals={data && totalsOf(data)}
        isReadOnly
        idOf={(row) => rowIds.get(row) ?? ''}
        nameOf={(row) => String(row[columns[0]?.key ?? ''])}
        filters={<SearchFilters {...{ list, filterTypes }} />}
        actions={
          <>
            {fileFormats.map((format) => (
              <DownloadButton
                key={format}
                disabled={!hasRows}
                onDownload={() => onExport({ format, columns: visibleKeys })}
              >
                {format.toUpperCase()}
              </DownloadButton>
            ))}
            <ReportFiles
              calls={files}
              canStart={hasRows}
              onStart={(format) => onStart({ format, columns: visibleKeys })}
            />
          </>
        }
        empty={
          <EmptyState icon={ChartColumn} title="Nothing to show">
            <p>Choose other dates, another search or another report.</p>
          </EmptyState>
        }
      />
    </>
  )
}
