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
const route = { studioSlug: 'riverside', jobId: 1, orderNumber: order.orderNumber }
const key = increasePaymentKey(route)
const priced: IncreaseQuote = {
  totals: { ...order.totals, totalCents: 8295 },
  chargeCents: 2700,
  payment: { provider: 'test', publishableKey: null },
  payer: { customer: order.customer, billingAddress: order.shippingAddress },
}

type Body = { attemptId: string; chargeCents: number; authentication?: string }
/** The payment request sent, and the server's response; null if unreachable. */
let sent: Body[]
let shown: typeof changeable
let answers: (() => { status: number; body: object }) | null
/** The server's response to polls of an attempt, and the polls it received. */
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
      <OrderIncreaseScreen {...route} />
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
  // Lazy chunks of this screen, loaded once for all tests.
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

test('an order increase shows the difference, is paid once however often it is tapped, and returns to the order', async () => {
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

test('an order increase requires the card before anything is sent', async () => {
  await wantThree()
  click(getButton('Pay $27.00'))
  await shows(() => expect(words()).toContain('This field is required'))
  expect(sent).toEqual([])
})

test('a declined card is reported, and the next tap starts another attempt', async () => {
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

test('an unknown outcome is polled for the same attempt, also after a reload', async () => {
  answers = null
  await wantThree()
  giveCard()
  click(getButton('Pay $27.00'))
  await shows(() => expect(words()).toContain('Your payment is being confirmed'))
  expect(await readDraft(database, key)).toMatchObject({ attemptId: sent[0]?.attemptId, totalCents: 2700 })
  leave()
  answers = ordered
  // By now the order may be read-only: the payment is still polled.
  shown = { ...changeable, mayChange: false }
  open()
  await atOrder()
  expect(new Set(sent.map(({ attemptId }) => attemptId)).size).toBe(1)
  expect(await readDraft(database, key)).toBeUndefined()
})

/** The customer taps Pay on Thursday, April 1, the request is lost and the page closed; five days later they return. */
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

test('days later the outcome is polled, nothing is sent, and the customer completes the payment', async () => {
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

test('days later “Don’t” abandons the payment on the server, after which the order can be increased', async () => {
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

test('days later a successful payment leads to the order, and one that came too late shows the refund', async () => {
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

test('the order screen polls the outcome too, and completes the payment only on request', async () => {
  const first = await payAndComeBack()
  history.replaceState(null, '', `/riverside/1/order/${order.orderNumber}`)
  render(<ConfirmationScreen {...route} PendingAddition={OrderIncreaseInProgress} />)
  await shows(() => expect(words()).toContain(started))
  expect([sent.length, asked]).toEqual([1, [`GET ${first.attemptId}`]])
  click(getButton('Finish'))
  await shows(() => expect(words()).not.toContain(started))
  await shows(async () => expect(await readDraft(database, key)).toBeUndefined())
  expect(sent[1]).toEqual(first)
})

test('the bank’s authentication is shown, and its answer is sent with the same attempt', async () => {
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

test('a rejection by the server is shown and ends the attempt', async () => {
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

test('an order increase is no longer offered once the order is at the lab', async () => {
  shown = { ...changeable, mayChange: false }
  open()
  await shows(() => expect(words()).toContain('Nothing can be added to this order any more'))
})
