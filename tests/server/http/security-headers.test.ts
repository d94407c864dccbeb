import { describe, expect, it } from 'vitest'
import { getHealth } from '#contract/system/health.ts'
import { readSettings } from '#server/env.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

const expectedHeaders = {
  'content-security-policy': expect.stringMatching(/^default-src 'self';.*;frame-ancestors 'none'$/),
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

const requests: [
  string,
  number,
  { method?: 'POST'; url: string; headers?: Record<string, string>; payload?: string },
][] = [
  ['an answer', 200, { url: getHealth.path }],
  ['a missing path', 404, { url: '/api/nothing' }],
  ['a call without a session', 401, { url: '/api/customer/jobs/1/cart?orderMethod=gallery' }],
  [
    'a write from another site',
    403,
    { method: 'POST', url: '/api/customer/session', headers: { 'sec-fetch-site': 'cross-site' } },
  ],
  [
    'a body that is not JSON',
    400,
    { method: 'POST', url: '/api/customer/session', headers: { 'content-type': 'application/json' }, payload: '{' },
  ],
]

describe.each(enginesFor(import.meta.filename))('security headers on $name', (engine) => {
  const database = freshDatabase(engine)

  it.each(requests)('%s has every security header', async (_, statusCode, request) => {
    const app = await testApp(testDeps(database()))
    const response = await app.inject(request)
    expect(response.statusCode).toBe(statusCode)
    expect(response.headers).toMatchObject(expectedHeaders)
    expect(response.headers).not.toHaveProperty('strict-transport-security')
  })

  it.each([
    ['/api/health', true],
    ['/riverside/shared/1-abc', true],
    ['/riverside/code/ADALVL', true],
    ['/riverside/1/order/FP-1', true],
    ['/riverside', false],
    ['/?utm=x', false],
    ['/assets/index.js', false],
  ])('%s is hidden from search engines: %s', async (url, isHidden) => {
    const app = await testApp(testDeps(database()))
    const { headers } = await app.inject(url)
    expect(headers['x-robots-tag']).toBe(isHidden ? 'noindex, noimageindex' : undefined)
  })

  it('a product with an https address asks browsers to use only https', async () => {
    const deps = testDeps(database())
    const env = { NODE_ENV: 'test', PUBLIC_URL: 'https://fieldproof.test', SECRET: 's'.repeat(32) }
    const app = await testApp({ ...deps, settings: readSettings({ ...env, DATA_DIR: deps.settings.dataDir }) })
    const { headers } = await app.inject(getHealth.path)
    expect(headers).toMatchObject({ ...expectedHeaders, 'strict-transport-security': 'max-age=31536000' })
  })
})
