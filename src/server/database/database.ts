import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { ConstructorOptions } from 'pg-boss'
import type { Logger } from 'pino'
import type { Tables } from './tables.ts'

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>

/** Statements of their own; never inside a transaction, where it throws. */
export type Db = Kysely<Tables>

/** What a function takes that must be part of its caller's transaction. */
export type Transaction = KyselyTransaction<Tables>

/** An open database, whichever engine is behind it. */
export type Database = {
  readonly kind: 'embedded' | 'postgres'
  readonly db: Db
  /** How the job queue reaches the same database. */
  readonly jobStore: Pick<
    ConstructorOptions,
    'db' | 'backend' | 'connectionString' | 'max' | 'application_name' | 'monitorVacuum'
  >
  close(): Promise<void>
}
