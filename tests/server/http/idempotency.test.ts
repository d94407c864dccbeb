import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { object, string, type } from 'superstruct'
import { describe, expect, it } from 'vitest'
import type { AnyCall } from '#contract/shapes/call.ts'
import { Nothing } from '#contract/shapes/primitives.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
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

type Work = (asked: CallRequest<typeof write>) => Promise<{ word: string } | ReturnType<typeof problem<'refused'>>>

describe.each(enginesFor(import.meta.filename))('a repeated idempotency key on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (work?: Work, repetition: ReplayPolicy = 'kept') => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const done: string[] = []
    mount(
      app,
      deps,
      write,
      async (asked) => {
        done.push(asked.body.word)
        return work ? await work(asked) : { word: `${asked.body.word} ${done.length}` }
      },
      { repetition },
    )
    const session = await createTestSession(deps)
    const send = (key: string, word: string, by: FastifyInstance = app, cookie = session.headers.cookie) =>
      by.inject({ method: 'POST', url: write.path, payload: { word }, headers: { cookie, 'idempotency-key': key } })
    return { deps, app, done, send, session, advance: time.advance }
  }

  it('the recorded answer is returned, for a bare or quoted key, and the work is done once', async () => {
    const { send, done } = await begin()
    const key = randomUUID()
    const first = await send(key, 'hello')
    expect(first.json()).toEqual({ data: { word: 'hello 1' } })
    const again = await send(`"${key}"`, 'hello')
    expect([again.statusCode, again.json()]).toEqual([200, first.json()])
    expect(done).toHaveLength(1)
  })

  it('the same key from another session is another key', async () => {
    const { deps, send, app } = await begin()
    const other = await createTestSession(deps)
    await send('same', 'hello')
    const theirs = await send('same', 'goodbye', app, other.headers.cookie)
    expect(theirs.json()).toEqual({ data: { word: 'goodbye 2' } })
  })

  it('a key with another body is refused', async () => {
    const { send } = await begin()
    await send('key', 'hello')
    const other = await send('key', 'goodbye')
    expect(other.statusCode).toBe(422)
    expect(other.json().problem).toBe('key-reused')
  })

  it.each(['', '"', 'a b', '"a"b', 'é', 'x'.repeat(256)])('the key %j is malformed', async (key) => {
    const { send, done } = await begin()
    const answer = await send(key, 'hello')
    expect(answer.statusCode).toBe(400)
    expect(answer.json().fields).toEqual({ 'Idempotency-Key': ['is not valid'] })
    expect(done).toEqual([])
  })

  it('a domain’s rejection is replayed, other failures are not', async () => {
    const refusing = await begin(async () => problem('refused', 'Not this word'))
    expect((await refusing.send('key', 'hello')).statusCode).toBe(422)
    expect((await refusing.send('key', 'hello')).json().errors).toEqual(['Not this word'])
    expect(refusing.done).toHaveLength(1)
    for (const name of ['not-found', 'conflict'] as const) {
      const failing = await begin(async () => problem(name) as never)
      await failing.send('key', 'hello')
      await failing.send('key', 'hello')
      expect(failing.done).toHaveLength(2)
    }
  })

  it('a key is free again after an error', async () => {
    let broken = true
    const { send } = await begin(async () => {
      if (broken) throw new Error('lost the database')
      return { word: 'mended' }
    })
    expect((await send('key', 'hello')).statusCode).toBe(500)
    broken = false
    expect((await send('key', 'hello')).json()).toEqual({ data: { word: 'mended' } })
  })

  it('a repetition waits while the work is running', async () => {
    const gate = Promise.withResolvers<void>()
    const { send, done } = await begin(async () => {
      await gate.promise
      return { word: 'slow' }
    })
    const first = send('key', 'hello')
    await expect.poll(() => done.length).toBe(1)
    const second = await send('key', 'hello')
    expect(second.statusCode).toBe(409)
    expect(second.json().problem).toBe('in-flight')
    expect(second.headers['retry-after']).toBe('1')
    gate.resolve()
    expect((await first).json()).toEqual((await send('key', 'hello')).json())
    expect(done).toHaveLength(1)
  })

  it('concurrent repetitions run the work once', async () => {
    const { send, done } = await begin()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('key', 'hello')))
    expect(done).toHaveLength(1)
    expect(new Set(answers.map((answer) => answer.statusCode)).has(200)).toBe(true)
    expect(answers.every((answer) => [200, 409].includes(answer.statusCode))).toBe(true)
  })

  it('a key is taken over when its process died', async () => {
    const { deps, send, session, advance } = await begin()
    await send('key', 'hello')
    await deps.db
      .updateTable('idempotency_keys')
      .set({ state: 'in-flight', status: null, answer: null, recorded_at: null, created_at: deps.clock() })
      .where('owner', '=', `session:${session.id}`)
      .execute()
    expect((await send('key', 'hello')).statusCode).toBe(409)
    advance(31_000)
    expect((await send('key', 'goodbye')).json().problem).toBe('key-reused')
    expect((await send('key', 'hello')).json()).toEqual({ data: { word: 'hello 2' } })
    expect((await send('key', 'hello')).json()).toEqual({ data: { word: 'hello 2' } })
  })

  it('the answer is found when the process died between commit and answer', async () => {
    const { deps, send, done } = await begin(async (asked) => {
      const data = { word: 'committed' }
      await inTransaction(deps.db, async (tx) => {
        await tx
          .insertInto('settings')
          .values({ key: 'word', value: JSON.stringify(data) })
          .execute()
        await asked.recordIn(tx, data)
      })
      throw new Error('the process died here')
    })
    expect((await send('key', 'hello')).statusCode).toBe(500)
    expect((await send('key', 'hello')).json()).toEqual({ data: { word: 'committed' } })
    expect(done).toHaveLength(1)
  })

  it('work that recognizes repetitions is run again, but not with another body', async () => {
    const { send, done } = await begin(undefined, 'again')
    await send('key', 'hello')
    expect((await send('key', 'hello')).json()).toEqual({ data: { word: 'hello 2' } })
    expect((await send('key', 'goodbye')).statusCode).toBe(422)
    expect(done).toHaveLength(2)
  })

  it('a key is deleted after thirty days', async () => {
    const { deps, send, done, advance } = await begin()
    await send('key', 'hello')
    advance(31 * 24 * 60 * 60 * 1000)
    await purgeIdempotencyKeys(deps)
    const session = await createTestSession(deps)
    expect((await deps.db.selectFrom('idempotency_keys').selectAll().execute()).length).toBe(0)
    expect(session.id).toBeGreaterThan(0)
    expect(done).toHaveLength(1)
  })
})
