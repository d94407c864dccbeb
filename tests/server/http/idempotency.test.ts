import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { object, string, type } from 'superstruct'
import { describe, expect, it } from 'vitest'
import type { AnyCall } from '#contract/shapes/call.ts'
import { Nothing } from '#contract/shapes/primitives.ts'
import { inTransaction } from '#server/database/database.ts'
import { purgeIdempotencyKeys, type ReplayPolicy } from '#server/http/idempotency.ts'
import { type CallRequest, mount } from '#server/http/mount.ts'
import { problem } from '#server/http/problem.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession, manualClock, testApp, testDeps } from '#support/server/test-app.ts'

const write = {
  method: 'POST',
  path: '/api/test/words',
  who: 'session',
  params: Nothing,
  query: Nothing,
  body: object({ word: string() }),
  answer: type({ word: string() }),
  problems: ['session-unknown', 'refused', 'not-found', 'conflict'],
} satisfies AnyCall

type Work = (input: CallRequest<typeof write>) => Promise<{ word: string } | ReturnType<typeof problem<'refused'>>>

describe.each(enginesFor(import.meta.filename))('a repeated idempotency key on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (work?: Work, repetition: ReplayPolicy = 'recorded') => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const handledWords: string[] = []
    mount(
      app,
      deps,
      write,
      async (input) => {
        handledWords.push(input.body.word)
        return work ? await work(input) : { word: `${input.body.word} ${handledWords.length}` }
      },
      { repetition },
    )
    const session = await createTestSession(deps)
    const send = (key: string, text: string, server: FastifyInstance = app, cookie = session.headers.cookie) =>
      server.inject({
        method: 'POST',
        url: write.path,
        payload: { word: text },
        headers: { cookie, 'idempotency-key': key },
      })
    return { deps, app, handledWords, send, session, advance: time.advance }
  }

  it('for a bare or quoted key, the recorded response is returned and the work is done only once', async () => {
    const { send, handledWords } = await setUp()
    const key = randomUUID()
    const first = await send(key, 'hello')
    expect(first.json()).toEqual({ data: { word: 'hello 1' } })
    const repeated = await send(`"${key}"`, 'hello')
    expect([repeated.statusCode, repeated.json()]).toEqual([200, first.json()])
    expect(handledWords).toHaveLength(1)
  })

  it('the same key from another session is another key', async () => {
    const { deps, send, app } = await setUp()
    const other = await createTestSession(deps)
    await send('same', 'hello')
    const otherAnswer = await send('same', 'goodbye', app, other.headers.cookie)
    expect(otherAnswer.json()).toEqual({ data: { word: 'goodbye 2' } })
  })

  it('a key with another body is refused', async () => {
    const { send } = await setUp()
    await send('key', 'hello')
    const other = await send('key', 'goodbye')
    expect(other.statusCode).toBe(422)
    expect(other.json().problem).toBe('key-reused')
  })

  it.each(['', '"', 'a b', '"a"b', 'é', 'x'.repeat(256)])('the key %j is malformed', async (key) => {
    const { send, handledWords } = await setUp()
    const answer = await send(key, 'hello')
    expect(answer.statusCode).toBe(400)
    expect(answer.json().fields).toEqual({ 'Idempotency-Key': ['is not valid'] })
    expect(handledWords).toEqual([])
  })

  it('a rejection by the domain is replayed, and other failures are not', async () => {
    const refusing = await setUp(async () => problem('refused', 'Not this word'))
    expect((await refusing.send('key', 'hello')).statusCode).toBe(422)
    expect((await refusing.send('key', 'hello')).json().errors).toEqual(['Not this word'])
    expect(refusing.handledWords).toHaveLength(1)
    for (const name of ['not-found', 'conflict'] as const) {
      const failing = await setUp(async () => problem(name) as never)
      await failing.send('key', 'hello')
      await failing.send('key', 'hello')
      expect(failing.handledWords).toHaveLength(2)
    }
  })

  it('a key can be used again after an error', async () => {
    let isBroken = true
    const { send } = await setUp(async () => {
      if (isBroken) throw new Error('lost the database')
      return { word: 'recovered' }
    })
    expect((await send('key', 'hello')).statusCode).toBe(500)
    isBroken = false
    expect((await send('key', 'hello')).json()).toEqual({ data: { word: 'recovered' } })
  })

  it('a repetition waits while the work is running', async () => {
    const gate = Promise.withResolvers<void>()
    const { send, handledWords } = await setUp(async () => {
      await gate.promise
      return { word: 'slow' }
    })
    const first = send('key', 'hello')
    await expect.poll(() => handledWords.length).toBe(1)
    const second = await send('key', 'hello')
    expect(second.statusCode).toBe(409)
    expect(second.json().problem).toBe('in-flight')
    expect(second.headers['retry-after']).toBe('1')
    gate.resolve()
    expect((await first).json()).toEqual((await send('key', 'hello')).json())
    expect(handledWords).toHaveLength(1)
  })

  it('concurrent repetitions run the work once', async () => {
    const { send, handledWords } = await setUp()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('key', 'hello')))
    expect(handledWords).toHaveLength(1)
    expect(new Set(answers.map((answer) => answer.statusCode)).has(200)).toBe(true)
    expect(answers.every((answer) => [200, 409].includes(answer.statusCode))).toBe(true)
  })

  it('a key whose process died can be used by a retry', async () => {
    const { deps, send, session, advance } = await setUp()
    await send('key', 'hello')
    await deps.db
      .updateTable('idempotency_keys')
      .set({ state: 'in-flight', status: null, response: null, recorded_at: null, created_at: deps.clock() })
      .where('owner', '=', `session:${session.id}`)
      .execute()
    expect((await send('key', 'hello')).statusCode).toBe(409)
    advance(31_000)
    expect((await send('key', 'goodbye')).json().problem).toBe('key-reused')
    expect((await send('key', 'hello')).json()).toEqual({ data: { word: 'hello 2' } })
    expect((await send('key', 'hello')).json()).toEqual({ data: { word: 'hello 2' } })
  })

  it('the recorded response is returned if the process died between commit and response', async () => {
    const { deps, send, handledWords } = await setUp(async (input) => {
      const data = { word: 'committed' }
      await inTransaction(deps.db, async (tx) => {
        await tx
          .insertInto('settings')
          .values({ key: 'word', value: JSON.stringify(data) })
          .execute()
        await input.recordResponse(tx, data)
      })
      throw new Error('the process died here')
    })
    expect((await send('key', 'hello')).statusCode).toBe(500)
    expect((await send('key', 'hello')).json()).toEqual({ data: { word: 'committed' } })
    expect(handledWords).toHaveLength(1)
  })

  it('a call that handles repetitions itself runs again, but not with another body', async () => {
    const { send, handledWords } = await setUp(undefined, 'rerun')
    await send('key', 'hello')
    expect((await send('key', 'hello')).json()).toEqual({ data: { word: 'hello 2' } })
    expect((await send('key', 'goodbye')).statusCode).toBe(422)
    expect(handledWords).toHaveLength(2)
  })

  it('a key is deleted after thirty days', async () => {
    const { deps, app, send, advance } = await setUp()
    const storedKeys = () => deps.db.selectFrom('idempotency_keys').select('key').orderBy('key').execute()
    const day = 24 * 60 * 60 * 1000
    await send('first', 'hello')
    advance(29 * day)
    const laterSession = await createTestSession(deps)
    await send('second', 'hello', app, laterSession.headers.cookie)
    await purgeIdempotencyKeys(deps)
    expect(await storedKeys()).toEqual([{ key: 'first' }, { key: 'second' }])
    advance(2 * day)
    await purgeIdempotencyKeys(deps)
    expect(await storedKeys()).toEqual([{ key: 'second' }])
  })
})
