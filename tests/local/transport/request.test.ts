import { describe, expect, it } from 'vitest'
import { postCartPackage } from '#contract/customer/cart-calls.ts'
import { getStudioFeatures } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { createRequest, type HttpRequest, type HttpResponse, type Transport } from '#local/transport/request.ts'
import type { Timers } from '#local/transport/timers.ts'

/** A server that gives this response to every request; `requests` are those that it received. */
const server = (response: Partial<HttpResponse> | Error) => {
  const requests: HttpRequest[] = []
  const ask = createRequest(async (request) => {
    requests.push(request)
    if (response instanceof Error) throw response
    return { status: 200, text: '', retryAfter: null, ...response }
  })
  return { ask, requests }
}

const features = { params: { slug: 'riverside' } }

describe('a request', () => {
  it('has a path and a query, and if it is a write, also a key, a body and the token', async () => {
    const { ask, requests } = server({ text: '{"data":{}}' })
    await ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'a b' } })
    await ask(openSession)
    await ask(postCartPackage, {
      params: { jobId: 1 },
      body: { orderMethod: 'gallery' },
      idempotencyKey: 'key',
      token: 't',
    })
    const [getRequest, postRequest, keyedRequest] = requests
    expect(getRequest?.url).toBe('/api/customer/studios/riverside/jobs?code=a%20b')
    expect([getRequest?.body, getRequest?.headers['idempotency-key']]).toEqual([undefined, undefined])
    expect([postRequest?.method, postRequest?.body]).toEqual(['POST', '{}'])
    expect(postRequest?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    expect(keyedRequest?.headers).toMatchObject({ 'idempotency-key': 'key', authorization: 'Bearer t' })
    expect(keyedRequest?.body).toBe('{"orderMethod":"gallery"}')
  })
})

const noAnswer = 'There was no answer. Your connection may be slow. Please try again in a moment'
const ourFault = 'Something went wrong on our side. Please try again in a moment'

describe('a response', () => {
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
      'a rejection without a message',
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
    ['a 429 with Retry-After', { status: 429, text: '', retryAfter: '7' }, { ok: false, retryAfterSeconds: 7 }],
  ])('is converted to the result of the call: %s', async (_, response, expected) => {
    expect(await server(response).ask(getStudioFeatures, features)).toMatchObject(expected)
  })

  it('is reported as unreachable if the caller aborts', async () => {
    const controller = new AbortController()
    const ask = createRequest(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const result = ask(getStudioFeatures, { ...features, signal: controller.signal })
    controller.abort()
    expect(await result).toMatchObject({ status: 'unreachable' })
  })

  it('is reported as unreachable if none arrives within ten seconds', async () => {
    let timer = { after: 0, fire: () => {} }
    const timers: Timers = {
      after: (after, fire) => {
        timer = { after, fire }
        return () => {}
      },
    }
    const hanging: Transport = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const result = createRequest(hanging, timers)(getStudioFeatures, features)
    expect(timer.after).toBe(10_000)
    timer.fire()
    expect(await result).toMatchObject({ ok: false, status: 'unreachable' })
  })
})
