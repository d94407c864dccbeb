import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpTax } from '#server/adapters/tax-http.ts'
import { taxTable } from '#server/adapters/tax-table.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { type ServiceResponse, startFakeJsonService } from '#support/server/fake-json-service.ts'

describe.each(enginesFor(import.meta.filename))('tax by an external service on $name', (engine) => {
  const database = freshDatabase(engine)
  let peer: Awaited<ReturnType<typeof startFakeJsonService>>
  beforeAll(async () => {
    peer = await startFakeJsonService()
  })
  afterAll(() => peer.close())

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
  const calculated = (taxes: number[]) => ({
    data: { lineItems: taxes.map((totalTax, at) => ({ lineItemId: ['0', '1', 'shipping'][at], totalTax })) },
  })
  const begin = async (answer: ServiceResponse) => {
    peer.heard.length = 0
    peer.answer = () => answer
    const { db } = database()
    await db.insertInto('tax_rates').values({ region: 'OH', tax_class: 'standard', rate_millionths: 100_000 }).execute()
    const service = { url: peer.url, token: 'secret' }
    const tax = httpTax({ service, table: taxTable(db), db, log: silentLog, now: Date.now })
    const logged = () => db.selectFrom('tax_log').selectAll().execute()
    return { tax, logged }
  }

  it('the service’s tax is used to the cent, and its request is in the tax log', async () => {
    const { tax, logged } = await begin({ status: 200, body: calculated([3.26, 0, 0.46]) })
    expect(await tax.quote(request)).toEqual({ goodsCents: 326, shippingCents: 46 })
    expect(peer.heard).toMatchObject([
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
    expect(await logged()).toMatchObject([
      { studio_id: 1, checkout_id: request.checkoutId, request: peer.heard[0]?.body, status: 200, error: null },
    ])
  })

  it.each([
    ['is out of order', { status: 503, body: {} }, 503],
    ['hangs up', 'cut', null],
    ['speaks of something else', { status: 200, body: { data: { lineItems: [] } } }, 200],
    ['speaks no JSON', { status: 200, body: 'Welcome to the hotel' }, null],
    ['gives money', { status: 200, body: calculated([-1, 0, 0]) }, 200],
  ] satisfies [string, ServiceResponse, number | null][])(
    'the rates table is the fallback where the service %s, and the log says so',
    async (_name, answer, status) => {
      const { tax, logged } = await begin(answer)
      expect(await tax.quote(request)).toEqual({ goodsCents: 650, shippingCents: 0 })
      expect(await logged()).toMatchObject([{ status, error: expect.stringMatching(/\w+ \w+/) }])
    },
  )

  it('the rates table is the fallback within five seconds where the service does not answer', async () => {
    const { tax } = await begin('hang')
    const since = Date.now()
    expect(await tax.quote(request)).toEqual({ goodsCents: 650, shippingCents: 0 })
    expect(Date.now() - since).toBeLessThan(5000)
  })
})
