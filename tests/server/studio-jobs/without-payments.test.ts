import { describe, expect, it } from 'vitest'
import { hasTaxRates } from '../../../src/server/adapters/tax-table.ts'
import { enginesFor, freshDatabase } from '../../support/database.ts'
import { openDesk } from './desk.ts'

describe.each(enginesFor(import.meta.filename))('a studio without payments on $name', (engine) => {
  const database = freshDatabase(engine)

  const mustConnect =
    'Connect payments: without them parents cannot pay. Only an event where nothing costs anything goes without'
  const noTaxes = 'The platform has no tax rates yet: orders are sold without tax. Its administrators can add them'

  const begin = async () => {
    const desk = await openDesk(database(), (deps) => ({ payment: { ...deps.payment, name: 'stripe' as const } }))
    const { id } = await desk.make()
    await desk.complete(id)
    const checks = async (): Promise<string[]> =>
      (await desk.tell('GET', `jobs/${id}/overview`)).data.checks.map((one: { sentence: string }) => one.sentence)
    const home = async () => (await desk.tell('GET', 'home')).data.takesCards
    const connect = () =>
      desk.deps.db.updateTable('studios').set({ stripe_account_id: 'acct_1' }).where('id', '=', desk.studioId).execute()
    return { ...desk, id, checks, home, connect }
  }

  it('publishes nothing before its account is connected, and hears so on its home', async () => {
    const { tell, id, checks, home, connect } = await begin()
    expect((await checks())[0]).toBe(mustConnect)
    expect(await home()).toBe(false)
    const { data: job } = await tell('GET', `jobs/${id}`)
    const refused = await tell('POST', `jobs/${id}/publish`, { version: job.settingsVersion })
    expect([refused.status, refused.errors[0]]).toEqual([422, mustConnect])
    await connect()
    expect(await checks()).not.toContain(mustConnect)
    expect((await tell('POST', `jobs/${id}/publish`, { version: job.settingsVersion })).status).toBe(200)
    expect(await home()).toBe(true)
  })

  it('is warned of a platform without tax rates, which are not its own to add', async () => {
    const { deps, tell, id } = await begin()
    const { package_set_id } = await deps.db
      .selectFrom('jobs')
      .select('package_set_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const taxChecks = async () =>
      (await tell('GET', `jobs/${id}/overview`)).data.checks.filter(
        (one: { sentence: string }) => one.sentence === noTaxes,
      )
    await deps.db.updateTable('jobs').set({ package_set_id: null }).where('id', '=', id).execute()
    expect(await taxChecks()).toEqual([])
    await deps.db.updateTable('jobs').set({ package_set_id }).where('id', '=', id).execute()
    expect(await taxChecks()).toMatchObject([{ weight: 'should' }])
    expect(await hasTaxRates(deps)).toBe(false)
    await deps.db.insertInto('tax_rates').values({ region: 'OH', rate_millionths: 57_500 }).execute()
    expect(await taxChecks()).toEqual([])
    expect(await hasTaxRates(deps)).toBe(true)
  })
})
