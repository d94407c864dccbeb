import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConfirmationScreen } from '#client/customer/orders/confirmation-screen.tsx'
import { readOrder, saveOrder } from '#local/checkout.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database, stamp } from '#platform/database.ts'
import { click, getButton, render } from '#support/rendering/render.tsx'
import { nameAndYear } from '../../../domain/cart/order-service-fixtures.ts'
import { order } from './order-examples.ts'

const route = { studioSlug: 'riverside', jobId: 1, orderNumber: order.orderNumber }
const words = () => document.body.textContent

/** Renders the screen and waits for asynchronous changes, outside of `act`. */
const shows = async (text: string) => {
  render(<ConfirmationScreen {...route} PendingAddition={() => null} />)
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(() => expect(words()).toContain(text))
}

const refund = { amountCents: 100, state: 'done', at: '2027-04-02T10:00:00.000Z' }

const answering = (status: number, body: object) => async () => new Response(JSON.stringify(body), { status })
const cutOff = async () => {
  throw new TypeError('Failed to fetch')
}

beforeEach(() => database.orders.clear())

afterEach(() => {
  vi.unstubAllGlobals()
  clearQueryCache()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

test('an order is shown completely and stored for offline use', async () => {
  vi.stubGlobal('fetch', answering(200, { data: order }))
  await shows('FP-ABCD1234')
  for (const text of ['2 × Keepsake', 'Ada Lovelace', '12 Analytical Way', '$55.95', 'hello@riverside.test']) {
    expect(words()).toContain(text)
  }
  await vi.waitFor(async () => expect((await readOrder(database, order.orderNumber))?.order).toEqual(order))
})

test('a service shows what it prints, or which image it is for', async () => {
  const [line] = order.lines
  const services = [
    { ...line, packageName: 'Name and year', items: [], personalization: nameAndYear('Ada L.') },
    { ...line, packageName: 'Basic', items: [], retouchedIn: ['Keepsake', 'Memory Mate'] },
    { ...line, packageName: 'Premium', items: [], retouchedIn: [] },
  ]
  vi.stubGlobal('fetch', answering(200, { data: { ...order, lines: [line, ...services] } }))
  await shows('“Ada L.” and “2027” on all prints')
  expect(words()).toContain('The photo in Keepsake, Memory Mate')
  expect(words()).toContain('A photo that is in no package')
})

test('downloads are listed by their own names, without shipping or batch delivery', async () => {
  const items = [{ name: 'SDD', productCode: 'SingleDigDown', texts: [] }]
  const lines = order.lines.map((line) => ({ ...line, items }))
  const files = { ...order, lines, delivery: 'download', shippingName: '', shippingAddress: null }
  vi.stubGlobal('fetch', answering(200, { data: files }))
  await shows('Single Digital Download')
  expect(words()).not.toContain('SDD')
  expect(words()).not.toMatch(/Studio Shipping|handed out|mailed to/i)
})

test('its dates are shown, with a calendar link while online', async () => {
  const dates = [
    { name: 'Picture day', on: '2027-05-01' },
    { name: 'Pictures are online until', on: '2027-06-01' },
  ]
  vi.stubGlobal('fetch', answering(200, { data: { ...order, dates } }))
  await shows('Dates')
  click(getButton('Dates'))
  await shows('Picture day')
  const times = [...document.querySelectorAll('time')].map((one) => [one.dateTime, one.textContent])
  expect(times).toEqual([
    ['2027-05-01', '05/01/2027'],
    ['2027-06-01', '06/01/2027'],
  ])
  const link = document.querySelector('a[href="/api/customer/jobs/1/orders/FP-ABCD1234/dates.ics"]')
  expect(link?.textContent).toBe('Add them to your calendar')
})

test('an order without dates has no calendar link', async () => {
  vi.stubGlobal('fetch', answering(200, { data: { ...order, dates: [], refunds: [refund] } }))
  await shows('Given back')
  expect(words()).not.toContain('calendar')
})

test('an order seen before is shown offline', async () => {
  await saveOrder(database, stamp, order)
  vi.stubGlobal('fetch', cutOff)
  await shows('Order for another child')
  expect(words()).toContain('$55.95')
})

test('an order just placed shows its number, online or offline', async () => {
  await database.orders.put({ orderNumber: order.orderNumber, jobId: 1, order: null, keptAt: stamp.now() })
  vi.stubGlobal('fetch', cutOff)
  await shows('FP-ABCD1234')
  expect(words()).toContain('Your order is placed')
})

test('another customer’s order is not shown, and can be searched by number and email', async () => {
  vi.stubGlobal('fetch', answering(404, { errors: ['We could not find this'], problem: 'not-found' }))
  await shows('Find your order')
  expect(document.querySelector('a[href="/"]')?.textContent).toBe('Find it by number and e-mail')
})

test('an order never seen here says that it needs a connection', async () => {
  vi.stubGlobal('fetch', cutOff)
  await shows('We can’t show this order right now')
  expect(words()).toContain('Try again')
})

test('a refund is shown with its progress', async () => {
  const refunds = [
    { amountCents: 1000, state: 'done', at: '2027-03-02T10:00:00.000Z' },
    { amountCents: 4595, state: 'pending', at: '2027-03-03T10:00:00.000Z' },
  ]
  vi.stubGlobal('fetch', answering(200, { data: { ...order, state: 'cancelled', refunds, mayCancel: false } }))
  await shows('$10.00 was given back on 03/02/2027')
  expect(words()).toContain('$45.95 is on its way back')
  expect(words()).not.toContain('Cancel this order')
})
