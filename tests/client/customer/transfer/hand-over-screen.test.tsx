import 'fake-indexeddb/auto'
import { act } from 'react'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { handOverBlocker } from '#client/customer/transfer/hand-over-blocker.ts'
import { minutesLeft } from '#client/customer/transfer/hand-over-code.tsx'
import { HandOverScreen } from '#client/customer/transfer/hand-over-screen.tsx'
import { emptyCart } from '#domain/cart/cart.ts'
import { database } from '#platform/database.ts'
import { online } from '#platform/online.ts'
import { click, countElements, getButton, getElement, render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { lineOf, packageOf } from '#tests/domain/cart/cart-fixtures.ts'

const route = { studioSlug: 'riverside', jobId: 1 }
const address = `https://fieldproof.test/riverside/1/continue#${'A'.repeat(22)}`
const qr = '<svg xmlns="http://www.w3.org/2000/svg"/>'

/** The server's status of the newest hand-over, and how many it created. */
let state: string
let newest: string
let createdCount: number

const responseData = (url: string, method: string | undefined) => {
  if (!url.endsWith('/hand-over')) return { data: [] }
  if (method !== 'POST') return { data: { id: newest, state } }
  createdCount += 1
  newest = `id-${createdCount}`
  state = 'waiting'
  return { data: { id: newest, address, qr, expiresAt: new Date(Date.now() + 9.5 * 60_000).toISOString() } }
}

/** Waits for pending work outside `act`, since live queries resolve by themselves. */
const eventually = async (check: () => unknown) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi
    .waitFor(check, { timeout: 10_000 })
    .finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}
const returnToPage = () => act(() => void document.dispatchEvent(new Event('visibilitychange')))
const pageText = () => document.body.textContent

const openHandOver = () =>
  render(
    <JobContext value={springJobContext()}>
      <HandOverScreen {...route} />
    </JobContext>,
  )

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
  const cart = {
    ...emptyCart(1, 'gallery'),
    id: 5,
    version: 2,
    cartPackages: [lineOf(packageOf({ id: 100, name: 'Portrait', items: [] }))],
  }
  await database.carts.put({
    jobId: 1,
    orderMethod: 'gallery',
    cart,
    retiredCartId: null,
    writing: crypto.randomUUID(),
  })
  createdCount = 0
  online.set(true)
  vi.stubGlobal(
    'fetch',
    async (url: string, init?: RequestInit) => new Response(JSON.stringify(responseData(String(url), init?.method))),
  )
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => vi.unstubAllGlobals())

test('the hand-over shows the code and its remaining time, and reports when the other device has the cart', async () => {
  openHandOver()
  await eventually(() =>
    expect(getElement<HTMLImageElement>('img').src).toBe(`data:image/svg+xml,${encodeURIComponent(qr)}`),
  )
  expect(pageText()).toContain('Works for 10 more minutes, on one device')
  // The countdown is not announced at each step.
  expect(countElements('[role=status] img, [aria-live]')).toBe(0)
  state = 'taken'
  returnToPage()
  await eventually(() => expect(pageText()).toContain('Your other device has your cart now'))
  expect(countElements('img')).toBe(0)
  click(getButton('Make another code'))
  await eventually(() => expect([countElements('img'), createdCount]).toEqual([1, 2]))
})

test.each([
  ['it has expired', () => (state = 'over')],
  ['a newer one was created', () => (newest = 'id-of-another')],
])('the hand-over offers a new code once %s', async (_, changeState) => {
  openHandOver()
  await eventually(() => expect(countElements('img')).toBe(1))
  changeState()
  returnToPage()
  await eventually(() => expect(pageText()).toContain('This code has expired'))
  click(getButton('Make a new code'))
  await eventually(() => expect([countElements('img'), createdCount]).toEqual([1, 2]))
})

test('the hand-over offers its link for sharing', async () => {
  const writeText = vi.fn(async () => undefined)
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(
    Object.assign(Object.create(navigator.clipboard), { writeText }),
  )
  openHandOver()
  await eventually(() => expect(countElements('img')).toBe(1))
  click(getButton('Copy the link'))
  expect(writeText).toHaveBeenCalledWith(address)
})

test('the hand-over creates no code offline, and creates it once online', async () => {
  online.set(false)
  openHandOver()
  await eventually(() => expect(pageText()).toContain('Making a code needs a connection'))
  expect(createdCount).toBe(0)
  await act(async () => online.set(true))
  await eventually(() => expect(countElements('img')).toBe(1))
})

test('the hand-over shows why the cart cannot be handed over', () => {
  expect(handOverBlocker('sent', true)).toBeNull()
  expect(handOverBlocker('empty', true)).toBeNull()
  expect(handOverBlocker('saved', true)?.title).toBe('Sending your cart first')
  expect(handOverBlocker('sending', true)?.canRetry).toBe(true)
  expect(handOverBlocker('saved', false)?.message).toContain('on this phone only')
  expect(handOverBlocker('sent', false)?.title).toBe('Making a code needs a connection')
  expect(handOverBlocker('attention', false)?.title).toBe('Check your cart first')
})

test('remaining minutes are rounded up', () => {
  const expiresAt = '2027-04-01T10:10:00.000Z'
  const timeBefore = (seconds: number) => Date.parse(expiresAt) - seconds * 1000
  expect([600, 599, 60, 1, 0, -5].map((seconds) => minutesLeft(expiresAt, timeBefore(seconds)))).toEqual([
    10, 10, 1, 1, 0, 0,
  ])
})
