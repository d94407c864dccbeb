import { describe, expect, it } from 'vitest'
import { hasTaxRates } from '#server/jobs/store/order-availability.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createStudioJobFixtures } from './studio-job-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('a studio without a payment account on $name', (engine) => {
  const database = freshDatabase(engine)

  const mustConnect =
    'Connect payments: without them parents cannot pay. Only an event where nothing costs anything goes without'
  const noTaxes = 'The platform has no tax rates yet: orders are sold without tax. Its administrators can add them'

  const mustTax = 'The platform has no tax rates yet. Its administrators must add them before parents can order'

  const setUp = async (mode: 'test' | 'production' = 'test') => {
    const fixtures = await createStudioJobFixtures(database(), ({ payment, settings }) => ({
      payment: { ...payment, paysStudioAccounts: true },
      settings: { ...settings, mode },
    }))
    const { id } = await fixtures.createJob()
    await fixtures.addRequiredParts(id)
    const listChecks = async (): Promise<string[]> =>
      (await fixtures.staffRequest('GET', `jobs/${id}/overview`)).data.checks.map(
        (check: { message: string }) => check.message,
      )
    const readAcceptsCards = async () => (await fixtures.staffRequest('GET', 'home')).data.acceptsCards
    const connect = () =>
      fixtures.deps.db
        .updateTable('studios')
        .set({ payment_account_id: 'acct_1' })
        .where('id', '=', fixtures.studioId)
        .execute()
    return { ...fixtures, id, listChecks, readAcceptsCards, connect }
  }

  it('a studio cannot publish before its account is connected, and its home page says so', async () => {
    const { staffRequest, id, listChecks, readAcceptsCards, connect } = await setUp()
    expect((await listChecks())[0]).toBe(mustConnect)
    expect(await readAcceptsCards()).toBe(false)
    const { data: job } = await staffRequest('GET', `jobs/${id}`)
    const refused = await staffRequest('POST', `jobs/${id}/publish`, { version: job.settingsVersion })
    expect([refused.status, refused.errors[0]]).toEqual([422, mustConnect])
    await connect()
    expect(await listChecks()).not.toContain(mustConnect)
    expect((await staffRequest('POST', `jobs/${id}/publish`, { version: job.settingsVersion })).status).toBe(200)
    expect(await readAcceptsCards()).toBe(true)
  })

  it('in production a studio cannot publish paid packages without tax rates, and its home page says so', async () => {
    const { deps, staffRequest, id, listChecks, connect } = await setUp('production')
    const readLacksTaxRates = async () => (await staffRequest('GET', 'home')).data.lacksTaxRates
    await connect()
    expect((await listChecks())[0]).toBe(mustTax)
    expect(await readLacksTaxRates()).toBe(true)
    const { data: job } = await staffRequest('GET', `jobs/${id}`)
    const publish = () => staffRequest('POST', `jobs/${id}/publish`, { version: job.settingsVersion })
    expect(await publish()).toMatchObject({ status: 422, errors: [mustTax] })
    await deps.db.insertInto('tax_rates').values({ region: 'OH', rate_millionths: 57_500 }).execute()
    expect(await readLacksTaxRates()).toBe(false)
    expect((await publish()).status).toBe(200)
  })

  it('a job with free packages and a paid service requires a payment account', async () => {
    const { deps, id, studioId, listChecks } = await setUp()
    await deps.db.updateTable('package_versions').set({ retail_cost_cents: 0 }).execute()
    await deps.db.updateTable('jobs').set({ ships_home: false }).where('id', '=', id).execute()
    expect(await listChecks()).not.toContain(mustConnect)
    const { id: service } = await deps.db
      .insertInto('order_services')
      .values({ kind: 'service', name: 'Gift box', price_cents: 300, position: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const entry = { studio_id: studioId, job_id: id, order_service_id: service, price_cents: 325 }
    await deps.db.insertInto('job_order_services').values(entry).execute()
    expect(await listChecks()).toContain(mustConnect)
    await deps.db.updateTable('job_order_services').set({ is_enabled: false }).execute()
    expect(await listChecks()).not.toContain(mustConnect)
  })

  it('a studio is warned about missing tax rates, which it cannot add itself', async () => {
    const { deps, staffRequest, id } = await setUp()
    const { package_set_id } = await deps.db
      .selectFrom('jobs')
      .select('package_set_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const taxChecks = async () =>
      (await staffRequest('GET', `jobs/${id}/overview`)).data.checks.filter(
        (check: { message: string }) => check.message === noTaxes,
      )
    await deps.db.updateTable('jobs').set({ package_set_id: null }).where('id', '=', id).execute()
    expect(await taxChecks()).toEqual([])
    await deps.db.updateTable('jobs').set({ package_set_id }).where('id', '=', id).execute()
    expect(await taxChecks()).toMatchObject([{ weight: 'should' }])
    expect((await staffRequest('GET', 'home')).data.lacksTaxRates).toBe(false)
    expect(await hasTaxRates(deps)).toBe(false)
    await deps.db.insertInto('tax_rates').values({ region: 'OH', rate_millionths: 57_500 }).execute()
    expect(await taxChecks()).toEqual([])
    expect(await hasTaxRates(deps)).toBe(true)
  })
})
