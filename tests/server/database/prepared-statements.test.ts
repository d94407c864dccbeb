import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db, Transaction } from '#server/database/database.ts'
import { engines, freshDatabase } from '#support/database/test-database.ts'

type Connection = Db | Transaction

/** Returns how often matching prepared statements ran, and how often with the generic plan. */
const readStatementRuns = async (connection: Connection, like: string) => {
  const { rows } = await sql<{ run: number; withoutPlanning: number }>`
    select generic_plans + custom_plans as run, generic_plans as "withoutPlanning" from pg_prepared_statements
     where statement like ${like} and statement not like '%pg_prepared_statements%'`.execute(connection)
  return rows
}

describe.each(engines)('prepared statements on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')
  const withConnection = (work: (connection: Connection) => Promise<void>) => database().db.connection().execute(work)

  it('a statement with parameters is parsed once per connection, and no longer planned after five runs', () =>
    withConnection(async (connection) => {
      for (let n = 0; n < 8; n += 1) await sql`select ${n}::int as found_by_its_name`.execute(connection)
      expect(await readStatementRuns(connection, '%found_by_its_name')).toEqual([{ run: 8, withoutPlanning: 3 }])
    }))

  it('a prepared statement returns a column that was added later', () =>
    withConnection(async (connection) => {
      const read = async (reader: Connection) =>
        (await sql`select * from grows where id = ${1}`.execute(reader)).rows as object[] // rows are objects
      await sql`create table grows (id int)`.execute(connection)
      await sql`insert into grows values (1)`.execute(connection)
      expect(await read(connection)).toEqual([{ id: 1 }])
      await sql`alter table grows add column name text default 'new'`.execute(connection)
      expect(await read(connection)).toEqual([{ id: 1, name: 'new' }])
      await sql`alter table grows add column more int`.execute(connection)
      expect(await read(connection)).toEqual([{ id: 1, name: 'new', more: null }])
    }))

  it('the number of changed rows and a constraint violation are reported, and the connection stays usable', () =>
    withConnection(async (connection) => {
      await sql`create table counted (id int primary key)`.execute(connection)
      const insert = (id: number) => sql`insert into counted values (${id}), (${id + 1})`.execute(connection)
      expect((await insert(1)).numAffectedRows).toBe(2n)
      await expect(insert(2)).rejects.toMatchObject({ code: '23505', constraint: 'counted_pkey' })
      expect((await insert(3)).numAffectedRows).toBe(2n)
      expect((await sql`delete from counted where id < ${4}`.execute(connection)).numAffectedRows).toBe(3n)
      expect((await sql`select id from counted where id > ${0}`.execute(connection)).rows).toEqual([{ id: 4 }])
    }))

  it('an invalid statement is refused each time, and later statements are accepted', () =>
    withConnection(async (connection) => {
      const invalidQuery = () => sql`select ${1}::int as one from nowhere`.execute(connection)
      for (let n = 0; n < 2; n += 1) await expect(invalidQuery()).rejects.toMatchObject({ code: '42P01' })
      expect((await sql`select ${1}::int as one`.execute(connection)).rows).toEqual([{ one: 1 }])
    }))
})

describe.each(engines)('transactions with prepared statements on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')

  it('a refused statement rolls back the transaction, and no prepared statement is lost', async () => {
    const { db } = database()
    await sql`create table kept (id int primary key)`.execute(db)
    const insert = (connection: Connection, id: number) => sql`insert into kept values (${id})`.execute(connection)
    await insert(db, 1)
    const working = db.transaction().execute(async (tx) => {
      await insert(tx, 2)
      await insert(tx, 1)
    })
    await expect(working).rejects.toMatchObject({ code: '23505' })
    await db.transaction().execute(async (tx) => {
      await insert(tx, 3)
    })
    expect((await sql`select id from kept where id > ${0} order by id`.execute(db)).rows).toEqual([
      { id: 1 },
      { id: 3 },
    ])
  })

  it('a transaction fails if a column was added since the statement was prepared; the next one returns the column', async () => {
    const { db } = database()
    await sql`create table widened (id int)`.execute(db)
    await sql`insert into widened values (1)`.execute(db)
    await db.connection().execute(async (connection) => {
      const read = (reader: Connection) => sql`select * from widened where id = ${1}`.execute(reader)
      await read(connection)
      await sql`alter table widened add column name text`.execute(connection)
      await expect(connection.transaction().execute(read)).rejects.toMatchObject({ code: '0A000' })
      expect((await connection.transaction().execute(read)).rows).toEqual([{ id: 1, name: null }])
    })
  })
})

describe.each(engines)('a transaction on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')

  it.each([
    ['with', (id: number) => sql`insert into late values (${id})`],
    ['without', (id: number) => sql`insert into late values (${sql.lit(id)})`],
  ])('a transaction refuses statements %s parameters while it is rolled back', async (_, insertQuery) => {
    const { db } = database()
    await sql`create table if not exists late (id int)`.execute(db)
    await sql`truncate late`.execute(db)
    let lateStatements = Promise.resolve()
    const working = db.transaction().execute(async (tx) => {
      lateStatements = (async () => {
        for (const id of [1, 2]) await insertQuery(id).execute(tx)
      })()
      await Promise.all([lateStatements, Promise.reject(new Error('something else broke'))])
    })
    await expect(working).rejects.toThrow('something else broke')
    await expect(lateStatements).rejects.toThrow('A statement came as its transaction was being ended')
    expect((await sql`select id from late`.execute(db)).rows).toEqual([])
    await insertQuery(3).execute(db)
    expect((await sql`select id from late`.execute(db)).rows).toEqual([{ id: 3 }])
  })
})

describe.each(engines.filter(({ name }) => name === 'embedded'))('the $name engine', (engine) => {
  const database = freshDatabase(engine, 'bare')

  it('a prepared statement whose plan a new column made stale is discarded', async () => {
    const { db } = database()
    await sql`create table widens (id int)`.execute(db)
    const read = () => sql`select * from widens where id = ${1}`.execute(db)
    for (let n = 0; n < 5; n += 1) {
      await read()
      await sql`alter table widens add column ${sql.raw(`more_${n}`)} int`.execute(db)
    }
    await read()
    expect(await readStatementRuns(db, '%widens%')).toHaveLength(1)
  })

  it('other work of the process gets its turn during a long chain of statements', async () => {
    const { db } = database()
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    try {
      for (let n = 0; n < 10_000 && turns <= 3; n += 1)
        await sql`select count(*) + ${n} from generate_series(1, 2000)`.execute(db)
    } finally {
      clearInterval(timer)
    }
    expect(turns).toBeGreaterThan(3)
  })

  it('the 256 most recently used prepared statements are cached, and no others', async () => {
    const { db } = database()
    const runStatement = (n: number) => sql`select ${n}::int as ${sql.raw(`number_${n}`)}`.execute(db)
    for (let n = 0; n < 300; n += 1) {
      await runStatement(0)
      expect((await runStatement(n)).rows).toEqual([{ [`number_${n}`]: n }])
    }
    const cachedStatements = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db)
    expect(cachedStatements.rows).toEqual([{ count: 256 }])
    expect(await readStatementRuns(db, '%number\\_0')).toMatchObject([{ run: 301 }])
    expect(await readStatementRuns(db, '%number\\_1')).toEqual([])
  })
})
