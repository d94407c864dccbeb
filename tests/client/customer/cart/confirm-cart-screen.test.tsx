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
import { getElement, render } from '#support/rendering/render.tsx'
import { noContent, packageOf, snapshotOf } from '../../../domain/cart/cart-fixtures.ts'
import { springJobContext } from '../../job-context-examples.ts'

const isLate = vi.hoisted(() => ({ value: false }))
vi.mock('#ui/feedback/use-delayed-true.ts', () => ({ useDelayedTrue: () => isLate.value }))

const place = { studioSlug: 'riverside', jobId: 1 }
const key = { jobId: 1, orderMethod: 'gallery' } as const
const portrait = packageOf({ id: 100, name: 'Portrait', items: [] })

/** A finished package that the studio has. */
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
        <ConfirmCartScreen {...place} />
      </BottomBarSlot>
    </JobContext>,
  )
  return slot
}

const shows = async (look: () => void) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(look).finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
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

describe('a cart that the studio has', () => {
  test('goes on to paying', async () => {
    const slot = open()
    await shows(() => expect(getElement('h1').textContent).toBe('Ready to pay'))
    expect(getElement('[role=status]').textContent).toContain('All that is left is to pay.')
    expect(checkout(slot)?.getAttribute('aria-disabled')).toBeNull()
  })

  test.each([['the event has closed', springJobContext({ closed: 'Ordering has ended' }), 'Ordering has ended']])(
    'says in sight why it goes no further where %s',
    async (_, event, why) => {
      const slot = open(event)
      await shows(() => expect(getElement('h1').textContent).toBe('Not quite yet'))
      expect(getElement('[role=status]').textContent).toContain(why)
      expect(slot.textContent).toContain(why)
      expect(checkout(slot)?.getAttribute('aria-describedby')).toBe('why-not')
    },
  )

  test('says in sight that paying needs a connection', async () => {
    const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    onTestFinished(() => line.mockRestore())
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
    online.set(false)
    const slot = open()
    await shows(() => expect(slot.textContent).toContain('Paying needs a connection'))
    expect(getElement('h1').textContent).toBe('Not quite yet')
    expect(getElement('[role=status]').textContent).toContain('You can pay when there is a connection')
  })
})

test('who goes to the step that sends has everything tried at once, however long it was to wait', async () => {
  const wake = vi.spyOn(startPageSync(), 'wake')
  open()
  expect(wake).toHaveBeenCalledExactlyOnceWith('tap')
  await shows(() => expect(getElement('h1').textContent).toBe('Ready to pay'))
})

describe('a cart that the server does not take yet', () => {
  const isUnsent = async () => {
    const line = { snapshot: snapshotOf(portrait), subjectId: 8, personId: null, quantity: 1, content: noContent }
    await addLine(database, stamp, { ...key, ...line })
  }

  test.each([
    ['at first', false, 'This takes a moment. You can pay as soon as it is there.'],
    ['after a while', true, 'There was no answer yet. All of it is saved and sent again by itself until it is there.'],
  ])('is said to be on its way, %s', async (_, late, sentence) => {
    isLate.value = late
    await isUnsent()
    answers(null)
    open()
    await shows(() => expect(getElement('h1').textContent).toContain('Sending your cart'))
    expect(getElement('[role=status]').textContent).toBe(sentence)
  })
})
