import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Database, Log } from '#server/database/database.ts'
import { createFolderAtomically } from '#server/database/embedded/data-folder.ts'
import { DurableNodeFS } from '#server/database/embedded/durable-files.ts'
import { embeddedDatabase, embeddedOptions } from '#server/database/embedded/embedded-database.ts'
import { migrate, migrations } from '#server/database/migrate.ts'
import { openPostgres } from '#server/database/postgres/postgres-database.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { isFullRun, testSeed } from '../seed.ts'
import { testDatabasePrefix, withAdminConnection } from './admin-connection.ts'

/** Logs nothing. A test that checks the log passes its own. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** `migrated`: every table of the product. `bare`: none, for tests of the engine itself. */
export type Schema = 'migrated' | 'bare'

export type TestDatabase = Database & {
  /** Empties every table, queued jobs included; the schema stays. */
  clear(): Promise<void>
}

export type Engine = { readonly name: Database['kind']; readonly open: (schema?: Schema) => Promise<TestDatabase> }

const prepare = async (database: Database, schema: Schema): Promise<void> => {
  if (schema === 'migrated') await migrate(database.db, migrations)
  // The first start of the job queue creates its tables.
  await (await startBackgroundJobs({ database, log: silentLog, queues: {} })).stop()
}

const root = new URL('../../../', import.meta.url).pathname

