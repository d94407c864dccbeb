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

/** What a browser sends from a page, and whether the page is ours. */
const pages: [string, Headers, Record<string, string>, 'ours' | 'foreign'][] = [
  ['a program, which sends neither', { host: 'fieldproof.test' }, secure, 'ours'],
  ['our own page', { host: 'fieldproof.test', origin: 'https://fieldproof.test' }, secure, 'ours'],
  ['our own page, as the browser says', { host: 'fieldproof.test', 'sec-fetch-site': 'same-origin' }, secure, 'ours'],
  ['the address bar', { host: 'fieldproof.test', 'sec-fetch-site': 'none' }, secure, 'ours'],
  [
    'our page on a studio’s own host name',
    { host: 'photos.studio.test', origin: 'https://photos.studio.test' },
    secure,
    'ours',
  ],
  [
    'our page behind a proxy that renames the host',
    { host: 'inner:4600', origin: 'https://fieldproof.test' },
    secure,
    'ours',
  ],
  ['our page with its port', { host: 'fieldproof.test:443', origin: 'https://fieldproof.test' }, secure, 'ours'],
  ['a page on this machine', { host: '127.0.0.1:4600', origin: 'http://127.0.0.1:4600' }, { NODE_ENV: 'test' }, 'ours'],
  ['a sibling host', { host: 'fieldproof.test', origin: 'https://blog.fieldproof.test' }, secure, 'foreign'],
  [
    'a sibling host, as the browser says',
    { host: 'fieldproof.test', origin: 'https://fieldproof.test', 'sec-fetch-site': 'same-site' },
    secure,
    'foreign',
  ],
  ['another site', { host: 'fieldproof.test', 'sec-fetch-site': 'cross-site' }, secure, 'foreign'],
  ['another studio’s host name', { host: 'a.studio.test', origin: 'https://b.studio.test' }, secure, 'foreign'],
  ['our host by http', { host: 'fieldproof.test', origin: 'http://fieldproof.test' }, secure, 'foreign'],
  ['another port', { host: 'localhost:4600', origin: 'http://localhost:9' }, { NODE_ENV: 'test' }, 'foreign'],
  ['a page that hides where it is from', { host: 'fieldproof.test', origin: 'null' }, secure, 'foreign'],
  ['a page with an origin that is none', { host: 'fieldproof.test', origin: 'https://' }, secure, 'foreign'],
]

const refusal = { errors: ['This request came from another site'], problem: 'not-allowed' }

describe.each(enginesFor(import.meta.filename))('a write on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  it.each(pages)(
    'a write that comes from %s is classified by the browser’s headers',
    async (_, headers, env, whose) => {
      const deps = testDeps(database())
      const app = await testApp({ ...deps, settings: readSettings({ ...env, DATA_DIR: deps.settings.dataDir }) })
      const answer = await app.inject({ method: 'POST', url: '/api/customer/session', headers })
      expect(answer.statusCode).toBe(whose === 'ours' ? 200 : 403)
      if (whose === 'foreign') expect(answer.json()).toEqual(refusal)
      const read = await app.inject({ url: '/api/health', headers })
      expect(read.statusCode).toBe(200)
    },
  )

  it('a write from a sibling host is refused for every call and any cookie, and changes nothing', async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const theirs = await createOtherTenantFixtures(deps, app)
    const before = await allRows(deps.db)
    const calls = Object.entries(allCalls) as [CallName, AnyCall][] // keys are not narrowed by `entries`
    const writes = calls.filter(
      ([name, { method }]) => method !== 'GET' || name === 'redeemCode' || name === 'searchOrder',
    )
    expect(writes.length).toBeGreaterThan(100)
    for (const [name, call] of writes) {
      const { params, query = {}, body } = sampleCalls[name].parts?.(theirs) ?? {}
      const { studioId, jobId, slug } = theirs
      const answer = await app.inject({
        method: call.method,
        url: pathOf(call, { studioId, jobId, slug, ...params }, query),
        headers: { ...theirs.visit.headers, host: 'fieldproof.test', 'sec-fetch-site': 'same-site' },
        ...(body && { payload: body }),
      })
      expect.soft([name, answer.statusCode, answer.json()]).toMatchObject([name, 403, refusal])
    }
    expect(await allRows(deps.db)).toEqual(before)
  })
})
