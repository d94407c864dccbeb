import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOrderIncreasePayment } from '#client/customer/checkout/order-increase/order-increase-payment.ts'
import { createCartPayment } from '#client/customer/checkout/payment/cart-payment.ts'
import type { PaymentDependencies } from '#client/customer/checkout/payment/create-payment.ts'
import { problems } from '#contract/shapes/problems.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { currentPaymentAttempt } from '#local/checkout.ts'
import { type LocalDatabase, openLocalDatabase } from '#local/store/database.ts'
import { currentIncreasePayment } from '#local/store/increase-payment.ts'
import { createRequest, type Transport } from '#local/transport/request.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const order = { jobId: 1, orderNumber: 'FP-ABCD1234' }

type Reply = { status: number; body: object } | 'unreachable'

const action = { provider: 'test', clientSecret: null, publishableKey: null, account: null }
const outcome = (kind: 'ordered' | 'requires-action'): Reply => ({
  status: 200,
  body: {
    data: {
      outcome: kind,
      orderNumber: kind === 'ordered' ? order.orderNumber : null,
      ...(kind === 'requires-action' && { action }),
    },
  },
})
const attempt = (state: 'unfinished' | 'ended'): Reply => ({
  status: 200,
  body: { data: { state, orderNumber: null } },
})
const declined: Reply = {
  status: problems['payment-declined'].status,
  body: { errors: [problems['payment-declined'].message], problem: 'payment-declined' },
}

let db: LocalDatabase
let now: string
let ids: number
/** Replies to submits and polls, and the requests they answer: a submit's attempt id, or a poll's method and id. */
let replies: Reply[]
let requests: { submit?: string; poll?: string; body?: object }[]

const transport: Transport = async ({ url, method, body }) => {
  const isSubmit = /\/(checkout\/submit|more)$/.test(url)
  const isPoll = url.includes('/attempts/')
  if (!isSubmit && !isPoll) {
    const cart = { ...emptyCart(key.jobId, key.orderMethod), id: 5, version: 2 }
    return { status: 200, text: JSON.stringify({ data: cart }), retryAfter: null }
  }
  const sentBody = JSON.parse(body ?? '{}')
  requests.push(
    isSubmit ? { submit: sentBody.attemptId, body: sentBody } : { poll: `${method} ${url.split('/').at(-1)}` },
  )
  const reply = replies.shift() ?? 'unreachable'
  if (reply === 'unreachable') throw new TypeError('Failed to fetch')
  return { status: reply.status, text: JSON.stringify(reply.body), retryAfter: null }
}

const dependencies = (): PaymentDependencies => ({
  db,
  stamp: { now: () => now, newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}` },
  timers: { after: () => () => {} },
})
const request = createRequest(transport)

/** Creates each kind of payment; `pay` pays a fixed amount, `storedAttempt` reads the id of its stored attempt. */
const kinds = {
  'a cart': () => {
    const payment = createCartPayment({ ...dependencies(), ask: request, key })
    return {
      ...payment,
      pay: () => payment.pay({ paymentToken: 'test_visa', totalCents: 2500, cartVersion: 1 }),
      storedAttempt: async () => (await currentPaymentAttempt(db, key))?.attempt.attemptId ?? null,
    }
  },
  'an order increase': () => {
    const payment = createOrderIncreasePayment({ ...dependencies(), ask: request, order })
    return {
      ...payment,
      pay: () => payment.pay({ packages: [{ lineId: 31, quantity: 2 }], paymentToken: 'test_visa', totalCents: 2500 }),
      storedAttempt: async () => (await currentIncreasePayment(db, order))?.attemptId ?? null,
    }
  },
}

beforeEach(() => {
  db = openLocalDatabase('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
  now = '2027-04-01T10:00:00.000Z'
  ids = 0
  replies = []
  requests = []
})
afterEach(() => db.close())

describe.each(Object.entries(kinds))('the payment of %s', (_, create) => {
  const attemptIds = () => requests.map(({ submit }) => submit)

  test('ends its attempt once it is paid', async () => {
    const payment = create()
    replies = [outcome('ordered')]
    await payment.pay()
    expect(payment.state.current()).toEqual({ at: 'ordered', orderNumber: order.orderNumber })
    expect(await payment.storedAttempt()).toBeNull()
  })

  test('starts a new attempt after a declined card', async () => {
    const payment = create()
    replies = [declined, outcome('ordered')]
    await payment.pay()
    expect([payment.state.current().at, await payment.storedAttempt()]).toEqual(['declined', null])
    await payment.pay()
    expect(payment.state.current().at).toBe('ordered')
    expect(new Set(attemptIds()).size).toBe(2)
  })

  test('sends the bank’s authentication for the same attempt', async () => {
    const payment = create()
    replies = [outcome('requires-action'), outcome('ordered')]
    await payment.pay()
    await payment.authenticate('confirmed')
    expect(payment.state.current().at).toBe('ordered')
    expect(new Set(attemptIds()).size).toBe(1)
    expect(requests[1]?.body).toMatchObject({ authentication: 'confirmed' })
  })

  test('resends the stored attempt after a reload within two minutes', async () => {
    const payment = create()
    await payment.pay()
    payment.stop()
    const storedAttempt = await payment.storedAttempt()
    replies = [outcome('ordered')]
    const reloaded = create()
    await reloaded.resume()
    expect(reloaded.state.current().at).toBe('ordered')
    expect([attemptIds(), storedAttempt]).toEqual([[storedAttempt, storedAttempt], storedAttempt])
  })

  test('asks the customer about an attempt of days ago, and abandons it at their request', async () => {
    const payment = create()
    await payment.pay()
    payment.stop()
    const storedAttempt = await payment.storedAttempt()
    now = '2027-04-06T10:00:00.000Z'
    replies = [attempt('unfinished'), attempt('ended')]
    const reloaded = create()
    await reloaded.resume()
    expect(reloaded.state.current()).toMatchObject({ at: 'unfinished', totalCents: 2500 })
    await reloaded.giveUp()
    expect([reloaded.state.current().at, await reloaded.storedAttempt()]).toEqual(['idle', null])
    expect(requests.map(({ poll }) => poll)).toEqual([undefined, `GET ${storedAttempt}`, `DELETE ${storedAttempt}`])
  })

  test('ignores actions that its state does not offer', async () => {
    const payment = create()
    await payment.authenticate('confirmed')
    await payment.finish()
    await payment.giveUp()
    await payment.startOver()
    await payment.pollNow()
    expect([payment.state.current(), requests]).toEqual([{ at: 'idle' }, []])
  })
})
