import { type RawBuilder, sql } from 'kysely'
import { isPageRequested, type Page, type PageQuery } from '#domain/shared/paging.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { requestedPage } from './paginate-list.ts'

/** What a long list may be sorted by, each name with what it means in SQL; never what a caller wrote. */
export type SortColumns = Readonly<Record<string, RawBuilder<unknown>>>

/**
 * The order a query asks for (`name`, or `-name` for the other way round); what it does not know is the first there is. `last` settles
 * what is equal, so that pages never overlap.
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

/** A part of what a filter seeks, as `like` takes it: no letter of it means anything but itself. */
export const likePattern = (sought: string): string => `%${sought.replace(/[\\%_]/g, '\\$&')}%`

/** A statement in three parts: the rows, what they are of, and in which order they come. */
export type ListStatement = {
  /** `select …` without what follows. */
  readonly columns: RawBuilder<unknown>
  /** `from … where …`: also what is counted. */
  readonly from: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
}

/** A long list as its query asks for it (section 3, paging): the page cut in the database, or all of it. */
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
