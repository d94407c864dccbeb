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

/** Options of the embedded engine: how values are parsed, and how much memory it takes (128 MB less, at the same speed). */
export const embeddedOptions = {
  parsers: embeddedParsers,
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
} as const satisfies PGliteOptions

/** PGlite turns syncing off by `-F`; `fsync` is the only method that reaches our file system (`fdatasync` does nothing). */
export const durableStartParams = [
  ...embeddedOptions.startParams.filter((parameter) => parameter !== '-F'),
  ...['fsync=on', 'wal_sync_method=fsync', 'full_page_writes=on', 'min_wal_size=32MB', 'max_wal_size=64MB'].flatMap(
    (setting) => ['-c', setting],
  ),
]

/** Opens the engine on files that sync; creates a new database in an empty folder. */
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
      await createFolderAtomically(folder, async (unfinished) =>
        (await openDurableEngine(new DurableNodeFS(unfinished))).close(),
      )
    }
    const files = new DurableNodeFS(folder)
    const pglite = await openDurableEngine(files)
    const upkeep = new EmbeddedMaintenance(pglite, log)
    const stopUpkeep = upkeep.start(every)
    const database = embeddedDatabase(pglite, files)
    return {
      ...database,
      close: async () => {
        stopUpkeep()
        await upkeep.settled()
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

/** The database handle of an open engine, on files that may sync. */
export const embeddedDatabase = (pglite: PGlite, files?: DurableNodeFS): Database => {
  const guard = new TransactionGuard()
  const named = withPreparedStatements(pglite)
  const dialect = new PGliteDialect({ pglite: named })
  // kysely would wait for ever for a transaction that PGlite refuses to begin.
  const assertUsable = (): void => {
    if (files?.failure) throw files.failure
    if (!pglite.ready) throw new Error('The database is closed')
  }
  return {
    kind: 'embedded',
    db: new Kysely<Tables>({ dialect: guardedDialect(dialect, { guard, connections: 'one', assertUsable }) }),
    // It checks that autovacuum works; here `EmbeddedMaintenance` does that.
    jobStore: { db: fromPglite(forJobs(pglite, named, guard)), backend: 'pglite', monitorVacuum: false },
    close: async () => {
      // A stopped engine must not write its closing checkpoint.
      if (!pglite.closed && !files?.failure) await pglite.close()
    },
  }
}

/** The engine for the job queue: throws instead of waiting for ever, and a failing script leaves no broken transaction behind. */
const forJobs = (pglite: PGlite, named: PreparedPglite, guard: TransactionGuard): Parameters<typeof fromPglite>[0] => ({
  query: async <T>(text: string, values?: unknown[]) => {
    guard.assertOutside()
    return await named.query<T>(text, values)
  },
  exec: async (script) => {
    guard.assertOutside()
    // A failing script with a transaction of its own would leave it open and broken for the next user of the connection.
    return /^\s*begin\b/i.test(script) ? await pglite.transaction((tx) => tx.exec(script)) : await pglite.exec(script)
  },
  listen: (channel, hear) => pglite.listen(channel, hear),
})
