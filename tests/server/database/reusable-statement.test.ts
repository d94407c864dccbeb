import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { reusableStatement } from '#server/database/reusable-statement.ts'
import { engines, freshDatabase } from '#support/database/test-database.ts'

describe.each(engines)('a reusable statement on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')

  it('is built once, and runs with the values of each call, which may be used several times', async () => {
    const built: object[] = []
    const addAndRepeat = reusableStatement<{ left: number; right: number }, { sum: number; again: number }>(
      ({ left, right }) => {
        built.push({ left, right })
        return sql`select ${left}::int + ${right}::int + ${1}::int as sum, ${left}::int as again`
      },
    )
    const { db } = database()
    const results = await Promise.all([1, 2, 3].map((left) => addAndRepeat(db, { left, right: 10 })))
    expect(results).toEqual([[{ sum: 12, again: 1 }], [{ sum: 13, again: 2 }], [{ sum: 14, again: 3 }]])
    expect(built).toHaveLength(1)
  })
})
