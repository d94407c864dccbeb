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
import { getElement, render, waitForPage } from '#support/rendering/render.tsx'
import { noContent, packageOf, snapshotOf } from '../../../domain/cart/cart-fixtures.ts'
import { springJobContext } from '../../job-context-examples.ts'

const isLate = vi.hoisted(() => ({ value: false }))
vi.mock('#ui/feedback/use-delayed-true.ts', () => ({ useDelayedTrue: () => isLate.value }))

const route = { studioSlug: 'riverside', jobId: 1 }
const key = { jobId: 1, orderMethod: 'gallery' } as const
const portrait = packageOf({ id: 100, name: 'Portrait', items: [] })

/** A complete package that the server has. */
const sent = async () => {
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

const answers = (data: unknown) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data }), { status: 200 }))

const open = (event = springJobContext()) => {
  const slot = document.body.appendChild(document.createElement('div'))
  render(
    <JobContext value={event}>
      <BottomBarSlot value={slot}>
        <ConfirmCartScreen {...route} />
      </BottomBarSlot>
    </JobContext>,
  )
  return slot
}

const checkout = (slot: HTMLElement) => slot.querySelector('button')

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
  await sent()
  answers([portrait])
})

afterEach(() => {
  online.set(true)
  isLate.value = false
})
afterAll(() => vi.unstubAllGlobals())

describe('a fully synced cart', () => {
  test('continues to payment', async () => {
    const slot = open()
    await waitForPage(() => expect(getElement('h1').textContent).toBe('Ready to pay'))
    expect(getElement('[role=status]').textContent).toContain('All that is left is to pay.')
    expect(checkout(slot)?.getAttribute('aria-disabled')).toBeNull()
  })

  test.each([['the job has closed', springJobContext({ closed: 'Ordering has ended' }), 'Ordering has ended']])(
    'shows the reason if payment is blocked because %s',
    async (_, event, why) => {
      const slot = open(event)
      await waitForPage(() => expect(getElement('h1').textContent).toBe('Not quite yet'))
      expect(getElement('[role=status]').textContent).toContain(why)
      expect(slot.textContent).toContain(why)
      expect(checkout(slot)?.getAttribute('aria-describedby')).toBe('why-not')
    },
  )

  test('shows that payment requires a connection', async () => {
    const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    onTestFinished(() => line.mockRestore())
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
    online.set(false)
    const slot = open()
    await waitForPage(() => expect(slot.textContent).toContain('Paying needs a connection'))
    expect(getElement('h1').textContent).toBe('Not quite yet')
    expect(getElement('[role=status]').textContent).toContain('You can pay when there is a connection')
  })
})

test('opening the confirmation step retries everything at once, whatever its backoff', async () => {
  const wake = vi.spyOn(startPageSync(), 'wake')
  open()
  expect(wake).toHaveBeenCalledExactlyOnceWith('tap')
  await waitForPage(() => expect(getElement('h1').textContent).toBe('Ready to pay'))
})

describe('a cart that is not accepted by the server yet', () => {
  const isUnsent = async () => {
    const line = { snapshot: snapshotOf(portrait), subjectId: 8, personId: null, quantity: 1, content: noContent }
    await addLine(database, stamp, { ...key, ...line })
  }

  test.each([
    ['initially', false, 'This takes a moment. You can pay as soon as it is there.'],
    ['after a while', true, 'There was no answer yet. All of it is saved and sent again by itself until it is there.'],
  ])('is reported as being sent, %s', async (_, late, sentence) => {
    isLate.value = late
    await isUnsent()
    answers(null)
    open()
    await waitForPage(() => expect(getElement('h1').textContent).toContain('Sending your cart'))
    expect(getElement('[role=status]').textContent).toBe(sentence)
  })
})
