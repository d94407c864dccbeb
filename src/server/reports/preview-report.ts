import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { type RawBuilder, sql } from 'kysely'
import type { ReportPage } from '#contract/system/reports.ts'
import type { PageQuery } from '#domain/shared/paging.ts'
import type { Deps } from '../deps.ts'
import type { TableRow } from '../file-responses/table-files.ts'
import { requestedPage } from '../http/paging/paginate-list.ts'
import type { ReportDefinition, ReportScope } from './report-scope.ts'

/** The columns of a report as SQL, and the studio and the job of its orders if the screen links to them. */
const columnList = ({ columns, linksOrders }: ReportDefinition): RawBuilder<unknown> =>
  sql.join(
    [...columns.map(({ key }) => key), ...(linksOrders ? ['studioId', 'jobId'] : [])].map((key) => sql.ref(`r.${key}`)),
  )

/** The number of rows and the sums of the columns that have one, as one JSON object. */
const selectTotals = ({ columns }: ReportDefinition): RawBuilder<unknown> => {
  const sums = columns.flatMap(({ key, hasTotal }) =>
    hasTotal ? [sql`coalesce(sum(${sql.ref(`r.${key}`)}), 0)::bigint as ${sql.id(key)}`] : [],
  )
  return sql`select to_json(t) from (select ${sql.join([sql`count(*) as "rowCount"`, ...sums])} from r) t`
}

const maxDaysByDay = 92
const maxPoints = 120
const maxNames = 12

/** Whether a chart over these days has a point per month instead of one per day. */
const isByMonth = ({ startDay, endDay }: ReportScope): boolean =>
  startDay === null || endDay === null || differenceInCalendarDays(endDay, startDay) > maxDaysByDay

/** Whether the points of a chart are days or months, in their order, instead of names, the largest first. */
const isByTime = ({ chart, columns }: ReportDefinition): boolean =>
  columns.some(({ key, type }) => key === chart?.label && type === 'date')

/** The points of a chart as a JSON array; null without a chart. */
const selectPoints = (definition: ReportDefinition, scope: ReportScope): RawBuilder<unknown> => {
  const { chart } = definition
  if (!chart) return sql`null`
  const [byTime, column] = [isByTime(definition), sql.ref(`r.${chart.label}`)]
  const label = byTime ? sql`to_char(${column}, ${sql.lit(isByMonth(scope) ? 'YYYY-MM' : 'YYYY-MM-DD')})` : column
  const order = byTime ? sql`label desc` : (chart.rangeOrder ?? sql`cents desc, label`)
  return sql`select json_agg(p) from (
    select ${label} as label, sum(${sql.lit(chart.isNegated ? -1 : 1)} * ${sql.ref(`r.${chart.cents}`)})::bigint as cents
      from r group by 1 order by ${order} limit ${byTime ? maxPoints : maxNames}) p`
}

type Point = { readonly label: string; readonly cents: number }

const toChart = (definition: ReportDefinition, points: Point[]): ReportPage['chart'] => {
  const { chart, columns } = definition
  if (!chart) return null
  const { heading = '' } = columns.find(({ key }) => key === chart.cents) ?? {}
  if (isByTime(definition)) return { heading, by: 'time', points: points.toReversed() }
  return { heading, by: chart.rangeOrder ? 'range' : 'name', points }
}

type ReportRead = { readonly definition: ReportDefinition; readonly scope: ReportScope; readonly paging: PageQuery }

type ReadPage = {
  readonly page: TableRow[] | null
  readonly totals: Readonly<Record<string, number>>
  readonly points: Point[] | null
}

/**
 * A page of a report, its totals and its chart. One statement computes the rows once for all three: three statements take up to five
 * times as long.
 */
export const previewReport = async (
  { db }: Pick<Deps, 'db'>,
  { definition, scope, paging }: ReportRead,
): Promise<ReportPage> => {
  const { currentPage, pageSize } = requestedPage(paging)
  const { rows } = await sql<ReadPage>`
    with r as materialized (${definition.rows(scope)})
    select (select json_agg(p) from (
             select ${columnList(definition)} from r order by ${definition.screenOrder ?? definition.order}
              limit ${pageSize} offset ${(currentPage - 1) * pageSize}) p) as page,
           (${selectTotals(definition)}) as totals, (${selectPoints(definition, scope)}) as points`.execute(db)
  const { rowCount = 0, ...totals } = rows[0]?.totals ?? {}
  return {
    columns: definition.columns.map(({ key, heading, type, isDetail = false }) => ({ key, heading, type, isDetail })),
    resultItems: rows[0]?.page ?? [],
    ...{ currentPage, pageSize, totalRecords: rowCount, totals },
    keyColumn: definition.keyColumn ?? definition.chart?.cents ?? null,
    chart: toChart(definition, rows[0]?.points ?? []),
  }
}
