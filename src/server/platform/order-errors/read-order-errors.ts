import { type RawBuilder, sql } from 'kysely'
import type { OrderErrorGroup, OrderErrorRow, SelectedOrderErrors } from '#contract/system/order-errors.ts'
import { maxOrderErrorsPerCall, type OrderErrorKind, type OrderErrorState } from '#domain/orders/order-error-kinds.ts'
import { type Page, toPage } from '#domain/shared/paging.ts'
import { joinDecision, orderErrorEntries } from '#server/audit/order-error-entries.ts'
import { isoTimestamp } from '#server/database/timestamps.ts'
import type { Deps } from '#server/deps.ts'
import { requestedPage } from '#server/http/paging/paginate-list.ts'
import { paginateQuery } from '#server/http/paging/paginate-query.ts'
import { maskEmails } from '../logs/mask-personal-data.ts'
import { ifGiven, type LogQuery } from '../logs/read-log.ts'

export type OrderErrorFilter = Pick<LogQuery, 'studioId' | 'from' | 'to' | 'filter'> & {
  readonly kind?: OrderErrorKind | undefined
  readonly state?: OrderErrorState | undefined
  readonly groupId?: string | undefined
}

/** SQL: what entries with the same cause have in common: the message without its numbers and addresses. */
const groupId = sql<string>`md5(e.kind || left(regexp_replace(regexp_replace(e.message, '\\S+@\\S+', '@', 'g'), '\\d+', '0', 'g'), 300))`

const isIgnored = sql<boolean>`d.decision = 'ignored'`

/** SQL: `from … where …` of the entries that match. Entries of studios that were deleted are left out. */
const matching = ({ clock }: Deps, query: OrderErrorFilter): RawBuilder<unknown> => {
  const conditions = [
    query.state === 'ignored' ? isIgnored : sql<boolean>`d.kind is null`,
    ...ifGiven(query.studioId, (studioId) => sql<boolean>`e.studio_id = ${studioId}`),
    ...ifGiven(query.kind, (kind) => sql<boolean>`e.kind = ${kind}`),
    ...ifGiven(query.from, (from) => sql<boolean>`e.failed_at >= ${from}::timestamptz`),
    ...ifGiven(query.to, (to) => sql<boolean>`e.failed_at < ${to}::timestamptz`),
    ...ifGiven(query.groupId, (id) => sql<boolean>`${groupId} = ${id}`),
    ...ifGiven(
      query.filter?.trim().toUpperCase(),
      (orderNumber) => sql<boolean>`${orderNumber}::text = any(e.order_numbers)`,
    ),
  ]
  return sql`from ${orderErrorEntries(clock())} e ${joinDecision} where ${sql.join(conditions, sql` and `)}`
}

const columns = sql`
  e.kind, e.id, e.studio_id as "studioId", (select s.name from studios s where s.id = e.studio_id) as "studioName",
  e.job_id as "jobId", to_json(e.order_numbers) as "orderNumbers", e.detail, e.message, e.amount_cents as "amountCents",
  ${isoTimestamp(sql`e.failed_at`)} as "failedAt", e.can_retry as "canRetry",
  case when ${isIgnored} then json_build_object('by', (select coalesce(nullif(u.name, ''), u.email) from users u where u.id = d.decided_by),
    'at', ${isoTimestamp(sql`d.decided_at`)}, 'reason', d.reason) end as ignored`

const latestFirst = sql`e.failed_at desc, e.kind, e.id`

const masked = <Row extends { message: string }>(row: Row): Row => ({ ...row, message: maskEmails(row.message) })

type Paged = OrderErrorFilter & LogQuery

/** A page of the entries that match, the latest first. */
export const readOrderErrors = async (deps: Deps, query: Paged): Promise<Page<OrderErrorRow>> => {
  const statement = { columns, from: matching(deps, query), order: latestFirst }
  const page = toPage(await paginateQuery<OrderErrorRow>(deps.db, statement, { ...query, ...requestedPage(query) }))
  return { ...page, resultItems: page.resultItems.map(masked) }
}

/** A page of the groups of the entries that match. */
export const readOrderErrorGroups = async (deps: Deps, query: Paged): Promise<Page<OrderErrorGroup>> => {
  const from = sql`from (
    select ${groupId} as group_id, e.kind, (array_agg(e.message order by e.failed_at desc, e.id))[1] as message, count(*) as count,
           count(distinct e.studio_id) as studio_count, min(e.failed_at) as first_at, max(e.failed_at) as last_at
      ${matching(deps, query)} group by 1, 2) g`
  const groupColumns = sql`
    g.group_id as "groupId", g.kind, g.message, g.count, g.studio_count as "studioCount", ${isoTimestamp(sql`g.first_at`)} as first,
    ${isoTimestamp(sql`g.last_at`)} as last`
  const statement = { columns: groupColumns, from, order: sql`g.last_at desc, g.group_id` }
  const page = toPage(await paginateQuery<OrderErrorGroup>(deps.db, statement, { ...query, ...requestedPage(query) }))
  return { ...page, resultItems: page.resultItems.map(masked) }
}

export type SelectedEntries = {
  readonly entries: readonly OrderErrorRow[]
  /** The number of selected errors that are not in this state any more, or never were. */
  readonly missing: number
  /** The number of errors that match and are too many for one call. */
  readonly rest: number
}

/** The selected errors in one state. */
export const readSelected = async (
  deps: Deps,
  which: SelectedOrderErrors,
  state: OrderErrorState,
): Promise<SelectedEntries> => {
  const select = async (from: RawBuilder<unknown>): Promise<OrderErrorRow[]> => {
    const { rows } =
      await sql<OrderErrorRow>`select ${columns} ${from} order by ${latestFirst} limit ${maxOrderErrorsPerCall}`.execute(
        deps.db,
      )
    return rows
  }
  if ('errors' in which) {
    const keys = new Set(which.errors.map(({ kind, id }) => `${kind} ${id}`))
    const entries = await select(
      sql`${matching(deps, { state })} and e.kind || ' ' || e.id in (select value from json_array_elements_text(${JSON.stringify([...keys])}::json))`,
    )
    return { entries, missing: keys.size - entries.length, rest: 0 }
  }
  const from = matching(deps, { ...which.matching, state })
  const { rows } = await sql<{ total: number }>`select count(*) as total ${from}`.execute(deps.db)
  const entries = await select(from)
  return { entries, missing: 0, rest: Math.max(0, (rows[0]?.total ?? 0) - entries.length) }
}
