import 'fake-indexeddb/auto'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { OrderIncreaseInProgress } from '#client/customer/checkout/order-increase/order-increase-in-progress.tsx'
import { OrderIncreaseScreen } from '#client/customer/checkout/order-increase/order-increase-screen.tsx'
import { ConfirmationScreen } from '#client/customer/orders/confirmation-screen.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import type { IncreaseQuote } from '#contract/customer/order-adjustment-calls.ts'
import { readDraft } from '#local/store/device-entries.ts'
import { increasePaymentDraftKey } from '#local/store/increase-payment-draft-key.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { cleanUp, click, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { order } from '#tests/client/customer/orders/order-examples.ts'
import { ToastHost } from '#ui/toast/toast-host.tsx'

const [firstLine] = order.lines
if (!firstLine || !order.shippingAddress) throw new Error('the example order has no line or no address')
const changeable = { ...order, mayChange: true, lines: [{ ...firstLine, lineId: 31 }] }
const route = { studioSlug: 'riverside', jobId: 1, orderNumber: order.orderNumber }
const key = increasePaymentDraftKey(route)
const quote: IncreaseQuote = {
  totals: { ...order.totals, totalCents: 8295 },
  chargeCents: 2700,
  payment: { provider: 'test', publishableKey: null, account: null },
  payer: { customer: order.customer, billingAddress: order.shippingAddress },
}

type Body = { attemptId: string; chargeCents: number; authentication?: string }
/** The payment requests, the loaded order, and the server's response to a payment (null if unreachable). */
let payments: Body[]
let loadedOrder: typeof changeable
let respond: (() => { status: number; body: object }) | null
/** The server's response to polls of an attempt, and the polls it received. */
let outcome: { status: number; body: object }
let polls: string[]

const ordered = () => ({ status: 200, body: { data: { outcome: 'ordered', orderNumber: order.orderNumber } } })
const attemptOutcome = (state: string, orderNumber: string | null = null) => ({
  status: 200,
  body: { data: { state, orderNumber } },
})
const pageText = () => document.body.textContent ?? ''

const eventually = async (check: () => void | Promise<void>) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi
    .waitFor(check, { timeout: 4_000 })
    .finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}

const openForm = () => {
  const slot = document.body.appendChild(document.createElement('div'))
  render(
    <BottomBarSlot value={slot}>
      <OrderIncreaseScreen {...route} />
      <ToastHost />
    </BottomBarSlot>,
  )
}

const leaveForm = () => {
  cleanUp()
  document.body.replaceChildren()
  clearQueryCache()
}

const field = (label: string): HTMLInputElement => {
  const control = [...document.querySelectorAll('label')].find((tag) => tag.textContent?.startsWith(label))?.control
  if (!(control instanceof HTMLInputElement)) throw new Error(`no input is labelled ${label}`)
  return control
}

const chooseThree = async () => {
  openForm()
  await eventually(() => expect(getElement('output').textContent).toBe('2'))
  const fewer = getElement<HTMLButtonElement>('fieldset button')
  click(fewer)
  expect([fewer.getAttribute('aria-disabled'), getElement('output').textContent]).toEqual(['true', '2'])
  click([...document.querySelectorAll<HTMLButtonElement>('fieldset button')][1] as HTMLButtonElement)
  await eventually(() => expect(pageText()).toContain('$27.00 more'))
}

const typeCard = () => {
  type(field('Card number'), '4242 4242 4242 4242')
  type(field('Expires'), '12/39')
  type(field('Security code'), '123')
}

const expectOrderScreen = () =>
  eventually(() => expect(location.pathname).toBe(`/riverside/1/order/${order.orderNumber}`))

beforeAll(async () => {
  // Lazy chunks of this screen, loaded once for all tests.
  await import('#client/customer/checkout/test-provider/test-bank-step.tsx')
  await import('#client/customer/checkout/order-increase/order-increase-in-progress.tsx')
  await import('#ui/toast/toast-region.tsx')
}, 30_000)

