import type { FastifyInstance, InjectOptions } from 'fastify'
import { array, type Infer, object, optional, size, string, type } from 'superstruct'
import { describe, expect, it } from 'vitest'
import type { AnyCall } from '#contract/shapes/call.ts'
import { Id } from '#contract/shapes/primitives.ts'
import { mount } from '#server/http/mount.ts'
import { problem } from '#server/http/problem.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession, testApp, testDeps } from '#support/server/test-app.ts'

const bookShelf = {
  method: 'POST',
  path: '/api/test/shelves/:shelfId/books',
  who: 'anyone',
  params: object({ shelfId: Id }),
  query: object({ page: optional(Id) }),
  body: object({ title: size(string(), 1, 20), tags: optional(array(string())) }),
  answer: type({ shelfId: Id, title: string(), page: optional(Id) }),
  problems: ['refused'],
} satisfies AnyCall

type Body = Infer<typeof bookShelf.body>

const failures: [string, InjectOptions, number, object][] = [
  ['a missing field', { payload: {} }, 400, { problem: 'bad-request', fields: { title: ['This field is required'] } }],
  ['an unknown field', { payload: { title: 'a', colour: 'red' } }, 400, { fields: { colour: ['is not known here'] } }],
  ['a long field', { payload: { title: 'a'.repeat(21) } }, 400, { fields: { title: ['is too short or too long'] } }],
  ['a nested field', { payload: { title: 'a', tags: ['b', 3] } }, 400, { fields: { 'tags.1': ['is not valid'] } }],
  [
    'an unknown query',
    { payload: { title: 'a' }, query: { colour: 'red' } },
    400,
    { fields: { colour: ['is not known here'] } },
  ],
  [
    'a parameter that is not a number',
    { url: '/api/test/shelves/x/books', payload: {} },
    400,
    { fields: { shelfId: ['is not valid'] } },
  ],
  ['a body that is not an object', { payload: '[1]', headers: { 'content-type': 'application/json' } }, 400, {}],
  ['a request without a body', {}, 400, { fields: { title: ['This field is required'] } }],
  ['broken JSON', { payload: '{"title":', headers: { 'content-type': 'application/json' } }, 400, {}],
  [
    'a __proto__ field',
    { payload: '{"title":"a","__proto__":{"x":1}}', headers: { 'content-type': 'application/json' } },
    400,
    {},
  ],
  [
    'a constructor field',
    { payload: '{"title":"a","constructor":{"prototype":{}}}', headers: { 'content-type': 'application/json' } },
    400,
    {},
  ],
  [
    'an object that cannot become text',
    { payload: '{"title":{"toString":1}}', headers: { 'content-type': 'application/json' } },
    400,
    { problem: 'bad-request' },
  ],
  ['text that the database cannot store', { payload: { title: 'a\u0000' } }, 400, {}],
  ['a lone surrogate', { payload: '{"title":"\\ud800"}', headers: { 'content-type': 'application/json' } }, 400, {}],
  [
    'deeply nested lists',
    {
      payload: `{"title":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      headers: { 'content-type': 'application/json' },
    },
    400,
    { problem: 'bad-request' },
  ],
  [
    'a content type other than JSON',
    { payload: 'title=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    { problem: 'unsupported-media' },
  ],
  ['plain text', { payload: '{}', headers: { 'content-type': 'text/plain' } }, 415, {}],
  ['a body that is too large', { payload: { title: 'a'.repeat(2_100_000) } }, 413, { problem: 'too-large' }],
  ['an unknown address', { url: '/api/test/nowhere', payload: {} }, 404, { problem: 'not-found' }],
  ['an unknown method', { method: 'DELETE' }, 404, { problem: 'not-found' }],
  ['an address that cannot be decoded', { url: '/api/test/shelves/%c3/books' }, 400, { problem: 'bad-request' }],
]

describe.each(enginesFor(import.meta.filename))('a mounted call on $name', (engine) => {
  const database = freshDatabase(engine)

  const createApp = async (
    handle = async (body: Body): Promise<object> => ({ title: body.title }),
  ): Promise<FastifyInstance> => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    mount(app, deps, bookShelf, async ({ params, query, body }) => {
      const answer = await handle(body)
      return 'name' in answer ? (answer as never) : { shelfId: params.shelfId, page: query.page, ...(answer as Body) }
    })
    return app
  }
  const post = (app: FastifyInstance, options: InjectOptions) =>
    app.inject({ method: 'POST', url: '/api/test/shelves/7/books', ...options })

  it('path, query and body are parsed by their structs, and the answer is wrapped in data', async () => {
    const answer = await post(await createApp(), { payload: { title: 'Flatland' }, query: { page: '2' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ data: { shelfId: 7, title: 'Flatland', page: 2 } })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each(failures)('%s is refused', async (_, options, status, body) => {
    const answer = await post(await createApp(), options)
    expect(answer.json()).toMatchObject(body)
    expect(answer.statusCode).toBe(status)
    expect(answer.json().errors).toEqual([expect.stringMatching(/^[A-Z].+/)])
  })

  it('a problem is answered with its status, message and name', async () => {
    const app = await createApp(async () => problem('refused', 'This shelf is full', { retryAfterSeconds: 2.5 }))
    const answer = await post(app, { payload: { title: 'a' } })
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toEqual({ errors: ['This shelf is full'], problem: 'refused' })
    expect(answer.headers['retry-after']).toBe('3')
  })

  it('an internal error is logged, and the response reveals nothing about it', async () => {
    const logged: unknown[] = []
    const log = { info: () => {}, warn: () => {}, error: (...line: unknown[]) => logged.push(line) }
    const deps = testDeps(database(), { log })
    const app = await testApp(deps)
    mount(app, deps, bookShelf, async () => {
      throw Object.assign(new Error('select secret from /srv/files'), { code: '42P01', statusCode: undefined })
    })
    const answer = await post(app, { payload: { title: 'a' } })
    expect(answer.statusCode).toBe(500)
    expect(answer.body).toBe('{"errors":["An error occurred"],"problem":"unexpected"}')
    expect(logged).toHaveLength(1)
  })

  it('neither URLs nor bodies are written to the log', async () => {
    const lines: unknown[] = []
    const record = (...line: unknown[]) => void lines.push(line)
    const deps = testDeps(database(), { log: { info: record, warn: record, error: record } })
    const app = await testApp(deps)
    mount(app, deps, bookShelf, async ({ params, body }) => ({ shelfId: params.shelfId, title: body.title }))
    const session = await createTestSession(deps)
    await post(app, { payload: { title: 'Ada' }, query: { page: '4242' }, headers: session.headers })
    expect(JSON.stringify(lines)).toContain('/api/test/shelves/:shelfId/books')
    expect(JSON.stringify(lines)).not.toMatch(/Ada|4242|fieldproof_session/)
  })
})
