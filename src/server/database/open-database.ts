import type { Database, Log } from './database.ts'
import { openEmbedded } from './embedded/embedded-database.ts'
import { systemTicker, type Ticker } from './embedded/embedded-maintenance.ts'
import { openPostgres } from './postgres/postgres-database.ts'

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
