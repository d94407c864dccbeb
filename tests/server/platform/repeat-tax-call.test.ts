import { describe, expect, it, onTestFinished } from 'vitest'
import { httpTax } from '#server/adapters/tax-http.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { startFakeJsonService } from '#support/server/fake-json-service.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { setQuantity } from '../carts/cart-fixtures.ts'
import { readyToPay } from '../payments/checkout-driver.ts'

const url = '/api/admin/vertex-logs'

describe.each(enginesFor(import.meta.filename))('repeated tax requests on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)

  /** A customer who is ready to pay, and a tax service that fails until it `answers` $3.21 for each of two lines. */
  const setUp = async ({ hasService = true } = {}) => {
    const service = await startFakeJsonService()
    onTestFinished(service.close)
    service.respond = () => ({ status: 503, body: {} })
    const answers = () => {
      const lineItems = ['0', '1', '2', 'shipping'].map((lineItemId) => ({ lineItemId, totalTax: 3.21 }))
      service.respond = () => ({ status: 200, body: { data: { lineItems } } })
    }
    const defaultDeps = testDeps(database())
    const { db, log, tax: table } = defaultDeps
    const tax = httpTax({ service: { url: service.url, token: 'secret' }, table, db, log, now: Date.now })
    const deps: Deps = { ...defaultDeps, ...(hasService && { tax }) }
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const { staffRequest: request } = await staffClient(deps, app, checkout.fixtures.studioId, { permissions })
    const failures = async (): Promise<{ id: number; canRepeat: boolean }[]> =>
      (await request('GET', `${url}?state=failed`)).data.resultItems
    const repeat = (id: number) => request('POST', `${url}/${id}/repeat`, {})
    return { deps, service, answers, request, failures, repeat, ...checkout }
  }

  it('a failed request of a cart is repeated with the cart as it is now, and the answer is a new entry', async () => {
    const { deps, answers, service, failures, repeat, driver, line, request } = await setUp()
    const [failed] = await failures()
    expect(failed).toMatchObject({ canRepeat: true, orderNumber: null })
    await driver.sync([setQuantity(line.lineId, 5)])
    answers()
    const { data } = await repeat(failed?.id ?? 0)
    expect(data).toMatchObject({ repeatsId: failed?.id, status: 200, error: null, canRepeat: false })
    expect(data.id).not.toBe(failed?.id)
    expect(service.receivedRequests.at(-1)?.body).toMatchObject({ lineItems: [{ extendedPrice: 125 }, {}, {}, {}] })
    const [newest] = (await request('GET', url)).data.resultItems
    expect(newest).toEqual(data)
    expect((await failures()).map(({ id }) => id)).toContain(failed?.id)
    const audited = deps.db.selectFrom('audit_log').select('entity_id').where('action', '=', 'tax-request.repeated')
    expect(await audited.execute()).toEqual([{ entity_id: String(failed?.id) }])
  })

  it('a failed request of a paid order is repeated at the rates of its day, and changes none of its amounts', async () => {
    const { deps, service, answers, failures, repeat, driver, submitBody } = await setUp()
    const { orderNumber } = (await driver.submit(submitBody())).data
    const readOrder = () => deps.db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
    const before = await readOrder()
    const [failed] = await failures()
    expect(failed).toMatchObject({ orderNumber, jobId: before.job_id, canRepeat: true })
    answers()
    const { data } = await repeat(failed?.id ?? 0)
    expect(data).toMatchObject({ orderNumber, repeatsId: failed?.id, error: null })
    expect(data.answer.data.lineItems[0]).toMatchObject({ totalTax: 3.21 })
    const documentDate = new Date(before.placed_at).toISOString().slice(0, 10)
    expect(service.receivedRequests.at(-1)).toMatchObject({ body: { documentDate } })
    expect(await readOrder()).toEqual(before)
  })

  it('a request that fails again is another failed entry, which can be repeated', async () => {
    const { failures, repeat } = await setUp()
    const [failed] = await failures()
    const { data } = await repeat(failed?.id ?? 0)
    expect(data).toMatchObject({ repeatsId: failed?.id, status: 503, canRepeat: true })
    expect((await repeat(data.id)).data).toMatchObject({ repeatsId: data.id })
  })

  it('an answered request, an unknown one, and one whose cart no longer exists are not repeated', async () => {
    const { deps, service, answers, failures, repeat, request } = await setUp()
    const [failed] = await failures()
    answers()
    const { data } = await repeat(failed?.id ?? 0)
    const asked = service.receivedRequests.length
    expect((await repeat(data.id)).errors).toEqual(['This request was answered'])
    expect((await repeat(999_999)).status).toBe(404)
    await deps.db.deleteFrom('checkouts').execute()
    expect((await repeat(failed?.id ?? 0)).errors).toEqual(['Its order or cart no longer exists, or has no address'])
    const test = { request: '{}', status: 503, error: 'the tax service answered 503' }
    const { id } = await deps.db.insertInto('tax_log').values(test).returning('id').executeTakeFirstOrThrow()
    expect((await request('GET', `${url}?state=failed`)).data.resultItems[0]).toMatchObject({ id, canRepeat: false })
    expect((await repeat(id)).status).toBe(422)
    expect(service.receivedRequests).toHaveLength(asked)
  })

  it('without a tax service there is nothing to repeat', async () => {
    const { deps, repeat, fixtures, checkoutId } = await setUp({ hasService: false })
    const entry = { studio_id: fixtures.studioId, checkout_id: checkoutId, request: '{}', status: 503, error: 'Failed' }
    const { id } = await deps.db.insertInto('tax_log').values(entry).returning('id').executeTakeFirstOrThrow()
    expect((await repeat(id)).errors).toEqual(['No tax service is set up: taxes are by the rates table'])
  })
})