beforeEach(async () => {
  payments = []
  loadedOrder = changeable
  respond = ordered
  outcome = attemptOutcome('unfinished')
  polls = []
  history.replaceState(null, '', `/riverside/1/order/${order.orderNumber}/more`)
  await database.delete()
  await database.open()
  vi.stubGlobal('fetch', async (input: string | Request, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : input
    const reply = (status: number, body: object) => new Response(JSON.stringify(body), { status })
    if (url.endsWith('/more/price')) return reply(200, { data: quote })
    if (url.includes('/attempts/')) {
      polls.push(`${init?.method ?? 'GET'} ${url.split('/').at(-1)}`)
      return reply(outcome.status, outcome.body)
    }
    if (!url.endsWith('/more')) return reply(200, { data: loadedOrder })
    payments.push(JSON.parse(String(init?.body)))
    if (!respond) throw new TypeError('Failed to fetch')
    const { status, body } = respond()
    return reply(status, body)
  })
})

afterEach(() => {
  leaveForm()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an order increase shows the difference, is paid once however often it is tapped, and returns to the order', async () => {
  await chooseThree()
  expect(pageText()).toContain('New order total $82.95.')
  typeCard()
  const pay = getButton('Pay $27.00')
  click(pay)
  click(pay)
  await expectOrderScreen()
  expect(payments).toMatchObject([
    { packages: [{ lineId: 31, quantity: 3 }], paymentToken: 'test_visa', chargeCents: 2700 },
  ])
  expect(await readDraft(database, key)).toBeUndefined()
})

test('an order increase requires the card before anything is sent', async () => {
  await chooseThree()
  click(getButton('Pay $27.00'))
  await eventually(() => expect(pageText()).toContain('This field is required'))
  expect(payments).toEqual([])
})

test('a declined card is reported, and the next tap starts another attempt', async () => {
  respond = () => ({ status: 422, body: { errors: ['Your card was declined.'], problem: 'payment-declined' } })
  await chooseThree()
  typeCard()
  click(getButton('Pay $27.00'))
  await eventually(() => expect(pageText()).toContain('Your card was declined.'))
  expect(pageText()).toContain('You weren’t charged. Your order is unchanged.')
  respond = ordered
  click(getButton('Pay $27.00'))
  await expectOrderScreen()
  expect(payments).toHaveLength(2)
  expect(payments[0]?.attemptId).not.toBe(payments[1]?.attemptId)
})

test('an unknown outcome is polled for the same attempt, also after a reload', async () => {
  respond = null
  await chooseThree()
  typeCard()
  click(getButton('Pay $27.00'))
  await eventually(() => expect(pageText()).toContain('Your payment is being confirmed'))
  expect(await readDraft(database, key)).toMatchObject({ attemptId: payments[0]?.attemptId, totalCents: 2700 })
  leaveForm()
  respond = ordered
  // By now the order may be read-only: the payment is still polled.
  loadedOrder = { ...changeable, mayChange: false }
  openForm()
  await expectOrderScreen()
  expect(new Set(payments.map(({ attemptId }) => attemptId)).size).toBe(1)
  expect(await readDraft(database, key)).toBeUndefined()
})

/** Taps Pay on Thursday, April 1, loses the request, and closes the page. The clock is then five days later. */
const loseRequestAndReturn = async (): Promise<Body> => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2027, 3, 1, 10) })
  respond = null
  await chooseThree()
  typeCard()
  click(getButton('Pay $27.00'))
  await eventually(() => expect(pageText()).toContain('Your payment is being confirmed'))
  leaveForm()
  respond = ordered
  vi.setSystemTime(new Date(2027, 3, 6, 10))
  const [payment] = payments
  if (!payment) throw new Error('no payment was sent')
  return payment
}

const startedMessage = 'You started to pay $27.00 on Thursday'

