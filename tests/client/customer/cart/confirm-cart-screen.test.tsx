import 'fake-indexeddb/auto'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ConfirmCartScreen } from '#client/customer/cart/confirm-cart-screen.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import { emptyCart } from '#domain/cart/cart.ts'
import { readCart } from '#local/cart.ts'
import { database, stamp } from '#platform/database.ts'
import { online } from '#platform/online.ts'
import { startPageSync } from '#platform/sync/page-sync.ts'
import { addLine } from '#support/device/add-line.ts'
import { cleanUp, getElement, render, waitForPage } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'

const isLate = vi.hoisted(() => ({ value: false }))
vi.mock('#ui/feedback/loader.tsx', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  useDelayedTrue: () => isLate.value,
}))

const route = { studioSlug: 'riverside', jobId: 1 }
const key = { jobId: 1, orderMethod: 'gallery' } as const
const portrait = packageOf({ id: 100, name: 'Portrait', items: [] })

/** Adds a complete package that the server has stored. */
const addSyncedPackage = async () => {
  const line = { snapshot: snapshotOf(portrait), subjectId: 7, personId: null, quantity: 1, content: noContent }
  await addLine(database, stamp, { ...key, ...line })
  const { cart } = await readCart(database, 1, 'gallery')
  await database.carts.put({
    ...key,
    cart: { ...emptyCart(1, 'gallery'), ...cart, id: 5, version: 1 },
    retiredCartId: null,
    writing: crypto.randomUUID(),
  })
  await database.outbox.clear()
}

const stubResponse = (data: unknown) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data }), { status: 200 }))

const openScreen = (jobContext = springJobContext()) => {
  const slot = document.body.appendChild(document.createElement('div'))
  render(
    <JobContext value={jobContext}>
      <BottomBarSlot value={slot}>
        <ConfirmCartScreen {...route} />
      </BottomBarSlot>
    </JobContext>,
  )
  return slot
}

const checkoutButton = (slot: HTMLElement) => slot.querySelector('button')

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
  await addSyncedPackage()
  stubResponse([portrait])
})

afterEach(() => {
  online.set(true)
  isLate.value = false
  history.replaceState(null, '', '/')
})
afterAll(() => vi.unstubAllGlobals())

describe('a fully synced cart', () => {
  test('continues to payment', async () => {
    const slot = openScreen()
    await waitForPage(() => expect(getElement('h1').textContent).toBe('Ready to pay'))
    expect(getElement('[role=status]').textContent).toContain('All that’s left is to pay.')
    expect(checkoutButton(slot)?.getAttribute('aria-disabled')).toBeNull()
  })

  test('goes on to the checkout by itself after a tap on it, but not when the screen is opened by its address', async () => {
    history.replaceState({ continues: true }, '', '/riverside/1/confirmCart')
    openScreen()
    await waitForPage(() => expect(location.pathname).toBe('/riverside/1/checkout'))
    cleanUp()
    history.replaceState(null, '', '/riverside/1/confirmCart')
    openScreen()
    await waitForPage(() => expect(getElement('h1').textContent).toBe('Ready to pay'))
    expect(location.pathname).toBe('/riverside/1/confirmCart')
  })

  test('does not go on by itself after a long wait', async () => {
    isLate.value = true
    history.replaceState({ continues: true }, '', '/riverside/1/confirmCart')
    openScreen()
    await waitForPage(() => expect(getElement('h1').textContent).toBe('Ready to pay'))
    expect(location.pathname).toBe('/riverside/1/confirmCart')
  })

  test.each([['the job has closed', springJobContext({ closedReason: 'Ordering has ended' }), 'Ordering has ended']])(
    'shows the reason if payment is blocked because %s',
    async (_, jobContext, reason) => {
      const slot = openScreen(jobContext)
      await waitForPage(() => expect(getElement('h1').textContent).toBe('Not quite yet'))
      expect(getElement('[role=status]').textContent).toContain(reason)
      expect(slot.textContent).toContain(reason)
      expect(checkoutButton(slot)?.getAttribute('aria-describedby')).toBe('why-not')
    },
  )

  test('shows that payment requires a connection', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    onTestFinished(() => onLine.mockRestore())
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
    online.set(false)
    const slot = openScreen()
    await waitForPage(() => expect(slot.textContent).toContain('You can pay once you’re online'))
    expect(getElement('h1').textContent).toBe('Not quite yet')
    expect(getElement('[role=status]').textContent).toContain('You can pay once you’re online')
  })
})

test('opening the confirmation step wakes the sender once, as a tap does', async () => {
  const wake = vi.spyOn(startPageSync(), 'wake')
  openScreen()
  expect(wake).toHaveBeenCalledExactlyOnceWith('tap')
  await waitForPage(() => expect(getElement('h1').textContent).toBe('Ready to pay'))
})

describe('a cart that is not accepted by the server yet', () => {
  const addUnsentPackage = async () => {
    const line = { snapshot: snapshotOf(portrait), subjectId: 8, personId: null, quantity: 1, content: noContent }
    await addLine(database, stamp, { ...key, ...line })
  }

  test.each([
    ['initially', false, 'This takes a moment; then you can pay.'],
    ['after a while', true, 'No answer yet. Everything is saved, and we keep trying.'],
  ])('is reported as being sent, %s', async (_, isDelayed, message) => {
    isLate.value = isDelayed
    await addUnsentPackage()
    stubResponse(null)
    openScreen()
    await waitForPage(() => expect(getElement('h1').textContent).toContain('Sending your cart'))
    expect(getElement('[role=status]').textContent).toBe(message)
  })
})
