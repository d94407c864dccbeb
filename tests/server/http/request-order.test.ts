import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { engines, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

const embedded = engines.slice(0, 1)

describe.each(embedded)('concurrent requests', (engine) => {
  const database = freshDatabase(engine)

  it('requests get the connection in order of arrival, so the first is answered after its own statements', async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const finished: string[] = []
    app.post<{ Body: { name: string } }>('/api/test/four-statements', async ({ body: { name } }) => {
      for (let n = 0; n < 4; n += 1) {
        await sql`select ${n}::int`.execute(deps.db)
        finished.push(name)
      }
      return {}
    })
    const names = ['a', 'b', 'c', 'd', 'e']
    const answers = await Promise.all(
      names.map((name) => app.inject({ method: 'POST', url: '/api/test/four-statements', payload: { name } })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(names.map(() => 200))
    const endPositions = names.map((name) => finished.lastIndexOf(name))
    expect(endPositions).toEqual(endPositions.toSorted((left, right) => left - right))
    // If the requests took turns after each statement, the first would end after more than half of the twenty.
    expect(endPositions[0]).toBeLessThan(8)
  })
})
