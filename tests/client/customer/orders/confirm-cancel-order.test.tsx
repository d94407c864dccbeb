import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { confirmCancelOrder } from '#client/customer/orders/confirm-cancel-order.ts'
import { confirmPrompt } from '#ui/dialog/confirm.ts'
import { toastLog } from '#ui/toast/toast.ts'
import { order } from './order-examples.ts'

let requests: string[]
/** The server's response; null if unreachable. */
let response: { status: number; body: object } | null

beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    requests.push(`${init?.method} ${url}`)
    if (!response) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(response.body), { status: response.status })
  })
})
afterEach(() => vi.unstubAllGlobals())

const answerPrompt = async (isConfirmed: boolean, cancelledOrder = order) => {
  const cancelling = confirmCancelOrder(cancelledOrder)
  const prompt = confirmPrompt.current()
  prompt?.answer(isConfirmed)
  return { request: prompt?.request, wasSent: await cancelling }
}

test('cancelling asks once, explains the refund, and does nothing if declined', async () => {
  response = { status: 200, body: { data: { ...order, state: 'cancelled' } } }
  const { request, wasSent } = await answerPrompt(false)
  expect(wasSent).toBe(false)
  expect(request).toMatchObject({ title: 'Cancel order FP-ABCD1234?', danger: true, cancelText: 'Keep the order' })
  expect(request?.message).toContain('We’ll refund $55.95 to the card ending')
  expect(requests).toEqual([])
  // The refund excludes what was refunded already.
  expect((await answerPrompt(false, { ...order, refundableCents: 4595 })).request?.message).toContain(
    'We’ll refund $45.95',
  )
  expect((await answerPrompt(false, { ...order, refundableCents: 0 })).request?.message).toContain(
    'There is nothing to refund.',
  )
})

const atLabMessage = 'This order is already at the lab. Ask the studio if you need to change something'

test.each([
  ['is cancelled', { status: 200, body: { data: { ...order, state: 'cancelled' } } }, 'Your order is cancelled'],
  ['cannot be cancelled any more', { status: 422, body: { errors: [atLabMessage], problem: 'refused' } }, atLabMessage],
  [
    'stays if the studio is unreachable',
    null,
    'We can’t reach the studio right now. Your order is unchanged; try again when you’re online',
  ],
] as const)('a toast reports that an order %s', async (_name, stubbed, message) => {
  response = stubbed
  expect((await answerPrompt(true)).wasSent).toBe(true)
  expect(requests).toContain('POST /api/customer/jobs/1/orders/FP-ABCD1234/cancel')
  expect(toastLog.current().at(-1)?.text).toBe(message)
})
