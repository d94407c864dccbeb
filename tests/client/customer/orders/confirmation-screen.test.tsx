import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConfirmationScreen } from '#client/customer/orders/confirmation-screen.tsx'
import { readOrder, saveOrder } from '#local/store/stored-orders.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database, stamp } from '#platform/database.ts'
import { click, getButton, render } from '#support/rendering/render.tsx'
import { nameAndYear } from '#tests/domain/cart/order-service-fixtures.ts'
import { order } from './order-examples.ts'

const route = { studioSlug: 'riverside', jobId: 1, orderNumber: order.orderNumber }
const pageText = () => document.body.textContent

/** Renders the screen and waits for asynchronous changes, outside of `act`. */
const renderUntilText = async (text: string) => {
  render(<ConfirmationScreen {...route} PendingAddition={() => null} />)
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(() => expect(pageText()).toContain(text))
}

const refund = { amountCents: 100, state: 'done', at: '2027-04-02T10:00:00.000Z', creditNote: 'CN-2027-000012' }

const respondWith = (status: number, body: object) => async () => new Response(JSON.stringify(body), { status })
const failFetch = async () => {
  throw new TypeError('Failed to fetch')
}

beforeEach(() => database.orders.clear())

afterEach(() => {
  vi.unstubAllGlobals()
  clearQueryCache()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

test('an order is shown completely and stored for offline use', async () => {
  vi.stubGlobal('fetch', respondWith(200, { data: order }))
  await renderUntilText('FP-ABCD1234')
  for (const text of ['2 × Keepsake', 'Ada Lovelace', '12 Analytical Way', '$55.95', 'hello@riverside.test']) {
    expect(pageText()).toContain(text)
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
  vi.stubGlobal('fetch', respondWith(200, { data: { ...order, lines: [line, ...services] } }))
  await renderUntilText('“Ada L.” and “2027” on all prints')
  expect(pageText()).toContain('The photo in Keepsake, Memory Mate')
  expect(pageText()).toContain('A photo not in a package')
})

test('downloads are listed by their own names, without shipping or batch delivery', async () => {
  const items = [{ name: 'SDD', productCode: 'SingleDigDown', texts: [] }]
  const lines = order.lines.map((line) => ({ ...line, items }))
  const files = { ...order, lines, delivery: 'download', shippingName: '', shippingAddress: null }
  vi.stubGlobal('fetch', respondWith(200, { data: files }))
  await renderUntilText('Single Digital Download')
  expect(pageText()).not.toContain('SDD')
  expect(pageText()).not.toMatch(/Studio Shipping|handed out|ship(ped)? to/i)
})

test('the dates of an order are shown, with a calendar link', async () => {
  const dates = [
    { name: 'Picture day', on: '2027-05-01' },
    { name: 'Photos are online until', on: '2027-06-01' },
  ]
  vi.stubGlobal('fetch', respondWith(200, { data: { ...order, dates } }))
  await renderUntilText('Dates')
  click(getButton('Dates'))
  await renderUntilText('Picture day')
  const times = [...document.querySelectorAll('time')].map((time) => [time.dateTime, time.textContent])
  expect(times).toEqual([
    ['2027-05-01', '05/01/2027'],
    ['2027-06-01', '06/01/2027'],
  ])
  const link = document.querySelector('a[href="/api/customer/jobs/1/orders/FP-ABCD1234/dates.ics"]')
  expect(link?.textContent).toBe('Add them to your calendar')
})

test('an order without dates has no calendar link', async () => {
  vi.stubGlobal('fetch', respondWith(200, { data: { ...order, dates: [], refunds: [refund] } }))
  await renderUntilText('Refunds')
  expect(pageText()).not.toContain('calendar')
})

test('a refund has a link to its credit note', async () => {
  vi.stubGlobal('fetch', respondWith(200, { data: { ...order, refunds: [refund] } }))
  await renderUntilText('Credit note CN-2027-000012')
  const link = document.querySelector('a[href$="/orders/FP-ABCD1234/documents/CN-2027-000012.pdf"]')
  expect(link?.textContent).toBe('Credit note CN-2027-000012 (PDF)')
})

test('an order has a link to its receipt', async () => {
  vi.stubGlobal('fetch', respondWith(200, { data: order }))
  await renderUntilText('Receipt (PDF)')
  const link = document.querySelector('a[href="/api/customer/jobs/1/orders/FP-ABCD1234/documents/receipt.pdf"]')
  expect(link?.textContent).toBe('Receipt (PDF)')
  expect(link?.hasAttribute('download')).toBe(true)
})

test('an order seen before is shown offline', async () => {
  await saveOrder(database, stamp, order)
  vi.stubGlobal('fetch', failFetch)
  await renderUntilText('Order for another child')
  expect(pageText()).toContain('$55.95')
})

test('an order just placed shows its number while offline', async () => {
  await database.orders.put({ orderNumber: order.orderNumber, jobId: 1, order: null, keptAt: stamp.now() })
  vi.stubGlobal('fetch', failFetch)
  await renderUntilText('FP-ABCD1234')
  expect(pageText()).toContain('Your order is placed')
})

test('another customer’s order is not shown, and can be searched by number and email', async () => {
  vi.stubGlobal('fetch', respondWith(404, { errors: ['We could not find this'], problem: 'not-found' }))
  await renderUntilText('Find your order')
  expect(document.querySelector('a[href="/"]')?.textContent).toBe('Find it by number and email')
})

test('an order that was never opened on this device needs a connection', async () => {
  vi.stubGlobal('fetch', failFetch)
  await renderUntilText('We can’t show this order right now')
  expect(pageText()).toContain('Try again')
})

test('refunds are shown with their progress, and a cancelled order cannot be cancelled again', async () => {
  const refunds = [
    { amountCents: 1000, state: 'done', at: '2027-03-02T10:00:00.000Z', creditNote: 'CN-2027-000001' },
    { amountCents: 4595, state: 'pending', at: '2027-03-03T10:00:00.000Z', creditNote: null },
  ]
  vi.stubGlobal('fetch', respondWith(200, { data: { ...order, state: 'cancelled', refunds, mayCancel: false } }))
  await renderUntilText('$10.00 was refunded on 03/02/2027')
  expect(pageText()).toContain('$45.95 is being refunded')
  expect(pageText()).not.toContain('Cancel this order')
})