const fingerprint = (schema: Schema): string => {
  const hash = createHash('sha256')
    .update(schema)
    .update(readFileSync(import.meta.filename))
    .update(readFileSync(join(root, 'package-lock.json')))
  const folder = join(root, 'src/server/database/migrations')
  for (const file of globSync('**/*.ts', { cwd: folder }).sort()) hash.update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Shrinks a data directory, so that opening it is fast: few files, and no write-ahead log to replay. */
const shrinkDataDir = async (pglite: PGlite): Promise<void> => {
  await pglite.exec(`update pg_database set datistemplate = false`)
  for (const name of ['template0', 'template1']) await pglite.exec(`drop database if exists ${name}`)
  // Near the end of a log file, PostgreSQL creates the next file in advance.
  await pglite.exec('select pg_switch_wal()')
  await pglite.exec('checkpoint')
}

const createDatabaseImage = async (schema: Schema): Promise<Blob> => {
  const pglite = await PGlite.create({
    ...embeddedOptions,
    startParams: [...embeddedOptions.startParams, '-c', 'wal_recycle=off'],
    ...(schema === 'migrated' && { loadDataDir: await cachedDatabaseImage('bare') }),
  })
  await prepare(embeddedDatabase(pglite), schema)
  await shrinkDataDir(pglite)
  const image = await pglite.dumpDataDir('none')
  await pglite.close()
  return image
}

/** A prepared embedded database as one file. Opening it takes a tenth of the time of creating one. */
const cachedDatabaseImage = async (schema: Schema): Promise<Blob> => {
  const folder = join(root, 'node_modules/.cache/fieldproof')
  const current = `test-database-${schema}-${fingerprint(schema)}.tar`
  const file = join(folder, current)
  if (!existsSync(file)) {
    const image = await createDatabaseImage(schema)
    mkdirSync(folder, { recursive: true })
    // Several processes may do this at once, so each writes its own file, and the last rename wins.
    const temporaryFile = `${file}.${randomBytes(4).toString('hex')}`
    writeFileSync(temporaryFile, new Uint8Array(await image.arrayBuffer()))
    renameSync(temporaryFile, file)
    const outdated = readdirSync(folder).filter(
      (name) => name.startsWith(`test-database-${schema}-`) && name.endsWith('.tar'),
    )
    for (const name of outdated) if (name !== current) rmSync(join(folder, name), { force: true })
  }
  return new Blob([readFileSync(file)])
}

const openEmbedded = async (schema: Schema): Promise<TestDatabase> => {
  const loadDataDir = await cachedDatabaseImage(schema)
  return withClear(embeddedDatabase(await PGlite.create({ ...embeddedOptions, loadDataDir })))
}

/** Writes a prepared embedded database to where `openDatabase` looks for it, because creating one takes seconds. */
export const prepareDatabaseFolder = async (dataDir: string, schema: Schema = 'bare'): Promise<void> => {
  const loadDataDir = await cachedDatabaseImage(schema)
  await createFolderAtomically(join(dataDir, 'database'), async (unfinished) => {
    await (await PGlite.create({ ...embeddedOptions, loadDataDir, fs: new DurableNodeFS(unfinished) })).close()
  })
}

/** Advisory lock under which one test process creates the template while the others wait, so that no process drops it during a copy. */
const templateLockKey = 4_600_001

const templateNamePrefix = (schema: Schema): string => `fieldproof_template_${schema}_`

const databaseAt = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href

/** Ensures that the server has a template database of this schema. No process is connected to it. */
const ensureTemplate = async (administrator: pg.Client, server: string, schema: Schema): Promise<string> => {
  const template = `${templateNamePrefix(schema)}${fingerprint(schema)}`
  const existing = await administrator.query('select from pg_database where datname = $1', [template])
  if (existing.rowCount) return template
  const unfinished = `${template}_unfinished`
  await administrator.query(`drop database if exists ${unfinished} with (force)`)
  // template0, because no connection to it is possible, and a template in use cannot be copied.
  await administrator.query(`create database ${unfinished} template template0`)
  const database = await openPostgres({ databaseUrl: databaseAt(server, unfinished), log: silentLog })
  await prepare(database, schema).finally(() => database.close())
  await administrator.query(`alter database ${unfinished} rename to ${template}`)
  // Templates created today may belong to another working copy.
  const outdated = await administrator.query<{ name: string }>(
    `select datname as name from pg_database where starts_with(datname, $1) and datname <> $2
        and (pg_stat_file('base/' || oid || '/PG_VERSION')).modification < now() - interval '1 day'`,
    [templateNamePrefix(schema), template],
  )
  for (const { name } of outdated.rows) await administrator.query(`drop database ${name} with (force)`)
  return template
}

/** Creates and opens a database on the server of `TEST_DATABASE_URL`. Closing it drops it. */
const openPostgresCopy = async (server: string, schema: Schema): Promise<TestDatabase> => {
  const name = `${testDatabasePrefix()}${randomBytes(4).toString('hex')}`
  const administer = withAdminConnection(server)
  await administer(async (administrator) => {
    // Released when the connection ends.
    await administrator.query(`select pg_advisory_lock(${templateLockKey})`)
    const template = await ensureTemplate(administrator, server, schema)
    await administrator.query(`create database ${name} template ${template}`)
    // Test data may be lost in a power cut, so a commit need not wait for the disk.
    await administrator.query(`alter database ${name} set synchronous_commit = off`)
  })
  const database = await openPostgres({ databaseUrl: databaseAt(server, name), log: silentLog })
  const close = async (): Promise<void> => {
    await database.close()
    await administer((administrator) => administrator.query(`drop database ${name} with (force)`))
  }
  return withClear({ ...database, close })
}

type NonEmptyTable = { name: string; sequence: string | null }

/** The tables that hold rows, with their sequences. */
const nonEmptyTables = async (db: Database['db']): Promise<NonEmptyTable[]> => {
  // A table without a file on disk never had a row.
  const tables = await sql<NonEmptyTable>`
    select c.oid::regclass::text as name, pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
      from pg_class c
      left join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and a.attidentity <> ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely\\_%'
       and pg_relation_size(c.oid) > 0`.execute(db)
  if (tables.rows.length === 0) return []
  const rowQueries = tables.rows.map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
  const nonEmpty = await sql<{ name: string }>`${sql.raw(rowQueries.join(' union all '))}`.execute(db)
  const names = new Set(nonEmpty.rows.map(({ name }) => name))
  return tables.rows.filter(({ name }) => names.has(name))
}

const withClear = (database: Database): TestDatabase => ({
  ...database,
  clear: async () => {
    const { db } = database
    const tables = await nonEmptyTables(db)
    await db.transaction().execute(async (tx) => {
      // `truncate` is slow, and slower for each foreign key. Deleting the few rows with triggers off is fast and works in any order.
      await sql`set local session_replication_role = replica`.execute(tx)
      for (const { name } of tables) await sql`delete from ${sql.raw(name)}`.execute(tx)
      const resets = tables.flatMap(({ sequence }) => (sequence ? [`setval('${sequence}', 1, false)`] : []))
      if (resets.length > 0) await sql`select ${sql.raw(resets.join(', '))}`.execute(tx)
    })
    await sql`delete from pgboss.job`.execute(db)
  },
})
const server = process.env.TEST_DATABASE_URL

/** Every engine to test on: the embedded one, and the PostgreSQL of `TEST_DATABASE_URL` when it is set. */
export const engines: readonly Engine[] = [
  { name: 'embedded', open: (schema = 'migrated') => openEmbedded(schema) },
  ...(server
    ? [{ name: 'postgres', open: (schema: Schema = 'migrated') => openPostgresCopy(server, schema) } as const]
    : []),
]

/**
 * The engines that a test file runs on: all of them in a full run, otherwise one, chosen by the seed and the file's name.
 * Tests of the engine itself use `engines`.
 */
export const enginesFor = (file: string): readonly Engine[] => {
  if (isFullRun) return engines
  const fileHash = createHash('sha256')
    .update(`${testSeed} ${relative(root, file)}`)
    .digest()
  return engines.filter((_, index) => index === (fileHash[0] ?? 0) % engines.length)
}

const sharedDatabases = new Map<string, Promise<TestDatabase>>()

/**
 * The migrated database that all files of this thread share, because opening one takes longer than most tests. It exists until the thread
 * ends. `drop-test-databases.ts` drops those on a server.
 */
const sharedDatabase = async (engine: Engine): Promise<TestDatabase> => {
  const existing = sharedDatabases.get(engine.name)
  const opening = existing ?? engine.open()
  sharedDatabases.set(engine.name, opening)
  const database = await opening
  // Autovacuum does not run on an embedded database that is never idle.
  if (existing && engine.name === 'embedded') await sql`vacuum`.execute(database.db)
  return database
}

/**
 * A database for the `describe` it is called in, empty before each test:
 * `describe.each(enginesFor(import.meta.filename))('carts on $name', (engine) => { const database = freshDatabase(engine); it(…, () => database().db …) })`
 * A bare database is not shared, because its tests change the tables.
 */
export const freshDatabase = (engine: Engine, schema: Schema = 'migrated'): (() => TestDatabase) => {
  let open: TestDatabase | undefined
  const database = (): TestDatabase => {
    if (!open) throw new Error('The database is open only while tests run')
    return open
  }
  beforeAll(async () => {
    open = schema === 'migrated' ? await sharedDatabase(engine) : await engine.open(schema)
  })
  beforeEach(() => database().clear())
  afterAll(async () => {
    if (schema === 'bare') await open?.close()
    open = undefined
  })
  return database
}
