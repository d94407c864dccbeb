import { hostname } from 'node:os'
import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { ConstructorOptions } from 'pg-boss'
import type { Logger } from 'pino'
import { isConflict } from './statement-errors.ts'
import type { Tables } from './tables.ts'

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>

/** Runs single statements outside a transaction; throws inside one. */
export type Db = Kysely<Tables>

/** The parameter of a function that must run in its caller's transaction. */
export type Transaction = KyselyTransaction<Tables>

/** An open database on either engine. */
export type Database = {
  readonly kind: 'embedded' | 'postgres'
  readonly db: Db
  /** Options by which the job queue connects to the same database. */
  readonly jobStore: Pick<
    ConstructorOptions,
    'db' | 'backend' | 'connectionString' | 'max' | 'application_name' | 'monitorVacuum'
  >
  close(): Promise<void>
}

const maxAttempts = 5

/**
 * Runs `work` in a transaction, and retries it when PostgreSQL reports a deadlock or a serialization failure. Therefore
 * `work` must only read and write through its transaction.
 */
export const inTransaction = async <T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (problem) {
      if (attempt === maxAttempts || !isConflict(problem)) throw problem
    }
  }
}

/** The prefix of the application name of the connections that fetch background jobs: the connected servers. */
export const serverPrefix = 'fieldproof jobs '

/** The longest application name that PostgreSQL stores. */
const maxApplicationName = 63

/** Names this server for administrators, by its host and process. */
export const serverName = `${hostname()} ${process.pid}`.slice(0, maxApplicationName - serverPrefix.length)
