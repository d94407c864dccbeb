import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OrderExtras } from '#client/customer/orders/order-extras.tsx'
import type { ReductionQuote } from '#contract/customer/order-adjustment-calls.ts'
import { click, countElements, fire, getButton, getElement, render, waitForPage } from '#support/rendering/render.tsx'
import { ToastHost } from '#ui/toast/toast-host.tsx'
import { order } from './order-examples.ts'

const [first] = order.lines
if (!first) throw new Error('an order has lines')
const changeable = {
  ...order,
  mayChange: true,
  lines: [
    { ...first, lineId: 31 },
    { ...first, lineId: 32, packageName: 'Mug', quantity: 1 },
  ],
}
const totals = { ...order.totals, totalCents: 3095 }
const smaller: ReductionQuote = { totals, backCents: 2500, cancels: false, goesToo: [], endedCode: null }

/** The requests, and the server's response; null if unreachable. */
let sent: { path: string; body: unknown }[]
let answers: ((path: string) => { status: number; body: object }) | null
let changed: number

const words = () => document.body.textContent ?? ''
const asks = (path: 'price' | 'fewer') => sent.filter((one) => one.path.endsWith(path))

const pricing = (priced: ReductionQuote) => (path: string) =>
  path.endsWith('price') ? { status: 200, body: { data: priced } } : { status: 200, body: { data: changeable } }

const open = (of = changeable) => {
  const route = { studioSlug: 'riverside', jobId: 1 }
  const onChanged = () => {
    changed += 1
  }
  render(
    <>
      <OrderExtras order={of} route={route} onChanged={onChanged} />
      <ToastHost />
    </>,
  )
  click(getButton('Take something off'))
}

const keep = (label: string, left: string) => {
  const found = [...document.querySelectorAll('select')].find((each) =>
    [...each.labels].some((tag) => tag.textContent?.includes(label)),
  )
  if (!found) throw new Error(`nothing asks for ${label}`)
  found.value = left
  fire(found, new Event('change', { bubbles: true }))
}

beforeEach(() => {
  sent = []
  changed = 0
  answers = pricing(smaller)
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    sent.push({ path: url, body: JSON.parse(String(init?.body ?? '{}')) })
    if (!answers) throw new TypeError('Failed to fetch')
    const { status, body } = answers(url)
    return new Response(JSON.stringify(body), { status })
  })
})

afterEach(() => vi.unstubAllGlobals())

test('reducing an order shows the refund before the tap and sends the amount shown', async () => {
  open()
  expect(countElements('select')).toBe(2)
  expect(words()).not.toContain('Take it off')
  keep('Keepsake', '1')
  await waitForPage(() => expect(words()).toContain('$25.00 will go back to your card ending 4242'))
  expect(words()).toContain('What is left comes to $30.95.')
  expect(asks('price')).toMatchObject([{ body: { packages: [{ lineId: 31, quantity: 1 }] } }])
  expect(asks('fewer')).toEqual([])
  click(getButton('Take it off'))
  await waitForPage(() => expect(changed).toBe(1))
  expect(asks('fewer')).toMatchObject([{ body: { packages: [{ lineId: 31, quantity: 1 }], backCents: 2500 } }])
  await waitForPage(() => expect(countElements('select')).toBe(0))
  expect(document.activeElement?.textContent).toBe('Take something off')
})

test('reducing an order lists what is removed with it and which code no longer applies', async () => {
  answers = pricing({ ...smaller, goesToo: ['Mug', 'Gift box'], endedCode: 'SAVE10' })
  open()
  keep('Keepsake', '0')
  await waitForPage(() => expect(words()).toContain('Mug, Gift box cannot stand without it and goes too.'))
  expect(words()).toContain('The code SAVE10 does not hold for what is left.')
})

test('removing the last package cancels the order, which the button says', async () => {
  answers = pricing({ ...smaller, cancels: true, backCents: 5595 })
  open()
  keep('Keepsake', '0')
  keep('Mug', '0')
  await waitForPage(() => expect(words()).toContain('That is the last of it: the order is cancelled'))
  expect(words()).toContain('$55.95 will go back to your card ending 4242.')
  expect(getButton('Cancel the order')).toBeDefined()
})

test('a refund that changed meanwhile is reported and shown again before anything happens', async () => {
  open()
  keep('Keepsake', '1')
  await waitForPage(() => expect(words()).toContain('$25.00 will go back'))
  const errors = ['By now $24.00 would go back. Please look it over']
  answers = (path) =>
    path.endsWith('price')
      ? { status: 200, body: { data: { ...smaller, backCents: 2400 } } }
      : { status: 422, body: { errors, problem: 'totals-changed' } }
  click(getButton('Take it off'))
  await waitForPage(() => expect(words()).toContain('By now $24.00 would go back.'))
  await waitForPage(() => expect(words()).toContain('$24.00 will go back to your card'))
  expect(changed).toBe(0)
})

test('a reason against the reduction replaces the amount', async () => {
  const why = 'Pictures of this were downloaded already. Ask the studio if something has to be changed'
  answers = () => ({ status: 422, body: { errors: [why], problem: 'refused' } })
  open()
  keep('Mug', '0')
  await waitForPage(() => expect(words()).toContain(why))
  expect(words()).not.toContain('Take it off')
})

test('offline it says so, keeps the choice, and continues with one tap', async () => {
  answers = null
  open()
  keep('Keepsake', '1')
  await waitForPage(() => expect(words()).toContain('This needs a connection'))
  expect(getElement<HTMLSelectElement>('select').value).toBe('1')
  answers = pricing(smaller)
  click(getButton('Try again'))
  await waitForPage(() => expect(words()).toContain('$25.00 will go back'))
})

test('reducing is not offered for a single package, or once the order is at the lab', () => {
  const single = { ...changeable, lines: changeable.lines.slice(1) }
  const route = { studioSlug: 'riverside', jobId: 1 }
  render(<OrderExtras order={single} route={route} onChanged={() => undefined} />)
  expect(words()).toContain('Change texts and pictures')
  expect(words()).not.toContain('Take something off')
  document.body.replaceChildren()
  render(<OrderExtras order={{ ...changeable, mayChange: false }} route={route} onChanged={() => undefined} />)
  expect(words()).not.toContain('Change texts and pictures')
})
