import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { slowDownMessage } from '#contract/shapes/problems.ts'
import { engines, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

const embedded = engines.slice(0, 1)

describe.each(embedded)('the limit on the requests of one address', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  const createApp = async (requestsPerMinute?: number): Promise<FastifyInstance> => {
    const deps = testDeps(database())
    const settings = { ...deps.settings, fromEnvironment: { 'requests-per-minute': requestsPerMinute } }
    const app = await testApp({ ...deps, settings })
    app.get('/api/test/nothing', async () => ({}))
    app.get('/assets/:name', async () => ({}))
    return app
  }

  const requestStatuses = async (app: FastifyInstance, url: string, count: number, remoteAddress = '203.0.113.7') => {
    const statuses = new Set<number>()
    for (let n = 0; n < count; n += 1) statuses.add((await app.inject({ url, remoteAddress })).statusCode)
    return [...statuses]
  }

  it('requests past the limit are answered 429 in the shape of a problem, with Retry-After', async () => {
    const app = await createApp(3)
    expect(await requestStatuses(app, '/api/test/nothing', 3)).toEqual([200])
    const answer = await app.inject({ url: '/api/test/nothing', remoteAddress: '203.0.113.7' })
    expect(answer.statusCode).toBe(429)
    expect(answer.json()).toEqual({
      errors: [slowDownMessage],
      problem: 'slow-down',
    })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(Object.keys(answer.headers).filter((name) => name.includes('ratelimit'))).toEqual([])
  })

  it('all requests of an address share one limit, including calls of the contract and unknown paths', async () => {
    const app = await createApp(3)
    for (const url of ['/api/test/nothing', '/api/customer/session', '/nowhere'])
      expect(await requestStatuses(app, url, 1)).not.toEqual([429])
    for (const url of ['/api/test/nothing', '/api/customer/session', '/nowhere'])
      expect(await requestStatuses(app, url, 1)).toEqual([429])
  })

  it('each address has its own limit, and an IPv6 /64 network counts as one address', async () => {
    const app = await createApp(1)
    expect(await requestStatuses(app, '/api/test/nothing', 1, '203.0.113.7')).toEqual([200])
    expect(await requestStatuses(app, '/api/test/nothing', 1, '::ffff:203.0.113.7')).toEqual([429])
    expect(await requestStatuses(app, '/api/test/nothing', 1, '203.0.113.8')).toEqual([200])
    expect(await requestStatuses(app, '/api/test/nothing', 1, '2001:db8:1:2::1')).toEqual([200])
    expect(await requestStatuses(app, '/api/test/nothing', 1, '2001:db8:1:2:ffff::1')).toEqual([429])
    expect(await requestStatuses(app, '/api/test/nothing', 1, '2001:db8:1:3::1')).toEqual([200])
  })

  it('health and the files of the build are exempt', async () => {
    const app = await createApp(1)
    expect(await requestStatuses(app, '/api/test/nothing', 2)).toEqual([200, 429])
    expect(await requestStatuses(app, '/api/health', 5)).toEqual([200])
    expect(await requestStatuses(app, '/assets/app.js', 5)).toEqual([200])
  })

  it('300 families behind one address can send 60 requests each within a minute', async () => {
    const app = await createApp()
    expect(await requestStatuses(app, '/api/test/nothing', 300 * 60)).toEqual([200])
  })
})
