import 'fake-indexeddb/auto'
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ReminderButton } from '#client/customer/reminders/reminder-button.tsx'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { waitForDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { JobContext, type JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { type CartReminder, getReminder } from '#contract/customer/reminder-calls.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { clearQueryCache, useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { online } from '#platform/online.ts'
import {
  cleanUp,
  click,
  countElements,
  getButton,
  getElement,
  render,
  type,
  waitForPage,
} from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { lineOf, packageOf } from '#tests/domain/cart/cart-fixtures.ts'

const openLabel = 'Email me a reminder'
let answer: CartReminder
let isReachable: boolean
const writes: { method: string; url: string; body: unknown }[] = []

const respond = async (url: string, { method = 'GET', body }: RequestInit = {}) => {
  if (!isReachable) throw new TypeError('Failed to fetch')
  if (url === '/api/health') return Response.json({ data: { status: 'ok', build: 'test' } })
  if (method !== 'GET') {
    const input = body ? JSON.parse(String(body)) : null
    writes.push({ method, url, body: input })
    answer = { ...answer, reminder: input && { email: input.email, kinds: input.kinds } }
  }
  return Response.json({ data: answer })
}

const renderButton = (context: Partial<JobContextValue> = {}, sibling?: ReactNode) =>
  render(
    <JobContext value={springJobContext(context)}>
      <ReminderButton />
      {sibling}
    </JobContext>,
  )

/** Shows that the cart and its reminders have loaded: in the same commit as the button, which reads both. */
const Loaded = () => {
  const cart = useCart(1, 'gallery')?.cart
  const query = useQuery(getReminder, cart?.id ? { params: { jobId: 1 }, query: { cartId: cart.id } } : null)
  return <output>{cart && !query.loading && 'loaded'}</output>
}

const emailInput = () => getElement<HTMLInputElement>('[role=dialog] input[name=email]')
const dialogText = () => getElement('[role=dialog]').textContent ?? ''
const open = async () => {
  await waitForPage(() => getButton(openLabel))
  click(getButton(openLabel))
  await waitForPage(emailInput)
}
const checkbox = (label: string) => {
  const found = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)
  return getElement<HTMLInputElement>(`#${CSS.escape(found?.htmlFor ?? '')}`)
}

const storeCart = async (id: number | null) => {
  const cartPackages = [lineOf(packageOf({ id: 100, name: 'Portrait', items: [] }))]
  const cart = { ...emptyCart(1, 'gallery'), id, version: 2, cartPackages }
  await database.carts.put({
    jobId: 1,
    orderMethod: 'gallery',
    cart,
    retiredCartId: null,
    writing: crypto.randomUUID(),
  })
}

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
  await storeCart(5)
  answer = { offered: ['order-by', 'cart'], reminder: null }
  isReachable = true
  writes.length = 0
  online.set(true)
  vi.stubGlobal('fetch', respond)
})
afterEach(async () => {
  cleanUp()
  await waitForDraft('reminder 1 gallery')
  clearQueryCache()
  vi.unstubAllGlobals()
})

test('a customer leaves an address, sees where reminders go, and stops them', async () => {
  renderButton({ job: { ...springJobContext().job, orderBy: '2027-04-29' } })
  await open()
  expect(dialogText()).toContain('I agree that Riverside Portraits sends these reminders to this address')
  expect(checkbox('About this cart, if I leave it').checked).toBe(true)
  click(checkbox('Before 04/29/2027, the last day to order'))
  type(emailInput(), ' anne@example.com ')
  click(getButton('Remind me'))
  await waitForPage(() => expect(dialogText()).toContain('Reminders go to anne@example.com'))
  expect(writes).toEqual([
    {
      method: 'PUT',
      url: '/api/customer/jobs/1/cart/reminder',
      body: { cartId: 5, email: 'anne@example.com', kinds: ['order-by', 'cart'] },
    },
  ])
  getButton('Email reminders are on')
  click(getButton('Stop reminders'))
  // What was sent is not typed again on this device.
  await waitForPage(() => expect(emailInput().value).toBe(''))
  expect(writes.at(-1)).toEqual({ method: 'DELETE', url: '/api/customer/jobs/1/cart/reminder?cartId=5', body: null })
  getButton(openLabel)
})

test('a missing address and an empty choice are reported, and nothing is sent', async () => {
  renderButton()
  await open()
  click(checkbox('About this cart, if I leave it'))
  click(getButton('Remind me'))
  await waitForPage(() => expect(dialogText()).toContain('Choose at least one'))
  expect(dialogText()).toContain('This field is required')
  type(emailInput(), 'anne@')
  click(getButton('Remind me'))
  await waitForPage(() => expect(dialogText()).not.toContain('This field is required'))
  expect(writes).toEqual([])
})

test('offline the form says that it needs a connection, and what was typed is there after a reload', async () => {
  isReachable = false
  renderButton()
  await open()
  type(emailInput(), 'anne@example.com')
  act(() => online.set(false))
  await waitForPage(() =>
    expect(dialogText()).toContain('You’re offline: this needs a connection. What you typed is saved.'),
  )
  click(getButton('Remind me'))
  expect(getElement('[role=dialog] [role=alert]').textContent).toContain('this needs a connection')
  expect(emailInput().value).toBe('anne@example.com')
  cleanUp()
  document.body.replaceChildren()
  isReachable = true
  act(() => online.set(true))
  renderButton()
  await open()
  expect(emailInput().value).toBe('anne@example.com')
  click(getButton('Remind me'))
  await waitForPage(() => expect(dialogText()).toContain('Reminders go to anne@example.com'))
})

test('an address that could not be sent stays', async () => {
  renderButton()
  await open()
  type(emailInput(), 'anne@example.com')
  vi.stubGlobal('fetch', async () =>
    Response.json({ errors: ['Please try again later'], problem: 'slow-down' }, { status: 429 }),
  )
  click(getButton('Remind me'))
  await waitForPage(() =>
    expect(getElement('[role=dialog] [role=alert]').textContent).toContain('Please try again later'),
  )
  expect(emailInput().value).toBe('anne@example.com')
})

test.each<[string, Partial<CartReminder>, number | null, Partial<JobContextValue>]>([
  ['the studio sends none', { offered: [] }, 5, {}],
  ['the server does not have the cart yet', {}, null, {}],
  ['orders have closed', {}, 5, { closedReason: 'Ordering has ended' }],
])('no reminder is offered if %s', async (_, data, cartId, context) => {
  answer = { ...answer, ...data }
  await storeCart(cartId)
  renderButton(context, <Loaded />)
  await waitForPage(() => expect(getElement('output').textContent).toBe('loaded'))
  expect(countElements('button')).toBe(0)
})
