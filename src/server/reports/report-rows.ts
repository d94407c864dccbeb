import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { TableRow } from '../file-responses/table-files.ts'

/** The number of rows in each batch but the last. */
export const rowsPerFetch = 2000

let lastCursor = 0

/** Fetches the rows of an open cursor. The database computes the next rows while the last ones are used. */
async function* fetchRows(db: Db | Transaction, cursor: RawBuilder<unknown>): AsyncGenerator<TableRow[]> {
  const fetchNext = () => {
    const fetched = sql<TableRow>`fetch ${sql.lit(rowsPerFetch)} from ${cursor}`.execute(db)
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
async function* readInTransaction(db: Db, query: RawBuilder<unknown>): AsyncGenerator<TableRow[]> {
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
async function* readHeldRows(db: Db, query: RawBuilder<unknown>): AsyncGenerator<TableRow[]> {
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

/** Reads the rows of a query from one snapshot, a few thousand at a time. Ends its work when the reader stops. */
export const readSnapshot = (
  { db, engine }: Pick<Deps, 'db' | 'engine'>,
  query: RawBuilder<unknown>,
): AsyncGenerator<TableRow[]> => (engine === 'postgres' ? readInTransaction(db, query) : readHeldRows(db, query))
