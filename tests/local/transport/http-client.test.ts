import { afterEach, expect, it, vi } from 'vitest'
import { getAvailability } from '#contract/customer/discovery-calls.ts'
import { openSession } from '#contract/customer/session-calls.ts'
import { request } from '#local/transport/http-client.ts'

afterEach(() => void vi.unstubAllGlobals())

const job = { params: { jobId: 1 } }

it.each([
  ['a network that breaks', async () => Promise.reject(new TypeError('Failed to fetch')), 'unreachable'],
  ['a key in flight', async () => new Response('{"errors":["Wait"],"problem":"in-flight"}', { status: 409 }), 409],
  ['a server under maintenance', async () => new Response('oops', { status: 503 }), 503],
])('%s is reported after one attempt per call: only the engine decides about retries', async (_, respond, status) => {
  const fetch = vi.fn(respond)
  vi.stubGlobal('fetch', fetch)
  expect(await request(getAvailability, job)).toMatchObject({ ok: false, status })
  expect(fetch).toHaveBeenCalledTimes(1)
  expect(await request(openSession)).toMatchObject({ ok: false, status })
  expect(fetch).toHaveBeenCalledTimes(2)
})
