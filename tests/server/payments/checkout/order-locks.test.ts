import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { grantAccess } from '#server/access/grants/grants.ts'
import { inTransaction } from '#server/database/database.ts'
import { assignImage } from '#server/images/lookups/change-image.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import { engines, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addLine, completeLineContent } from '#tests/server/carts/cart-fixtures.ts'
import { readyToPay } from '../checkout-driver.ts'

const neverOpened = (): never => {
  throw new Error('there is no PostgreSQL to test on')
}

// The embedded database runs one transaction after the other.
const postgres = engines.filter(({ name }) => name === 'postgres')

describe.runIf(postgres.length > 0)('locks of a new order on postgres', () => {
  const [database = neverOpened] = postgres.map((engine) => freshDatabase(engine))

  it('an order for two subjects does not deadlock with their first images being assigned to them', async () => {
    const deps = testDeps(database())
    const { driver, fixtures, session, offeredPackage, submitBody } = await readyToPay(deps, await testApp(deps))
    const { job, adaId } = fixtures
    const boId = await fixtures.addSubject('Bo')
    const imageIds = [await fixtures.addImage({}), await fixtures.addImage({})]
    const boImageId = await fixtures.addImage({ subjectId: boId })
    await inTransaction(deps.db, (tx) => grantAccess(tx, deps, { session, job }, { kind: 'subject', subjectId: boId }))
    await driver.sync([addLine(offeredPackage, boId, completeLineContent(offeredPackage, boImageId))])
    const { totalCents } = await driver.totals()
    // Subjects without images have no counts yet.
    await deps.db.deleteFrom('subject_counts').execute()
    const lockWaits = sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const [assigned, ordering] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const assigning = deps.db.transaction().execute(async (tx) => {
      // This transaction notices a deadlock first, and is not retried.
      await sql`set local deadlock_timeout = '10ms'`.execute(tx)
      await lockJob(tx, job)
      const assign = async (subjectId: number) => {
        const key = { ...job, imageId: imageIds.pop() ?? 0 }
        await assignImage(tx, deps, { key, owner: { kind: 'hosted-individual', subjectId } })
      }
      await assign(boId)
      assigned.resolve()
      await ordering.promise
      await assign(adaId)
    })
    await assigned.promise
    const answer = driver.submit(submitBody({ totalCents }))
    await vi.waitFor(async () => expect((await lockWaits.execute(deps.db)).rows).toHaveLength(1))
    ordering.resolve()
    await assigning
    expect(await answer).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
  })
})
