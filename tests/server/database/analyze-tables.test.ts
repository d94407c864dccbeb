import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { describe, expect, it } from 'vitest'
import { analyzeTables } from '#server/database/analyze-tables.ts'
import { migrate } from '#server/database/migrate.ts'
import { analyzeStaleTables } from '#server/database/stale-statistics.ts'
import { engines, enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { createImportFixtures } from '../imports/import-fixtures.ts'
import { createSubjectFixtures } from '../subjects/subject-fixtures.ts'

type Database = Parameters<typeof testDeps>[0]

/** The number of rows of a table that the planner knows; -1 before the first analyze. */
const knownRows = async ({ db }: Pick<Database, 'db'>, table: string): Promise<number | undefined> => {
  const { rows } = await sql<{ count: number }>`
    select reltuples::integer as count from pg_class where oid = ${table}::text::regclass`.execute(db)
  return rows[0]?.count
}

const manySubjects = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ firstName: `Child${n}`, lastName: 'Zander', reference: `Z${n}` }))

describe.each(enginesFor(import.meta.filename))('statistics after bulk work on $name', (engine) => {
  const database = freshDatabase(engine)

  it('creating three hundred subjects is followed by an analyze, and creating fewer is not', async () => {
    const { deps, jobs, staffRequest, subjectsUrl } = await createSubjectFixtures(database())
    const create = (count: number, from: number) =>
      staffRequest('POST', `${subjectsUrl}/bulk`, { subjects: manySubjects(from + count).slice(from) })
    const queuedAnalyses = () => jobs.splice(0).filter(({ name }) => name === 'analyze-tables')
    await create(299, 0)
    expect(queuedAnalyses()).toEqual([])
    await create(300, 299)
    expect(queuedAnalyses()).toEqual([{ name: 'analyze-tables', payload: { data: ['subjects'] } }])
    await analyzeTables(deps, { data: ['subjects'] })
    const { count } = await deps.db
      .selectFrom('subjects')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(await knownRows(deps, 'subjects')).toBe(Number(count))
  })

  it('an import of three hundred rows is followed by an analyze', async () => {
    const { queuedJobs: jobs, preview, run } = await createImportFixtures(database())
    const rows = Array.from({ length: 300 }, (_, n) => `${n},Child${n},Zander`)
    const finished = await run(await preview(['Student ID,First name,Last name', ...rows].join('\n')))
    expect(finished.counts).toMatchObject({ created: 300 })
    expect(jobs).toEqual([{ name: 'analyze-tables', payload: { data: ['subjects', 'imports'] } }])
  })
})

describe.each(engines)('statistics on $name', (engine) => {
  it('later migrations are followed by an analyze, and those of a new database are not', async () => {
    const database = await engine.open('bare')
    const execute = (statement: string): Migration => ({
      up: async (db) => void (await sql.raw(statement).execute(db)),
    })
    const first = execute('create table grown as select n from generate_series(1, 500) n')
    await migrate(database.db, { '01-first': first })
    expect(await knownRows(database, 'grown')).toBe(-1)
    await migrate(database.db, { '01-first': first, '02-second': execute('alter table grown add column note text') })
    expect(await knownRows(database, 'grown')).toBe(500)
    await database.close()
  })

  it('the product analyzes the tables of a PostgreSQL that have changed much, and no others', async () => {
    const database = await engine.open()
    const deps = testDeps(database)
    await sql`alter table settings set (autovacuum_enabled = false)`.execute(database.db)
    const insertSettings = (from: number, count: number) =>
      database.db.transaction().execute(async (tx) => {
        await sql`insert into settings (key, value)
                  select 'setting ' || n, '{}' from generate_series(${from}::integer, ${from + count - 1}::integer) n`.execute(
          tx,
        )
        await sql`select pg_stat_force_next_flush()`.execute(tx)
      })
    await sql`analyze settings`.execute(database.db)
    const before = Number(await knownRows(database, 'settings'))
    await insertSettings(1, 90)
    await analyzeStaleTables(deps)
    expect(await knownRows(database, 'settings')).toBe(before)
    await insertSettings(91, 300)
    await analyzeStaleTables(deps)
    expect(await knownRows(database, 'settings')).toBe(engine.name === 'postgres' ? before + 390 : before)
    await database.close()
  })

  it('health warns while the statistics of a PostgreSQL stay out of date for ten minutes', async () => {
    const database = await engine.open()
    const time = manualClock()
    const app = await testApp(testDeps(database, time))
    const readWarnings = async () => {
      time.advance(60_000)
      return (await app.inject({ url: '/api/health' })).json().data.warnings
    }
    await sql`alter table settings set (autovacuum_enabled = false)`.execute(database.db)
    expect(await readWarnings()).toBeUndefined()
    await database.db.transaction().execute(async (tx) => {
      await sql`insert into settings (key, value) select 'setting ' || n, '{}' from generate_series(1, 3000) n`.execute(
        tx,
      )
      // Otherwise the counts are written with a delay.
      await sql`select pg_stat_force_next_flush()`.execute(tx)
    })
    const warning =
      'The statistics of the database are out of date (settings), which makes cart calls three to eight times as slow. Turn on autovacuum, or run ANALYZE regularly'
    expect(await readWarnings()).toBeUndefined()
    time.advance(600_000)
    expect(await readWarnings()).toEqual(engine.name === 'postgres' ? [warning] : undefined)
    await sql`analyze settings`.execute(database.db)
    expect(await readWarnings()).toBeUndefined()
    await database.close()
  })
})
