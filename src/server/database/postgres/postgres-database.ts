import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { postgresTypes } from '../column-parsers.ts'
import { type Database, type Log, serverName, serverPrefix } from '../database.ts'
import { DatabaseUnavailable } from '../embedded/data-folder.ts'
import { guardedDialect } from '../guarded-dialect.ts'
import type { Tables } from '../tables.ts'
import { TransactionGuard } from '../transaction-guard.ts'
import { PreparedStatementClient } from './prepared-statement-client.ts'

type PostgresSettings = {
  readonly databaseUrl: string
  readonly log: Log
  /** `unbounded` for migrations, which may rewrite a large table. */
  readonly statements?: 'bounded' | 'unbounded'
}

/**
 * Timeouts of a statement in milliseconds: first that of the server, then that of the client, for a server that does
 * not respond. With the time to connect, a request is answered within 30 seconds.
 */
const timeouts = { statement_timeout: 18_000, query_timeout: 20_000 } as const
const connectTimeoutMs = 8_000

/** Adds the same timeouts to a URL, for the pool of the job queue, which is configured by its URL only. */
const withTimeouts = (databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  for (const [name, milliseconds] of Object.entries(timeouts)) url.searchParams.set(name, String(milliseconds))
  return url.href
}

/** More connections for requests would be slower: they compete for the processors, each with its own copy of every plan. */
const maxConnections = { requests: 6, jobs: 4 }

/** A connection keeps its plans. One made while a table was small would read all of the table later, until the next ANALYZE. */
const connectionLifetimeSeconds = 600

/** Opens a PostgreSQL, version 15 or newer, by its URL. */
export const openPostgres = async ({
  databaseUrl,
  log,
  statements = 'bounded',
}: PostgresSettings): Promise<Database> => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections.requests,
    Client: PreparedStatementClient,
    types: postgresTypes,
    application_name: 'fieldproof',
    // An abandoned transaction must not hold its locks forever, and a request must not wait forever for a connection.
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    maxLifetimeSeconds: connectionLifetimeSeconds,
    ...(statements === 'bounded' && timeouts),
  })
  // The pool replaces an idle connection that breaks; without a listener it would end the process.
  pool.on('error', (problem) => log.warn({ err: problem }, 'an idle database connection broke'))
  // A connection may also break between two statements of a transaction. The next statement then fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  await assertReachable(pool)
  const db = new Kysely<Tables>({
    dialect: guardedDialect(new PostgresDialect({ pool }), {
      guard: new TransactionGuard(),
      connections: 'many',
      assertUsable: () => {},
    }),
  })
  return {
    kind: 'postgres',
    db,
    jobStore: {
      connectionString: withTimeouts(databaseUrl),
      max: maxConnections.jobs,
      // Names this server, so that administrators see which servers are connected.
      application_name: `${serverPrefix}${serverName}`,
    },
    close: async () => {
      await pool.end()
    },
  }
}

const assertReachable = async (pool: pg.Pool): Promise<void> => {
  const fail = async (message: string, cause?: unknown): Promise<never> => {
    await pool.end()
    throw new DatabaseUnavailable(message, { cause })
  }
  const version = await pool
    .query<{ server_version_num: string }>('show server_version_num')
    .catch((problem: unknown) =>
      fail(
        `The database of DATABASE_URL does not answer: ${problem instanceof Error ? problem.message : String(problem)}`,
        problem,
      ),
    )
  const versionNumber = Number(version.rows[0]?.server_version_num)
  if (versionNumber < 150_000)
    await fail(
      `The database of DATABASE_URL is PostgreSQL ${Math.floor(versionNumber / 10_000)}; 15 or newer is needed.`,
    )
}
