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
import { lineOf, noContent, packageOf, snapshotOf } from '../../../domain/cart/cart-fixtures.ts'

const route = { studioSlug: 'riverside', jobId: 1 }
const token = 'A'.repeat(22)
const cart = {
  ...emptyCart(1, 'gallery'),
  id: 5,
  version: 2,
  cartPackages: [lineOf(packageOf({ id: 100, name: 'Portrait', items: [] }))],
}

/** The server's response to accepting, null if unreachable; and the requests it received. */
let taking: { status: number; body: object } | null
let sent: { token: string; secret: string; holdsCart: boolean }[]

/** Whether the server responds at all. */
let reached: boolean

const fetching = async (url: string, init?: RequestInit) => {
  if (!reached) throw new TypeError('Failed to fetch')
  const response = (data: unknown) => new Response(JSON.stringify({ data }))
  if (String(url).endsWith('/customer/hand-over')) {
    sent.push(JSON.parse(String(init?.body)))
    if (!taking) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(taking.body), { status: taking.status })
  }
  if (String(url).endsWith('/carts')) return response([{ orderMethod: 'gallery', id: 5, version: 2 }])
  if (String(url).includes('/cart?')) return response(cart)
  return new Response(JSON.stringify({ errors: ['no'], problem: 'not-found' }), { status: 404 })
}

const joined = { status: 200, body: { data: { jobId: 1, studioId: 1, orderMethod: 'gallery', joined: true } } }
const refused = (status: number, problem: string) => ({ status, body: { errors: ['No'], problem } })

const shows = async (look: () => unknown) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi
    .waitFor(look, { timeout: 10_000 })
    .finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}
/** Opens the screen on the device that created the code. */
const open = () => {
  render(<AcceptHandOverScreen {...route} />)
  expect(title()).toBe('Continue on this device?')
  expect(document.activeElement).toBe(document.body)
  expect(sent).toEqual([])
  click(getButton('Continue here'))
}
const title = () => getElement('h1').textContent

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
  sent = []
  online.set(true)
  reached = true
  window.localStorage.clear()
  vi.stubGlobal('fetch', fetching)
  window.history.replaceState(null, '', `/riverside/1/continue#${token}`)
})
afterAll(() => vi.unstubAllGlobals())

test('accepting loads the cart and opens it after the customer agrees, and the token leaves the URL', async () => {
  taking = joined
  open()
  expect(window.location.hash).toBe('')
  await shows(() => expect(window.location.pathname).toBe('/riverside/1/cart'))
  expect(sent).toMatchObject([{ token, holdsCart: false }])
  expect(sent[0]?.secret).toMatch(/^[\w-]{22}$/)
  expect((await readCart(database, 1, 'gallery')).cart).toEqual(cart)
  expect(await readOrderNote(database, { jobId: 1, orderMethod: 'gallery' })).toBeNull()
})

test('accepting waits for a connection, and retries with the same secret', async () => {
  taking = null
  open()
  await shows(() => expect(title()).toBe('Not quite yet'))
  expect(getElement('main').textContent).toContain('There is no connection right now')
  // The tapped button is gone: focus moves to what replaced it.
  await shows(() => expect(document.activeElement).toBe(getElement('h1')))
  taking = joined
  click(getButton('Try again'))
  await shows(() => expect(window.location.pathname).toBe('/riverside/1/cart'))
  expect(new Set(sent.map(({ secret }) => secret)).size).toBe(1)
})

test('accepting also waits for a connection if a session finished offline still has to end', async () => {
  taking = joined
  reached = false
  window.localStorage.setItem('session-to-end', '1')
  open()
  await shows(() => expect(title()).toBe('Not quite yet'))
  expect(sent).toEqual([])
  reached = true
  click(getButton('Try again'))
  await shows(() => expect(window.location.pathname).toBe('/riverside/1/cart'))
  expect(window.localStorage.getItem('session-to-end')).toBeNull()
})

test('a used or expired code says what to do, and so does a URL without one', async () => {
  taking = refused(404, 'not-found')
  open()
  await shows(() => expect(title()).toBe('This code is no longer good'))
  expect(getElement('main').textContent).toContain('choose “Continue on another device”')
  expect(getElement('a[href="/riverside"]').textContent).toBe('Enter the event’s code instead')
})

test('without a code nothing is requested', async () => {
  window.history.replaceState(null, '', '/riverside/1/continue')
  render(<AcceptHandOverScreen {...route} />)
  await shows(() => expect(title()).toBe('This code is no longer good'))
  expect(sent).toEqual([])
})

test('a device with its own cart keeps it, and is offered both options', async () => {
  const key = { jobId: 2, orderMethod: 'gallery' } as const
  const snapshot = snapshotOf(packageOf({ id: 100, name: 'Portrait', items: [] }))
  await addLine(database, stamp, { ...key, snapshot, subjectId: 7, personId: null, quantity: 1, content: noContent })
  await database.codes.put({ jobId: 2, code: 'FALL', studioSlug: 'summit', studioId: 2, subjectId: null })
  taking = refused(409, 'own-cart')
  open()
  await shows(() => expect(title()).toBe('This phone has a cart of its own'))
  expect(sent).toMatchObject([{ holdsCart: true }])
  await shows(() => expect(countElements('a[href="/summit/2/cart"]')).toBe(1))
  expect(getButton('Finish here and continue')).toBeDefined()
  expect((await readCart(database, 2, 'gallery')).lines).toHaveLength(1)
})
