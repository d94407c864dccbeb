import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { describe, expect, it } from 'vitest'
import { migrate, migrations } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { engines, freshDatabase, silentLog } from '#support/database/test-database.ts'

/** Fails when it runs a second time. */
const createTable = (table: string): Migration => ({
  up: async (db) => {
    await sql`create table ${sql.id(table)} (id int8 primary key)`.execute(db)
    await sql`select pg_sleep(0.05)`.execute(db)
  },
})

describe.each(engines)('migrations on $name', (engine) => {
  it('migrations run once, in the order of their names, and later only new ones', async () => {
    const { db, close } = await engine.open('bare')
    expect(await migrate(db, { '02-b': createTable('b'), '01-a': createTable('a') })).toEqual(['01-a', '02-b'])
    expect(await migrate(db, { '02-b': createTable('b'), '01-a': createTable('a') })).toEqual([])
    expect(await migrate(db, { '01-a': createTable('a'), '02-b': createTable('b'), '03-c': createTable('c') })).toEqual(
      ['03-c'],
    )
    await close()
  })

  it('a failing migration leaves nothing behind', async () => {
    const { db, close } = await engine.open('bare')
    const failing: Migration = { up: (trx) => sql`select 1 / 0`.execute(trx).then(() => {}) }
    await expect(migrate(db, { '01-a': createTable('a'), '02-b': failing })).rejects.toThrow('division by zero')
    const { rows } = await sql`select to_regclass('a') as a`.execute(db)
    expect(rows).toEqual([{ a: null }])
    expect(await migrate(db, { '01-a': createTable('a') })).toEqual(['01-a'])
    await close()
  })

  it('migrations run once when two servers start together', async () => {
    const database = await engine.open('bare')
    const databaseUrl = database.jobStore.connectionString
    // Only PostgreSQL can have two servers; on the embedded engine both migrations use the same connection.
    const secondServer = databaseUrl ? await openDatabase({ dataDir: '', databaseUrl, log: silentLog }) : undefined
    const steps = { '01-a': createTable('a'), '02-b': createTable('b') }
    const appliedNames = await Promise.all([migrate(database.db, steps), migrate((secondServer ?? database).db, steps)])
    expect(appliedNames.flat()).toEqual(['01-a', '02-b'])
    await secondServer?.close()
    await database.close()
  })

  it('the product’s migrations create the schema on an empty database, once', async () => {
    const { db, close } = await engine.open('bare')
    expect(await migrate(db, migrations)).toEqual(Object.keys(migrations))
    const { rows } = await sql`select to_regclass('cart_packages') as name`.execute(db)
    expect(rows).toEqual([{ name: 'cart_packages' }])
    expect(await migrate(db, migrations)).toEqual([])
    await close()
  })

  describe('migrations of the product', () => {
    const database = freshDatabase(engine)

    it('clearing the data for a test leaves the record of the applied migrations', async () => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from kysely_migration`.execute(
        database().db,
      )
      expect(rows[0]?.count).toBeGreaterThan(0)
    })
  })
})
