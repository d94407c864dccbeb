import { afterEach, expect, test, vi } from 'vitest'
import { checkoutBlocker } from '#client/customer/checkout/checkout-blocker.ts'
import { getTotals } from '#contract/customer/checkout-calls.ts'
import { slowDownMessage } from '#contract/shapes/problems.ts'
import { type CallFailure, createRequest, type HttpResponse } from '#local/transport/request.ts'

const sent = { kind: 'sent', label: 'Saved' } as const
const facts = { closed: null, cart: sent, online: true, problem: undefined, priced: false }

/** A failed totals request, as the device reports it. */
const failing = async (reply: HttpResponse | null): Promise<CallFailure> => {
  const carry = () => (reply ? Promise.resolve(reply) : Promise.reject(new TypeError('Failed to fetch')))
  const response = await createRequest(carry)(getTotals, { params: { jobId: 1 } })
  if (response.ok) throw new Error('it was to fail')
  return response
}
const said = (status: number, body: object, retryAfter: string | null = null): HttpResponse => ({
  status,
  text: JSON.stringify(body),
  retryAfter,
})

afterEach(() => void vi.unstubAllGlobals())

const ourFault = said(500, { errors: ['An error occurred'] })
const tooManyTries = said(429, { errors: [slowDownMessage], problem: 'slow-down' }, '30')
const refused = said(422, { errors: ['Your cart is empty'], problem: 'refused' })

test.each([
  ['the device is offline', { hasNetwork: false, reply: null }, 'You’re offline', 'Paying needs a connection.'],
  ['there is no response', { hasNetwork: true, reply: null }, 'No answer', 'There was no answer.'],
  ['the server fails', { hasNetwork: true, reply: ourFault }, 'Not quite yet', 'Something went wrong on our side.'],
  ['there were too many requests', { hasNetwork: true, reply: tooManyTries }, 'Not quite yet', 'Too many tries.'],
])(
  'if %s, payment is blocked with exactly that reason and a note on what is saved',
  async (_, { hasNetwork, reply }, short, why) => {
    vi.stubGlobal('navigator', { onLine: hasNetwork })
    const problem = await failing(reply)
    for (const online of reply ? [true] : [true, false]) {
      const hold = checkoutBlocker({ ...facts, online, problem })
      expect(hold).toMatchObject({ short, toCart: false })
      expect(hold?.message.startsWith(why), hold?.message).toBe(true)
      expect(hold?.message).toContain('Everything you typed is kept on this phone.')
    }
  },
)

test('a rejection by the server is shown in the server’s words', async () => {
  const hold = checkoutBlocker({ ...facts, problem: await failing(refused) })
  expect(hold).toMatchObject({ short: 'Not quite yet', message: 'Your cart is empty' })
})
