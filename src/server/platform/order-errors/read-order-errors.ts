import { type RawBuilder, sql } from 'kysely'
import type {
  OrderErrorCause,
  OrderErrorRow,
  orderErrorKinds,
  orderErrorStates,
} from '#contract/system/order-errors.ts'
import { type Page, toPage } from '#domain/shared/paging.ts'
import type { Db } from '#server/database/database.ts'
import { isoTimestamp } from '#server/database/timestamps.ts'
import { requestedPage } from '#server/http/paging/paginate-list.ts'
import { paginateQuery } from '#server/http/paging/paginate-query.ts'
import { ifGiven, type LogQuery, maxLogRows } from '../logs/read-log.ts'
import { causeOf, errorRows } from './order-error-rows.ts'

/** Which errors a list shows; by default the open ones. */
export type ErrorSelection = Omit<LogQuery, 'currentPage' | 'pageSize'> & {
  readonly kind?: (typeof orderErrorKinds)[number] | undefined
  readonly state?: (typeof orderErrorStates)[number] | undefined
  readonly cause?: string | undefined
}

type ErrorQuery = ErrorSelection & Pick<LogQuery, 'currentPage' | 'pageSize'>

/** SQL: the selected errors, `from … where …`. */
export const selectedErrors = ({ kind, studioId, from, to, state = 'open', cause, filter }: ErrorSelection) => {
  const conditions = [
    state === 'open' ? sql<boolean>`x.resolved_at is null` : sql<boolean>`x.resolved_at is not null`,
    ...ifGiven(kind, (name) => sql<boolean>`x.kind = ${name}`),
    ...ifGiven(studioId, (id) => sql<boolean>`x.studio_id = ${id}`),
    ...ifGiven(from, (moment) => sql<boolean>`x.created_at >= ${moment}::timestamptz`),
    ...ifGiven(to, (moment) => sql<boolean>`x.created_at < ${moment}::timestamptz`),
    ...ifGiven(cause, (id) => sql<boolean>`${causeOf} = ${id}`),
    ...ifGiven(filter?.trim().toUpperCase(), (number) => sql<boolean>`x.order_number = ${number}`),
  ]
  return sql`from ${errorRows} where ${sql.join(conditions, sql` and `)}`
}

/** Pages of errors and causes end at 10,000. */
const readPage = async <Row>(
  db: Db,
  statement: { columns: RawBuilder<unknown>; from: RawBuilder<unknown>; order: RawBuilder<unknown> },
  query: ErrorQuery,
): Promise<Page<Row>> =>
  toPage(await paginateQuery<Row>(db, { ...statement, maxRecords: maxLogRows }, { ...query, ...requestedPage(query) }))

/** Reads the causes of the selected errors, the most recent first. */
export const readErrorCauses = (db: Db, query: ErrorQuery): Promise<Page<OrderErrorCause>> =>
  readPage<OrderErrorCause>(
    db,
    {
      columns: sql`c.cause, c.kind, c.message, c.count, c."studioCount", ${isoTimestamp(sql`c.first_at`)} as "firstAt",
                   ${isoTimestamp(sql`c.last_at`)} as "lastAt"`,
      from: sql`from (
        select ${causeOf} as cause, x.kind, (array_agg(x.message order by x.created_at desc))[1] as message, count(*) as count,
               count(distinct x.studio_id) as "studioCount", min(x.created_at) as first_at, max(x.created_at) as last_at
          ${selectedErrors(query)} group by 1, 2) c where true`,
      order: sql`c.last_at desc, c.cause`,
    },
    query,
  )

/** The newest errors first. */
export const newestErrors = sql`x.created_at desc, x.source, x.id desc`

/** Reads the selected errors, the newest first. */
export const readOrderErrors = (db: Db, query: ErrorQuery): Promise<Page<OrderErrorRow>> =>
  readPage<OrderErrorRow>(
    db,
    {
      columns: sql`
        x.source, x.id, x.studio_id as "studioId", (select s.name from studios s where s.id = x.studio_id) as "studioName",
        x.job_id as "jobId", x.order_number as "orderNumber", x.kind, x.message, ${isoTimestamp(sql`x.created_at`)} as "createdAt",
        x.can_retry and x.resolved_at is null as "canRetry", ${isoTimestamp(sql`x.resolved_at`)} as "resolvedAt",
        (select u.name from users u where u.id = x.resolved_by) as "resolvedBy", x.resolution`,
      from: selectedErrors(query),
      order: newestErrors,
    },
    query,
  )
