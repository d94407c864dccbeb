import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import { engines, freshDatabase } from '#support/database/test-database.ts'

const outsideTransaction = /past the open transaction/

describe.each(engines)('transactions on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')
  const db = (): Db => database().db

  beforeEach(async () => {
    await sql`drop table if exists notes`.execute(db())
    await sql`create table notes (id int primary key, text text not null default '')`.execute(db())
  })

  const ids = async (): Promise<number[]> =>
    (await sql<{ id: number }>`select id from notes order by id`.execute(db())).rows.map(({ id }) => id)

  it('a query outside the open transaction throws instead of waiting forever', async () => {
    const work = db()
      .transaction()
      .execute(async (tx) => {
        await sql`insert into notes values (1)`.execute(tx)
        await sql`insert into notes values (2)`.execute(db())
      })
    await expect(work).rejects.toThrow(outsideTransaction)
    expect(await ids()).toEqual([])
  })

  it('a second transaction throws, also when it starts in a later callback', async () => {
    const queryLater = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve))
      await Promise.all([
        db()
          .transaction()
          .execute(async () => {}),
      ])
    }
    const work = db().transaction().execute(queryLater)
    await expect(work).rejects.toThrow(outsideTransaction)
  })

  it('the transaction continues after the error', async () => {
    await db()
      .transaction()
      .execute(async (tx) => {
        await expect(sql`select 1`.execute(db())).rejects.toThrow(outsideTransaction)
        await sql`insert into notes values (1)`.execute(tx)
      })
    expect(await ids()).toEqual([1])
  })

  it('work that continues after its transaction has finished may use `db`', async () => {
    let finish = (): void => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const running = await db()
      .transaction()
      .execute(async () => ({ work: finished.then(() => sql`insert into notes values (5)`.execute(db())) }))
    finish()
    await running.work
    expect(await ids()).toEqual([5])
  })

  it('concurrent transactions are isolated, also when half of them are rolled back', async () => {
    const transactions = Array.from({ length: 40 }, (_, index) =>
      db()
        .transaction()
        .execute(async (tx) => {
          await sql`insert into notes values (${2 * index})`.execute(tx)
          await sql`insert into notes values (${2 * index + 1})`.execute(tx)
          if (index % 2 === 1) throw new Error('undone')
        }),
    )
    const counts = Array.from({ length: 40 }, async () => (await ids()).length)
    await Promise.allSettled(transactions)
    expect((await Promise.all(counts)).filter((count) => count % 2 === 1)).toEqual([])
    expect((await ids()).length).toBe(40)
  })

  it('a savepoint can be rolled back', async () => {
    const tx = await db().startTransaction().execute()
    await sql`insert into notes values (1)`.execute(tx)
    const savepoint = await tx.savepoint('before').execute()
    await sql`insert into notes values (2)`.execute(savepoint)
    await (await savepoint.rollbackToSavepoint('before').execute()).commit().execute()
    expect(await ids()).toEqual([1])
  })

  it('PostgreSQL’s errors are passed on', async () => {
    await sql`insert into notes values (1)`.execute(db())
    await expect(sql`insert into notes values (1)`.execute(db())).rejects.toMatchObject({
      code: '23505',
      constraint: 'notes_pkey',
    })
  })

  it('a statement works again after a column was added to its table', async () => {
    const read = async () => (await sql`select * from notes where id = ${1}`.execute(db())).rows
    await sql`insert into notes values (1, 'a')`.execute(db())
    for (let n = 0; n < 3; n += 1) await read()
    await sql`alter table notes add column more int`.execute(db())
    // PostgreSQL refuses the cached plan once per statement; it must do so only once.
    await read().catch(() => {})
    expect(await read()).toEqual([{ id: 1, text: 'a', more: null }])
  })

  it('a transaction that a deadlock aborted is retried', async () => {
    await sql`insert into notes values (1), (2)`.execute(db())
    let arrived = 0
    let resolveArrival = (): void => {}
    const bothArrived = new Promise<void>((resolve) => {
      resolveArrival = resolve
    })
    // On the embedded engine transactions run one at a time, so they cannot conflict.
    const transactionCount = engine.name === 'postgres' ? 2 : 1
    let attempts = 0
    const change = (first: number, second: number) =>
      inTransaction(db(), async (tx) => {
        attempts += 1
        await sql`update notes set text = text || 'x' where id = ${first}`.execute(tx)
        arrived += 1
        if (arrived >= transactionCount) resolveArrival()
        await bothArrived
        await sql`update notes set text = text || 'x' where id = ${second}`.execute(tx)
      })
    await Promise.all([change(1, 2), change(2, 1)])
    const { rows } = await sql<{ text: string }>`select text from notes`.execute(db())
    expect(rows).toEqual([{ text: 'xx' }, { text: 'xx' }])
    // The aborted transaction may lock its row again before the other one continues, and be aborted again.
    if (engine.name === 'postgres') expect(attempts).toBeGreaterThanOrEqual(3)
    else expect(attempts).toBe(2)
  })

  it('a closed database reports that it is closed', async () => {
    const secondDatabase = await engine.open('bare')
    await secondDatabase.close()
    await expect(sql`select 1`.execute(secondDatabase.db)).rejects.toThrow()
    await expect(secondDatabase.db.transaction().execute(async () => {})).rejects.toThrow()
  })
})
