import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { ImportDetails } from '#contract/studio/imports.ts'
import type { Database } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { migrations } from '#server/database/migrations/migrations.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { type Engine, enginesFor, prepareDatabaseFolder, silentLog } from '#support/database/test-database.ts'
import { createPostgresStorage } from '#support/product/product-storage.ts'
import { compileCacheEnv, freePort } from '#support/product/start-product.ts'
import { createImportFixtures } from './import-fixtures.ts'

const root = new URL('../../../', import.meta.url).pathname
const server = process.env.TEST_DATABASE_URL

type Base = { dataDir: string; env: Record<string, string>; remove: () => Promise<void> }

const embedded = async (): Promise<Base> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldproof-killed-import-'))
  await prepareDatabaseFolder(dataDir, 'migrated')
  return { dataDir, env: {}, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

const makers = {
  embedded: { title: 'the embedded database', make: embedded },
  postgres: { title: 'PostgreSQL', make: () => createPostgresStorage(server ?? '') },
} satisfies Record<Engine['name'], { title: string; make: () => Promise<Base> }>

const bases = enginesFor(import.meta.filename).map(({ name }) => makers[name])

const rowsOfList = 3000

const list = `Student ID,First name,Last name,Homeroom,Grade\n${Array.from(
  { length: rowsOfList },
  (_, at) => `${at},Child,Family ${at},Room ${at % 40},${at % 9}\n`,
).join('')}`

/** The state of the import, by its rows and the subjects. */
const readProgress = async ({ db }: Database) => {
  const rows = await db.selectFrom('import_rows').select(['state', 'subject_id']).execute()
  const people = await db.selectFrom('subjects').select(['id', 'reference']).execute()
  const fields = await db.selectFrom('subject_fields').select('subject_id').execute()
  const groups = await db.selectFrom('subject_groups').select('subject_id').execute()
  const written = rows.filter(({ state }) => state === 'created')
  return {
    people: people.length,
    different: new Set(people.map(({ reference }) => reference)).size,
    written: written.length,
    waiting: rows.filter(({ state }) => state === 'create').length,
    undone: rows.filter(({ state }) => state === 'undone').length,
    fields: fields.length,
    groups: groups.length,
  }
}

let base: Base | undefined
let child: ChildProcess | undefined

afterEach(async () => {
  await kill()
  await base?.remove()
  base = undefined
})

const kill = async (): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Starts the server on the storage; `headers` authorizes the request for the import. */
const startServer = async ({ dataDir, env }: Base, path: string, headers: Record<string, string>) => {
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
  const tell = async (method: string, under = '', body?: object): Promise<ImportDetails> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}${under}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await answer.json()).data
  }
  const until = async (isThere: (now: ImportDetails) => boolean): Promise<ImportDetails> => {
    for (;;) {
      const now = await tell('GET')
      if (isThere(now)) return now
      await wait(5)
    }
  }
  return { tell, until }
}

describe.each(bases)('an import whose server is killed, on $title', ({ make }) => {
  it('the import and its undo resume after a restart and process every row exactly once', {
    timeout: 120_000,
  }, async () => {
    const made = await make()
    base = made
    const open = () => openDatabase({ dataDir: made.dataDir, databaseUrl: made.env.DATABASE_URL, log: silentLog })
    const look = async () => {
      const database = await open()
      return await readProgress(database).finally(() => database.close())
    }
    const database = await open()
    await migrate(database.db, migrations)
    const clock = () => new Date()
    const { preview, base: at, headers, deps } = await createImportFixtures(database, { clock })
    const seen = await preview(list)
    const auth = await headers()
    const here = { ...made, env: { ...made.env, SECRET: deps.settings.secret } }
    await database.close()
    const path = `${at}/imports/${seen.id}`

    const first = await startServer(here, path, auth)
    await first.tell('POST', '/run', { version: seen.version })
    await first.until(({ rowsDone }) => rowsDone > 0)
    await kill()
    const cut = await look()
    // Some subjects are written completely, and none partially.
    expect(cut.people).toBeGreaterThan(0)
    expect(cut.people).toBeLessThan(rowsOfList)
    expect(cut).toEqual({ ...cut, ...all(cut.people), waiting: rowsOfList - cut.people })

    const second = await startServer(here, path, auth)
    const done = await second.until(({ state }) => state === 'done')
    expect(done.counts).toMatchObject({ created: rowsOfList, create: 0, refused: 0 })
    await second.tell('POST', '/undo', { version: done.version })
    await second.until(({ rowsDone, state }) => rowsDone > 0 && state === 'undoing')
    await kill()
    const half = await look()
    expect(half.people).toBeGreaterThan(0)
    expect(half.people).toBeLessThan(rowsOfList)
    expect(half).toEqual({ ...half, ...all(half.people), undone: rowsOfList - half.people })

    const third = await startServer(here, path, auth)
    await third.until(({ state }) => state === 'undone')
    await kill()
    expect(await look()).toEqual({ ...all(0), waiting: 0, undone: rowsOfList })
  })
})

/** All subjects with their fields and their group. */
const all = (people: number) => ({ people, different: people, written: people, fields: people * 2, groups: people })
