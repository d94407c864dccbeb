import ChartColumn from 'lucide-react/icons/chart-column'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ReportPage } from '#contract/system/reports.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import type { ReportColumnType, ReportDescription } from '#domain/studio/reports.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useIsPhone } from '#ui/rendering/use-media-query.ts'
import type { Column } from '#ui/table/data-table.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import type { QueryResult } from '../query/use-staff-query.ts'
import { orderUrl } from '../routing/staff-urls.ts'
import { formatCount } from '../screen/format.ts'
import { ChartToggle, hasChart, isChartHidden, LazyReportChart } from './lazy-report-chart.tsx'
import { SearchFilters } from './report-filters.tsx'
import styles from './report-screen.module.css'
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

/** The columns that are never broken: the numbers of orders, and the references of the payment provider. */
const codeKeys = ['orderNumber', 'reference']

/** The texts that say nothing without their heading. */
const labelledKeys = ['ordered', 'code', 'reference', 'waiting', 'by', 'part', 'state']

/** What a phone leaves out: what another column of the row says, too. */
const deskOnlyKeys = ({ columns }: ReportPage): string[] => {
  const keys = columns.map(({ key }) => key)
  return [
    'reference',
    ...(keys.includes('method') ? ['cash', 'check', 'state'] : []),
    ...(keys[0] === 'lastName' ? ['firstName'] : []),
  ]
}

/** Texts of which one says nothing if all rows have it, such as “Settled” among settled payments. */
const comparedKeys = ['state', 'studio']

const isSameIn = ({ resultItems, totalRecords }: ReportPage, key: string): boolean =>
  totalRecords > 1 && totalRecords === resultItems.length && new Set(resultItems.map((row) => row[key])).size === 1

/** Whether a column of amounts has only zeros, such as cash in a studio that takes cards. */
const hasOnlyZeros = ({ totals, resultItems }: ReportPage, key: string): boolean =>
  totals[key] === 0 && resultItems.every((row) => row[key] === 0)

const isEmptyIn = ({ resultItems }: ReportPage, key: string): boolean =>
  resultItems.length > 0 && resultItems.every((row) => (row[key] ?? '') === '')

/** Whether a column says something about these rows. */
const isUseful = (page: ReportPage, { key, type, isDetail }: ReportPage['columns'][number], index: number): boolean => {
  if (index === 0 || key === page.keyColumn) return true
  if (isDetail || (comparedKeys.includes(key) && isSameIn(page, key))) return false
  return !(type === 'money' ? hasOnlyZeros(page, key) : isEmptyIn(page, key))
}

const leftOutOf = (page: ReportPage, column: ReportPage['columns'][number], index: number): Column<Row>['leftOut'] => {
  if (!isUseful(page, column, index)) return 'everywhere'
  if (deskOnlyKeys(page).includes(column.key)) return 'onPhones'
  // Cash and checks have columns of their own.
  return column.key === 'method' && page.columns.some(({ key }) => key === 'cash') ? 'onDesks' : undefined
}

/** The number of a row’s order, as a link to it if the row has the job of the order. */
const OrderCell = ({ orderNumber, studioId, jobId }: Row) => {
  if (typeof studioId !== 'number' || typeof jobId !== 'number') return orderNumber
  return (
    <Link className={styles.order} href={orderUrl({ studioId, jobId }, String(orderNumber))}>
      {orderNumber}
    </Link>
  )
}

type ReportCellProps = { column: Pick<ReportPage['columns'][number], 'key' | 'type'>; row: Row }

const ReportCell = ({ column: { key, type }, row }: ReportCellProps) => {
  const isPhone = useIsPhone()
  if (key === 'orderNumber') return <OrderCell {...row} />
  const text = cellText(type, row[key])
  if (isPhone && row[key] === 0) return <span data-nothing>{text}</span>
  return isPhone && key === 'lastName' ? [text, cellText('text', row.firstName)].filter(Boolean).join(', ') : text
}

const columnsOf = (page: ReportPage): Column<Row>[] =>
  page.columns.map((column, index) => {
    const { key, heading, type } = column
    return {
      id: key,
      header: heading,
      isNumber: type !== 'text' && type !== 'date',
      isOneLine: type === 'date' || codeKeys.includes(key),
      isLong: key === sentenceKey,
      isName: type === 'text' && key !== sentenceKey && !codeKeys.includes(key),
      isKey: key === page.keyColumn,
      isClear: key === 'orderNumber' || (type === 'text' && !labelledKeys.includes(key)),
      leftOut: leftOutOf(page, column, index),
      cell: (row) => <ReportCell {...{ column, row }} />,
    }
  })

/** On a phone the number of an order names its row: it is the link to it. */
const withOrderFirst = (columns: readonly Column<Row>[]): Column<Row>[] => [
  ...columns.filter(({ id }) => id === 'orderNumber'),
  ...columns.filter(({ id }) => id !== 'orderNumber'),
]

const totalsOf = (
  { columns, totals, totalRecords }: ReportPage,
  firstId: string | undefined,
): ReadonlyMap<string, ReactNode> | undefined => {
  // The sum of one row is that row.
  if (totalRecords < 2 || Object.keys(totals).length === 0) return undefined
  return new Map(columns.map(({ key, type }) => [key, key === firstId ? 'Total' : cellText(type, totals[key])]))
}

/** The one thing to do about a report without rows: remove the search, or else show more days. */
const widenReport = (
  list: ReportList,
  description: ReportDescription,
): { text: string; widen: () => void } | undefined => {
  if (list.filter !== '') return { text: 'Clear the search', widen: () => list.setFilter('') }
  if (!description.hasDays || periodOf(list, description) === 'all') return undefined
  return { text: 'Show all dates', widen: () => list.chooseFilter('period', 'all') }
}

type EmptyReportProps = { list: ReportList; description: ReportDescription }

const EmptyReport = ({ list, description }: EmptyReportProps) => {
  const action = widenReport(list, description)
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
      <p>Nothing matches these dates and filters.</p>
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
  const isPhone = useIsPhone()
  const allColumns = data ? columnsOf(data) : []
  const columns = isPhone ? withOrderFirst(allColumns) : allColumns
  const rowIds = new Map(data?.resultItems.map((row, index) => [row, String(index)]))
  return (
    <div className={styles.parts}>
      {!isChartHidden(list) && hasChart(data?.chart) && (
        <div className={styles.chartPart}>
          <LazyReportChart chart={data?.chart} />
        </div>
      )}
      <ListScreen
        label={title}
        {...(filterTypes.length > 0 && { searchPlaceholder: 'Search' })}
        // A report is always filtered, so `empty` is about the filters too.
        list={{ ...list, isFiltered: false }}
        query={query}
        columns={columns}
        totals={data && totalsOf(data, columns[0]?.id)}
        isReadOnly
        idOf={(row) => rowIds.get(row) ?? ''}
        nameOf={(row) => String(row[firstKey])}
        filters={filterTypes.length > 0 && <SearchFilters {...{ list, filterTypes }} />}
        filterCount={[list.filters.type, list.filters.state].filter(Boolean).length}
        viewTools={hasChart(data?.chart) && <ChartToggle list={list} />}
        empty={<EmptyReport {...{ list, description }} />}
      />
      <p className={styles.lead}>{description.lead}</p>
    </div>
  )
}
