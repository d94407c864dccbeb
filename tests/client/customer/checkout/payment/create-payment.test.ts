import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, expect, test, vi } from 'vitest'
import { checkoutDraftKey } from '#client/customer/checkout/form/checkout-form-values.ts'
import { type CartPayment, createCartPayment } from '#client/customer/checkout/payment/cart-payment.ts'
import { problems } from '#contract/shapes/problems.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { currentPaymentAttempt, startPaymentAttempt } from '#local/checkout.ts'
import { readConfirmedCart } from '#local/store/confirmed-cart.ts'
import { type LocalDatabase, openLocalDatabase } from '#local/store/database.ts'
import { readDraft, saveDraft } from '#local/store/drafts.ts'
import { createRequest, type HttpResponse, type Transport } from '#local/transport/request.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const visa = { paymentToken: 'test_visa', totalCents: 2500, cartVersion: 1 }

type Body = { checkoutId: string; attemptId: string; paymentToken: string | null; authentication?: string }
type Heard = Body & { response: (reply: HttpResponse | 'lost') => void }

const reply = (status: number, body: object): HttpResponse => ({ status, text: JSON.stringify(body), retryAfter: null })
const ordered = reply(200, { data: { outcome: 'ordered', orderNumber: 'FP-ABCD1234' } })
const requiresAction = reply(200, { data: { outcome: 'requires-action', orderNumber: null } })
const problem = (name: keyof typeof problems): HttpResponse =>
  reply(problems[name].status, { errors: [problems[name].sentence], problem: name })

let db: LocalDatabase
let submits: Heard[]
let waiting: { milliseconds: number; work: () => void }[]
let ids: number
let now: string
/** The server's response to polls of an attempt, and the polls it received. */
let outcome: HttpResponse | 'lost'
let asked: string[]

// A server that responds only when the test releases each submit.
const carry: Transport = (letter) => {
  if (letter.url.includes('/attempts/')) {
    asked.push(`${letter.method} ${letter.url.split('/').at(-1)}`)
    return outcome === 'lost' ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(outcome)
  }
  if (!letter.url.endsWith('/checkout/submit')) {
    return Promise.resolve(reply(200, { data: { ...emptyCart(key.jobId, key.orderMethod), id: 5, version: 9 } }))
  }
  return new Promise<HttpResponse>((resolve, reject) => {
    const response = (said: HttpResponse | 'lost') =>
      said === 'lost' ? reject(new TypeError('Failed to fetch')) : resolve(said)
    submits.push({ ...JSON.parse(letter.body ?? '{}'), response })
  })
}

const payment = (): CartPayment =>
  createCartPayment({
    db,
    ask: createRequest(carry),
    stamp: {
      now: () => now,
      newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    },
    timers: {
      after: (milliseconds, work) => {
        waiting.push({ milliseconds, work })
        return () => void waiting.splice(0)
      },
    },
    key,
  })

/** Resolves once the payment is in this state. */
const reaches = (of: CartPayment, at: string): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (of.state.current().at !== at) return
      forget()
      resolve()
    }
    const forget = of.state.subscribe(look)
    look()
  })

/** Resolves to the submit with this index once it was sent. */
const heard = (place: number): Promise<Heard> => vi.waitUntil(() => submits[place] as Heard) // truthy by then

