import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db, Transaction } from '../../../src/server/database/database.ts'
import { engines, freshDatabase } from '../../support/database.ts'

type Connection = Db | Transaction

const prepared = async (connection: Connection, like: string): Promise<number[]> => {
  const { rows } = await sql<{ executions: number }>`
    select generic_plans + custom_plans as executions from pg_prepared_statements
     where statement like ${like} and statement not like '%pg_prepared_statements%'`.execute(connection)
  return rows.map(({ executions }) => executions)
}

describe.each(engines)('statements on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')
  const connected = (work: (connection: Connection) => Promise<void>) => database().db.connection().execute(work)

  it('with parameters are planned once per connection, under a name', () =>
    connected(async (connection) => {
      for (let n = 0; n < 3; n += 1) await sql`select ${n}::int as found_by_its_name`.execute(connection)
      expect(await prepared(connection, '%found_by_its_name')).toEqual([3])
    }))

  it('answer with a column that was added since', () =>
    connected(async (connection) => {
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

  it('say how many rows they changed, and what a constraint refused; the connection goes on', () =>
    connected(async (connection) => {
      await sql`create table counted (id int primary key)`.execute(connection)
      const insert = (id: number) => sql`insert into counted values (${id}), (${id + 1})`.execute(connection)
      expect((await insert(1)).numAffectedRows).toBe(2n)
      await expect(insert(2)).rejects.toMatchObject({ code: '23505', constraint: 'counted_pkey' })
      expect((await insert(3)).numAffectedRows).toBe(2n)
      expect((await sql`delete from counted where id < ${4}`.execute(connection)).numAffectedRows).toBe(3n)
      expect((await sql`select id from counted where id > ${0}`.execute(connection)).rows).toEqual([{ id: 4 }])
    }))

  it('that the engine can’t read are refused each time, and others are not', () =>
    connected(async (connection) => {
      const wrong = () => sql`select ${1}::int as one from nowhere`.execute(connection)
      for (let n = 0; n < 2; n += 1) await expect(wrong()).rejects.toMatchObject({ code: '42P01' })
      expect((await sql`select ${1}::int as one`.execute(connection)).rows).toEqual([{ one: 1 }])
    }))
})

describe.each(engines)('transactions of named statements on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')

  it('lose all they did when one statement is refused, and no name', async () => {
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

  it('are refused a column that was added since the statement was named; the next has it', async () => {
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

describe.each(engines.filter(({ name }) => name === 'embedded'))('the $name engine', (engine) => {
  const database = freshDatabase(engine, 'bare')

  it('keeps no more plans than 256, those used last', async () => {
    const { db } = database()
    const ask = (n: number) => sql`select ${n}::int as ${sql.raw(`number_${n}`)}`.execute(db)
    for (let n = 0; n < 300; n += 1) {
      await ask(0)
      expect((await ask(n)).rows).toEqual([{ [`number_${n}`]: n }])
    }
    const kept = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db)
    expect(kept.rows).toEqual([{ count: 256 }])
    expect(await prepared(db, '%number\\_0')).toEqual([301])
    expect(await prepared(db, '%number\\_1')).toEqual([])
  })
})
