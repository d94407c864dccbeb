import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { RowTexts, TableColumn } from '../file-responses/table-files.ts'
import type { ReportDefinition, ReportScope } from './report-scope.ts'

/** The number of rows in each batch but the last. */
export const rowsPerFetch = 2000

/** The cells of a row in one text. Reading one column takes a third of the time of reading fourteen. */
type JoinedRow = { readonly cells: string }

let lastCursor = 0

/** Fetches the rows of an open cursor. The database computes the next rows while the last ones are used. */
async function* fetchRows(db: Db | Transaction, cursor: RawBuilder<unknown>): AsyncGenerator<JoinedRow[]> {
  const fetchNext = () => {
    const fetched = sql<JoinedRow>`fetch ${sql.lit(rowsPerFetch)} from ${cursor}`.execute(db)
    // A failure counts only when the rows are needed; until then it must not be an unhandled rejection.
    void Promise.allSettled([fetched])
    return fetched
  }
  let next = fetchNext()
  try {
    for (;;) {
      const { rows } = await next
      if (rows.length === rowsPerFetch) next = fetchNext()
      if (rows.length > 0) yield rows
      if (rows.length < rowsPerFetch) return
    }
  } finally {
    // The connection is free only after the fetch that was started in advance.
    await Promise.allSettled([next])
  }
}

/** On PostgreSQL: a transaction that lasts as long as the rows are read. */
async function* readInTransaction(db: Db, query: RawBuilder<unknown>): AsyncGenerator<JoinedRow[]> {
  const cursor = sql.id('report')
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    await sql`declare ${cursor} no scroll cursor for ${query}`.execute(tx)
    yield* fetchRows(tx, cursor)
  } finally {
    await tx.rollback().execute()
  }
}

/**
 * On the embedded database, where a transaction excludes all other requests: a cursor that holds its rows after the end
 * of a short transaction, in a temporary file if they are many.
 */
async function* readHeldRows(db: Db, query: RawBuilder<unknown>): AsyncGenerator<JoinedRow[]> {
  // All requests share one connection. The names repeat, because each prepared statement stays in memory.
  lastCursor = (lastCursor + 1) % 100
  const cursor = sql.id(`report_${lastCursor}`)
  await db.transaction().execute((tx) => sql`declare ${cursor} no scroll cursor with hold for ${query}`.execute(tx))
  try {
    yield* fetchRows(db, cursor)
  } finally {
    await sql`close ${cursor}`.execute(db)
  }
}

/**
 * The mark between two cells: two control characters, the second one random. A text that contains the mark fails the export, instead of
 * moving its cells; the next attempt has another mark.
 */
const createCellMark = ({ randomBytes }: Pick<Deps, 'randomBytes'>): string => {
  const [random = 0] = randomBytes(1)
  // From U+000E, because tabs and line breaks are in texts.
  return `\u001f${String.fromCharCode(0x0e + (random % 16))}`
}

const joinCells = (columns: readonly TableColumn[], mark: string): RawBuilder<unknown> =>
  sql`concat_ws(${mark}::text, ${sql.join(columns.map(({ key }) => sql`coalesce(${sql.ref(`r.${key}`)}::text, '')`))})`

const splitCells = (cells: string, columns: readonly TableColumn[], mark: string): RowTexts => {
  const texts = cells.split(mark)
  if (texts.length !== columns.length) throw new Error('a text in a report contains the mark between cells')
  return texts
}

type ReportRows = {
  readonly definition: ReportDefinition
  readonly scope: ReportScope
  readonly columns: readonly TableColumn[]
}

/** Reads the rows of a report from one snapshot, a few thousand at a time. Ends its work when the reader stops. */
export async function* readReportRows(
  deps: Pick<Deps, 'db' | 'engine' | 'randomBytes'>,
  { definition, scope, columns }: ReportRows,
): AsyncGenerator<RowTexts[]> {
  const mark = createCellMark(deps)
  const query = sql`
    select ${joinCells(columns, mark)} as cells from (${definition.rows(scope)}) r order by ${definition.order}`
  const batches = deps.engine === 'postgres' ? readInTransaction(deps.db, query) : readHeldRows(deps.db, query)
  for await (const rows of batches) yield rows.map(({ cells }) => splitCells(cells, columns, mark))
}
