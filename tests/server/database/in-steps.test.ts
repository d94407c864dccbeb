import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Transaction } from '#server/database/database.ts'
import { inSteps } from '#server/database/in-steps.ts'
import { engines, freshDatabase } from '#support/database/test-database.ts'
import { testDeps } from '#support/server/test-app.ts'

const insertSetting = (name: string) => (tx: Transaction) =>
  sql`insert into settings (key, value) values (${name}, '{}')`.execute(tx)

describe.each(engines)('bulk work in steps on $name', (engine) => {
  const database = freshDatabase(engine)

  it('a request that arrives during a step is answered before the next step ends', async () => {
    const deps = testDeps(database())
    const firstStep = Promise.withResolvers<void>()
    const otherRequest = firstStep.promise.then(() => sql<{ one: number }>`select 1 as one`.execute(deps.db))
    const undo = async () => {}
    const work = inSteps(deps, {
      work: async (runStep) => {
        await runStep(async () => firstStep.resolve())
        return await runStep(async () => (await otherRequest).rows)
      },
      undo,
    })
    expect(await work).toEqual([{ one: 1 }])
  })

  it('work that fails in a later step leaves nothing behind', async () => {
    const deps = testDeps(database())
    const work = inSteps(deps, {
      work: async (runStep) => {
        await runStep(insertSetting('first-step'))
        await runStep(() => Promise.reject(new Error('the second step failed')))
      },
      undo: async () => void (await sql`delete from settings where key = 'first-step'`.execute(deps.db)),
    })
    await expect(work).rejects.toThrow('the second step failed')
    const { rows } = await sql`select key from settings where key = 'first-step'`.execute(deps.db)
    expect(rows).toEqual([])
  })
})
