import '#support/seeded-properties.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import { apiScopes } from '#domain/developers/api-scopes.ts'
import { permissionsOf } from '#server/access/authorization/role-permissions.ts'
import type { JsonSchema } from '#server/api-reference/json-schema.ts'
import type { OpenApiDocument, Operation } from '#server/api-reference/openapi-document.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { faultsOf } from '#support/schemas/conforms.ts'
import { schemaArbitrary } from '#support/schemas/schema-arbitrary.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { callApi, callNamesInSafeOrder } from '#tests/server/http/call-client.ts'
import { multipartPayload } from '#tests/server/images/lookups/form-data.ts'
import { unreliablePayment } from '#tests/server/payments/checkout-driver.ts'
import { createOtherTenantFixtures, ownerPermissions } from '../access/authorization/other-tenant-fixtures.ts'
import { type CallName, sampleCalls } from '../access/authorization/sample-calls.ts'

/** Requests per call; about 400 calls. */
const requestsPerCall = process.env.LONG === '1' ? 10 : 2
/** Percent of all parts of a request that are any JSON instead. */
const faultRate = 4

type Located = { method: string; path: string; operation: Operation }

const operationsOf = ({ paths }: OpenApiDocument): Located[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

type GeneratedRequest = { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown }

const jsonBodySchema = ({ requestBody }: Operation): JsonSchema | undefined =>
  requestBody?.content['application/json']?.schema

/** Requests of an operation: most are valid, in some a part is not. */
const requestsOf = ({ operation }: Located, { components: { schemas } }: OpenApiDocument) => {
  const parametersIn = (place: string): JsonSchema => {
    const parameters = operation.parameters.flatMap((parameter) =>
      'in' in parameter && parameter.in === place ? parameter : [],
    )
    return {
      type: 'object',
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.flatMap(({ name, required }) => (required ? name : [])),
    }
  }
  const body = jsonBodySchema(operation)
  return fc.record({
    params: schemaArbitrary(parametersIn('path'), schemas, 0),
    query: schemaArbitrary(parametersIn('query'), schemas, 0),
    body: body ? schemaArbitrary(body, schemas, faultRate) : fc.constant(undefined),
  }) as fc.Arbitrary<GeneratedRequest> // the schemas of parameters are those of objects
}

describe.each(enginesFor(import.meta.filename))(
  'calls generated from the document on $name',
  { timeout: 300_000 },
  (engine) => {
    const database = freshDatabase(engine)

    const setUp = async () => {
      const defaultDeps = testDeps(database())
      const deps = {
        ...defaultDeps,
        payment: unreliablePayment(defaultDeps.payment).payment,
        jobs: { enqueue: async () => {} },
      }
      const app = await testApp(deps)
      const document: OpenApiDocument = (await app.inject('/api/openapi.json')).json()
      const otherTenant = await createOtherTenantFixtures(deps, app)
      const { studioId, jobId, slug, userId, email } = otherTenant
      const owner = await signToken(deps, { id: userId, name: 'Olive', email, permissions: ownerPermissions, studioId })
      const administrator = await signToken(deps, {
        ...{ id: userId, name: 'Alex', email, permissions: permissionsOf.administrator },
        studioId: null,
      })
      const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
      const createToken = async (): Promise<string> => {
        const created = await app.inject({
          ...{ method: 'POST', url: `/api/studioadmin/studios/${studioId}/tokens`, headers: bearer(owner.token) },
          payload: { name: 'Generated', scopes: apiScopes, days: 30 },
        })
        return created.json().data.token
      }
      // One for each round of requests, because each may send a limited number of requests in a minute.
      const tokens = await Promise.all(Array.from({ length: requestsPerCall }, createToken))
      let requests = 0
      const nextToken = (): string => {
        requests += 1
        return tokens[requests % tokens.length] ?? ''
      }
      const headersFor = ({ security, tags }: Operation): Record<string, string> => {
        if (security.some((scheme) => scheme.apiToken)) return bearer(nextToken())
        if (security.some((scheme) => scheme.session)) return otherTenant.customer.headers
        return bearer((tags.includes('Platform') ? administrator : owner).token)
      }
      return { app, document, otherTenant, scope: { studioId, jobId, slug }, headersFor }
    }

    it('no generated request gives a server error, an undocumented status, or success for an invalid body', async () => {
      const { app, document, otherTenant, scope, headersFor } = await setUp()
      const { schemas } = document.components
      let [requestCount, invalidCount, doneCount] = [0, 0, 0]
      for (const located of operationsOf(document)) {
        const { method, path, operation } = located
        const { params: existing } = sampleCalls[operation.operationId as CallName].parts?.(otherTenant) ?? {}
        for (const { params, query, body } of fc.sample(requestsOf(located, document), requestsPerCall)) {
          requestCount += 1
          // Every second request is for something that exists.
          const values = new Map(Object.entries({ ...params, ...(requestCount % 2 === 0 && existing), ...scope }))
          const url = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
            encodeURIComponent(String(values.get(name)).toWellFormed() || '0'),
          )
          const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
          const answer = await app.inject({
            ...{ method: method as 'GET', url: `${url}?${search}` },
            headers: { ...headersFor(operation), ...(body !== undefined && { 'content-type': 'application/json' }) },
            ...(body !== undefined && { payload: JSON.stringify(body) }),
          })
          const bodySchema = jsonBodySchema(operation)
          const faults = bodySchema ? faultsOf(body, bodySchema, schemas) : []
          const { statusCode } = answer
          const report = {
            request: `${method} ${url}?${search} ${JSON.stringify(body)}`,
            statusCode,
            answer: answer.body.slice(0, 300),
          }
          if (faults.length > 0) invalidCount += 1
          expect.soft(statusCode < 500 || report).toBe(true)
          expect.soft(Object.hasOwn(operation.responses, statusCode) || report).toBe(true)
          if (faults.length > 0) expect.soft(statusCode >= 400 || { ...report, faults }).toBe(true)
          if (statusCode === 200) doneCount += 1
        }
      }
      expect(requestCount).toBeGreaterThan(200)
      expect(invalidCount).toBeGreaterThan(20)
      expect(doneCount).toBeGreaterThan(50)
    })

    it('exactly the calls that take a form according to the document accept one', async () => {
      const { app, document } = await setUp()
      const form = await multipartPayload([{ fileName: '1.jpg', bytes: Buffer.from('no image') }])
      for (const { method, path, operation } of operationsOf(document)) {
        if (method === 'GET') continue
        const url = path.replaceAll(/\{\w+\}/g, '1')
        const { statusCode } = await app.inject({ method: method as 'POST', url, ...form })
        const takesForm = operation.requestBody?.content['multipart/form-data'] !== undefined
        expect([operation.operationId, statusCode !== 415]).toEqual([operation.operationId, takesForm])
      }
    })

    it('the answers of successful calls conform to the document', async () => {
      const { app, document, otherTenant, scope, headersFor } = await setUp()
      const operations = new Map(operationsOf(document).map((located) => [located.operation.operationId, located]))
      let conforming = 0
      for (const name of callNamesInSafeOrder()) {
        const operation = operations.get(name)?.operation
        if (!operation || allCalls[name].method === 'DELETE') continue
        const client = { headers: headersFor(operation), scope }
        const { answer } = await callApi(app, name, { otherTenant, client })
        const success = operation.responses['200']
        const schema = success && 'content' in success ? success.content['application/json']?.schema : undefined
        if (answer.statusCode !== 200 || !schema) continue
        expect.soft([name, faultsOf(answer.json(), schema, document.components.schemas)]).toEqual([name, []])
        conforming += 1
      }
      expect(conforming).toBeGreaterThan(150)
    })
  },
)
