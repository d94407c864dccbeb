import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkoutDraftKey } from '#client/customer/checkout/form/checkout-form-values.ts'
import { type CartPayment, createCartPayment } from '#client/customer/checkout/payment/cart-payment.ts'
import { type PaymentState, paymentTransitions } from '#client/customer/checkout/payment/payment-states.ts'
import { problems } from '#contract/shapes/problems.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { currentPaymentAttempt, startPaymentAttempt } from '#local/checkout.ts'
import { readConfirmedCart } from '#local/store/confirmed-cart.ts'
import { type LocalDatabase, openLocalDatabase } from '#local/store/database.ts'
import { readDraft, saveDraft } from '#local/store/device-entries.ts'
import { createRequest, type HttpResponse, type Transport } from '#local/transport/request.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const visa = { paymentToken: 'test_visa', totalCents: 2500, cartVersion: 1 }

type Body = { checkoutId: string; attemptId: string; paymentToken: string | null; authentication?: string }
type PendingSubmit = Body & { respond: (reply: HttpResponse | 'lost') => void }

const reply = (status: number, body: object): HttpResponse => ({ status, text: JSON.stringify(body), retryAfter: null })
const ordered = reply(200, { data: { outcome: 'ordered', orderNumber: 'FP-ABCD1234' } })
const action = { provider: 'test', clientSecret: null, publishableKey: null, account: null }
const requiresAction = reply(200, { data: { outcome: 'requires-action', orderNumber: null, action } })
const problem = (name: keyof typeof problems): HttpResponse =>
  reply(problems[name].status, { errors: [problems[name].message], problem: name })

let db: LocalDatabase
let submits: PendingSubmit[]
let timers: { milliseconds: number; work: () => void }[]
let ids: number
let now: string
/** The server's response to polls of an attempt, and the polls it received. */
let outcome: HttpResponse | 'lost'
let polls: string[]
/** The transitions that all payments of a test made. */
let transitions: [from: PaymentState['at'], to: PaymentState['at']][]

// A server that responds to a submit only when the test does.
const transport: Transport = (request) => {
  if (request.url.includes('/attempts/')) {
    polls.push(`${request.method} ${request.url.split('/').at(-1)}`)
    return outcome === 'lost' ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(outcome)
  }
  if (!request.url.endsWith('/checkout/submit')) {
    return Promise.resolve(reply(200, { data: { ...emptyCart(key.jobId, key.orderMethod), id: 5, version: 9 } }))
  }
  return new Promise<HttpResponse>((resolve, reject) => {
    const respond = (response: HttpResponse | 'lost') =>
      response === 'lost' ? reject(new TypeError('Failed to fetch')) : resolve(response)
    submits.push({ ...JSON.parse(request.body ?? '{}'), respond })
  })
}

const createPayment = (): CartPayment => {
  const created = createCartPayment({
    db,
    ask: createRequest(transport),
    stamp: {
      now: () => now,
      newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    },
    timers: {
      after: (milliseconds, work) => {
        timers.push({ milliseconds, work })
        return () => void timers.splice(0)
      },
    },
    key,
  })
  let previousState = created.state.current().at
  created.state.subscribe(() => {
    const { at } = created.state.current()
    if (at !== previousState) transitions.push([previousState, at])
    previousState = at
  })
  return created
}

/** Resolves once the payment is in this state. */
const reachesState = (cartPayment: CartPayment, at: string): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (cartPayment.state.current().at !== at) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = cartPayment.state.subscribe(check)
    check()
  })

/** Resolves to the submit with this index once it was sent. */
const nthSubmit = (index: number): Promise<PendingSubmit> => vi.waitUntil(() => submits[index] as PendingSubmit) // truthy by then

