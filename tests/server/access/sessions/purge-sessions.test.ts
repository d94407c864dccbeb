import { describe, expect, it } from 'vitest'
import { closeSession, openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { purgeSessions } from '#server/access/sessions/purge-sessions.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from '../../discovery/customer-client.ts'
import { addSubject, seedJobs } from '../../discovery/job-fixtures.ts'
import { readyToPay, unreliablePayment } from '../../payments/checkout-driver.ts'

const day = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('purging sessions on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const line = unreliablePayment(testDeps(database()).payment)
    const deps = testDeps(database(), { ...time, payment: line.payment })
    const app = await testApp(deps)
    const sessions = async () =>
      (await deps.db.selectFrom('customer_sessions').select('id').orderBy('id').execute()).map(({ id }) => id)
    const left = async () => {
      const tables = ['carts', 'checkouts', 'cart_mutations', 'session_grants', 'grant_links'] as const
      const counted = tables.map(
        async (table) => (await deps.db.selectFrom(table).select('studio_id').execute()).length,
      )
      return await Promise.all(counted)
    }
    return { deps, app, time, line, sessions, left }
  }

  it('an expired session is deleted with its carts, checkouts and grants, and a live one stays', async () => {
    const { deps, app, time, sessions, left } = await begin()
    await readyToPay(deps, app)
    time.advance(1 * day)
    await customerClient(app).ask(openSession, { body: {} })
    const [over, live] = await sessions()
    expect((await left()).every((count) => count > 0)).toBe(true)
    await deps.db
      .updateTable('customer_sessions')
      .set({ expires_at: time.clock() })
      .where('id', '=', over ?? 0)
      .execute()
    await purgeSessions(deps)
    expect(await sessions()).toEqual([live])
    expect(await left()).toEqual([0, 0, 0, 0, 0])
  })

  it('an ended session is stored for thirty days, then deleted with the subjects it typed in', async () => {
    const { deps, app, time, sessions } = await begin()
    const event = await seedJobs(deps)
    const parent = customerClient(app)
    await parent.ask(openSession, { body: {} })
    const [id] = await sessions()
    const typed = { person_session_id: id, person_id: deps.newId(), state: 'pending' }
    const personId = await addSubject(deps, event.spring, { name: 'Alan Lomax', ...typed })
    const isThere = async () =>
      (await deps.db.selectFrom('subjects').select('id').where('id', '=', personId).execute()).length > 0
    await parent.ask(closeSession)
    time.advance(30 * day - 1)
    await purgeSessions(deps)
    expect([await sessions(), await isThere()]).toEqual([[id], true])
    time.advance(1)
    await purgeSessions(deps)
    expect([await sessions(), await isThere()]).toEqual([[], false])
  })

  it('a session with an order, or with an open payment, stays', async () => {
    const { deps, app, time, line, sessions } = await begin()
    const { till, paying } = await readyToPay(deps, app)
    line.broken.charge = 'after'
    const body = paying()
    expect((await till.submit(body)).status).toBe(409)
    const all = await sessions()
    expect(all).toHaveLength(1)
    const lapse = () => deps.db.updateTable('customer_sessions').set({ expires_at: time.clock() }).execute()
    const revive = new Date(time.clock().getTime() + day)
    await lapse()
    await purgeSessions(deps)
    expect(await sessions()).toEqual(all)
    await deps.db.updateTable('customer_sessions').set({ expires_at: revive }).execute()
    expect((await till.submit(body)).status).toBe(200)
    await lapse()
    await purgeSessions(deps)
    expect(await sessions()).toEqual(all)
  })

  it('purging continues after a full batch', async () => {
    const { deps, time, sessions } = await begin()
    const rows = Array.from({ length: 1_001 }, () => ({ expires_at: time.clock() }))
    await deps.db.insertInto('customer_sessions').values(rows).execute()
    await purgeSessions(deps)
    expect(await sessions()).toEqual([])
  })

  it('a session that opened nothing for a day is deleted, and no other', async () => {
    const { deps, app, time, sessions } = await begin()
    await seedJobs(deps)
    const [unused, used, seen] = [customerClient(app), customerClient(app), customerClient(app)]
    for (const parent of [unused, used, seen]) await parent.ask(openSession, { body: {} })
    await used.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const all = await sessions()
    time.advance(day - 1_000)
    await seen.ask(openSession, { body: {} })
    await purgeSessions(deps)
    expect(await sessions()).toEqual(all)
    time.advance(1_000)
    await purgeSessions(deps)
    expect(await sessions()).toEqual(all.slice(1))
  })
})
