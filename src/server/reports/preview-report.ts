import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { type RawBuilder, sql } from 'kysely'
import type { ReportPage } from '#contract/system/reports.ts'
import type { PageQuery } from '#domain/shared/paging.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { TableRow } from '../file-responses/table-files.ts'
import { requestedPage } from '../http/paging/paginate-list.ts'
import type { ReportDefinition, ReportScope } from './report-scope.ts'

/** The columns of a report as SQL. */
export const columnList = (columns: ReportDefinition['columns']): RawBuilder<unknown> =>
  sql.join(columns.map(({ key }) => sql.ref(`r.${key}`)))

const readTotals = async (tx: Transaction, rows: RawBuilder<unknown>, { columns }: ReportDefinition) => {
  const sums = columns.flatMap(({ key, hasTotal }) =>
    hasTotal ? [sql`coalesce(sum(${sql.ref(`r.${key}`)}), 0)::bigint as ${sql.id(key)}`] : [],
  )
  const result = await sql<Record<string, number>>`
    select ${sql.join([sql`count(*) as "rowCount"`, ...sums])} from (${rows}) r`.execute(tx)
  const { rowCount = 0, ...totals } = result.rows[0] ?? {}
  return { rowCount, totals }
}

const maxDaysByDay = 92
const maxPoints = 120
const maxNames = 12

/** Whether a chart over these days has a point per month instead of one per day. */
const isByMonth = ({ startDay, endDay }: ReportScope): boolean =>
  startDay === null || endDay === null || differenceInCalendarDays(endDay, startDay) > maxDaysByDay

/** The points of a chart: amounts by day or month in their order, or the largest amounts by name. */
const readChart = async (
  tx: Transaction,
  rows: RawBuilder<unknown>,
  { definition: { chart, columns }, scope }: { definition: ReportDefinition; scope: ReportScope },
): Promise<ReportPage['chart']> => {
  if (!chart) return null
  const isByTime = columns.some(({ key, type }) => key === chart.label && type === 'date')
  const label = isByTime
    ? sql`to_char(${sql.ref(`r.${chart.label}`)}, ${sql.lit(isByMonth(scope) ? 'YYYY-MM' : 'YYYY-MM-DD')})`
    : sql`${sql.ref(`r.${chart.label}`)}`
  const order = isByTime ? sql`label desc` : sql`cents desc, label`
  const { rows: points } = await sql<{ label: string; cents: number }>`
    select ${label} as label, sum(${sql.ref(`r.${chart.cents}`)})::bigint as cents from (${rows}) r
     group by 1 order by ${order} limit ${isByTime ? maxPoints : maxNames}`.execute(tx)
  const { heading = '' } = columns.find(({ key }) => key === chart.cents) ?? {}
  return { heading, points: isByTime ? points.toReversed() : points }
}

type ReportRead = { readonly definition: ReportDefinition; readonly scope: ReportScope; readonly paging: PageQuery }

/** A page of a report, its totals and its chart, from one snapshot. */
export const previewReport = (
  { db }: Pick<Deps, 'db'>,
  { definition, scope, paging }: ReportRead,
): Promise<ReportPage> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const rows = definition.rows(scope)
      const { currentPage, pageSize } = requestedPage(paging)
      const page = await sql<TableRow>`
        select ${columnList(definition.columns)} from (${rows}) r order by ${definition.order}
         limit ${pageSize} offset ${(currentPage - 1) * pageSize}`.execute(tx)
      const { rowCount, totals } = await readTotals(tx, rows, definition)
      return {
        columns: definition.columns.map(({ key, heading, type }) => ({ key, heading, type })),
        resultItems: page.rows.map((row) => ({ ...row })),
        ...{ currentPage, pageSize, totalRecords: rowCount, totals },
        chart: await readChart(tx, rows, { definition, scope }),
      }
    })
