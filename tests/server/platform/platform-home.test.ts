import { sql } from 'kysely'
import { is } from 'superstruct'
import { describe, expect, it } from 'vitest'
import { getPlatformHome } from '#contract/system/platform-home.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createLedger } from '#tests/server/payments/ledger/ledger-fixtures.ts'

const permissions = ['studio.crud', 'studio.admin.crud'] as const

describe.each(enginesFor(import.meta.filename))("the administrators' home on $name", (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (overrides: Parameters<typeof testDeps>[1] = {}) => {
    const deps = testDeps(database(), overrides)
    const app = await testApp(deps)
    const { staffRequest } = await staffClient(deps, app, await given(deps).studio(), { permissions })
    const readHome = async () => (await staffRequest('GET', '/api/admin/home')).data
    return { deps, readHome }
  }

  it('a day starts in the time zone of each studio and is compared with last week up to the same time', async () => {
    // It is 11:00 on Saturday in Auckland, and 19:00 on Friday in New York.
    const { deps, readHome } = await setUp({ clock: () => new Date('2027-04-16T23:00:00Z') })
    const east = await createLedger(deps, 'east', 'Pacific/Auckland')
    const west = await createLedger(deps, 'west', 'America/New_York')
    const today = await east.charge({ cents: 5_000, at: '2027-04-16T12:30:00Z' })
    await east.charge({ cents: 700, at: '2027-04-16T11:30:00Z' })
    await west.charge({ cents: 2_000, at: '2027-04-16T04:30:00Z' })
    await west.charge({ cents: 90, at: '2027-04-16T03:30:00Z' })
    await west.charge({ cents: 300, at: '2027-04-09T22:59:00Z' })
    await west.charge({ cents: 4, at: '2027-04-09T23:01:00Z' })
    await east.refund({ chargeId: today, cents: 1_500, at: '2027-04-16T22:00:00Z' })
    await east.refund({ chargeId: today, cents: 100, at: '2027-04-16T22:00:00Z', state: 'pending' })
    expect(await readHome()).toMatchObject({
      orders: { today: 2, lastWeek: 1 },
      revenue: { today: 5_500, lastWeek: 300 },
    })
  })

  it('what waits and what failed in the last seven days is counted, and the server is listed', async () => {
    const { deps, readHome } = await setUp()
    const studioId = await given(deps).studio({ slug: 'waiting' })
    await sql`insert into verification_requests (studio_id, account_number) values (${studioId}, '4600100')`.execute(
      deps.db,
    )
    const broken = { state: 'refused', refusal: 'This file is broken' } as const
    await given(deps).image(await given(deps).job(studioId), broken)
    await sql`
      insert into pgboss.job (name, data, source_name) values ('dead-letters', '{"folders": []}', 'remove-files')`.execute(
      deps.db,
    )
    await sql`
      insert into mail_log (kind, to_email, subject, body_text, state, created_at)
      values ('receipt', 'a@x.test', '', '', 'failed', '2027-04-14'), ('receipt', 'a@x.test', '', '', 'failed', '2027-04-01'),
             ('receipt', 'a@x.test', '', '', 'sent', '2027-04-14')`.execute(deps.db)
    await sql`
      insert into tax_log (request, error, created_at)
      values ('{}', 'timeout', '2027-04-14'), ('{}', null, '2027-04-14'), ('{}', 'timeout', '2027-04-01')`.execute(
      deps.db,
    )
    const home = await readHome()
    expect(home).toMatchObject({
      waiting: { studios: 1, orderErrors: 3, failedJobs: 1, pausedStudios: 0 },
      failed: { emails: 1, taxCalls: 1 },
      version: { build: 'none' },
    })
    expect(home.storage.databaseBytes).toBeGreaterThan(1_000_000)
    expect(home.version.migrations).toBeGreaterThan(0)
    expect(is(home, getPlatformHome.answer)).toBe(true)
  })

  it('a part that cannot be read does not hide the others', async () => {
    const { readHome } = await setUp({ freeBytes: () => Promise.reject(new Error('no such disk')) })
    expect(await readHome()).toMatchObject({ storage: null, orders: { today: 0, lastWeek: 0 } })
  })
})
