import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OrderExtras } from '#client/customer/orders/order-extras.tsx'
import type { ReductionQuote } from '#contract/customer/order-adjustment-calls.ts'
import { click, countElements, getButton, render, waitForPage } from '#support/rendering/render.tsx'
import { ToastHost } from '#ui/toast/toast-host.tsx'
import { order } from './order-examples.ts'

const [firstLine] = order.lines
if (!firstLine) throw new Error('the example order has no lines')
const changeable = {
  ...order,
  mayChange: true,
  lines: [
    { ...firstLine, lineId: 31 },
    { ...firstLine, lineId: 32, packageName: 'Mug', quantity: 1 },
  ],
}
const totals = { ...order.totals, totalCents: 3095 }
const quote: ReductionQuote = { totals, refundCents: 2500, cancels: false, alsoRemoved: [], lostPromotionCode: null }

/** The requests, and the server's response; null if unreachable. */
let requests: { path: string; body: unknown }[]
let respond: ((path: string) => { status: number; body: object }) | null
let changeCount: number

const pageText = () => document.body.textContent ?? ''
const requestsTo = (path: 'price' | 'fewer') => requests.filter((request) => request.path.endsWith(path))

const respondWithQuote = (priced: ReductionQuote) => (path: string) =>
  path.endsWith('price') ? { status: 200, body: { data: priced } } : { status: 200, body: { data: changeable } }

const openForm = (shownOrder = changeable) => {
  const route = { studioSlug: 'riverside', jobId: 1 }
  const onChanged = () => {
    changeCount += 1
  }
  render(
    <>
      <OrderExtras order={shownOrder} route={route} onChanged={onChanged} />
      <ToastHost />
    </>,
  )
  click(getButton('Remove items'))
}

const stepperOf = (label: string): HTMLElement => {
  const stepper = [...document.querySelectorAll('fieldset')].find((candidate) =>
    candidate.textContent?.includes(`Quantity of ${label}`),
  )
  if (!stepper) throw new Error(`no quantity of ${label}`)
  return stepper
}

const quantityOf = (label: string): string | null | undefined => stepperOf(label).querySelector('output')?.textContent

/** Presses the button for one fewer until the quantity is reached. */
const chooseQuantity = async (label: string, quantity: string) => {
  for (let presses = 0; quantityOf(label) !== quantity && presses < 9; presses += 1) {
    const before = quantityOf(label)
    click(stepperOf(label).querySelector('button') as HTMLButtonElement) // the first one is for one fewer
    await waitForPage(() => expect(quantityOf(label)).not.toBe(before))
  }
  expect(quantityOf(label)).toBe(quantity)
}

beforeEach(() => {
  requests = []
  changeCount = 0
  respond = respondWithQuote(quote)
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    requests.push({ path: url, body: JSON.parse(String(init?.body ?? '{}')) })
    if (!respond) throw new TypeError('Failed to fetch')
    const { status, body } = respond(url)
    return new Response(JSON.stringify(body), { status })
  })
})

afterEach(() => vi.unstubAllGlobals())

test('reducing an order shows the refund before the tap and sends the amount shown', async () => {
  openForm()
  expect(countElements('fieldset')).toBe(2)
  expect(() => getButton('Remove')).toThrow()
  await chooseQuantity('Keepsake', '1')
  await waitForPage(() => expect(pageText()).toContain('We’ll refund $25.00 to your card ending 4242'))
  expect(pageText()).toContain('Your new total is $30.95.')
  expect(requestsTo('price')).toMatchObject([{ body: { packages: [{ lineId: 31, quantity: 1 }] } }])
  expect(requestsTo('fewer')).toEqual([])
  click(getButton('Remove'))
  await waitForPage(() => expect(changeCount).toBe(1))
  expect(requestsTo('fewer')).toMatchObject([{ body: { packages: [{ lineId: 31, quantity: 1 }], refundCents: 2500 } }])
  await waitForPage(() => expect(countElements('fieldset')).toBe(0))
  expect(document.activeElement?.textContent).toBe('Remove items')
})

test('reducing an order lists what is removed with it and which code no longer applies', async () => {
  respond = respondWithQuote({ ...quote, alsoRemoved: ['Mug', 'Gift box'], lostPromotionCode: 'SAVE10' })
  openForm()
  await chooseQuantity('Keepsake', '0')
  await waitForPage(() =>
    expect(pageText()).toContain('Mug, Gift box can’t be ordered without it and will be removed too.'),
  )
  expect(pageText()).toContain('The code SAVE10 no longer applies.')
})

test('removing the last package cancels the order, as the button shows', async () => {
  respond = respondWithQuote({ ...quote, cancels: true, refundCents: 5595 })
  openForm()
  await chooseQuantity('Keepsake', '0')
  await chooseQuantity('Mug', '0')
  await waitForPage(() => expect(pageText()).toContain('This was the last item: the order will be cancelled'))
  expect(pageText()).toContain('We’ll refund $55.95 to your card ending 4242.')
  expect(getButton('Cancel the order')).toBeDefined()
})

test('a refund that changed meanwhile is reported and shown again before anything happens', async () => {
  openForm()
  await chooseQuantity('Keepsake', '1')
  await waitForPage(() => expect(pageText()).toContain('We’ll refund $25.00'))
  const errors = ['The refund is now $24.00. Please check it']
  respond = (path) =>
    path.endsWith('price')
      ? { status: 200, body: { data: { ...quote, refundCents: 2400 } } }
      : { status: 422, body: { errors, problem: 'totals-changed' } }
  click(getButton('Remove'))
  await waitForPage(() => expect(pageText()).toContain('The refund is now $24.00.'))
  await waitForPage(() => expect(pageText()).toContain('We’ll refund $24.00 to your card'))
  expect(changeCount).toBe(0)
})

test('if the order cannot be reduced, the reason replaces the amount', async () => {
  const reason = 'Photos of this were already downloaded. Ask the studio if you need to change something'
  respond = () => ({ status: 422, body: { errors: [reason], problem: 'refused' } })
  openForm()
  await chooseQuantity('Mug', '0')
  await waitForPage(() => expect(pageText()).toContain(reason))
  expect(() => getButton('Remove')).toThrow()
})

test('offline the reduction reports that it needs a connection, and continues with one tap later', async () => {
  respond = null
  openForm()
  await chooseQuantity('Keepsake', '1')
  await waitForPage(() => expect(pageText()).toContain('This needs a connection'))
  expect(quantityOf('Keepsake')).toBe('1')
  respond = respondWithQuote(quote)
  click(getButton('Try again'))
  await waitForPage(() => expect(pageText()).toContain('We’ll refund $25.00'))
})

test('reducing is not offered for a single package, and no change is offered once the order is at the lab', () => {
  const orderOfOneLine = { ...changeable, lines: changeable.lines.slice(1) }
  const route = { studioSlug: 'riverside', jobId: 1 }
  render(<OrderExtras order={orderOfOneLine} route={route} onChanged={() => undefined} />)
  expect(pageText()).toContain('Change texts and photos')
  expect(pageText()).not.toContain('Remove items')
  document.body.replaceChildren()
  render(<OrderExtras order={{ ...changeable, mayChange: false }} route={route} onChanged={() => undefined} />)
  expect(pageText()).not.toContain('Change texts and photos')
})
