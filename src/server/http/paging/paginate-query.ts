import { type RawBuilder, sql } from 'kysely'
import { isPageRequested, type Page, type PageQuery } from '#domain/shared/paging.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { requestedPage } from './paginate-list.ts'

/** The columns a long list may be sorted by, by name, in SQL; never text from the caller. */
export type SortColumns = Readonly<Record<string, RawBuilder<unknown>>>

/**
 * The requested order (`name`, or `-name` for descending); an unknown one falls back to the first. `last` breaks ties, so that pages never
 * overlap.
 */
export const orderBy = (
  sorts: SortColumns,
  asked: string | undefined,
  last: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const name = asked?.replace(/^-/, '') ?? ''
  const by = Object.hasOwn(sorts, name) ? sorts[name] : Object.values(sorts)[0]
  if (by === undefined) return last
  return asked?.startsWith('-') ? sql`${by} desc nulls last, ${last}` : sql`${by} asc nulls last, ${last}`
}

/** Text of a filter as a pattern for `like`, with its special characters escaped. */
export const likePattern = (sought: string): string => `%${sought.replace(/[\\%_]/g, '\\$&')}%`

/** A statement in three parts: columns, source and order. */
export type ListStatement = {
  /** `select …` alone. */
  readonly columns: RawBuilder<unknown>
  /** `from … where …`: also used to count. */
  readonly from: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
}

/** Pages a long list in the database (section 3, paging), or reads all of it. */
export const paginateQuery = async <Row>(
  db: Db | Transaction,
  { columns, from, order }: ListStatement,
  wanted: PageQuery,
): Promise<Row[] | Page<Row>> => {
  if (!isPageRequested(wanted)) return (await sql<Row>`select ${columns} ${from} order by ${order}`.execute(db)).rows
  const { currentPage, pageSize } = requestedPage(wanted)
  const window = sql`limit ${pageSize} offset ${(currentPage - 1) * pageSize}`
  const { rows } = await sql<Row>`select ${columns} ${from} order by ${order} ${window}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total ${from}`.execute(db)
  return { resultItems: rows, currentPage, pageSize, totalRecords: counted.rows[0]?.total ?? 0 }
}
