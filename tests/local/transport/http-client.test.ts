import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { getAvailability } from '#contract/customer/discovery-calls.ts'
import { openSession } from '#contract/customer/session-calls.ts'
import { inlinedResponses, request } from '#local/transport/http-client.ts'

afterEach(() => void vi.unstubAllGlobals())

const job = { params: { jobId: 1 } }

it.each([
  ['a network that breaks', async () => Promise.reject(new TypeError('Failed to fetch')), 'unreachable'],
  [
    'an idempotency key in flight',
    async () => new Response('{"errors":["Wait"],"problem":"in-flight"}', { status: 409 }),
    409,
  ],
  ['a server under maintenance', async () => new Response('oops', { status: 503 }), 503],
])('%s is reported after one attempt per call: only the engine decides about retries', async (_, respond, status) => {
  const fetch = vi.fn(respond)
  vi.stubGlobal('fetch', fetch)
  expect(await request(getAvailability, job)).toMatchObject({ ok: false, status })
  expect(fetch).toHaveBeenCalledTimes(1)
  expect(await request(openSession)).toMatchObject({ ok: false, status })
  expect(fetch).toHaveBeenCalledTimes(2)
})

it.each([
  ['not yet outdated', 1, 0],
  ['outdated', 0, 1],
])(
  'a response of the page that is %s replaces a request only until it expires',
  async (_, remainingMs, requestCount) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const fetch = vi.fn(async () => new Response('{"errors":["Wait"]}', { status: 503 }))
    vi.stubGlobal('fetch', fetch)
    const response = { status: 503, text: '{"errors":["Wait"]}', retryAfter: null }
    inlinedResponses.set('/api/customer/jobs/1/availability', { response, expiresAt: Date.now() + remainingMs })
    await request(getAvailability, job)
    expect(fetch).toHaveBeenCalledTimes(requestCount)
    expect(inlinedResponses.get('/api/customer/jobs/1/availability')).toBeNull()
  },
)
