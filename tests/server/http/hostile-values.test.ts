import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { isWhole, testSeed } from '#support/seed.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import {
  createOtherTenantFixtures,
  type OtherTenantFixtures,
  ownerPermissions,
} from '../access/authorization/other-tenant-fixtures.ts'
import { type CallName, sampleCalls } from '../access/authorization/sample-calls.ts'
import { callNamesInSafeOrder } from './call-client.ts'

const nested = (levels: number): unknown => Array.from({ length: levels }).reduce((inner) => [inner], [])

/** As JSON text: `__proto__` as a name exists in text only. */
const hostileJson: readonly string[] = [
  ...['{"toString":1}', '{"valueOf":{},"toString":{}}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":1}}'],
  ...['{"hasOwnProperty":1,"length":-1}', '[{"toString":1}]', '"toString"', '"constructor"', '"__proto__"'],
  ...['"a\\u0000b"', '"\\ud800"', '"0x10"', '"Infinity"', '""', 'null', 'true', '[]', '{}', '1e400', '1e308', '-1e308'],
  ...['9007199254740993', '2147483648', '-1', '0.1', '1e-400', JSON.stringify('x'.repeat(50_000)), '"2027-99-99"'],
  ...[
    '"2027-02-30T25:61:61Z"',
    '"+275760-09-13T00:00:00.001Z"',
    JSON.stringify(nested(29)),
    JSON.stringify(nested(2000)),
  ],
]

const hostileTexts: readonly string[] = [
  ...['toString', 'constructor', '__proto__', 'hasOwnProperty', '%00', 'a%00b', '%ED%A0%80', '0x10', 'Infinity', 'NaN'],
  ...[
    '-1',
    '0',
    '1e9',
    '999999999999999',
    '9999999999999999999999',
    '1.5',
    'x'.repeat(250),
    '%25',
    "'",
    '%5C',
    '..%2F..',
  ],
]

const mark = '"\u2063hostile\u2063"'
type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Every copy of a value with one of its parts, or the whole, replaced by the mark. */
const marked = (value: Json): Json[] => {
  const whole: Json = JSON.parse(mark)
  if (Array.isArray(value)) {
    return [whole, ...value.flatMap((one, index) => marked(one).map((other) => value.with(index, other)))]
  }
  if (typeof value !== 'object' || value === null) return [whole]
  const parts = Object.entries(value)
  return [whole, ...parts.flatMap(([name, one]) => marked(one).map((other) => ({ ...value, [name]: other })))]
}

/** The names a call accepts, also those that no sample has. */
const namesIn = ({ body, query }: AnyCall) => ({
  body: Object.keys((body.schema ?? {}) as object).filter(() => body.type === 'object'),
  query: Object.keys((query.schema ?? {}) as object).filter(() => query.type === 'object'),
})

type Sent = { url: string; text?: string }

/** Every position of a hostile value in a call: one part of its body, its query, its path. */
const requestsOf = (name: CallName, theirs: OtherTenantFixtures): Sent[] => {
  const call: AnyCall = allCalls[name]
  const { params = {}, query = {}, body } = sampleCalls[name].parts?.(theirs) ?? {}
  const { studioId, jobId, slug } = theirs
  const values = new Map<string, unknown>(Object.entries({ studioId, jobId, slug, ...params }))
  const pathWith = (own: Map<string, unknown>): string =>
    call.path.replace(/:(\w+)/g, (_, part: string) => String(own.get(part) ?? 1))
  const search = new URLSearchParams(Object.entries(query).map(([part, value]) => [part, String(value)]))
  const url = `${pathWith(values)}?${search}`
  const named = namesIn(call)

  const paths = [...call.path.matchAll(/:(\w+)/g)].flatMap(([, part = '']) =>
    hostileTexts.map((text) => ({ url: `${pathWith(new Map(values).set(part, text))}?${search}` })),
  )
  const queries = named.query.flatMap((part) => {
    const others = new URLSearchParams(search)
    others.delete(part)
    return hostileTexts.map((text) => ({ url: `${pathWith(values)}?${others}&${part}=${text}&${part}[a]=${text}` }))
  })
  if (call.method === 'GET') return [...paths, ...queries]
  const whole = { ...Object.fromEntries(named.body.map((part) => [part, null])), ...(body as { [name: string]: Json }) }
  const given = Object.keys(body ?? {})
  const missing = named.body.filter((part) => !given.includes(part))
  const bodies = [
    ...marked((body ?? {}) as Json),
    ...missing.map((part): Json => ({ ...(body as { [name: string]: Json }), [part]: JSON.parse(mark) })),
    ...marked(whole),
  ]
  const texts = [...new Set(bodies.map((one) => JSON.stringify(one)))]
  return [
    ...paths.map((one) => ({ ...one, text: JSON.stringify(body ?? {}) })),
    ...queries.map((one) => ({ ...one, text: JSON.stringify(body ?? {}) })),
    ...texts.flatMap((text) => hostileJson.map((value) => ({ url, text: text.replace(mark, () => value) }))),
  ]
}

/** Every request with `LONG=1`, else every sixth or twelfth, different ones for each seed. */
const every = process.env.LONG ? 1 : isWhole ? 6 : 12
const first = testSeed % every

describe.each(enginesFor(import.meta.filename))('hostile values on $name', { timeout: 600_000 }, (engine) => {
  const database = freshDatabase(engine)

  it('every call answers below 500 to a hostile value in any part of the request', async () => {
    const errors: unknown[] = []
    const log = { info: () => {}, warn: () => {}, error: (said: { err?: unknown }) => void errors.push(said.err) }
    const deps = { ...testDeps(database(), manualClock()), log }
    const app = await testApp(deps)
    const theirs = await createOtherTenantFixtures(deps, app)
    const { token } = await signToken(deps, {
      ...{ id: theirs.userId, name: 'Owner', email: theirs.email, studioId: theirs.studioId },
      permissions: ownerPermissions,
    })
    const headers = { ...theirs.visit.headers, authorization: `Bearer ${token}` }
    const failed = new Map<string, string>()
    let asked = 0
    for (const name of callNamesInSafeOrder()) {
      const requests = requestsOf(name, theirs).filter((_, index) => index % every === first)
      for (const { url, text } of requests) {
        const answer = await app.inject({
          method: allCalls[name].method,
          url,
          headers: { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) },
          ...(text !== undefined && { payload: text }),
        })
        asked += 1
        if (answer.statusCode >= 500) {
          const why = String(errors.at(-1) instanceof Error ? (errors.at(-1) as Error).stack : errors.at(-1))
          failed.set(`${name} ${why.slice(0, 600)}`, `${url} ${text?.slice(0, 300)}`)
        }
      }
    }
    expect([...failed], `drawn by TEST_SEED=${testSeed}`).toEqual([])
    expect(asked * every).toBeGreaterThan(10_000)
  })
})
