import 'fake-indexeddb/auto'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { OrderIncreaseInProgress } from '#client/customer/checkout/order-increase/order-increase-in-progress.tsx'
import { OrderIncreaseScreen } from '#client/customer/checkout/order-increase/order-increase-screen.tsx'
import { ConfirmationScreen } from '#client/customer/orders/confirmation-screen.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import type { IncreaseQuote } from '#contract/customer/order-adjustment-calls.ts'
import { readDraft } from '#local/store/drafts.ts'
import { increasePaymentKey } from '#local/store/increase-payment-key.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { cleanUp, click, fire, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { ToastHost } from '#ui/toast/toast-host.tsx'
import { order } from '../../orders/order-examples.ts'

const [first] = order.lines
if (!first || !order.shippingAddress) throw new Error('an order has lines and an address')
const changeable = { ...order, mayChange: true, lines: [{ ...first, lineId: 31 }] }
const place = { studioSlug: 'riverside', jobId: 1, orderNumber: order.orderNumber }
const key = increasePaymentKey(place)
const priced: IncreaseQuote = {
  totals: { ...order.totals, totalCents: 8295 },
  chargeCents: 2700,
  payment: { provider: 'test', publishableKey: null },
  payer: { customer: order.customer, billingAddress: order.shippingAddress },
}

type Body = { attemptId: string; chargeCents: number; authentication?: string }
/** What was sent to be paid, and what the server answers; null where it is not reached. */
let sent: Body[]
let shown: typeof changeable
let answers: (() => { status: number; body: object }) | null
/** What the server says of an attempt it is asked about, and the questions it got. */
let outcome: { status: number; body: object }
let asked: string[]

const ordered = () => ({ status: 200, body: { data: { outcome: 'ordered', orderNumber: order.orderNumber } } })
const said = (state: string, orderNumber: string | null = null) => ({
  status: 200,
  body: { data: { state, orderNumber } },
})
const words = () => document.body.textContent ?? ''

const shows = async (look: () => void | Promise<void>) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi
    .waitFor(look, { timeout: 4_000 })
    .finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}

const open = () => {
  const slot = document.body.appendChild(document.createElement('div'))
  render(
    <BottomBarSlot value={slot}>
      <OrderIncreaseScreen {...place} />
      <ToastHost />
    </BottomBarSlot>,
  )
}

const leave = () => {
  cleanUp()
  document.body.replaceChildren()
  clearQueryCache()
}

const field = (label: string): HTMLInputElement => {
  const found = [...document.querySelectorAll('label')].find((tag) => tag.textContent?.startsWith(label))?.control
  if (!(found instanceof HTMLInputElement)) throw new Error(`nothing asks for ${label}`)
  return found
}

const wantThree = async () => {
  open()
  await shows(() => expect(words()).toContain('as ordered'))
  const select = getElement<HTMLSelectElement>('select')
  select.value = '3'
  fire(select, new Event('change', { bubbles: true }))
  await shows(() => expect(words()).toContain('$27.00 more'))
}

const giveCard = () => {
  type(field('Card number'), '4242 4242 4242 4242')
  type(field('Expires'), '12/39')
  type(field('Security code'), '123')
}

const atOrder = () => shows(() => expect(location.pathname).toBe(`/riverside/1/order/${order.orderNumber}`))

beforeAll(async () => {
  // The parts this screen fetches when it needs them: once for all tests.
  await import('#client/customer/checkout/test-provider/test-bank-step.tsx')
  await import('#client/customer/checkout/order-increase/order-increase-in-progress.tsx')
  await import('#ui/toast/toast-region.tsx')
}, 30_000)

beforeEach(async () => {
  sent = []
  shown = changeable
  answers = ordered
  outcome = said('unfinished')
  asked = []
  history.replaceState(null, '', `/riverside/1/order/${order.orderNumber}/more`)
  await database.delete()
  await database.open()
  vi.stubGlobal('fetch', async (input: string | Request, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : input
    const reply = (status: number, body: object) => new Response(JSON.stringify(body), { status })
    if (url.endsWith('/more/price')) return reply(200, { data: priced })
    if (url.includes('/attempts/')) {
      asked.push(`${init?.method ?? 'GET'} ${url.split('/').at(-1)}`)
      return reply(outcome.status, outcome.body)
    }
    if (!url.endsWith('/more')) return reply(200, { data: shown })
    sent.push(JSON.parse(String(init?.body)))
    if (!answers) throw new TypeError('Failed to fetch')
    const { status, body } = answers()
    return reply(status, body)
  })
})

