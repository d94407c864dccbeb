import { type RawBuilder, sql } from 'kysely'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { isPaymentState, paymentStates, type ReportFilterType } from '#domain/studio/reports.ts'
import type { TableColumn } from '../file-responses/table-files.ts'
import { likePattern } from '../http/paging/paginate-query.ts'

/** Which rows a report contains. */
export type ReportScope = {
  /** Null for all studios. */
  readonly studioId: number | null
  readonly jobId: number | null
  /** The first and the last day, `YYYY-MM-DD`, both included; null for no limit. */
  readonly startDay: string | null
  readonly endDay: string | null
  /** The time zone of the days; null for that of each studio. */
  readonly timeZone: string | null
  readonly filter: { readonly type: ReportFilterType; readonly text: string } | null
  readonly now: Date
}

/** A report: everything else (access, days, pages, totals, files) is the same for all of them. */
export type ReportDefinition = {
  /** The keys are the names of the columns in the SQL of `rows`. */
  readonly columns: readonly TableColumn[]
  /** A `select` of the columns by their keys, and of what `order` needs. */
  readonly rows: (scope: ReportScope) => RawBuilder<unknown>
  /** The complete order of the rows, by columns of `rows`. */
  readonly order: RawBuilder<unknown>
  /** The order on a screen, if it differs from that of a file: the newest first. */
  readonly screenOrder?: RawBuilder<unknown>
  /** The columns of the chart: its labels are days, or names of which the largest are shown. */
  readonly chart?: {
    readonly label: string
    readonly cents: string
    /** The order of labels that are ranges, such as ages. */
    readonly rangeOrder?: RawBuilder<unknown>
    /** Whether the amounts are negative in the rows, as refunds are, and positive in the chart. */
    readonly isNegated?: true
  }
  /** The column that matters most; without it, that of the chart’s amounts. Narrow screens show it first. */
  readonly keyColumn?: string
  /** Whether each row is about the order of its `orderNumber` in job `jobId` of studio `studioId`, so that the screen can link to it. */
  readonly linksOrders?: true
}

type Condition = RawBuilder<unknown>

/** The day of a moment in the time zone of the report; needs studio `s`. */
export const dayOf = ({ timeZone }: ReportScope, moment: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${moment} at time zone ${timeZone === null ? sql`s.time_zone` : sql`${timeZone}::text`})::date`

/**
 * Whether a moment is within the days of the report; needs studio `s`. Compares the day itself, so that every moment
 * belongs to exactly one day, also where clocks change at midnight. The wider range of moments is for the index.
 */
const isWithinDays = (scope: ReportScope, moment: RawBuilder<unknown>): Condition[] => {
  const { startDay, endDay } = scope
  const day = dayOf(scope, moment)
  return [
    ...(startDay === null
      ? []
      : [sql`${moment} >= (${startDay}::date - 1)::timestamp at time zone 'UTC'`, sql`${day} >= ${startDay}::date`]),
    ...(endDay === null
      ? []
      : [sql`${moment} < (${endDay}::date + 2)::timestamp at time zone 'UTC'`, sql`${day} <= ${endDay}::date`]),
  ]
}

const filterConditions: Record<ReportFilterType, (text: string) => Condition[]> = {
  orderNumber: (text) => [sql`o.order_number = ${normaliseOrderNumber(text) ?? ''}`],
  customer: (text) => [sql`o.sought_key like ${likePattern(text.toLowerCase())}`],
  job: (text) => [sql`j.name ilike ${likePattern(text)}`],
  organization: (text) => [sql`g.name ilike ${likePattern(text)}`],
  // Not a property of the order: `ledgerState`.
  paymentState: () => [],
}

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

/**
 * Whether order `o`, with its job `j` and organization `g`, is in the report, and `moment` of it within the days of the report.
 */
export const isInScope = (scope: ReportScope, moment: RawBuilder<unknown>): Condition => {
  const { studioId, jobId, filter } = scope
  return all([
    ...(studioId === null ? [] : [sql`o.studio_id = ${studioId}`]),
    ...(jobId === null ? [] : [sql`o.job_id = ${jobId}`]),
    ...(filter === null ? [] : filterConditions[filter.type](filter.text)),
    ...isWithinDays(scope, moment),
  ])
}

/** The tables of an order `o` in the report: its studio `s`, job `j` and organization `g`. */
export const orderTables: RawBuilder<unknown> = sql`
  join studios s on s.id = o.studio_id
  join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
  left join organizations g on g.studio_id = j.studio_id and g.id = j.organization_id`

/** The state that a ledger row must have to be in the report. */
export const ledgerState = ({ filter }: ReportScope): (typeof paymentStates)[keyof typeof paymentStates] =>
  filter?.type === 'paymentState' && isPaymentState(filter.text) ? paymentStates[filter.text] : 'done'
