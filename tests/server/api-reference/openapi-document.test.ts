import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { problems } from '#contract/shapes/problems.ts'
import { scopeOf } from '#server/access/authorization/call-scopes.ts'
import type { Operation } from '#server/api-reference/openapi-document.ts'
import { documentReader, type ServedDocument } from '#server/api-reference/read-document.ts'

const calls = Object.entries(allCalls) as [keyof typeof allCalls, AnyCall][] // keys are not narrowed by `entries`

describe('the OpenAPI document', () => {
  let served: ServedDocument
  const operationOf = ({ method, path }: AnyCall): Operation | undefined =>
    served.document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]

  beforeAll(async () => {
    served = await documentReader()()
  })

  it('is valid OpenAPI 3.1, according to an independent validator', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(served.json))
    expect([valid, errors]).toEqual([true, undefined])
  })

  it('describes every call of the contract once, with its scope', () => {
    const operations = Object.values(served.document.paths).flatMap((methods) => Object.values(methods))
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(allCalls).toSorted())
    for (const [name, call] of calls) {
      const scopes = operationOf(call)?.security.flatMap((scheme) => scheme.apiToken ?? [])
      expect([name, scopes]).toEqual([name, [scopeOf(call) ?? []].flat()])
    }
  })

  it('each call lists the statuses of its problems', () => {
    for (const [name, call] of calls) {
      const statuses = Object.keys(operationOf(call)?.responses ?? {})
      const expected = ['200', ...call.problems.map((problem) => String(problems[problem].status))]
      expect([name, expected.filter((status) => !statuses.includes(status))]).toEqual([name, []])
    }
  })

  it('a request shows the limits of its fields, its comment, and what may be left out', () => {
    expect(operationOf(allCalls.putLogo)?.requestBody?.content).toHaveProperty('multipart/form-data')
    expect(operationOf(allCalls.postApiToken)).toMatchObject({
      summary: 'Create api token',
      description: expect.stringContaining('`token` is shown this once'),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                name: { type: 'string', minLength: 1, maxLength: 60 },
                scopes: { type: 'array', minItems: 1, maxItems: 8, items: { type: 'string' } },
                days: { type: 'integer', enum: [30, 90, 365] },
              },
              required: ['name', 'scopes', 'days'],
              additionalProperties: false,
            },
          },
        },
      },
    })
    const { parameters } = operationOf(allCalls.listApiTokens) ?? {}
    expect(parameters).toMatchObject([
      { name: 'studioId', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
      { name: 'currentPage', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } },
      { name: 'pageSize', required: false },
      { name: 'filter', schema: { type: 'string', maxLength: 60 } },
    ])
  })

  it('every reference leads to a component', () => {
    const { schemas, responses, parameters } = served.document.components
    const known = { schemas, responses, parameters }
    const references = [...served.json.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(1000)
    const missing = references.filter(([, kind, name = '']) => !(name in (known[kind as keyof typeof known] ?? {})))
    expect(missing.map(([reference]) => reference)).toEqual([])
  })
})
