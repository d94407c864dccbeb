import type { Database, Log } from './database.ts'
import { openEmbedded } from './embedded/embedded-database.ts'
import { systemTicker, type Ticker } from './embedded/embedded-maintenance.ts'
import { openPostgres } from './postgres/postgres-database.ts'

export type DatabaseSettings = {
  /** The folder of all the server's data; the embedded database is in its `database` folder. */
  readonly dataDir: string
  /** The URL of a PostgreSQL to use instead of the embedded one. */
  readonly databaseUrl?: string | undefined
  readonly log: Log
  readonly every?: Ticker
  /** For PostgreSQL: `unbounded` for migrations, which may rewrite a large table; otherwise statements time out after seconds. */
  readonly statements?: 'bounded' | 'unbounded'
}

/** Opens the server's database. Throws `DatabaseUnavailable` with a one-line message when it cannot (section 9). */
export const openDatabase = ({
  dataDir,
  databaseUrl,
  log,
  every = systemTicker,
  statements = 'bounded',
}: DatabaseSettings): Promise<Database> =>
  databaseUrl ? openPostgres({ databaseUrl, log, statements }) : openEmbedded({ dataDir, log, every })
