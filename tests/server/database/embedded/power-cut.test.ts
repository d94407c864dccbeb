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
 * A power cut without root, a loop device, or luck: every write, resize, rename, removal and sync of the embedded database is put
 * on record as it asks the operating system for it, with a mark where a commit was acknowledged. For a cut at any point of the
 * record the test lays out the files as a disk may hold them: all that was synced, and of everything else a random part, torn at
 * sectors. That database is opened like any other, and each commit acknowledged before the cut must be there, whole. It is harsher
 * than a real disk, which mostly writes in order and within seconds. That the method finds losses is shown by the first test,
 * with PGlite as it is shipped.
 */

const long = process.env.LONG === '1'
const commits = long ? 300 : 60
const cuts = long ? 60 : 5

type Recording = { readonly asked: readonly FileRequest[]; readonly base: string }

const noTicks = () => () => {}

let scratch = ''

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'power-cut-'))
  await prepareDatabaseFolder(join(scratch, 'base'))
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Each transaction writes an order and its three lines; now and then come operations that move many files. */
const takeOrders = async (db: Db, acknowledge: (id: number) => void): Promise<void> => {
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
  await takeOrders(database.db, (id) => files.acknowledge(id))
  await database.close()
  return { asked: files.asked, base }
}

/** Opens the database left by a cut after the first `length` entries of the record. */
const openAfterCut = async ({ asked, base }: Recording, length: number, fate: PowerCutOutcome): Promise<Database> => {
  const dataDir = mkdtempSync(join(scratch, 'cut-'))
  cpSync(base, join(dataDir, 'database'), { recursive: true })
  writeFilesAfterPowerCut(join(dataDir, 'database'), asked.slice(0, length), fate)
  const database = await openDatabase({ dataDir, log: silentLog, every: noTicks })
  const close = async (): Promise<void> => {
    await database.close()
    rmSync(dataDir, { recursive: true })
  }
  return { ...database, close }
}

/** The orders that exist; throws when one is incomplete, or the index and the table disagree. */
const wholeOrders = async (db: Db): Promise<number[]> => {
  const there = await sql<{ name: string | null }>`select to_regclass('lines')::text as name`.execute(db)
  if (!there.rows[0]?.name) return []
  const read = async (access: 'indexscan' | 'seqscan') =>
    await db.transaction().execute(async (tx) => {
      const other = access === 'indexscan' ? 'seqscan' : 'indexscan'
      await sql`${sql.raw(`set local enable_${other} = off`)}`.execute(tx)
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

const acknowledgedIn = (asked: readonly FileRequest[]): number[] =>
  asked.flatMap((step) => (step.do === 'acknowledge' ? [step.id] : []))

describe('a power cut', () => {
  it('PGlite as shipped loses commits by a power cut and by nothing else: the method finds losses', async () => {
    const recording = await record([...embeddedOptions.startParams])
    const ordersAfter = async (fate: PowerCutOutcome): Promise<number[]> => {
      const database = await openAfterCut(recording, recording.asked.length, fate)
      return await wholeOrders(database.db).finally(() => database.close())
    }
    expect(await ordersAfter(keepAllUnsynced)).toEqual(acknowledgedIn(recording.asked))
    expect(await ordersAfter(loseAllUnsynced)).toEqual([])
  })

  it('our files lose no acknowledged commit, wherever the cut falls', { timeout: 600_000 }, async () => {
    const recording = await record(durableStartParams)
    const { asked } = recording
    const marks = asked.flatMap((step, place) => (step.do === 'acknowledge' ? [place + 1] : []))
    const chance = seeded(20_270_301)
    for (let cut = 0; cut < cuts; cut += 1) {
      // Every other cut comes at the worst moment: right after a commit was acknowledged.
      const places = cut % 2 === 0 ? marks : asked.map((_, place) => place)
      const length = places[Math.floor(chance() * places.length)] ?? 0
      const database = await openAfterCut(recording, length, cut < 2 ? loseAllUnsynced : randomOutcome(cut))
      const orders = await wholeOrders(database.db)
      const lost = acknowledgedIn(asked.slice(0, length)).filter((id) => !orders.includes(id))
      expect({ cut, length, lost }).toEqual({ cut, length, lost: [] })
      await database.close()
    }
  })
})
