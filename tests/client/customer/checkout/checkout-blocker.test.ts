import { afterEach, expect, test, vi } from 'vitest'
import { checkoutBlocker } from '#client/customer/checkout/checkout-blocker.ts'
import { getTotals } from '#contract/customer/checkout-calls.ts'
import { slowDownMessage } from '#contract/shapes/problems.ts'
import { type CallFailure, createRequest, type HttpResponse } from '#local/transport/request.ts'

const sentCart = { kind: 'sent', label: 'Saved' } as const
const payable = { closedReason: null, cart: sentCart, online: true, problem: undefined, isPriced: false }

/** A failed totals request, as the device reports it. */
const failedTotals = async (response: HttpResponse | null): Promise<CallFailure> => {
  const transport = () => (response ? Promise.resolve(response) : Promise.reject(new TypeError('Failed to fetch')))
  const result = await createRequest(transport)(getTotals, { params: { jobId: 1 } })
  if (result.ok) throw new Error('the request did not fail')
  return result
}
const reply = (status: number, body: object, retryAfter: string | null = null): HttpResponse => ({
  status,
  text: JSON.stringify(body),
  retryAfter,
})

afterEach(() => void vi.unstubAllGlobals())

const serverError = reply(500, { errors: ['An error occurred'] })
const tooManyTries = reply(429, { errors: [slowDownMessage], problem: 'slow-down' }, '30')
const rejected = reply(422, { errors: ['Your cart is empty'], problem: 'refused' })

test.each([
  ['the device is offline', { hasNetwork: false, reply: null }, 'You’re offline', 'You can pay once you’re online.'],
  ['there is no response', { hasNetwork: true, reply: null }, 'No answer', 'There was no answer.'],
  ['the server fails', { hasNetwork: true, reply: serverError }, 'Not quite yet', 'Something went wrong on our side.'],
  ['there were too many requests', { hasNetwork: true, reply: tooManyTries }, 'Not quite yet', 'Too many tries.'],
])(
  'if %s, payment is blocked with exactly that reason and a note on what is saved',
  async (_, { hasNetwork, reply: response }, short, reason) => {
    vi.stubGlobal('navigator', { onLine: hasNetwork })
    const problem = await failedTotals(response)
    for (const online of response ? [true] : [true, false]) {
      const blocker = checkoutBlocker({ ...payable, online, problem })
      expect(blocker).toMatchObject({ short, toCart: false })
      expect(blocker?.message.startsWith(reason), blocker?.message).toBe(true)
      expect(blocker?.message).toContain('Everything you typed is saved.')
    }
  },
)

test('a rejection by the server is shown with the server’s message', async () => {
  const blocker = checkoutBlocker({ ...payable, problem: await failedTotals(rejected) })
  expect(blocker).toMatchObject({ short: 'Not quite yet', message: 'Your cart is empty' })
})
