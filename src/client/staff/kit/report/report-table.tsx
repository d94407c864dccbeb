import ChartColumn from 'lucide-react/icons/chart-column'
import type { ReactNode } from 'react'
import type { ReportPage } from '#contract/system/reports.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import type { ReportColumnType, ReportDescription } from '#domain/studio/reports.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import type { QueryResult } from '../query/use-staff-query.ts'
import { formatCount } from '../screen/format.ts'
import { ChartToggle, hasChart, isChartHidden, LazyReportChart } from './lazy-report-chart.tsx'
import { SearchFilters } from './report-filters.tsx'
import { periodOf, type ReportList } from './use-report-request.ts'

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

/** The column with sentences; the other texts are names. */
const sentenceKey = 'reason'

const columnsOf = ({ columns }: ReportPage): Column<Row>[] =>
  columns.map(({ key, heading, type }) => ({
    id: key,
    header: heading,
    isNumber: type !== 'text' && type !== 'date',
    isOneLine: type === 'date',
    isLong: key === sentenceKey,
    isName: type === 'text' && key !== sentenceKey,
    cell: (row) => cellText(type, row[key]),
  }))

const totalsOf = ({ columns, totals, totalRecords }: ReportPage): ReadonlyMap<string, ReactNode> | undefined => {
  if (totalRecords === 0 || Object.keys(totals).length === 0) return undefined
  return new Map(columns.map(({ key, type }, index) => [key, index === 0 ? 'Total' : cellText(type, totals[key])]))
}

/** The one thing to do about a report without rows: remove the search, or else show more days. */
const widenReport = (list: ReportList, hasDays: boolean): { text: string; widen: () => void } | undefined => {
  if (list.filter !== '') return { text: 'Clear the search', widen: () => list.setFilter('') }
  if (!hasDays || periodOf(list) === 'schoolYear') return undefined
  return { text: 'Show this school year', widen: () => list.chooseFilter('period', 'schoolYear') }
}

type EmptyReportProps = { list: ReportList; description: ReportDescription }

const EmptyReport = ({ list, description: { title, hasDays } }: EmptyReportProps) => {
  const action = widenReport(list, hasDays)
  return (
    <EmptyState
      icon={ChartColumn}
      title="Nothing to show"
      action={
        action && (
          <Button variant="secondary" onClick={action.widen}>
            {action.text}
          </Button>
        )
      }
    >
      <p>The report “{title}” has no rows for these choices.</p>
    </EmptyState>
  )
}

type ReportTableProps = {
  list: ReportList
  description: ReportDescription
  query: QueryResult<ReportPage>
}

/** The chart and the table of a report. */
export const ReportTable = ({ list, description, query }: ReportTableProps) => {
  const { data } = query
  const { title, filterTypes } = description
  const firstKey = data?.columns[0]?.key ?? ''
  const rowIds = new Map(data?.resultItems.map((row, index) => [row, String(index)]))
  return (
    <>
      {!isChartHidden(list) && <LazyReportChart chart={data?.chart} />}
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
        nameOf={(row) => String(row[firstKey])}
        filters={<SearchFilters {...{ list, filterTypes }} />}
        viewTools={hasChart(data?.chart) && <ChartToggle list={list} />}
        empty={<EmptyReport {...{ list, description }} />}
      />
    </>
  )
}
