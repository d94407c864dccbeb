import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { ImportDetails } from '#contract/studio/imports.ts'
import type { Database } from '#server/database/database.ts'
import { migrate, migrations } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { type Engine, enginesFor, prepareDatabaseFolder, silentLog } from '#support/database/test-database.ts'
import { createPostgresStorage } from '#support/product/product-storage.ts'
import { compileCacheEnv, freePort } from '#support/product/start-product.ts'
import { createImportFixtures } from './import-fixtures.ts'

const root = new URL('../../../', import.meta.url).pathname
const server = process.env.TEST_DATABASE_URL

type Storage = { dataDir: string; env: Record<string, string>; remove: () => Promise<void> }

const embedded = async (): Promise<Storage> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldproof-killed-import-'))
  await prepareDatabaseFolder(dataDir, 'migrated')
  return { dataDir, env: {}, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

const storageKinds = {
  embedded: { title: 'the embedded database', make: embedded },
  postgres: { title: 'PostgreSQL', make: () => createPostgresStorage(server ?? '') },
} satisfies Record<Engine['name'], { title: string; make: () => Promise<Storage> }>

const storages = enginesFor(import.meta.filename).map(({ name }) => storageKinds[name])

const rowCount = 3000

const list = `Student ID,First name,Last name,Homeroom,Grade\n${Array.from(
  { length: rowCount },
  (_, index) => `${index},Child,Family ${index},Room ${index % 40},${index % 9}\n`,
).join('')}`

/** The state of the import, by its rows and the subjects. */
const readProgress = async ({ db }: Database) => {
  const rows = await db.selectFrom('import_rows').select(['state', 'subject_id']).execute()
  const subjects = await db.selectFrom('subjects').select(['id', 'reference']).execute()
  const fields = await db.selectFrom('subject_fields').select('subject_id').execute()
  const groups = await db.selectFrom('subject_groups').select('subject_id').execute()
  const written = rows.filter(({ state }) => state === 'created')
  return {
    subjects: subjects.length,
    distinctSubjects: new Set(subjects.map(({ reference }) => reference)).size,
    written: written.length,
    waiting: rows.filter(({ state }) => state === 'create').length,
    undone: rows.filter(({ state }) => state === 'undone').length,
    fields: fields.length,
    groups: groups.length,
  }
}

let storage: Storage | undefined
let child: ChildProcess | undefined

afterEach(async () => {
  await kill()
  await storage?.remove()
  storage = undefined
})

const kill = async (): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Starts the server on the storage; `headers` authorizes the requests for the import at `path`. */
const startServer = async ({ dataDir, env }: Storage, path: string, headers: Record<string, string>) => {
  const port = await freePort()
  child = spawn(process.execPath, ['src/server/main.ts'], {
    cwd: root,
    env: {
      ...{
        PATH: process.env.PATH,
        LOG_LEVEL: 'error',
        NODE_ENV: 'test',
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        PORT: String(port),
      },
      ...compileCacheEnv,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { stdout } = child
  await new Promise<void>((resolve) => {
    stdout?.on('data', (chunk) => String(chunk).includes('is ready') && resolve())
  })
  const request = async (method: string, subpath = '', body?: object): Promise<ImportDetails> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}${subpath}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await answer.json()).data
  }
  const waitUntil = async (isReached: (current: ImportDetails) => boolean): Promise<ImportDetails> => {
    for (;;) {
      const current = await request('GET')
      if (isReached(current)) return current
      await wait(5)
    }
  }
  return { request, waitUntil }
}

describe.each(storages)('an import whose server is killed, on $title', ({ make }) => {
  it('the import and its undo resume after a restart and process every row exactly once', {
    timeout: 120_000,
  }, async () => {
    const createdStorage = await make()
    storage = createdStorage
    const open = () =>
      openDatabase({ dataDir: createdStorage.dataDir, databaseUrl: createdStorage.env.DATABASE_URL, log: silentLog })
    const readImport = async () => {
      const database = await open()
      return await readProgress(database).finally(() => database.close())
    }
    const database = await open()
    await migrate(database.db, migrations)
    const clock = () => new Date()
    const { preview, base, headers, deps } = await createImportFixtures(database, { clock })
    const previewed = await preview(list)
    const auth = await headers()
    const serverStorage = { ...createdStorage, env: { ...createdStorage.env, SECRET: deps.settings.secret } }
    await database.close()
    const path = `${base}/imports/${previewed.id}`

    const first = await startServer(serverStorage, path, auth)
    await first.request('POST', '/run', { version: previewed.version })
    await first.waitUntil(({ rowsDone }) => rowsDone > 0)
    await kill()
    const afterKill = await readImport()
    // Some subjects are written completely, and none partially.
    expect(afterKill.subjects).toBeGreaterThan(0)
    expect(afterKill.subjects).toBeLessThan(rowCount)
    expect(afterKill).toEqual({
      ...afterKill,
      ...completeRows(afterKill.subjects),
      waiting: rowCount - afterKill.subjects,
    })

    const second = await startServer(serverStorage, path, auth)
    const finished = await second.waitUntil(({ state }) => state === 'done')
    expect(finished.counts).toMatchObject({ created: rowCount, create: 0, refused: 0 })
    await second.request('POST', '/undo', { version: finished.version })
    await second.waitUntil(({ rowsDone, state }) => rowsDone > 0 && state === 'undoing')
    await kill()
    const afterUndoKill = await readImport()
    expect(afterUndoKill.subjects).toBeGreaterThan(0)
    expect(afterUndoKill.subjects).toBeLessThan(rowCount)
    expect(afterUndoKill).toEqual({
      ...afterUndoKill,
      ...completeRows(afterUndoKill.subjects),
      undone: rowCount - afterUndoKill.subjects,
    })

    const third = await startServer(serverStorage, path, auth)
    await third.waitUntil(({ state }) => state === 'undone')
    await kill()
    expect(await readImport()).toEqual({ ...completeRows(0), waiting: 0, undone: rowCount })
  })
})

/** The row counts of this many subjects with their fields and group. */
const completeRows = (subjects: number) => ({
  subjects,
  distinctSubjects: subjects,
  written: subjects,
  fields: subjects * 2,
  groups: subjects,
})
