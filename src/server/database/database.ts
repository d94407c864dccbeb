import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { ConstructorOptions } from 'pg-boss'
import type { Logger } from 'pino'
import { openEmbedded } from './embedded/embedded-database.ts'
import { systemTicker, type Ticker } from './embedded/embedded-maintenance.ts'
import { openPostgres } from './postgres/postgres-database.ts'
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

export type DatabaseSettings = {
  /** The folder of everything this server keeps; the embedded database lives in `database` inside it. */
  readonly dataDir: string
  /** A PostgreSQL to use instead of the embedded one. */
  readonly databaseUrl?: string | undefined
  readonly log: Log
  readonly every?: Ticker
  /** Of a PostgreSQL: `unbounded` for migrations, which may rewrite a large table; else a statement has seconds. */
  readonly statements?: 'bounded' | 'unbounded'
}

/** Opens the database this server runs on. Throws `DatabaseUnavailable`, with one line to show, when it cannot (section 9). */
export const openDatabase = ({
  dataDir,
  databaseUrl,
  log,
  every = systemTicker,
  statements = 'bounded',
}: DatabaseSettings): Promise<Database> =>
  databaseUrl ? openPostgres({ databaseUrl, log, statements }) : openEmbedded({ dataDir, log, every })