afterEach(() => {
  leave()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('shows the difference, pays it once however often it is tapped, and goes back to the order', async () => {
  await wantThree()
  expect(words()).toContain('The whole order then comes to $82.95.')
  giveCard()
  const pay = getButton('Pay $27.00')
  click(pay)
  click(pay)
  await atOrder()
  expect(sent).toMatchObject([
    { packages: [{ lineId: 31, quantity: 3 }], paymentToken: 'test_visa', chargeCents: 2700 },
  ])
  expect(await readDraft(database, key)).toBeUndefined()
})

test('asks for the card before anything is sent', async () => {
  await wantThree()
  click(getButton('Pay $27.00'))
  await shows(() => expect(words()).toContain('This field is required'))
  expect(sent).toEqual([])
})

test('a declined card is said, and the next tap is another attempt', async () => {
  answers = () => ({ status: 422, body: { errors: ['Your card was declined.'], problem: 'payment-declined' } })
  await wantThree()
  giveCard()
  click(getButton('Pay $27.00'))
  await shows(() => expect(words()).toContain('Your card was declined.'))
  expect(words()).toContain('Nothing was charged, and your order is as it was.')
  answers = ordered
  click(getButton('Pay $27.00'))
  await atOrder()
  expect(sent).toHaveLength(2)
  expect(sent[0]?.attemptId).not.toBe(sent[1]?.attemptId)
})

test('an unknown outcome is asked for again by the same attempt, after a reload too', async () => {
  answers = null
  await wantThree()
  giveCard()
  click(getButton('Pay $27.00'))
  await shows(() => expect(words()).toContain('Your payment is being confirmed'))
  expect(await readDraft(database, key)).toMatchObject({ attemptId: sent[0]?.attemptId, totalCents: 2700 })
  leave()
  answers = ordered
  // By now the order may be anybody's to look at only: the payment is still asked for.
  shown = { ...changeable, mayChange: false }
  open()
  await atOrder()
  expect(new Set(sent.map(({ attemptId }) => attemptId)).size).toBe(1)
  expect(await readDraft(database, key)).toBeUndefined()
})

/** The customer taps Pay on Thursday, April 1, the request is lost and the page closed; five days later they are back. */
const payAndComeBack = async (): Promise<Body> => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2027, 3, 1, 10) })
  answers = null
  await wantThree()
  giveCard()
  click(getButton('Pay $27.00'))
  await shows(() => expect(words()).toContain('Your payment is being confirmed'))
  leave()
  answers = ordered
  vi.setSystemTime(new Date(2027, 3, 6, 10))
  const [first] = sent
  if (!first) throw new Error('nothing was sent')
  return first
}

const started = 'You started to pay $27.00 on Thursday'

test('days later the outcome is asked for, nothing is sent, and the customer finishes it', async () => {
  const first = await payAndComeBack()
  open()
  await shows(() => expect(words()).toContain(started))
  expect(words()).toContain('Your order can be changed once you decide.')
  expect([sent.length, asked]).toEqual([1, [`GET ${first.attemptId}`]])
  click(getButton('Finish'))
  await atOrder()
  expect(sent[1]).toEqual(first)
  expect(await readDraft(database, key)).toBeUndefined()
})

test('days later “Don’t” gives it up at the server, after which the order can be added to', async () => {
  const first = await payAndComeBack()
  open()
  await shows(() => expect(words()).toContain(started))
  outcome = said('ended')
  click(getButton('Don’t'))
  await shows(() => expect(words()).toContain('as ordered'))
  expect(words()).not.toContain(started)
  expect([sent.length, asked.at(-1)]).toEqual([1, `DELETE ${first.attemptId}`])
  expect(await readDraft(database, key)).toBeUndefined()
})

test('days later a payment that went through leads to the order, and what came too late says what goes back', async () => {
  await payAndComeBack()
  outcome = said('ordered', order.orderNumber)
  open()
  await atOrder()
  expect([sent.length, await readDraft(database, key)]).toEqual([1, undefined])
  leave()
  await payAndComeBack()
  const sentence = 'Nothing was added, and $27.00 goes back to your card'
  outcome = { status: 422, body: { errors: [sentence], problem: 'refused' } }
  shown = { ...changeable, mayChange: false }
  open()
  await shows(() => expect(words()).toContain(sentence))
  expect(words()).toContain('Nothing can be added to this order any more')
  expect(await readDraft(database, key)).toBeUndefined()
})

test('the order asks for the outcome too, and finishes it only when the customer says so', async () => {
  const first = await payAndComeBack()
  history.replaceState(null, '', `/riverside/1/order/${order.orderNumber}`)
  render(<ConfirmationScreen {...place} PendingAddition={OrderIncreaseInProgress} />)
  await shows(() => expect(words()).toContain(started))
  expect([sent.length, asked]).toEqual([1, [`GET ${first.attemptId}`]])
  click(getButton('Finish'))
  await shows(() => expect(words()).not.toContain(started))
  await shows(async () => expect(await readDraft(database, key)).toBeUndefined())
  expect(sent[1]).toEqual(first)
})

test('the bank’s question is asked, and its answer goes with the same attempt', async () => {
  answers = () => ({ status: 200, body: { data: { outcome: 'requires-action', orderNumber: null } } })
  await wantThree()
  giveCard()
  click(getButton('Pay $27.00'))
  await shows(() => expect(words()).toContain('Is this payment of $27.00 yours?'))
  answers = ordered
  click(getButton('Confirm'))
  await atOrder()
  expect(sent[1]).toMatchObject({ attemptId: sent[0]?.attemptId, authentication: 'confirmed' })
})

test('what the server refuses is said, and nothing goes on', async () => {
  const sentence =
    'Your order was changed, or went to the lab, while you paid. Nothing was added, and $27.00 goes back to your card'
  answers = () => ({ status: 422, body: { errors: [sentence], problem: 'refused' } })
  await wantThree()
  giveCard()
  click(getButton('Pay $27.00'))
  await shows(() => expect(words()).toContain(sentence))
  expect(location.pathname).toContain('/more')
  expect(await readDraft(database, key)).toBeUndefined()
})

test('is over once the order is the lab’s', async () => {
  shown = { ...changeable, mayChange: false }
  open()
  await shows(() => expect(words()).toContain('Nothing can be added to this order any more'))
})