beforeEach(() => {
  db = openLocalDatabase('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
  submits = []
  waiting = []
  ids = 0
  now = '2027-04-01T10:00:00.000Z'
  outcome = 'lost'
  asked = []
})

test('two taps send one payment, which is stored before it is sent', async () => {
  const paying = payment()
  void paying.pay(visa)
  void paying.pay(visa)
  const first = await heard(0)
  expect(await currentPaymentAttempt(db, key)).toMatchObject({ attempt: { attemptId: first.attemptId } })
  await paying.pay(visa)
  first.response(ordered)
  await reaches(paying, 'ordered')
  expect(submits).toHaveLength(1)
})

test('an order empties the cart and deletes the draft and the attempt', async () => {
  await saveDraft(db, checkoutDraftKey(key), { customer: { firstName: 'Ada' } })
  const paying = payment()
  void paying.pay(visa)
  const sent = await heard(0)
  sent.response(ordered)
  await reaches(paying, 'ordered')
  expect(await readDraft(db, checkoutDraftKey(key))).toBeUndefined()
  expect(await currentPaymentAttempt(db, key)).toBeNull()
  expect(await db.orders.get('FP-ABCD1234')).toMatchObject({ jobId: 1 })
})

test('a declined payment keeps the checkout, and the next tap starts another attempt', async () => {
  const paying = payment()
  void paying.pay({ ...visa, paymentToken: 'test_declined' })
  const first = await heard(0)
  first.response(problem('payment-declined'))
  await reaches(paying, 'declined')
  expect(await currentPaymentAttempt(db, key)).toBeNull()
  void paying.pay(visa)
  const second = await heard(1)
  expect(second.checkoutId).toBe(first.checkoutId)
  expect(second.attemptId).not.toBe(first.attemptId)
  expect(second.paymentToken).toBe('test_visa')
})

test.each(['lost', problem('in-flight')] as const)(
  'an unknown outcome (%#) is polled with the same ids',
  async (said) => {
    const paying = payment()
    void paying.pay(visa)
    const first = await heard(0)
    first.response(said)
    await reaches(paying, 'unknown')
    expect(waiting.map(({ milliseconds }) => milliseconds)).toEqual([1000])
    waiting[0]?.work()
    const { response: _, ...again } = await heard(1)
    const { response: __, ...before } = first
    expect(again).toEqual(before)
  },
)

test('after a reload the same attempt is polled, and a tap sends no second one', async () => {
  const before = payment()
  void before.pay(visa)
  const first = await heard(0)
  first.response('lost')
  await reaches(before, 'unknown')
  before.stop()

  const after = payment()
  void after.resume()
  const second = await heard(1)
  expect(second.attemptId).toBe(first.attemptId)
  await after.pay({ ...visa, paymentToken: 'another' })
  expect(submits).toHaveLength(2)
  second.response(ordered)
  await reaches(after, 'ordered')
})

test('without an earlier payment, resuming sends nothing', async () => {
  const paying = payment()
  await paying.resume()
  expect(paying.state.current()).toEqual({ at: 'idle' })
  expect(submits).toEqual([])
})

test('the bank’s authentication is answered for the same attempt', async () => {
  const paying = payment()
  void paying.pay({ ...visa, paymentToken: 'test_authenticate' })
  const first = await heard(0)
  first.response(requiresAction)
  await reaches(paying, 'requires-action')
  void paying.authenticate('confirmed')
  const second = await heard(1)
  expect(second).toMatchObject({ attemptId: first.attemptId, authentication: 'confirmed' })
  second.response(ordered)
  await reaches(paying, 'ordered')
})

test('a payment the server lost stays stored until the customer confirms that it did not happen', async () => {
  const paying = payment()
  void paying.pay(visa)
  const first = await heard(0)
  first.response('lost')
  await reaches(paying, 'unknown')
  void paying.askNow()
  const second = await heard(1)
  second.response(problem('not-found'))
  await reaches(paying, 'lost')
  expect(await currentPaymentAttempt(db, key)).not.toBeNull()
  await paying.startOver()
  expect(await currentPaymentAttempt(db, key)).toBeNull()
  expect(paying.state.current()).toEqual({ at: 'idle' })
  // The cart is loaded from the server.
  expect(await readConfirmedCart(db, key)).toMatchObject({ id: 5 })
})

/** Two screens with one payment: the customer left during sending and returned, or has two tabs open. */
const besideEachOther = async () => {
  const left = payment()
  void left.pay(visa)
  const first = await heard(0)
  left.stop()
  const back = payment()
  void back.resume()
  const second = await heard(1)
  second.response(problem('in-flight'))
  await reaches(back, 'unknown')
  return { left, back, first }
}

test('a decline that another screen received first is shown here too', async () => {
  const { left, back, first } = await besideEachOther()
  first.response(problem('payment-declined'))
  await reaches(left, 'declined')
  void back.askNow()
  const third = await heard(2)
  expect(third.attemptId).toBe(first.attemptId)
  third.response(problem('payment-declined'))
  await reaches(back, 'declined')
})

test('an order that another screen received first is shown here, and leaves newer input alone', async () => {
  const { left, back, first } = await besideEachOther()
  first.response(ordered)
  await reaches(left, 'ordered')
  await saveDraft(db, checkoutDraftKey(key), { customer: { firstName: 'Next' } })
  const next = await startPaymentAttempt(db, { now: () => '', newId: () => 'next' }, { ...key, ...visa })
  void back.askNow()
  const third = await heard(2)
  third.response(ordered)
  await reaches(back, 'ordered')
  expect(await currentPaymentAttempt(db, key)).toMatchObject({ attempt: next.attempt })
  expect(await readDraft(db, checkoutDraftKey(key))).toEqual({ customer: { firstName: 'Next' } })
})

test('a late rejection ends its own attempt only', async () => {
  const { left, back, first } = await besideEachOther()
  first.response(problem('payment-declined'))
  await reaches(left, 'declined')
  void left.pay(visa)
  const third = await heard(2)
  void back.askNow()
  const fourth = await heard(3)
  expect(fourth.attemptId).toBe(first.attemptId)
  fourth.response(problem('payment-declined'))
  await reaches(back, 'declined')
  expect(await currentPaymentAttempt(db, key)).toMatchObject({ attempt: { attemptId: third.attemptId } })
})

const said = (state: string, orderNumber: string | null = null): HttpResponse =>
  reply(200, { data: { state, orderNumber } })

/** A payment whose request was lost and whose page was closed; the customer returns at `returns`. */
const lostAt = async (returns: string): Promise<{ back: CartPayment; first: Heard }> => {
  const before = payment()
  void before.pay(visa)
  const first = await heard(0)
  first.response('lost')
  await reaches(before, 'unknown')
  before.stop()
  now = returns
  return { back: payment(), first }
}

test('within two minutes of the tap a payment is completed without asking', async () => {
  const { back, first } = await lostAt('2027-04-01T10:01:59.000Z')
  void back.resume()
  const second = await heard(1)
  expect([second.attemptId, asked]).toEqual([first.attemptId, []])
})

test.each(['2027-04-01T10:02:00.000Z', '2027-04-06T10:00:00.000Z', '2027-03-31T10:00:00.000Z'])(
  'at %s a payment of 10:00 on April 1 is only polled, and the customer decides',
  async (returns) => {
    const { back, first } = await lostAt(returns)
    outcome = said('unfinished')
    await back.resume()
    expect(back.state.current()).toMatchObject({
      at: 'unfinished',
      totalCents: 2500,
      startedAt: '2027-04-01T10:00:00.000Z',
    })
    await back.pay({ ...visa, paymentToken: 'another' })
    await back.askNow()
    expect([submits.length, asked]).toEqual([1, [`GET ${first.attemptId}`]])
    void back.finish()
    const second = await heard(1)
    const { response: _, ...again } = second
    const { response: __, ...before } = first
    expect(again).toEqual(before)
    second.response(ordered)
    await reaches(back, 'ordered')
  },
)

test('a tap on Pay in another tab does not submit a payment of days ago', async () => {
  const { back } = await lostAt('2027-04-06T10:00:00.000Z')
  outcome = said('unfinished')
  await back.pay({ ...visa, paymentToken: 'another' })
  expect([submits.length, back.state.current().at]).toEqual([1, 'unfinished'])
})

test('a payment of days ago that succeeded leads to its order', async () => {
  const { back } = await lostAt('2027-04-06T10:00:00.000Z')
  outcome = said('ordered', 'FP-ABCD1234')
  await back.resume()
  expect(back.state.current()).toEqual({ at: 'ordered', orderNumber: 'FP-ABCD1234' })
  expect(await currentPaymentAttempt(db, key)).toBeNull()
  expect(submits).toHaveLength(1)
})

test('a payment of days ago that failed is over, and one still being charged is polled later', async () => {
  const { back } = await lostAt('2027-04-06T10:00:00.000Z')
  outcome = said('charging')
  await back.resume()
  expect(back.state.current()).toMatchObject({ at: 'unknown', why: 'waiting' })
  outcome = said('ended')
  await back.askNow()
  expect(back.state.current().at).toBe('declined')
  expect([submits.length, await currentPaymentAttempt(db, key)]).toEqual([1, null])
})

test('“Don’t” first abandons the payment on the server, and leads to the order if it was charged meanwhile', async () => {
  const { back, first } = await lostAt('2027-04-06T10:00:00.000Z')
  outcome = said('unfinished')
  await back.resume()
  outcome = 'lost'
  await back.giveUp()
  expect(back.state.current()).toMatchObject({ at: 'unfinished', problem: expect.any(String) })
  expect(await currentPaymentAttempt(db, key)).not.toBeNull()
  outcome = said('ended')
  await back.giveUp()
  expect(asked.at(-1)).toBe(`DELETE ${first.attemptId}`)
  expect([back.state.current(), await currentPaymentAttempt(db, key), submits.length]).toEqual([
    { at: 'idle' },
    null,
    1,
  ])

  const next = await lostAgain()
  outcome = said('unfinished')
  await next.resume()
  outcome = said('ordered', 'FP-ABCD1234')
  await next.giveUp()
  expect(next.state.current()).toEqual({ at: 'ordered', orderNumber: 'FP-ABCD1234' })
})

const lostAgain = async (): Promise<CartPayment> => {
  const before = payment()
  void before.pay(visa)
  const sent = await heard(1)
  sent.response('lost')
  await reaches(before, 'unknown')
  before.stop()
  now = '2027-04-16T10:00:00.000Z'
  return payment()
}
