import 'fake-indexeddb/auto'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { AcceptHandOverScreen } from '#client/customer/transfer/accept-hand-over-screen.tsx'
import { emptyCart } from '#domain/cart/cart.ts'
import { readCart } from '#local/cart.ts'
import { readOrderNote } from '#local/store/cart-became-order.ts'
import { database, stamp } from '#platform/database.ts'
import { online } from '#platform/online.ts'
import { addLine } from '#support/device/add-line.ts'
import { click, countElements, getButton, getElement, render } from '#support/rendering/render.tsx'
import { lineOf, noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'

const route = { studioSlug: 'riverside', jobId: 1 }
const token = 'A'.repeat(22)
const cart = {
  ...emptyCart(1, 'gallery'),
  id: 5,
  version: 2,
  cartPackages: [lineOf(packageOf({ id: 100, name: 'Portrait', items: [] }))],
}

/** The server's response to accepting, null if unreachable; and the requests it received. */
let acceptResponse: { status: number; body: object } | null
let requests: { token: string; secret: string; holdsCart: boolean }[]

/** Whether the server responds at all. */
let isReachable: boolean

const fetchStub = async (url: string, init?: RequestInit) => {
  if (!isReachable) throw new TypeError('Failed to fetch')
  const response = (data: unknown) => new Response(JSON.stringify({ data }))
  if (String(url).endsWith('/customer/hand-over')) {
    requests.push(JSON.parse(String(init?.body)))
    if (!acceptResponse) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(acceptResponse.body), { status: acceptResponse.status })
  }
  if (String(url).endsWith('/carts')) return response([{ orderMethod: 'gallery', id: 5, version: 2 }])
  if (String(url).includes('/cart?')) return response(cart)
  return new Response(JSON.stringify({ errors: ['no'], problem: 'not-found' }), { status: 404 })
}

const acceptedResponse = {
  status: 200,
  body: { data: { jobId: 1, studioId: 1, orderMethod: 'gallery', joined: true } },
}
const rejection = (status: number, problem: string) => ({ status, body: { errors: ['No'], problem } })

const eventually = async (check: () => unknown) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi
    .waitFor(check, { timeout: 10_000 })
    .finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}
/** Opens the screen by a code’s URL, and agrees to continue on this device. */
const openScreen = () => {
  render(<AcceptHandOverScreen {...route} />)
  expect(title()).toBe('Continue on this device?')
  expect(document.activeElement).toBe(document.body)
  expect(requests).toEqual([])
  click(getButton('Continue here'))
}
const title = () => getElement('h1').textContent

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
  requests = []
  online.set(true)
  isReachable = true
  window.localStorage.clear()
  vi.stubGlobal('fetch', fetchStub)
  window.history.replaceState(null, '', `/riverside/1/continue#${token}`)
})
afterAll(() => vi.unstubAllGlobals())

test('accepting loads the cart and opens it after the customer agrees, and the token leaves the URL', async () => {
  acceptResponse = acceptedResponse
  openScreen()
  expect(window.location.hash).toBe('')
  await eventually(() => expect(window.location.pathname).toBe('/riverside/1/cart'))
  expect(requests).toMatchObject([{ token, holdsCart: false }])
  expect(requests[0]?.secret).toMatch(/^[\w-]{22}$/)
  expect((await readCart(database, 1, 'gallery')).cart).toEqual(cart)
  expect(await readOrderNote(database, { jobId: 1, orderMethod: 'gallery' })).toBeNull()
})

test('accepting waits for a connection, and retries with the same secret', async () => {
  acceptResponse = null
  openScreen()
  await eventually(() => expect(title()).toBe('Not quite yet'))
  expect(getElement('main').textContent).toContain('You’re offline')
  // The tapped button is gone: focus moves to what replaced it.
  await eventually(() => expect(document.activeElement).toBe(getElement('h1')))
  acceptResponse = acceptedResponse
  click(getButton('Try again'))
  await eventually(() => expect(window.location.pathname).toBe('/riverside/1/cart'))
  expect(new Set(requests.map(({ secret }) => secret)).size).toBe(1)
})

test('accepting first ends a session that was finished offline, which needs a connection', async () => {
  acceptResponse = acceptedResponse
  isReachable = false
  window.localStorage.setItem('pending-logout', '1')
  openScreen()
  await eventually(() => expect(title()).toBe('Not quite yet'))
  expect(requests).toEqual([])
  isReachable = true
  click(getButton('Try again'))
  await eventually(() => expect(window.location.pathname).toBe('/riverside/1/cart'))
  expect(window.localStorage.getItem('pending-logout')).toBeNull()
})

test('a used or expired code shows what to do', async () => {
  acceptResponse = rejection(404, 'not-found')
  openScreen()
  await eventually(() => expect(title()).toBe('This code has expired'))
  expect(getElement('main').textContent).toContain('choose “Continue on another device”')
  expect(getElement('a[href="/riverside"]').textContent).toBe('Enter the event’s code instead')
})

test('without a code nothing is requested', async () => {
  window.history.replaceState(null, '', '/riverside/1/continue')
  render(<AcceptHandOverScreen {...route} />)
  await eventually(() => expect(title()).toBe('This code has expired'))
  expect(requests).toEqual([])
})

test('a device with a cart of its own keeps it, and offers to open it or to finish here and continue', async () => {
  const key = { jobId: 2, orderMethod: 'gallery' } as const
  const snapshot = snapshotOf(packageOf({ id: 100, name: 'Portrait', items: [] }))
  await addLine(database, stamp, { ...key, snapshot, subjectId: 7, personId: null, quantity: 1, content: noContent })
  await database.codes.put({ jobId: 2, code: 'FALL', studioSlug: 'summit', studioId: 2, subjectId: null })
  acceptResponse = rejection(409, 'own-cart')
  openScreen()
  await eventually(() => expect(title()).toBe('This phone has a cart of its own'))
  expect(requests).toMatchObject([{ holdsCart: true }])
  await eventually(() => expect(countElements('a[href="/summit/2/cart"]')).toBe(1))
  expect(getButton('Finish here and continue')).toBeDefined()
  expect((await readCart(database, 2, 'gallery')).lines).toHaveLength(1)
})
