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
import { noContent, packageOf, snapshotOf } from '../../../domain/cart/cart-fixtures.ts'
import { springJobContext } from '../../job-context-examples.ts'

/** The cart status is announced to screen readers by one live region, whichever screen shows it too. */

const key = { jobId: 1, orderMethod: 'gallery' } as const
const route = { studioSlug: 'riverside', jobId: 1 }
const portrait = packageOf({ id: 100, name: 'Portrait', items: [] })

const add = async () => {
  const line = { snapshot: snapshotOf(portrait), subjectId: 7, personId: null, quantity: 1, content: noContent }
  await addLine(database, stamp, { ...key, ...line })
}

const arrive = async () => {
  const { cart } = await readCart(database, key.jobId, key.orderMethod)
  const confirmed = { ...emptyCart(1, 'gallery'), ...cart, id: 5, version: 1 }
  await database.transaction('rw', [database.carts, database.outbox], async () => {
    await database.carts.put({ ...key, cart: confirmed, retiredCartId: null, writing: crypto.randomUUID() })
    await database.outbox.clear()
  })
}

const refuse = async () => {
  const refusal = { problem: 'package-gone', message: 'This package is not on offer any more' }
  await database.outbox.limit(1).modify({ state: 'refused', refusal })
}

/** Number of elements that announce this text. */
const saying = (words: string): number =>
  [...document.querySelectorAll('[role=status],[role=alert],[aria-live]')].filter(({ textContent }) =>
    textContent?.includes(words),
  ).length

const Checkout = () => {
  const cart = useCart(key.jobId, key.orderMethod)
  if (!cart) return null
  const facts = { closed: null, cart: cart.status, online: online.current(), problem: undefined, priced: true }
  return (
    <main>
      <CheckoutBlockerNotice blocker={checkoutBlocker(facts)} event={route} />
    </main>
  )
}

const screens = [
  ['the step that sends', <ConfirmCartScreen key="sends" {...route} />, 'h1'],
  ['checkout', <Checkout key="checkout" />, 'main'],
  ['the way to another device', <HandOverScreen key="other" {...route} />, 'h1'],
] as const

beforeEach(async () => {
  await database.delete()
  await database.open()
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
})

afterEach(() => {
  online.set(true)
  vi.unstubAllGlobals()
})

const states = [
  ['stored on the device', true, add, ['Saved on this phone']],
  ['stored on the device, offline', false, add, ['Saved on this phone', 'You’re offline']],
  ['synced', true, async () => add().then(arrive), ['Saved']],
  ['synced, offline', false, async () => add().then(arrive), ['Saved', 'You’re offline']],
  ['waits for a decision', true, async () => add().then(add).then(refuse), ['Needs your attention']],
] as const

for (const [name, screen, drawn] of screens) {
  test.each(states)(`next to ${name}, the cart status "%s" is announced once`, async (_, connected, stand, words) => {
    await stand()
    online.set(connected)
    const event = springJobContext()
    render(
      <JobContext value={event}>
        <CartLink event={event} />
        {screen}
      </JobContext>,
    )
    // Live queries resolve by themselves, outside `act`.
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
    await vi.waitFor(() =>
      expect([countElements(drawn), ...words.map((said) => saying(said) > 0)]).toEqual([1, ...words.map(() => true)]),
    )
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
    expect(words.map((said) => [said, saying(said)])).toEqual(words.map((said) => [said, 1]))
  })
}
