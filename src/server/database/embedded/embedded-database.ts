import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { fromPglite } from 'pg-boss'
import { embeddedParsers } from '../column-parsers.ts'
import type { Database, Log } from '../database.ts'
import { freeBytesOf, fullDiskMessage, isDiskFull, minFreeBytes } from '../disk-full.ts'
import { guardedDialect } from '../guarded-dialect.ts'
import type { Tables } from '../tables.ts'
import { TransactionGuard } from '../transaction-guard.ts'
import { createFolderAtomically, DatabaseUnavailable, hasDatabase, lockFolder } from './data-folder.ts'
import { DurableNodeFS } from './durable-files.ts'
import { EmbeddedMaintenance, type Ticker } from './embedded-maintenance.ts'
import { type PreparedPglite, withPreparedStatements } from './prepared-statements.ts'

/** Options of the embedded engine: its parsers, and smaller buffers, which save 128 MB of memory at the same speed. */
export const embeddedOptions = {
  parsers: embeddedParsers,
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
} as const satisfies PGliteOptions

/** Enables fsync, which PGlite turns off by `-F`. `fsync` is the only sync method that `DurableNodeFS` implements. */
export const durableStartParams = [
  ...embeddedOptions.startParams.filter((parameter) => parameter !== '-F'),
  ...['fsync=on', 'wal_sync_method=fsync', 'full_page_writes=on', 'min_wal_size=32MB', 'max_wal_size=64MB'].flatMap(
    (setting) => ['-c', setting],
  ),
]

/** Opens the engine on durable files; creates a new database in an empty folder. */
export const openDurableEngine = (files: DurableNodeFS): Promise<PGlite> =>
  PGlite.create({ ...embeddedOptions, startParams: durableStartParams, fs: files })

type EmbeddedSettings = { readonly dataDir: string; readonly log: Log; readonly every: Ticker }

/** Opens, or creates, the database in `<dataDir>/database`. */
export const openEmbedded = async ({ dataDir, log, every }: EmbeddedSettings): Promise<Database> => {
  const folder = join(dataDir, 'database')
  const unlock = lockFolder(folder)
  try {
    if (!hasDatabase(folder)) {
      log.info({ folder }, 'creating the embedded database')
      await createFolderAtomically(folder, async (newFolder) =>
        (await openDurableEngine(new DurableNodeFS(newFolder))).close(),
      )
    }
    const files = new DurableNodeFS(folder)
    const pglite = await openDurableEngine(files)
    const maintenance = new EmbeddedMaintenance(pglite, log)
    const stopMaintenance = maintenance.start(every)
    const database = embeddedDatabase(pglite, files)
    return {
      ...database,
      close: async () => {
        stopMaintenance()
        await maintenance.settled()
        await database.close()
        unlock()
      },
    }
  } catch (problem) {
    unlock()
    if (!(isDiskFull(problem) || (await freeBytesOf(dataDir)) < minFreeBytes)) throw problem
    throw new DatabaseUnavailable(fullDiskMessage(dataDir), { cause: problem })
  }
}

/** Creates the database handle of an open engine. `files` is passed if the engine runs on durable files. */
export const embeddedDatabase = (pglite: PGlite, files?: DurableNodeFS): Database => {
  const guard = new TransactionGuard()
  const preparedPglite = withPreparedStatements(pglite)
  const dialect = new PGliteDialect({ pglite: preparedPglite })
  // Without this check kysely would wait forever for a transaction that PGlite refuses to begin.
  const assertUsable = (): void => {
    if (files?.failure) throw files.failure
    if (!pglite.ready) throw new Error('The database is closed')
  }
  return {
    kind: 'embedded',
    db: new Kysely<Tables>({ dialect: guardedDialect(dialect, { guard, connections: 'one', assertUsable }) }),
    // `monitorVacuum` checks that autovacuum works; here `EmbeddedMaintenance` vacuums instead.
    jobStore: { db: fromPglite(toJobStore(pglite, preparedPglite, guard)), backend: 'pglite', monitorVacuum: false },
    close: async () => {
      // A stopped engine must not write its closing checkpoint.
      if (!pglite.closed && !files?.failure) await pglite.close()
    },
  }
}

/** The engine for the job queue. It throws instead of waiting forever, and rolls back a script that fails. */
const toJobStore = (
  pglite: PGlite,
  preparedPglite: PreparedPglite,
  guard: TransactionGuard,
): Parameters<typeof fromPglite>[0] => ({
  query: async <T>(text: string, values?: unknown[]) => {
    guard.assertOutside()
    return await preparedPglite.query<T>(text, values)
  },
  exec: async (script) => {
    guard.assertOutside()
    // A script that begins its own transaction and fails would leave that transaction open on the shared connection.
    return /^\s*begin\b/i.test(script) ? await pglite.transaction((tx) => tx.exec(script)) : await pglite.exec(script)
  },
  listen: (channel, onNotification) => pglite.listen(channel, onNotification),
})
