import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { ConstructorOptions } from 'pg-boss'
import type { Logger } from 'pino'
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
