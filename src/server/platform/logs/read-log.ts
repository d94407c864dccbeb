import { type RawBuilder, sql } from 'kysely'
import { type Page, type PageQuery, toPage } from '#domain/shared/paging.ts'
import type { Db } from '#server/database/database.ts'
import { requestedPage } from '#server/http/paging/paginate-list.ts'
import { paginateQuery } from '#server/http/paging/paginate-query.ts'

/** The number of rows of a log that can be paged through, or exported. */
export const maxLogRows = 10_000

/** A log as a list. Its table is `l` in SQL. */
export type LogDefinition<Query> = {
  readonly table: RawBuilder<unknown>
  readonly columns: RawBuilder<unknown>
  /** The conditions of a query, besides studio and time. An index of the table with `created_at` serves each of them. */
  readonly conditions: (query: Query) => readonly RawBuilder<boolean>[]
}

export type LogQuery = PageQuery & {
  readonly studioId?: number | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** SQL: a condition, if there is a value to compare with. */
export const ifGiven = <Value>(
  value: Value | undefined,
  condition: (value: Value) => RawBuilder<boolean>,
): RawBuilder<boolean>[] => (value === undefined || value === '' ? [] : [condition(value)])

/** SQL: the rows of a log that match a query, `from … where …`. */
export const logRows = <Query extends LogQuery>(
  { table, conditions }: LogDefinition<Query>,
  query: Query,
): RawBuilder<unknown> => {
  const all = [
    ...ifGiven(query.studioId, (studioId) => sql<boolean>`l.studio_id = ${studioId}`),
    ...ifGiven(query.from, (from) => sql<boolean>`l.created_at >= ${from}::timestamptz`),
    ...ifGiven(query.to, (to) => sql<boolean>`l.created_at < ${to}::timestamptz`),
    ...conditions(query),
  ]
  return sql`from ${table} l where ${all.length > 0 ? sql.join(all, sql` and `) : sql`true`}`
}

/** SQL: the newest rows first. */
export const newestFirst = sql`l.created_at desc, l.id desc`

/** SQL: the columns that every log shows of its studio. */
export const studioColumns = sql`
  l.studio_id as "studioId", (select s.name from studios s where s.id = l.studio_id) as "studioName"`

/** Reads a page of a log, the newest rows first. Rows beyond the newest 10,000 are found by a filter. */
export const readLog = async <Row, Query extends LogQuery = LogQuery>(
  db: Db,
  definition: LogDefinition<Query>,
  query: Query,
): Promise<Page<Row>> => {
  const { columns } = definition
  const table = { name: sql`${definition.table} l`, id: sql`l.id` }
  const statement = { columns, from: logRows(definition, query), order: newestFirst, table, maxRecords: maxLogRows }
  return toPage(await paginateQuery<Row>(db, statement, { ...query, ...requestedPage(query) }))
}
