import { describe, expect, it } from 'vitest'
import { closeSession, openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { purgeSessions } from '#server/access/sessions/purge-sessions.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from '#tests/server/discovery/customer-client.ts'
import { seedJobs } from '#tests/server/discovery/job-fixtures.ts'
import { readyToPay, unreliablePayment } from '#tests/server/payments/checkout-driver.ts'

const day = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('purging sessions on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const connection = unreliablePayment(testDeps(database()).payment)
    const deps = testDeps(database(), { ...time, payment: connection.payment })
    const app = await testApp(deps)
    const sessions = async () =>
      (await deps.db.selectFrom('customer_sessions').select('id').orderBy('id').execute()).map(({ id }) => id)
    const countRows = async () => {
      const tables = ['carts', 'checkouts', 'cart_mutations', 'session_grants', 'grant_links'] as const
      const counts = tables.map(async (table) => (await deps.db.selectFrom(table).select('studio_id').execute()).length)
      return await Promise.all(counts)
    }
    return { deps, app, time, connection, sessions, countRows }
  }

  it('an expired session is deleted with its carts, checkouts and grants, and a live session stays', async () => {
    const { deps, app, time, sessions, countRows } = await setUp()
    await readyToPay(deps, app)
    time.advance(1 * day)
    await customerClient(app).request(openSession, { body: {} })
    const [expired, live] = await sessions()
    expect((await countRows()).every((count) => count > 0)).toBe(true)
    await deps.db
      .updateTable('customer_sessions')
      .set({ expires_at: time.clock() })
      .where('id', '=', expired ?? 0)
      .execute()
    await purgeSessions(deps)
    expect(await sessions()).toEqual([live])
    expect(await countRows()).toEqual([0, 0, 0, 0, 0])
  })

  it('an ended session is stored for thirty days and then deleted together with the subjects typed in it', async () => {
    const { deps, app, time, sessions } = await setUp()
    const jobs = await seedJobs(deps)
    const customer = customerClient(app)
    await customer.request(openSession, { body: {} })
    const [id] = await sessions()
    const typed = { person_session_id: id, person_id: deps.newId(), state: 'pending' } as const
    const personId = await given(deps).subject(jobs.spring, { name: 'Alan Lomax', ...typed })
    const subjectExists = async () =>
      (await deps.db.selectFrom('subjects').select('id').where('id', '=', personId).execute()).length > 0
    await customer.request(closeSession)
    time.advance(30 * day - 1)
    await purgeSessions(deps)
    expect([await sessions(), await subjectExists()]).toEqual([[id], true])
    time.advance(1)
    await purgeSessions(deps)
    expect([await sessions(), await subjectExists()]).toEqual([[], false])
  })

  it('a session with an order, or with an open payment, stays', async () => {
    const { deps, app, time, connection, sessions } = await setUp()
    const { driver, submitBody } = await readyToPay(deps, app)
    connection.broken.charge = 'after'
    const body = submitBody()
    expect((await driver.submit(body)).status).toBe(409)
    const sessionsBefore = await sessions()
    expect(sessionsBefore).toHaveLength(1)
    const expireSessions = () => deps.db.updateTable('customer_sessions').set({ expires_at: time.clock() }).execute()
    const nextDay = new Date(time.clock().getTime() + day)
    await expireSessions()
    await purgeSessions(deps)
    expect(await sessions()).toEqual(sessionsBefore)
    await deps.db.updateTable('customer_sessions').set({ expires_at: nextDay }).execute()
    expect((await driver.submit(body)).status).toBe(200)
    await expireSessions()
    await purgeSessions(deps)
    expect(await sessions()).toEqual(sessionsBefore)
  })

  it('purging continues after a full batch', async () => {
    const { deps, time, sessions } = await setUp()
    const rows = Array.from({ length: 1_001 }, () => ({ expires_at: time.clock() }))
    await deps.db.insertInto('customer_sessions').values(rows).execute()
    await purgeSessions(deps)
    expect(await sessions()).toEqual([])
  })

  it('only a session that has no grant and was not used for a day is deleted', async () => {
    const { deps, app, time, sessions } = await setUp()
    await seedJobs(deps)
    const [unused, used, returning] = [customerClient(app), customerClient(app), customerClient(app)]
    for (const customer of [unused, used, returning]) await customer.request(openSession, { body: {} })
    await used.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const sessionsBefore = await sessions()
    time.advance(day - 1_000)
    await returning.request(openSession, { body: {} })
    await purgeSessions(deps)
    expect(await sessions()).toEqual(sessionsBefore)
    time.advance(1_000)
    await purgeSessions(deps)
    expect(await sessions()).toEqual(sessionsBefore.slice(1))
  })
})
