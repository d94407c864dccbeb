import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { isFullRun, testSeed } from '#support/seed.ts'
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

/** JSON texts, because `__proto__` can be a field name only in text. */
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

const placeholder = '"\u2063hostile\u2063"'
type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Returns copies of a value, each with one part, or the complete value, replaced by the placeholder. */
const withPlaceholder = (value: Json): Json[] => {
  const replaced: Json = JSON.parse(placeholder)
  if (Array.isArray(value)) {
    return [
      replaced,
      ...value.flatMap((item, index) => withPlaceholder(item).map((changed) => value.with(index, changed))),
    ]
  }
  if (typeof value !== 'object' || value === null) return [replaced]
  const parts = Object.entries(value)
  return [
    replaced,
    ...parts.flatMap(([name, part]) => withPlaceholder(part).map((changed) => ({ ...value, [name]: changed }))),
  ]
}

/** The field names that a call accepts, including those that the sample omits. */
const acceptedNames = ({ body, query }: AnyCall) => ({
  body: Object.keys((body.schema ?? {}) as object).filter(() => body.type === 'object'),
  query: Object.keys((query.schema ?? {}) as object).filter(() => query.type === 'object'),
})

type HostileRequest = { url: string; text?: string }

/** Creates requests with a hostile value in each part of the body, the query and the path of a call. */
const createRequests = (name: CallName, otherTenant: OtherTenantFixtures): HostileRequest[] => {
  const call: AnyCall = allCalls[name]
  const { params = {}, query = {}, body } = sampleCalls[name].parts?.(otherTenant) ?? {}
  const { studioId, jobId, slug } = otherTenant
  const values = new Map<string, unknown>(Object.entries({ studioId, jobId, slug, ...params }))
  const pathWith = (pathValues: Map<string, unknown>): string =>
    call.path.replace(/:(\w+)/g, (_, param: string) => String(pathValues.get(param) ?? 1))
  const search = new URLSearchParams(Object.entries(query).map(([field, value]) => [field, String(value)]))
  const url = `${pathWith(values)}?${search}`
  const names = acceptedNames(call)

  const paths = [...call.path.matchAll(/:(\w+)/g)].flatMap(([, param = '']) =>
    hostileTexts.map((text) => ({ url: `${pathWith(new Map(values).set(param, text))}?${search}` })),
  )
  const queries = names.query.flatMap((field) => {
    const otherFields = new URLSearchParams(search)
    otherFields.delete(field)
    return hostileTexts.map((text) => ({
      url: `${pathWith(values)}?${otherFields}&${field}=${text}&${field}[a]=${text}`,
    }))
  })
  if (call.method === 'GET') return [...paths, ...queries]
  const fullBody = {
    ...Object.fromEntries(names.body.map((field) => [field, null])),
    ...(body as { [name: string]: Json }),
  }
  const sampleFields = Object.keys(body ?? {})
  const missing = names.body.filter((field) => !sampleFields.includes(field))
  const bodies = [
    ...withPlaceholder((body ?? {}) as Json),
    ...missing.map((field): Json => ({ ...(body as { [name: string]: Json }), [field]: JSON.parse(placeholder) })),
    ...withPlaceholder(fullBody),
  ]
  const texts = [...new Set(bodies.map((json) => JSON.stringify(json)))]
  return [
    ...paths.map((path) => ({ ...path, text: JSON.stringify(body ?? {}) })),
    ...queries.map((request) => ({ ...request, text: JSON.stringify(body ?? {}) })),
    ...texts.flatMap((text) => hostileJson.map((value) => ({ url, text: text.replace(placeholder, () => value) }))),
  ]
}

/** The long run (`LONG=1`) sends every request, a full run every sixth, other runs every twelfth; the seed chooses the first. */
const stride = process.env.LONG ? 1 : isFullRun ? 6 : 12
const first = testSeed % stride

describe.each(enginesFor(import.meta.filename))('hostile values on $name', { timeout: 600_000 }, (engine) => {
  const database = freshDatabase(engine)

  it('every call answers below 500 to a hostile value in any part of the request', async () => {
    const errors: unknown[] = []
    const log = { info: () => {}, warn: () => {}, error: (entry: { err?: unknown }) => void errors.push(entry.err) }
    const deps = { ...testDeps(database(), manualClock()), log }
    const app = await testApp(deps)
    const otherTenant = await createOtherTenantFixtures(deps, app)
    const { token } = await signToken(deps, {
      ...{ id: otherTenant.userId, name: 'Owner', email: otherTenant.email, studioId: otherTenant.studioId },
      permissions: ownerPermissions,
    })
    const headers = { ...otherTenant.customer.headers, authorization: `Bearer ${token}` }
    const failedRequests = new Map<string, string>()
    let requestCount = 0
    for (const name of callNamesInSafeOrder()) {
      const requests = createRequests(name, otherTenant).filter((_, index) => index % stride === first)
      for (const { url, text } of requests) {
        const answer = await app.inject({
          method: allCalls[name].method,
          url,
          headers: { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) },
          ...(text !== undefined && { payload: text }),
        })
        requestCount += 1
        if (answer.statusCode >= 500) {
          const why = String(errors.at(-1) instanceof Error ? (errors.at(-1) as Error).stack : errors.at(-1))
          failedRequests.set(`${name} ${why.slice(0, 600)}`, `${url} ${text?.slice(0, 300)}`)
        }
      }
    }
    expect([...failedRequests], `drawn by TEST_SEED=${testSeed}`).toEqual([])
    expect(requestCount * stride).toBeGreaterThan(10_000)
  })
})
