import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CartLink } from '#client/app/customer-layout/cart-link.tsx'
import { ConfirmCartScreen } from '#client/customer/cart/confirm-cart-screen.tsx'
import { checkoutBlocker } from '#client/customer/checkout/checkout-blocker.ts'
import { CheckoutBlockerNotice } from '#client/customer/checkout/checkout-blocker-notice.tsx'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { HandOverScreen } from '#client/customer/transfer/hand-over-screen.tsx'
import { emptyCart } from '#domain/cart/cart.ts'
import { readCart } from '#local/cart.ts'
import { database, stamp } from '#platform/database.ts'
import { online } from '#platform/online.ts'
import { addLine } from '#support/device/add-line.ts'
import { countElements, render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'

/** The cart status is announced to screen readers by one live region, even if the screen shows it as well. */

const key = { jobId: 1, orderMethod: 'gallery' } as const
const route = { studioSlug: 'riverside', jobId: 1 }
const portrait = packageOf({ id: 100, name: 'Portrait', items: [] })

const add = async () => {
  const line = { snapshot: snapshotOf(portrait), subjectId: 7, personId: null, quantity: 1, content: noContent }
  await addLine(database, stamp, { ...key, ...line })
}

const confirmCart = async () => {
  const { cart } = await readCart(database, key.jobId, key.orderMethod)
  const confirmed = { ...emptyCart(1, 'gallery'), ...cart, id: 5, version: 1 }
  await database.transaction('rw', [database.carts, database.outbox], async () => {
    await database.carts.put({ ...key, cart: confirmed, retiredCartId: null, writing: crypto.randomUUID() })
    await database.outbox.clear()
  })
}

const rejectFirstChange = async () => {
  const rejection = { problem: 'package-gone', message: 'This package is no longer offered' }
  await database.outbox.limit(1).modify({ state: 'rejected', rejection })
}

/** Number of elements that announce this text. */
const countAnnouncements = (text: string): number =>
  [...document.querySelectorAll('[role=status],[role=alert],[aria-live]')].filter(({ textContent }) =>
    textContent?.includes(text),
  ).length

const Checkout = () => {
  const cart = useCart(key.jobId, key.orderMethod)
  if (!cart) return null
  const conditions = {
    closedReason: null,
    cart: cart.status,
    online: online.current(),
    problem: undefined,
    isPriced: true,
  }
  return (
    <main>
      <CheckoutBlockerNotice blocker={checkoutBlocker(conditions)} route={route} />
    </main>
  )
}

const screens = [
  ['the step that sends the cart', <ConfirmCartScreen key="sends" {...route} />, 'h1'],
  ['checkout', <Checkout key="checkout" />, 'main'],
  ['the hand-over to another device', <HandOverScreen key="other" {...route} />, 'h1'],
] as const

// For the whole file, because a screen may still send a request while it is unmounted.
vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))

beforeEach(async () => {
  await database.delete()
  await database.open()
})

afterEach(() => online.set(true))

const states = [
  ['stored on the device', true, add, ['Saved on this phone']],
  ['stored on the device, offline', false, add, ['Saved on this phone', 'You’re offline']],
  ['synced', true, async () => add().then(confirmCart), ['Saved']],
  ['synced, offline', false, async () => add().then(confirmCart), ['Saved', 'You’re offline']],
  ['waits for a decision', true, async () => add().then(add).then(rejectFirstChange), ['Needs your attention']],
] as const

for (const [name, screen, mainSelector] of screens) {
  test.each(states)(`next to ${name}, the cart status "%s" is announced once`, async (_, isOnline, prepare, texts) => {
    await prepare()
    online.set(isOnline)
    const jobContext = springJobContext()
    render(
      <JobContext value={jobContext}>
        <CartLink job={jobContext} />
        {screen}
      </JobContext>,
    )
    // Live queries resolve outside `act`.
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
    await vi.waitFor(() =>
      expect([countElements(mainSelector), ...texts.map((text) => countAnnouncements(text) > 0)]).toEqual([
        1,
        ...texts.map(() => true),
      ]),
    )
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
    expect(texts.map((text) => [text, countAnnouncements(text)])).toEqual(texts.map((text) => [text, 1]))
  })
}
