import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DurableNodeFS, type PgliteEngine } from '#server/database/embedded/durable-files.ts'
import { embeddedDatabase, openDurableEngine } from '#server/database/embedded/embedded-database.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { prepareDatabaseFolder, silentLog } from '#support/database/test-database.ts'

const invalidDescriptor = 1_000_000

/** Files on a disk whose writes or syncs can be made to fail, as on a full or dying disk. */
class FailingFiles extends DurableNodeFS {
  failingOperation: 'write' | 'sync' | undefined

  protected override prepare(engine: PgliteEngine): void {
    super.prepare(engine)
    const files = engine.NODEFS.stream_ops as Record<string, (stream: { nfd: number }, ...rest: unknown[]) => unknown>
    const write = files.write
    if (!write) throw new Error("Emscripten's file system no longer has write")
    files.write = (stream, ...rest) =>
      write(this.failingOperation === 'write' ? { ...stream, nfd: invalidDescriptor } : stream, ...rest)
  }

  protected override sync(descriptor: number): number {
    return super.sync(this.failingOperation === 'sync' ? invalidDescriptor : descriptor)
  }
}

let dataDir = ''

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'failing-disk-'))
  await prepareDatabaseFolder(dataDir)
  const { db, close } = await openDatabase({ dataDir, log: silentLog })
  await sql`create table kept (id int)`.execute(db)
  await close()
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

describe.each(['write', 'sync'] as const)('a disk that refuses a %s', (failingOperation) => {
  it('the database stops at once with a reason, and no acknowledged commit is lost', async () => {
    const files = new FailingFiles(join(dataDir, 'database'))
    const { db, close } = embeddedDatabase(await openDurableEngine(files), files)
    await sql`truncate kept`.execute(db)
    await sql`insert into kept values (1)`.execute(db)
    files.failingOperation = failingOperation
    const stopped = /the disk refused/
    await expect(sql`insert into kept values (2)`.execute(db)).rejects.toThrow(stopped)
    await expect(sql`select 1`.execute(db)).rejects.toThrow(stopped)
    await expect(db.transaction().execute((tx) => sql`select 1`.execute(tx))).rejects.toThrow(stopped)
    await close()

    const reopened = await openDatabase({ dataDir, log: silentLog })
    const { rows } = await sql<{ id: number }>`select id from kept`.execute(reopened.db)
    expect(rows).toContainEqual({ id: 1 })
    await reopened.close()
  })

  it('a running transaction fails', async () => {
    const files = new FailingFiles(join(dataDir, 'database'))
    const { db, close } = embeddedDatabase(await openDurableEngine(files), files)
    const work = db.transaction().execute(async (tx) => {
      await sql`insert into kept values (3)`.execute(tx)
      files.failingOperation = failingOperation
    })
    await expect(work).rejects.toThrow(/the disk refused/)
    await close()
  })
})