beforeEach(() => {
  db = openLocalDatabase('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
  submits = []
  timers = []
  ids = 0
  now = '2027-04-01T10:00:00.000Z'
  outcome = 'lost'
  polls = []
  transitions = []
})

afterEach(() => {
  for (const [from, to] of transitions) expect(paymentTransitions[from], `${from} → ${to}`).toContain(to)
})

test('two taps send one payment, which is stored before it is sent', async () => {
  const cartPayment = createPayment()
  void cartPayment.pay(visa)
  void cartPayment.pay(visa)
  const first = await nthSubmit(0)
  expect(await currentPaymentAttempt(db, key)).toMatchObject({ attempt: { attemptId: first.attemptId } })
  await cartPayment.pay(visa)
  first.respond(ordered)
  await reachesState(cartPayment, 'ordered')
  expect(submits).toHaveLength(1)
})

test('an order is stored, and its draft and its attempt are deleted', async () => {
  await saveDraft(db, checkoutDraftKey(key), { customer: { firstName: 'Ada' } })
  const cartPayment = createPayment()
  void cartPayment.pay(visa)
  const submit = await nthSubmit(0)
  submit.respond(ordered)
  await reachesState(cartPayment, 'ordered')
  expect(await readDraft(db, checkoutDraftKey(key))).toBeUndefined()
  expect(await currentPaymentAttempt(db, key)).toBeNull()
  expect(await db.orders.get('FP-ABCD1234')).toMatchObject({ jobId: 1 })
})

test('a declined payment keeps the checkout, and the next tap starts another attempt', async () => {
  const cartPayment = createPayment()
  void cartPayment.pay({ ...visa, paymentToken: 'test_declined' })
  const first = await nthSubmit(0)
  first.respond(problem('payment-declined'))
  await reachesState(cartPayment, 'declined')
  expect(await currentPaymentAttempt(db, key)).toBeNull()
  void cartPayment.pay(visa)
  const second = await nthSubmit(1)
  expect(second.checkoutId).toBe(first.checkoutId)
  expect(second.attemptId).not.toBe(first.attemptId)
  expect(second.paymentToken).toBe('test_visa')
})

test.each(['lost', problem('in-flight')] as const)(
  'an unknown outcome (%#) is polled with the same ids',
  async (response) => {
    const cartPayment = createPayment()
    void cartPayment.pay(visa)
    const first = await nthSubmit(0)
    first.respond(response)
    await reachesState(cartPayment, 'unknown')
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([1000])
    timers[0]?.work()
    const { respond: _, ...secondBody } = await nthSubmit(1)
    const { respond: __, ...firstBody } = first
    expect(secondBody).toEqual(firstBody)
  },
)

test('after a reload the same attempt is polled, and a tap sends no second one', async () => {
  const firstPayment = createPayment()
  void firstPayment.pay(visa)
  const first = await nthSubmit(0)
  first.respond('lost')
  await reachesState(firstPayment, 'unknown')
  firstPayment.stop()

  const reloadedPayment = createPayment()
  void reloadedPayment.resume()
  const second = await nthSubmit(1)
  expect(second.attemptId).toBe(first.attemptId)
  await reloadedPayment.pay({ ...visa, paymentToken: 'another' })
  expect(submits).toHaveLength(2)
  second.respond(ordered)
  await reachesState(reloadedPayment, 'ordered')
})

test('without an earlier payment, resuming sends nothing', async () => {
  const cartPayment = createPayment()
  await cartPayment.resume()
  expect(cartPayment.state.current()).toEqual({ at: 'idle' })
  expect(submits).toEqual([])
})

test('the bank’s authentication is answered for the same attempt', async () => {
  const cartPayment = createPayment()
  void cartPayment.pay({ ...visa, paymentToken: 'test_authenticate' })
  const first = await nthSubmit(0)
  first.respond(requiresAction)
  await reachesState(cartPayment, 'requires-action')
  void cartPayment.authenticate('confirmed')
  const second = await nthSubmit(1)
  expect(second).toMatchObject({ attemptId: first.attemptId, authentication: 'confirmed' })
  second.respond(ordered)
  await reachesState(cartPayment, 'ordered')
})

test('a payment the server lost stays stored until the customer confirms that it did not happen', async () => {
  const cartPayment = createPayment()
  void cartPayment.pay(visa)
  const first = await nthSubmit(0)
  first.respond('lost')
  await reachesState(cartPayment, 'unknown')
  void cartPayment.pollNow()
  const second = await nthSubmit(1)
  second.respond(problem('not-found'))
  await reachesState(cartPayment, 'lost')
  expect(await currentPaymentAttempt(db, key)).not.toBeNull()
  await cartPayment.startOver()
  expect(await currentPaymentAttempt(db, key)).toBeNull()
  expect(cartPayment.state.current()).toEqual({ at: 'idle' })
  // The cart is loaded from the server.
  expect(await readConfirmedCart(db, key)).toMatchObject({ id: 5 })
})

/** Two screens of one payment: the customer left the first while it was sending, and opened a second. */
const startTwoScreens = async () => {
  const firstScreen = createPayment()
  void firstScreen.pay(visa)
  const first = await nthSubmit(0)
  firstScreen.stop()
  const secondScreen = createPayment()
  void secondScreen.resume()
  const second = await nthSubmit(1)
  second.respond(problem('in-flight'))
  await reachesState(secondScreen, 'unknown')
  return { firstScreen, secondScreen, first }
}

test('a decline that another screen received first is shown here too', async () => {
  const { firstScreen, secondScreen, first } = await startTwoScreens()
  first.respond(problem('payment-declined'))
  await reachesState(firstScreen, 'declined')
  void secondScreen.pollNow()
  const third = await nthSubmit(2)
  expect(third.attemptId).toBe(first.attemptId)
  third.respond(problem('payment-declined'))
  await reachesState(secondScreen, 'declined')
})

test('an order that another screen received first is shown here, and leaves newer input alone', async () => {
  const { firstScreen, secondScreen, first } = await startTwoScreens()
  first.respond(ordered)
  await reachesState(firstScreen, 'ordered')
  await saveDraft(db, checkoutDraftKey(key), { customer: { firstName: 'Next' } })
  const secondPayment = await startPaymentAttempt(db, { now: () => '', newId: () => 'next' }, { ...key, ...visa })
  void secondScreen.pollNow()
  const third = await nthSubmit(2)
  third.respond(ordered)
  await reachesState(secondScreen, 'ordered')
  expect(await currentPaymentAttempt(db, key)).toMatchObject({ attempt: secondPayment.attempt })
  expect(await readDraft(db, checkoutDraftKey(key))).toEqual({ customer: { firstName: 'Next' } })
})

test('a late rejection ends its own attempt only', async () => {
  const { firstScreen, secondScreen, first } = await startTwoScreens()
  first.respond(problem('payment-declined'))
  await reachesState(firstScreen, 'declined')
  void firstScreen.pay(visa)
  const third = await nthSubmit(2)
  void secondScreen.pollNow()
  const fourth = await nthSubmit(3)
  expect(fourth.attemptId).toBe(first.attemptId)
  fourth.respond(problem('payment-declined'))
  await reachesState(secondScreen, 'declined')
  expect(await currentPaymentAttempt(db, key)).toMatchObject({ attempt: { attemptId: third.attemptId } })
})

const attemptOutcome = (state: string, orderNumber: string | null = null): HttpResponse =>
  reply(200, { data: { state, orderNumber } })

/** A payment whose request was lost and whose page was closed; the customer returns at `returnTime`. */
const returnAfterLostPayment = async (returnTime: string): Promise<{ payment: CartPayment; first: PendingSubmit }> => {
  const firstPayment = createPayment()
  void firstPayment.pay(visa)
  const first = await nthSubmit(0)
  first.respond('lost')
  await reachesState(firstPayment, 'unknown')
  firstPayment.stop()
  now = returnTime
  return { payment: createPayment(), first }
}

test('within two minutes of the tap a payment is completed without asking', async () => {
  const { payment: resumedPayment, first } = await returnAfterLostPayment('2027-04-01T10:01:59.000Z')
  void resumedPayment.resume()
  const second = await nthSubmit(1)
  expect([second.attemptId, polls]).toEqual([first.attemptId, []])
})

test.each(['2027-04-01T10:02:00.000Z', '2027-04-06T10:00:00.000Z', '2027-03-31T10:00:00.000Z'])(
  'at %s a payment of 10:00 on April 1 is only polled, and the customer decides',
  async (returnTime) => {
    const { payment: resumedPayment, first } = await returnAfterLostPayment(returnTime)
    outcome = attemptOutcome('unfinished')
    await resumedPayment.resume()
    expect(resumedPayment.state.current()).toMatchObject({
      at: 'unfinished',
      totalCents: 2500,
      startedAt: '2027-04-01T10:00:00.000Z',
    })
    await resumedPayment.pay({ ...visa, paymentToken: 'another' })
    await resumedPayment.pollNow()
    expect([submits.length, polls]).toEqual([1, [`GET ${first.attemptId}`]])
    void resumedPayment.finish()
    const second = await nthSubmit(1)
    const { respond: _, ...secondBody } = second
    const { respond: __, ...firstBody } = first
    expect(secondBody).toEqual(firstBody)
    second.respond(ordered)
    await reachesState(resumedPayment, 'ordered')
  },
)

test('a tap on Pay in another tab does not submit a payment of days ago', async () => {
  const { payment: resumedPayment } = await returnAfterLostPayment('2027-04-06T10:00:00.000Z')
  outcome = attemptOutcome('unfinished')
  await resumedPayment.pay({ ...visa, paymentToken: 'another' })
  expect([submits.length, resumedPayment.state.current().at]).toEqual([1, 'unfinished'])
})

test('a payment of days ago that succeeded leads to its order', async () => {
  const { payment: resumedPayment } = await returnAfterLostPayment('2027-04-06T10:00:00.000Z')
  outcome = attemptOutcome('ordered', 'FP-ABCD1234')
  await resumedPayment.resume()
  expect(resumedPayment.state.current()).toEqual({ at: 'ordered', orderNumber: 'FP-ABCD1234' })
  expect(await currentPaymentAttempt(db, key)).toBeNull()
  expect(submits).toHaveLength(1)
})

test('a payment of days ago that failed is over, and one still being charged is polled later', async () => {
  const { payment: resumedPayment } = await returnAfterLostPayment('2027-04-06T10:00:00.000Z')
  outcome = attemptOutcome('charging')
  await resumedPayment.resume()
  expect(resumedPayment.state.current()).toMatchObject({ at: 'unknown', why: 'waiting' })
  outcome = attemptOutcome('ended')
  await resumedPayment.pollNow()
  expect(resumedPayment.state.current().at).toBe('declined')
  expect([submits.length, await currentPaymentAttempt(db, key)]).toEqual([1, null])
})

test('“Don’t” first abandons the payment on the server, and leads to the order if it was charged meanwhile', async () => {
  const { payment: resumedPayment, first } = await returnAfterLostPayment('2027-04-06T10:00:00.000Z')
  outcome = attemptOutcome('unfinished')
  await resumedPayment.resume()
  outcome = 'lost'
  await resumedPayment.giveUp()
  expect(resumedPayment.state.current()).toMatchObject({ at: 'unfinished', problem: expect.any(String) })
  expect(await currentPaymentAttempt(db, key)).not.toBeNull()
  outcome = attemptOutcome('ended')
  await resumedPayment.giveUp()
  expect(polls.at(-1)).toBe(`DELETE ${first.attemptId}`)
  expect([resumedPayment.state.current(), await currentPaymentAttempt(db, key), submits.length]).toEqual([
    { at: 'idle' },
    null,
    1,
  ])

  const secondPayment = await loseSecondPayment()
  outcome = attemptOutcome('unfinished')
  await secondPayment.resume()
  outcome = attemptOutcome('ordered', 'FP-ABCD1234')
  await secondPayment.giveUp()
  expect(secondPayment.state.current()).toEqual({ at: 'ordered', orderNumber: 'FP-ABCD1234' })
})

const loseSecondPayment = async (): Promise<CartPayment> => {
  const firstPayment = createPayment()
  void firstPayment.pay(visa)
  const submit = await nthSubmit(1)
  submit.respond('lost')
  await reachesState(firstPayment, 'unknown')
  firstPayment.stop()
  now = '2027-04-16T10:00:00.000Z'
  return createPayment()
}
