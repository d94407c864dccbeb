import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { PendingPaymentHost } from '#client/app/customer-layout/pending-payment-host.tsx'
import { emptyCart } from '#domain/cart/cart.ts'
import { database } from '#platform/database.ts'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const confirmingMessage = 'Your payment is being confirmed'

const renderAndWaitFor = async (screen: string, check: () => void) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  render(<PendingPaymentHost job={springJobContext({ studioSlug: 'review' })} screen={screen} />)
  await vi
    .waitFor(check, { timeout: 3_000 })
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

test('a payment in progress is shown as being confirmed, even if the studio’s slug is also the name of a screen', async () => {
  window.history.replaceState(null, '', '/review/1/search')
  await renderAndWaitFor('customer-subject-search', () =>
    expect(document.body.textContent).toContain(confirmingMessage),
  )
})
