import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('validating an address on $name', (engine) => {
  const database = freshDatabase(engine)
  const given = { address1: '1 Mill Street', address2: '', city: 'apo', state: 'AP', zip: '09001' }

  it('errors or a suggestion are returned by field, and callers without access need a code first', async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const { till, shop } = await readyToPay(deps, app)
    const look = (body: object) => till.ask('POST', 'checkout/validateaddress', { body })
    expect(await look(given)).toMatchObject({
      status: 200,
      data: { faults: {}, suggestion: { ...given, city: 'APO', state: 'AE' } },
    })
    expect((await look({ ...given, city: 'Dayton', state: 'OH' })).data).toEqual({
      faults: { zip: 'This ZIP code is not in OH' },
      suggestion: null,
      doubt: null,
    })
    expect((await look({ ...given, surprise: 1 })).status).toBe(400)
    const url = `/api/customer/jobs/${shop.jobId}/checkout/validateaddress`
    expect((await app.inject({ method: 'POST', url, payload: given })).statusCode).toBe(401)
  })
})
