import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { confirmCancelOrder } from '#client/customer/orders/confirm-cancel-order.ts'
import { confirmQueue } from '#ui/dialog/confirm.ts'
import { toastLog } from '#ui/toast/toast.ts'
import { order } from './order-examples.ts'

let asked: string[]
/** The server's response; null if unreachable. */
let given: { status: number; body: object } | null

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    asked.push(`${init?.method} ${url}`)
    if (!given) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(given.body), { status: given.status })
  })
})
afterEach(() => vi.unstubAllGlobals())

const answer = async (yes: boolean, of = order) => {
  const cancelling = confirmCancelOrder(of)
  const prompt = confirmQueue.current()
  prompt?.answer(yes)
  return { request: prompt?.request, asked: await cancelling }
}

test('cancelling asks once, explains the refund, and does nothing if declined', async () => {
  given = { status: 200, body: { data: { ...order, state: 'cancelled' } } }
  const { request, asked: wasAsked } = await answer(false)
  expect(wasAsked).toBe(false)
  expect(request).toMatchObject({ title: 'Cancel order FP-ABCD1234?', danger: true, cancelText: 'Keep it' })
  expect(request?.message).toContain('$55.95 goes back to the card ending')
  expect(asked).toEqual([])
  const refunds = [{ amountCents: 1000, state: 'done' as const, at: order.placedAt }]
  expect((await answer(false, { ...order, refunds })).request?.message).toContain('$45.95 goes back')
  // The total of a reduced order is what remains, and the refund excludes what was refunded already.
  const smaller = { ...order, refunds, refundableCents: order.totals.totalCents }
  expect((await answer(false, smaller)).request?.message).toContain('$55.95 goes back')
})

const lab = 'This order is with the lab already. Ask the studio if something has to be changed'

test.each([
  ['is cancelled', { status: 200, body: { data: { ...order, state: 'cancelled' } } }, 'Your order is cancelled'],
  ['cannot be cancelled any more', { status: 422, body: { errors: [lab], problem: 'refused' } }, lab],
  [
    'stays if the studio is unreachable',
    null,
    'The studio cannot be reached right now. The order stands; try again when you are connected',
  ],
] as const)('an order %s, and shows that', async (_name, answered, words) => {
  given = answered
  expect((await answer(true)).asked).toBe(true)
  expect(asked).toContain('POST /api/customer/jobs/1/orders/FP-ABCD1234/cancel')
  expect(toastLog.current().at(-1)?.text).toBe(words)
})
