import { describe, expect, it } from 'vitest'
import { postCartPackage } from '#contract/customer/cart-calls.ts'
import { getStudioFeatures } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { createRequest, type HttpRequest, type HttpResponse, type Transport } from '#local/transport/request.ts'
import type { Timers } from '#local/transport/timers.ts'

/** Asks by a server that says this, and gives the letter it got beside the answer. */
const server = (reply: Partial<HttpResponse> | Error) => {
  const letters: HttpRequest[] = []
  const ask = createRequest(async (letter) => {
    letters.push(letter)
    if (reply instanceof Error) throw reply
    return { status: 200, text: '', retryAfter: null, ...reply }
  })
  return { ask, letters }
}

const features = { params: { slug: 'riverside' } }

describe('what is written', () => {
  it('has path, query and, for writes, a key and a body', async () => {
    const { ask, letters } = server({ text: '{"data":{}}' })
    await ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'a b' } })
    await ask(openSession)
    await ask(postCartPackage, {
      params: { jobId: 1 },
      body: { orderMethod: 'gallery' },
      idempotencyKey: 'key',
      token: 't',
    })
    const [read, written, full] = letters
    expect(read?.url).toBe('/api/customer/studios/riverside/jobs?code=a%20b')
    expect([read?.body, read?.headers['idempotency-key']]).toEqual([undefined, undefined])
    expect([written?.method, written?.body]).toEqual(['POST', '{}'])
    expect(written?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    expect(full?.headers).toMatchObject({ 'idempotency-key': 'key', authorization: 'Bearer t' })
    expect(full?.body).toBe('{"orderMethod":"gallery"}')
  })
})

const noAnswer = 'There was no answer. Your connection may be slow. Please try again in a moment'
const ourFault = 'Something went wrong on our side. Please try again in a moment'

describe('what is read', () => {
  it.each<[string, Partial<HttpResponse> | Error, object]>([
    ['data', { text: '{"data":[{"identifier":"x","more":1}]}' }, { ok: true, status: 200 }],
    ['a network that breaks', new Error('cut'), { ok: false, status: 'unreachable', errors: [noAnswer] }],
    ['data of another shape', { text: '{"data":[1]}' }, { ok: false, status: 200, problem: 'unreadable' }],
    ['no JSON at all', { text: '<html>' }, { ok: false, problem: 'unreadable', errors: [noAnswer] }],
    [
      'a failure',
      { status: 422, text: '{"errors":["No"],"fields":{"a":["b"]},"problem":"refused"}' },
      { ok: false, status: 422, errors: ['No'], fields: { a: ['b'] }, problem: 'refused' },
    ],
    [
      'a failure of the server without a message',
      { status: 500, text: 'oops' },
      { ok: false, status: 500, errors: [ourFault] },
    ],
    [
      'an unexpected failure of the server',
      { status: 500, text: '{"errors":["An error occurred"],"problem":"unexpected"}' },
      { ok: false, status: 500, errors: [ourFault] },
    ],
    [
      'a failure of the server with a message of its own',
      { status: 507, text: '{"errors":["There is no room left"]}' },
      { ok: false, status: 507, errors: ['There is no room left'] },
    ],
    [
      'a refusal without a message',
      { status: 404, text: '' },
      { ok: false, status: 404, errors: ['An error occurred'] },
    ],
    [
      'too many tries, with the time to wait',
      {
        status: 429,
        text: '{"errors":["Too many tries. Please wait a moment"],"problem":"slow-down"}',
        retryAfter: '12',
      },
      { ok: false, errors: ['Too many tries. Please wait 12 seconds and try again'] },
    ],
    [
      'too many tries, with minutes to wait',
      { status: 429, text: '', retryAfter: '300' },
      { ok: false, errors: ['Too many tries. Please wait 5 minutes and try again'] },
    ],
    [
      'a wait that the server explains',
      {
        status: 429,
        text: '{"errors":["a.jpg: Send this one again in a minute."],"problem":"slow-down"}',
        retryAfter: '60',
      },
      { ok: false, errors: ['a.jpg: Send this one again in a minute.'], retryAfterSeconds: 60 },
    ],
    ['a wish to slow down', { status: 429, text: '', retryAfter: '7' }, { ok: false, retryAfterSeconds: 7 }],
  ])('%s', async (_, reply, expected) => {
    expect(await server(reply).ask(getStudioFeatures, features)).toMatchObject(expected)
  })

  it('ends when whoever asked goes away', async () => {
    const leaving = new AbortController()
    const ask = createRequest(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const asking = ask(getStudioFeatures, { ...features, signal: leaving.signal })
    leaving.abort()
    expect(await asking).toMatchObject({ status: 'unreachable' })
  })

  it('ends after ten seconds in which no answer comes', async () => {
    let alarm = { after: 0, ring: () => {} }
    const timers: Timers = {
      after: (after, ring) => {
        alarm = { after, ring }
        return () => {}
      },
    }
    const hanging: Transport = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const asking = createRequest(hanging, timers)(getStudioFeatures, features)
    expect(alarm.after).toBe(10_000)
    alarm.ring()
    expect(await asking).toMatchObject({ ok: false, status: 'unreachable' })
  })
})
