import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('validating an address on $name', (engine) => {
  const database = freshDatabase(engine)
  const input = { address1: '1 Mill Street', address2: '', city: 'apo', state: 'AP', zip: '09001' }

  it('faults or a suggestion are returned, unknown fields are rejected, and a session is required', async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const { driver, fixtures } = await readyToPay(deps, app)
    const validate = (body: object) => driver.request('POST', 'checkout/validateaddress', { body })
    expect(await validate(input)).toMatchObject({
      status: 200,
      data: { faults: {}, suggestion: { ...input, city: 'APO', state: 'AE' } },
    })
    expect((await validate({ ...input, city: 'Dayton', state: 'OH' })).data).toEqual({
      faults: { zip: 'This ZIP code is not in OH' },
      suggestion: null,
      warning: null,
    })
    expect((await validate({ ...input, surprise: 1 })).status).toBe(400)
    const url = `/api/customer/jobs/${fixtures.jobId}/checkout/validateaddress`
    expect((await app.inject({ method: 'POST', url, payload: input })).statusCode).toBe(401)
  })
})
