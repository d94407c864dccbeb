import { expect, test, vi } from 'vitest'
import type { CartPayment } from '#client/customer/checkout/payment/cart-payment.ts'
import { PaymentNotice } from '#client/customer/checkout/payment/payment-notice.tsx'
import { emptyCart } from '#domain/cart/cart.ts'
import { createCartView } from '#local/store/cart-view.ts'
import { getElement, render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { lineOf, packageOf } from '#tests/domain/cart/cart-fixtures.ts'

const line = lineOf(packageOf())
const cart = createCartView({
  cart: { ...emptyCart(1, 'gallery'), cartPackages: [line] },
  rows: [],
  numbers: [{ n: 3, lineId: line.lineId, jobId: 1 }],
  sending: null,
})

test.each([
  ['an incomplete package', 'cart-incomplete', line.lineId, '/riverside/1/edit-cart-package/3'],
  ['a changed package', 'prices-changed', line.lineId, '/riverside/1/cart'],
  ['a changed service', 'prices-changed', 'service.4', '/riverside/1/cart'],
  ['a withdrawn service', 'refused', 'service.4', '/riverside/1/cart'],
  ['a form field', 'refused', 'customer.email', '/riverside/1/checkout'],
])('a payment stopped by %s links to where it is fixed', async (_, problem, field, address) => {
  const state = {
    at: 'stopped',
    problem,
    message: 'Please look again',
    fields: { [field]: ['This ZIP code is not in OH'] },
  } as const
  const payment = {} as CartPayment // the notice of a stopped payment reads nothing from it
  render(<PaymentNotice job={springJobContext()} {...{ cart, payment, state }} />)
  expect(document.body.textContent).toContain('Please look again')
  await vi.waitFor(() => expect(getElement('a').getAttribute('href')).toBe(address))
  expect(document.body.textContent).toContain('This ZIP code is not in OH')
})
