import { randomUUID } from 'node:crypto'
import type { CartTotals, CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import { type BenchCustomer, openBenchCustomer, postJson } from './bench-customer.ts'
import type { BenchServer } from './bench-server.ts'

const address = {
  ...{ firstName: 'Grace', lastName: 'Hopper', address1: '1 Mill Street', address2: '' },
  ...{ city: 'Dayton', state: 'OH', zip: '45402' },
}

const details: CheckoutDetails = {
  customer: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '937-555-0142' },
  ...{ billingAddress: address, shippingAddress: address, shippingAddressSameAsBillingAddress: true },
  ...{ payMethod: 'card', shippingOption: { code: 'priority' }, isPartOfBatchOrder: false, mailToHome: true },
  ...{ promoCode: { code: null }, paymentToken: null, orderMethod: 'gallery' },
  ...{ jobVersion: { major: 3, minor: 0 }, isV3Job: true, recreatePaymethod: false },
}

/** A customer who is ready to pay. */
export type Buyer = {
  customer: BenchCustomer
  checkoutId: string
  totalCents: number
  /** Submits the checkout over HTTP, as a phone does. Returns the order number. */
  pay: () => Promise<string>
}

/** Prepares a customer with this many packages in the cart and a priced checkout. */
export const prepareBuyer = async (server: BenchServer, packages: number): Promise<Buyer> => {
  const customer = await openBenchCustomer(server)
  const { headers, cartUrl } = customer
  await postJson(`${cartUrl}/sync`, headers, {
    orderMethod: 'gallery',
    mutations: customer.addTenPackages().slice(0, packages),
  })
  const checkoutUrl = cartUrl.replace(/cart$/, 'checkout')
  const checkoutId = randomUUID()
  await postJson(checkoutUrl, headers, { checkoutId, ...details })
  const totalsResponse = await fetch(`${checkoutUrl}/totals?orderMethod=gallery`, { headers })
  const { totalCents, cartVersion } = ((await totalsResponse.json()) as { data: CartTotals }).data
  const pay = async (): Promise<string> => {
    const attempt = { attemptId: randomUUID(), paymentToken: 'test_visa', totalCents, cartVersion }
    const response = await postJson(`${checkoutUrl}/submit`, headers, {
      orderMethod: 'gallery',
      checkoutId,
      ...attempt,
    })
    return ((await response.json()) as { data: { orderNumber: string } }).data.orderNumber
  }
  return { customer, checkoutId, totalCents, pay }
}
