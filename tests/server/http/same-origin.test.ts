import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { readSettings } from '#server/env.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createOtherTenantFixtures } from '../access/authorization/other-tenant-fixtures.ts'
import { type CallName, sampleCalls } from '../access/authorization/sample-calls.ts'

type Headers = Readonly<Record<string, string>>

const secure = { NODE_ENV: 'test', PUBLIC_URL: 'https://fieldproof.test', SECRET: 's'.repeat(32) }

/** The headers of a request, and whether it counts as coming from the product's own pages. */
const pages: [string, Headers, Record<string, string>, 'own' | 'foreign'][] = [
  ['a program that sends no origin', { host: 'fieldproof.test' }, secure, 'own'],
  ['the product’s own page', { host: 'fieldproof.test', origin: 'https://fieldproof.test' }, secure, 'own'],
  [
    'the product’s own page by sec-fetch-site',
    { host: 'fieldproof.test', 'sec-fetch-site': 'same-origin' },
    secure,
    'own',
  ],
  ['the address bar', { host: 'fieldproof.test', 'sec-fetch-site': 'none' }, secure, 'own'],
  [
    'the product’s page on a studio’s own host name',
    { host: 'photos.studio.test', origin: 'https://photos.studio.test' },
    secure,
    'own',
  ],
  [
    'the product’s page behind a proxy that renames the host',
    { host: 'inner:4600', origin: 'https://fieldproof.test' },
    secure,
    'own',
  ],
  [
    'the product’s page with its port',
    { host: 'fieldproof.test:443', origin: 'https://fieldproof.test' },
    secure,
    'own',
  ],
  ['a page on this machine', { host: '127.0.0.1:4600', origin: 'http://127.0.0.1:4600' }, { NODE_ENV: 'test' }, 'own'],
  ['a sibling host', { host: 'fieldproof.test', origin: 'https://blog.fieldproof.test' }, secure, 'foreign'],
  [
    'a sibling host by sec-fetch-site',
    { host: 'fieldproof.test', origin: 'https://fieldproof.test', 'sec-fetch-site': 'same-site' },
    secure,
    'foreign',
  ],
  ['another site', { host: 'fieldproof.test', 'sec-fetch-site': 'cross-site' }, secure, 'foreign'],
  ['another studio’s host name', { host: 'a.studio.test', origin: 'https://b.studio.test' }, secure, 'foreign'],
  ['the product’s host by http', { host: 'fieldproof.test', origin: 'http://fieldproof.test' }, secure, 'foreign'],
  ['another port', { host: 'localhost:4600', origin: 'http://localhost:9' }, { NODE_ENV: 'test' }, 'foreign'],
  ['a page that hides its origin', { host: 'fieldproof.test', origin: 'null' }, secure, 'foreign'],
  ['a page with an invalid origin', { host: 'fieldproof.test', origin: 'https://' }, secure, 'foreign'],
]

const refusal = { errors: ['This request came from another site'], problem: 'not-allowed' }

describe.each(enginesFor(import.meta.filename))('a write on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  it.each(pages)(
    'a write that comes from %s is classified by the browser’s headers',
    async (_, headers, env, origin) => {
      const deps = testDeps(database())
      const app = await testApp({ ...deps, settings: readSettings({ ...env, DATA_DIR: deps.settings.dataDir }) })
      const answer = await app.inject({ method: 'POST', url: '/api/customer/session', headers })
      expect(answer.statusCode).toBe(origin === 'own' ? 200 : 403)
      if (origin === 'foreign') expect(answer.json()).toEqual(refusal)
      const readAnswer = await app.inject({ url: '/api/health', headers })
      expect(readAnswer.statusCode).toBe(200)
    },
  )

  it('a write from a sibling host is refused for every call and any cookie, and changes nothing', async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const otherTenant = await createOtherTenantFixtures(deps, app)
    const before = await allRows(deps.db)
    const calls = Object.entries(allCalls) as [CallName, AnyCall][] // `Object.entries` widens the keys to `string`
    const writes = calls.filter(
      ([name, { method }]) => method !== 'GET' || ['redeemCode', 'findEvent', 'searchOrder'].includes(name),
    )
    expect(writes.length).toBeGreaterThan(100)
    for (const [name, call] of writes) {
      const { params, query = {}, body } = sampleCalls[name].parts?.(otherTenant) ?? {}
      const { studioId, jobId, slug } = otherTenant
      const answer = await app.inject({
        method: call.method,
        url: pathOf(call, { studioId, jobId, slug, ...params }, query),
        headers: { ...otherTenant.customer.headers, host: 'fieldproof.test', 'sec-fetch-site': 'same-site' },
        ...(body && { payload: body }),
      })
      expect.soft([name, answer.statusCode, answer.json()]).toMatchObject([name, 403, refusal])
    }
    expect(await allRows(deps.db)).toEqual(before)
  })
})
