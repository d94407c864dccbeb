import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { PendingPaymentGate } from '#client/app/customer-layout/pending-payment-gate.tsx'
import { emptyCart } from '#domain/cart/cart.ts'
import { database } from '#platform/database.ts'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '../../job-context-examples.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const confirming = 'Your payment is being confirmed'

const draws = async (screen: string, look: () => void) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  render(<PendingPaymentGate event={springJobContext({ studioSlug: 'review' })} screen={screen} />)
  await vi
    .waitFor(look, { timeout: 3_000 })
    .finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}

beforeEach(async () => {
  await database.delete()
  await database.open()
  await database.carts.put({
    ...key,
    cart: { ...emptyCart(1, 'gallery'), state: 'frozen' },
    retiredCartId: null,
    writing: crypto.randomUUID(),
  })
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
})

test('a pending payment is followed for a studio whose slug equals the name of a screen', async () => {
  window.history.replaceState(null, '', '/review/1/search')
  await draws('customer-subject-search', () => expect(document.body.textContent).toContain(confirming))
})
