import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpTax } from '#server/adapters/tax-http.ts'
import { taxTable } from '#server/adapters/tax-table.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { type ServiceResponse, startFakeJsonService } from '#support/server/fake-json-service.ts'

describe.each(enginesFor(import.meta.filename))('tax by an external service on $name', (engine) => {
  const database = freshDatabase(engine)
  let service: Awaited<ReturnType<typeof startFakeJsonService>>
  beforeAll(async () => {
    service = await startFakeJsonService()
  })
  afterAll(() => service.close())

  const request = {
    studioId: 1,
    checkoutId: '00000000-0000-4000-8000-000000000001',
    state: 'oh',
    zip: '45402 ',
    goods: [
      { taxClass: 'standard', cents: 4500 },
      { taxClass: 'digital', cents: 1999 },
    ],
    shippingCents: 795,
    at: new Date('2027-04-15T10:00:00Z'),
  }
  const taxResponse = (taxes: number[]) => ({
    data: { lineItems: taxes.map((totalTax, index) => ({ lineItemId: ['0', '1', 'shipping'][index], totalTax })) },
  })
  const setUp = async (answer: ServiceResponse) => {
    service.receivedRequests.length = 0
    service.respond = () => answer
    const { db } = database()
    await db.insertInto('tax_rates').values({ region: 'OH', tax_class: 'standard', rate_millionths: 100_000 }).execute()
    const endpoint = { url: service.url, token: 'secret' }
    const tax = httpTax({ service: endpoint, table: taxTable(db), db, log: silentLog, now: Date.now })
    const readLog = () => db.selectFrom('tax_log').selectAll().execute()
    return { tax, readLog }
  }

  it('the service’s tax is used to the cent, and the request is written to the tax log', async () => {
    const { tax, readLog } = await setUp({ status: 200, body: taxResponse([3.26, 0, 0.46]) })
    const rates = { goodsRates: [72_400, 0], shippingRate: 57_900 }
    expect(await tax.quote(request)).toEqual({ goodsCents: 326, shippingCents: 46, ...rates })
    expect(service.receivedRequests).toMatchObject([
      {
        authorization: 'Bearer secret',
        body: {
          saleMessageType: 'QUOTATION',
          documentDate: '2027-04-15',
          customer: { destination: { mainDivision: 'OH', postalCode: '45402', country: 'US' } },
          lineItems: [
            { lineItemId: '0', product: { productClass: 'standard' }, extendedPrice: 45 },
            { lineItemId: '1', product: { productClass: 'digital' }, extendedPrice: 19.99 },
            { lineItemId: 'shipping', extendedPrice: 7.95 },
          ],
        },
      },
    ])
    expect(await readLog()).toMatchObject([
      {
        studio_id: 1,
        checkout_id: request.checkoutId,
        request: service.receivedRequests[0]?.body,
        status: 200,
        error: null,
      },
    ])
  })

  it('the rates of the jurisdictions are added up if the service states them', async () => {
    const { data } = taxResponse([3.26, 0, 0.46])
    const taxes = [[{ effectiveRate: 0.0575 }, { effectiveRate: 0.015 }], [{ effectiveRate: 0 }], []]
    const lineItems = data.lineItems.map((line, index) => ({ ...line, taxes: taxes[index] }))
    const { tax } = await setUp({ status: 200, body: { data: { lineItems } } })
    expect(await tax.quote(request)).toMatchObject({ goodsRates: [72_500, 0], shippingRate: 57_900 })
  })

  it.each([
    ['responds with an error', { status: 503, body: {} }, 503],
    ['closes the connection', 'cut', null],
    ['returns an unexpected body', { status: 200, body: { data: { lineItems: [] } } }, 200],
    ['returns no JSON', { status: 200, body: 'Welcome to the hotel' }, null],
    ['returns a negative tax', { status: 200, body: taxResponse([-1, 0, 0]) }, 200],
    [
      'returns a negative rate',
      {
        status: 200,
        body: { data: { lineItems: [{ lineItemId: '0', totalTax: 1, taxes: [{ effectiveRate: -0.05 }] }] } },
      },
      200,
    ],
  ] satisfies [string, ServiceResponse, number | null][])(
    'if the service %s, the rates table is the fallback and the error is logged',
    async (_name, answer, status) => {
      const { tax, readLog } = await setUp(answer)
      expect(await tax.quote(request)).toMatchObject({ goodsCents: 650, shippingCents: 0 })
      expect(await readLog()).toMatchObject([{ status, error: expect.stringMatching(/\w+ \w+/) }])
    },
  )

  it('if the service does not answer, the rates table is the fallback within five seconds', async () => {
    const { tax } = await setUp('hang')
    const startedAt = Date.now()
    expect(await tax.quote(request)).toMatchObject({ goodsCents: 650, shippingCents: 0 })
    expect(Date.now() - startedAt).toBeLessThan(5000)
  })
})
