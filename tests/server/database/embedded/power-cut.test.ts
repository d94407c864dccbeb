import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Db } from '#server/database/database.ts'
import { durableStartParams, embeddedDatabase, embeddedOptions } from '#server/database/embedded/embedded-database.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { prepareDatabaseFolder, silentLog } from '#support/database/test-database.ts'
import {
  keepAllUnsynced,
  loseAllUnsynced,
  type PowerCutOutcome,
  randomOutcome,
  seeded,
  writeFilesAfterPowerCut,
} from './power-cut-files.ts'
import { type FileRequest, RecordedFiles } from './recorded-files.ts'

/*
 * Simulates power cuts without root or a loop device. Every write, resize, rename, removal and sync that the embedded
 * database requests from the operating system is recorded, and so is each acknowledged commit. For a cut at any point
 * of the recording the test creates the files as a disk may contain them: everything that was synced, and a random part
 * of the rest, torn at sectors. The database is opened from these files, and each commit acknowledged before the cut
 * must be complete. This is harsher than a real disk, which usually writes in order and within seconds. The first test
 * shows with unmodified PGlite that the method finds losses.
 */

const isLong = process.env.LONG === '1'
const commits = isLong ? 300 : 60
const cuts = isLong ? 60 : 5

type Recording = { readonly requests: readonly FileRequest[]; readonly base: string }

const noTicks = () => () => {}

let scratch = ''

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'power-cut-'))
  await prepareDatabaseFolder(join(scratch, 'base'))
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Each transaction writes an order and its three lines; some are followed by operations that change many files. */
const writeOrders = async (db: Db, acknowledge: (id: number) => void): Promise<void> => {
  await sql`create table orders (id int primary key, note text not null)`.execute(db)
  await sql`create table lines (order_id int not null references orders, n int not null, primary key (order_id, n))`.execute(
    db,
  )
  for (let id = 1; id <= commits; id += 1) {
    await db.transaction().execute(async (tx) => {
      await sql`insert into orders values (${id}, ${'n'.repeat(200)})`.execute(tx)
      await sql`insert into lines select ${id}::int, n from generate_series(1, 3) n`.execute(tx)
    })
    acknowledge(id)
    if (id % 23 === 0) await sql`checkpoint`.execute(db)
    if (id % 31 === 0) await sql`update orders set note = note || '!'`.execute(db)
    if (id % 41 === 0) await sql`vacuum full orders`.execute(db)
  }
}

const record = async (startParams: string[]): Promise<Recording> => {
  const base = join(scratch, 'base', 'database')
  const folder = mkdtempSync(join(scratch, 'recorded-'))
  cpSync(base, folder, { recursive: true })
  const files = new RecordedFiles(folder)
  const pglite = await PGlite.create({ ...embeddedOptions, startParams, fs: files })
  const database = embeddedDatabase(pglite, files)
  await writeOrders(database.db, (id) => files.acknowledge(id))
  await database.close()
  return { requests: files.requests, base }
}

/** Opens the database as a cut after the first `length` requests leaves it. */
const openAfterCut = async (
  { requests, base }: Recording,
  length: number,
  outcome: PowerCutOutcome,
): Promise<Database> => {
  const dataDir = mkdtempSync(join(scratch, 'cut-'))
  cpSync(base, join(dataDir, 'database'), { recursive: true })
  writeFilesAfterPowerCut(join(dataDir, 'database'), requests.slice(0, length), outcome)
  const database = await openDatabase({ dataDir, log: silentLog, every: noTicks })
  const close = async (): Promise<void> => {
    await database.close()
    rmSync(dataDir, { recursive: true })
  }
  return { ...database, close }
}

/** Returns the ids of the orders; fails if an order is incomplete, or if the index and the table disagree. */
const readCompleteOrders = async (db: Db): Promise<number[]> => {
  const tableName = await sql<{ name: string | null }>`select to_regclass('lines')::text as name`.execute(db)
  if (!tableName.rows[0]?.name) return []
  const read = async (access: 'indexscan' | 'seqscan') =>
    await db.transaction().execute(async (tx) => {
      const disabledAccess = access === 'indexscan' ? 'seqscan' : 'indexscan'
      await sql`${sql.raw(`set local enable_${disabledAccess} = off`)}`.execute(tx)
      await sql`set local enable_bitmapscan = off`.execute(tx)
      const { rows } = await sql<{ id: number; lines: number }>`
        select o.id, (select count(*) from lines l where l.order_id = o.id) as lines from orders o order by o.id`.execute(
        tx,
      )
      return rows
    })
  const rows = await read('seqscan')
  expect(await read('indexscan')).toEqual(rows)
  expect(rows.filter(({ lines }) => lines !== 3)).toEqual([])
  return rows.map(({ id }) => id)
}

const acknowledgedIds = (requests: readonly FileRequest[]): number[] =>
  requests.flatMap((request) => (request.do === 'acknowledge' ? [request.id] : []))

describe('a power cut', () => {
  it('unmodified PGlite loses commits if unsynced changes are lost, and none if they are written', async () => {
    const recording = await record([...embeddedOptions.startParams])
    const ordersAfter = async (outcome: PowerCutOutcome): Promise<number[]> => {
      const database = await openAfterCut(recording, recording.requests.length, outcome)
      return await readCompleteOrders(database.db).finally(() => database.close())
    }
    expect(await ordersAfter(keepAllUnsynced)).toEqual(acknowledgedIds(recording.requests))
    expect(await ordersAfter(loseAllUnsynced)).toEqual([])
  })

  it('durable files lose no acknowledged commit, whenever the power is cut', { timeout: 600_000 }, async () => {
    const recording = await record(durableStartParams)
    const { requests } = recording
    const acknowledgedPoints = requests.flatMap((request, index) => (request.do === 'acknowledge' ? [index + 1] : []))
    const chance = seeded(20_270_301)
    for (let cut = 0; cut < cuts; cut += 1) {
      // Every second cut happens at the worst moment, right after a commit was acknowledged.
      const cutPoints = cut % 2 === 0 ? acknowledgedPoints : requests.map((_, index) => index)
      const length = cutPoints[Math.floor(chance() * cutPoints.length)] ?? 0
      const database = await openAfterCut(recording, length, cut < 2 ? loseAllUnsynced : randomOutcome(cut))
      const orders = await readCompleteOrders(database.db)
      const lost = acknowledgedIds(requests.slice(0, length)).filter((id) => !orders.includes(id))
      expect({ cut, length, lost }).toEqual({ cut, length, lost: [] })
      await database.close()
    }
  })
})
