import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../../src/server/database/data-folder.ts'
import { openDatabase } from '../../../src/server/database/database.ts'
import { engines, freshDatabase, quiet } from '../../support/database.ts'

describe('a PostgreSQL that does not answer', () => {
  it('stops the start with one line', async () => {
    // Port 1 is nobody's.
    const opening = openDatabase({ dataDir: '', databaseUrl: 'postgres://nobody:secret@127.0.0.1:1/none', log: quiet })
    await expect(opening).rejects.toThrow(DatabaseUnavailable)
    await expect(opening).rejects.toThrow(/^The database of DATABASE_URL does not answer: [^\n]+$/)
    await expect(opening).rejects.not.toThrow(/secret/)
  })
})

describe.each(engines.filter(({ name }) => name === 'postgres'))('statements on PostgreSQL', (engine) => {
  const database = freshDatabase(engine, 'bare')

  it('with parameters are planned once per connection, under a name', async () => {
    await database()
      .db.connection()
      .execute(async (connection) => {
        for (let n = 0; n < 3; n += 1) await sql`select ${n}::int as found_by_its_name`.execute(connection)
        const { rows } = await sql<{ executions: number }>`
          select generic_plans + custom_plans as executions from pg_prepared_statements
           where statement like '%found_by_its_name' and statement not like '%pg_prepared_statements%'`.execute(
          connection,
        )
        expect(rows).toEqual([{ executions: 3 }])
      })
  })
})
