import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '../payments/checkout-driver.ts'

const url = '/api/admin/shipping-options'

describe.each(enginesFor(import.meta.filename))('shipping options of the platform on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A customer who is about to pay for a cart of two packages, and an administrator. */
  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const { driver, submitBody, fixtures } = await readyToPay(deps, app)
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const { staffRequest: request } = await staffClient(deps, app, fixtures.studioId, { permissions })
    const { data: options } = await request('GET', url)
    const standard = options.find(({ code }: { code: string }) => code === 'standard')
    const { id, isArchived: _, ...body } = standard
    const offered = async () =>
      (await driver.request('GET', 'checkout?orderMethod=gallery')).data.shippingOptions.map(
        ({ code, name, priceCents }: { code: string; name: string; priceCents: number }) => [code, name, priceCents],
      )
    return { driver, submitBody, request, standardUrl: `${url}/${id}`, body, offered }
  }

  it('checkouts offer an edited option at its new name, price and position', async () => {
    const { driver, request, standardUrl, body, offered } = await setUp()
    expect(await offered()).toEqual([
      ['standard', 'Standard Shipping', 795],
      ['priority', 'Priority Shipping', 1295],
    ])
    expect((await driver.totals()).shippingCents).toBe(795)
    const edited = { ...body, label: 'Slow', priceCents: 500, eachMoreCents: 25, position: 9 }
    expect((await request('PUT', standardUrl, edited)).status).toBe(200)
    expect(await offered()).toEqual([
      ['priority', 'Priority Shipping', 1295],
      ['standard', 'Slow', 525],
    ])
    expect((await driver.totals()).shippingCents).toBe(525)
  })

  it('an archived option is no longer offered, and refused if it was chosen before', async () => {
    const { driver, submitBody, request, standardUrl, body, offered } = await setUp()
    expect((await request('PUT', standardUrl, { ...body, isArchived: true })).data.isArchived).toBe(true)
    expect(await offered()).toEqual([['priority', 'Priority Shipping', 1295]])
    const fields = { 'shippingOption.code': ['This shipping option is not offered for this address'] }
    expect(await driver.submit(submitBody())).toMatchObject({ status: 422, fields })
  })

  it('the code of an option that orders have cannot change, and such an option is archived instead of deleted', async () => {
    const { driver, submitBody, request, standardUrl, body } = await setUp()
    expect((await driver.submit(submitBody())).status).toBe(200)
    const refused = await request('PUT', standardUrl, { ...body, code: 'slow' })
    const message = 'The code cannot change, because orders have it'
    expect(refused).toMatchObject({ status: 422, fields: { code: [message] } })
    expect((await request('PUT', standardUrl, { ...body, priceCents: 1 })).status).toBe(200)
    expect((await request('DELETE', standardUrl)).data).toEqual({ outcome: 'archived' })
  })
})