test('days later the outcome is polled, nothing is sent, and the customer completes the payment', async () => {
  const lostPayment = await loseRequestAndReturn()
  openForm()
  await eventually(() => expect(pageText()).toContain(startedMessage))
  expect(pageText()).toContain('Your order can be changed once you decide.')
  expect([payments.length, polls]).toEqual([1, [`GET ${lostPayment.attemptId}`]])
  click(getButton('Finish'))
  await expectOrderScreen()
  expect(payments[1]).toEqual(lostPayment)
  expect(await readDraft(database, key)).toBeUndefined()
})

test('days later “Don’t” abandons the payment on the server, after which the order can be increased', async () => {
  const lostPayment = await loseRequestAndReturn()
  openForm()
  await eventually(() => expect(pageText()).toContain(startedMessage))
  outcome = attemptOutcome('ended')
  click(getButton('Don’t'))
  await eventually(() => expect(getElement('output').textContent).toBe('2'))
  expect(pageText()).not.toContain(startedMessage)
  expect([payments.length, polls.at(-1)]).toEqual([1, `DELETE ${lostPayment.attemptId}`])
  expect(await readDraft(database, key)).toBeUndefined()
})

test('days later a successful payment leads to the order, and one that came too late shows the refund', async () => {
  await loseRequestAndReturn()
  outcome = attemptOutcome('ordered', order.orderNumber)
  openForm()
  await expectOrderScreen()
  expect([payments.length, await readDraft(database, key)]).toEqual([1, undefined])
  leaveForm()
  await loseRequestAndReturn()
  const message = 'Nothing was added, and $27.00 will be refunded to your card'
  outcome = { status: 422, body: { errors: [message], problem: 'refused' } }
  loadedOrder = { ...changeable, mayChange: false }
  openForm()
  await eventually(() => expect(pageText()).toContain(message))
  expect(pageText()).toContain('Nothing more can be added to this order')
  expect(await readDraft(database, key)).toBeUndefined()
})

test('the order screen polls the outcome too, and completes the payment only on request', async () => {
  const lostPayment = await loseRequestAndReturn()
  history.replaceState(null, '', `/riverside/1/order/${order.orderNumber}`)
  render(<ConfirmationScreen {...route} PendingAddition={OrderIncreaseInProgress} />)
  await eventually(() => expect(pageText()).toContain(startedMessage))
  expect([payments.length, polls]).toEqual([1, [`GET ${lostPayment.attemptId}`]])
  click(getButton('Finish'))
  await eventually(() => expect(pageText()).not.toContain(startedMessage))
  await eventually(async () => expect(await readDraft(database, key)).toBeUndefined())
  expect(payments[1]).toEqual(lostPayment)
})

test('the bank’s authentication is shown, and its answer is sent with the same attempt', async () => {
  const action = { provider: 'test', clientSecret: null, publishableKey: null, account: null }
  respond = () => ({ status: 200, body: { data: { outcome: 'requires-action', orderNumber: null, action } } })
  await chooseThree()
  typeCard()
  click(getButton('Pay $27.00'))
  await eventually(() => expect(pageText()).toContain('Is this payment of $27.00 yours?'))
  respond = ordered
  click(getButton('Confirm'))
  await expectOrderScreen()
  expect(payments[1]).toMatchObject({ attemptId: payments[0]?.attemptId, authentication: 'confirmed' })
})

test('a rejection by the server is shown and ends the attempt', async () => {
  const message =
    'Your order was changed, or went to the lab, while you paid. Nothing was added, and $27.00 will be refunded to your card'
  respond = () => ({ status: 422, body: { errors: [message], problem: 'refused' } })
  await chooseThree()
  typeCard()
  click(getButton('Pay $27.00'))
  await eventually(() => expect(pageText()).toContain(message))
  expect(location.pathname).toContain('/more')
  expect(await readDraft(database, key)).toBeUndefined()
})

test('an order increase is no longer offered once the order is at the lab', async () => {
  loadedOrder = { ...changeable, mayChange: false }
  openForm()
  await eventually(() => expect(pageText()).toContain('Nothing more can be added to this order'))
})
