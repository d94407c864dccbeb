import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DurableNodeFS } from '#server/database/embedded/durable-files.ts'
import { openDurableEngine } from '#server/database/embedded/embedded-database.ts'
import { EmbeddedMaintenance } from '#server/database/embedded/embedded-maintenance.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { prepareDatabaseFolder, silentLog } from '#support/database/test-database.ts'

const rounds = process.env.LONG === '1' ? 150 : 16
const megabyte = 1024 * 1024

let dataDir = ''
let pglite: PGlite | undefined

const folder = (): string => join(dataDir, 'database')

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'maintenance-'))
  await prepareDatabaseFolder(dataDir)
})

afterEach(async () => {
  await pglite?.close()
  pglite = undefined
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const logMegabytes = (): number => {
  const segments = readdirSync(join(folder(), 'pg_wal'), { withFileTypes: true }).filter((entry) => entry.isFile())
  return segments.reduce((sum, { name }) => sum + statSync(join(folder(), 'pg_wal', name)).size, 0) / megabyte
}

/** Adds about ten megabytes to the write-ahead log and leaves ten thousand dead rows. */
const grow = async (engine: PGlite): Promise<void> => {
  await engine.query(`insert into growing select n, repeat('x', 900) from generate_series(1, 10000) n`)
  await engine.query('delete from growing')
}

describe('maintenance of the embedded database', () => {
  it('maintenance bounds the size of the log and the tables', { timeout: 600_000 }, async () => {
    pglite = await openDurableEngine(new DurableNodeFS(folder()))
    const maintenance = new EmbeddedMaintenance(pglite, silentLog)
    await pglite.query('create table growing (id int, filling text)')
    let maxMegabytes = 0
    for (let round = 0; round < rounds; round += 1) {
      await grow(pglite)
      await maintenance.tidy()
      maxMegabytes = Math.max(maxMegabytes, logMegabytes())
    }
    const { rows } = await pglite.query<{ megabytes: number }>(
      `select pg_total_relation_size('growing') / 1048576.0 as megabytes`,
    )
    expect(maxMegabytes).toBeLessThanOrEqual(96)
    expect(Number(rows[0]?.megabytes)).toBeLessThanOrEqual(20)
  })

  it('the space of deleted large values is freed', async () => {
    pglite = await openDurableEngine(new DurableNodeFS(folder()))
    await pglite.exec(`create table large (filling text); alter table large alter filling set storage external`)
    await pglite.query(`insert into large select repeat('x', 5000) from generate_series(1, 500)`)
    await pglite.query('delete from large')
    await new EmbeddedMaintenance(pglite, silentLog).vacuum()
    await pglite.query('select pg_stat_force_next_flush()')
    const { rows } = await pglite.query<{ dead: number }>(
      `select n_dead_tup::int as dead from pg_stat_all_tables
        where relid = (select reltoastrelid from pg_class where relname = 'large')`,
    )
    expect(rows).toEqual([{ dead: 0 }])
  })

  it('a table that has grown is analyzed although the counts of its changes were lost', async () => {
    const engine = await openDurableEngine(new DurableNodeFS(folder()))
    pglite = engine
    const knownRows = async () => {
      const { rows } = await engine.query<{ count: number }>(
        "select reltuples::integer as count from pg_class where relname = 'grown'",
      )
      return rows[0]?.count
    }
    await engine.exec('create table grown as select n, repeat($$x$$, 200) as text from generate_series(1, 2000) n')
    await engine.exec('select pg_stat_force_next_flush()')
    await engine.exec('select pg_stat_reset()')
    expect(await knownRows()).toBe(-1)
    await new EmbeddedMaintenance(engine, silentLog).vacuum()
    expect(await knownRows()).toBe(2000)
  })

  it('without maintenance the log grows with everything that is written, until a checkpoint', async () => {
    pglite = await openDurableEngine(new DurableNodeFS(folder()))
    for (let round = 0; round < 16; round += 1) await grow(pglite)
    expect(logMegabytes()).toBeGreaterThan(144)
    const maintenance = new EmbeddedMaintenance(pglite, silentLog)
    await maintenance.checkpoint(megabyte)
    expect(logMegabytes()).toBeLessThanOrEqual(96)
  })

  it('no checkpoint is written if nothing has changed', async () => {
    pglite = await openDurableEngine(new DurableNodeFS(folder()))
    const engine = pglite
    const checkpoint = async (): Promise<unknown> =>
      (await engine.query('select checkpoint_lsn::text as at from pg_control_checkpoint()')).rows[0]
    const maintenance = new EmbeddedMaintenance(engine, silentLog)
    await maintenance.tidy()
    await maintenance.checkpoint(1)
    const before = await checkpoint()
    await maintenance.checkpoint(1)
    expect(await checkpoint()).toEqual(before)
  })

  it('other work of the process gets its turn between two tables', async () => {
    pglite = await openDurableEngine(new DurableNodeFS(folder()))
    const tables = 8
    for (let n = 0; n < tables; n += 1)
      await pglite.exec(`create table changed_${n} as select g as id from generate_series(1, 5000) g`)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 0)
    await new EmbeddedMaintenance(pglite, silentLog).vacuum().finally(() => clearInterval(timer))
    expect(turns).toBeGreaterThanOrEqual(tables)
  })

  it('an open database runs maintenance by a timer', async () => {
    const timers: { milliseconds: number; work: () => void }[] = []
    const stopped: number[] = []
    const database = await openDatabase({
      dataDir,
      log: silentLog,
      every: (milliseconds, work) => {
        timers.push({ milliseconds, work })
        return () => void stopped.push(milliseconds)
      },
    })
    const checkpoint = async (): Promise<unknown> =>
      (await sql`select checkpoint_lsn::text as at from pg_control_checkpoint()`.execute(database.db)).rows[0]
    await sql`create table if not exists ticking (id int)`.execute(database.db)
    const before = await checkpoint()
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([1_000, 60_000])
    timers[1]?.work()
    await expect.poll(checkpoint).not.toEqual(before)
    await database.close()
    expect(stopped).toEqual([1_000, 60_000])
  })
})
