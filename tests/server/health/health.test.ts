import { describe, expect, it } from 'vitest'
import { enginesFor } from '../../support/database.ts'
import { testApp, testDeps } from '../../support/server.ts'

describe.each(enginesFor(import.meta.filename))('health on $name', (engine) => {
  it('is well as long as its database answers', async () => {
    const database = await engine.open()
    const app = await testApp(testDeps(database))
    const well = await app.inject({ url: '/api/health' })
    expect(well.json()).toEqual({ data: { status: 'ok', build: 'none' } })
    await database.close()
    const ill = await app.inject({ url: '/api/health' })
    expect([ill.statusCode, ill.json().errors]).toEqual([500, ['An error occurred']])
  })
})
