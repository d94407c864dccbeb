import { type RawBuilder, sql } from 'kysely'
import { isPageRequested, type Page, type PageQuery } from '#domain/shared/paging.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { requestedPage } from './paginate-list.ts'

/** The columns that a long list may be sorted by, as SQL by name. The SQL never contains text from the caller. */
export type SortColumns = Readonly<Record<string, RawBuilder<unknown>>>

/**
 * Returns the requested order (`name`, or `-name` for descending), or the first one for an unknown name. `tieBreaker`
 * makes the order unique, so that pages never overlap.
 */
export const orderBy = (
  sorts: SortColumns,
  sort: string | undefined,
  tieBreaker: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const name = sort?.replace(/^-/, '') ?? ''
  const column = Object.hasOwn(sorts, name) ? sorts[name] : Object.values(sorts)[0]
  if (column === undefined) return tieBreaker
  return sort?.startsWith('-')
    ? sql`${column} desc nulls last, ${tieBreaker}`
    : sql`${column} asc nulls last, ${tieBreaker}`
}

/** Converts the text of a filter to a pattern for `like`, with special characters escaped. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** A statement in three parts: columns, source and order. */
export type ListStatement = {
  /** `select …` alone. */
  readonly columns: RawBuilder<unknown>
  /** `from … where …`: also used to count. */
  readonly from: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  /**
   * The only table in `from` with its alias, and its id. If given, ids alone are read for the rows before the page, which an index may have
   * in their order, and the columns for the rows of the page.
   */
  readonly table?: { readonly name: RawBuilder<unknown>; readonly id: RawBuilder<unknown> }
  /** Only so many rows can be paged through and are counted: counting a million takes longer than reading a page of them. */
  readonly maxRecords?: number
}

/** Pages a long list in the database (section 3, paging), or reads all of it. */
export const paginateQuery = async <Row>(
  db: Db | Transaction,
  { columns, from, order, table, maxRecords }: ListStatement,
  query: PageQuery,
): Promise<Row[] | Page<Row>> => {
  if (!isPageRequested(query)) return (await sql<Row>`select ${columns} ${from} order by ${order}`.execute(db)).rows
  const { currentPage, pageSize } = requestedPage(query)
  const offset = (currentPage - 1) * pageSize
  const limit = maxRecords === undefined ? pageSize : Math.max(0, Math.min(pageSize, maxRecords - offset))
  const pageClause = sql`limit ${limit} offset ${limit === 0 ? 0 : offset}`
  const page = table
    ? sql`from (select ${table.id} as page_id ${from} order by ${order} ${pageClause}) page
            join ${table.name} on ${table.id} = page.page_id order by ${order}`
    : sql`${from} order by ${order} ${pageClause}`
  const { rows } = await sql<Row>`select ${columns} ${page}`.execute(db)
  const counted = maxRecords === undefined ? from : sql`from (select ${from} limit ${maxRecords}) counted`
  const countResult = await sql<{ total: number }>`select count(*) as total ${counted}`.execute(db)
  return { resultItems: rows, currentPage, pageSize, totalRecords: countResult.rows[0]?.total ?? 0 }
}

/** A list whose ids are paged first, so that the rows of other pages are not read. */
type IdStatement = Pick<ListStatement, 'from' | 'order'> & {
  readonly id: RawBuilder<unknown>
  /** Whether the condition or the order must be evaluated for every row. Otherwise an index has the rows of the page in their order. */
  readonly readsEveryRow: boolean
}

/** Reads a page and the number of all rows in one statement, because evaluating a filter for every row takes longer than all else. */
const readCountedPage = async (
  db: Db | Transaction,
  { id, from, order }: IdStatement,
  query: PageQuery,
): Promise<Page<number>> => {
  const { currentPage, pageSize } = requestedPage(query)
  const { rows } = await sql<{ ids: number[]; total: number }>`
    with found as materialized (select ${id} as id, row_number() over (order by ${order}) as place ${from})
    select coalesce((select json_agg(f.id order by f.place) from found f
                      where f.place > ${(currentPage - 1) * pageSize} and f.place <= ${currentPage * pageSize}), '[]') as ids,
           (select count(*) from found) as total`.execute(db)
  return { resultItems: rows[0]?.ids ?? [], currentPage, pageSize, totalRecords: rows[0]?.total ?? 0 }
}

/** Pages the ids of a long list in the database (section 3, paging), or reads all of them. */
export const paginateIds = async (
  db: Db | Transaction,
  statement: IdStatement,
  query: PageQuery,
): Promise<number[] | Page<number>> => {
  if (statement.readsEveryRow && isPageRequested(query)) return await readCountedPage(db, statement, query)
  const page = await paginateQuery<{ id: number }>(db, { ...statement, columns: sql`${statement.id} as id` }, query)
  const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id)
  return Array.isArray(page) ? idsOf(page) : { ...page, resultItems: idsOf(page.resultItems) }
}
