import { afterEach, expect, it, vi } from 'vitest'
import { getAvailability } from '#contract/customer/discovery-calls.ts'
import { openSession } from '#contract/customer/session-calls.ts'
import { request } from '#local/transport/http-client.ts'

afterEach(() => void vi.unstubAllGlobals())

const event = { params: { jobId: 1 } }

it.each([
  ['a network that breaks', async () => Promise.reject(new TypeError('Failed to fetch')), 'unreachable'],
  ['a key in flight', async () => new Response('{"errors":["Wait"],"problem":"in-flight"}', { status: 409 }), 409],
  ['a server in trouble', async () => new Response('oops', { status: 503 }), 503],
])(
  '%s is met once for each call: when to try again is nobody’s decision but the engine’s',
  async (_, answer, status) => {
    const fetch = vi.fn(answer)
    vi.stubGlobal('fetch', fetch)
    expect(await request(getAvailability, event)).toMatchObject({ ok: false, status })
    expect(fetch).toHaveBeenCalledTimes(1)
    expect(await request(openSession)).toMatchObject({ ok: false, status })
    expect(fetch).toHaveBeenCalledTimes(2)
  },
)
