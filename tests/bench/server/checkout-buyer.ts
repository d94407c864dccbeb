import { randomUUID } from 'node:crypto'
import type { CartTotals, CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import { comeIn, type Parent, post } from './bench-customer.ts'
import type { OwnServer } from './bench-server.ts'

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

/** A parent in front of the last button. */
export type Buyer = {
  parent: Parent
  checkoutId: string
  totalCents: number
  /** Presses it: by HTTP, as a phone does. Gives the order's number. */
  pay: () => Promise<string>
}

/** A parent with so many packages in the cart, who has seen the total. */
export const readyToPay = async (server: OwnServer, packages: number): Promise<Buyer> => {
  const parent = await comeIn(server)
  const { headers, cartUrl } = parent
  await post(`${cartUrl}/sync`, headers, {
    orderMethod: 'gallery',
    mutations: parent.tenPackages().slice(0, packages),
  })
  const checkoutUrl = cartUrl.replace(/cart$/, 'checkout')
  const checkoutId = randomUUID()
  await post(checkoutUrl, headers, { checkoutId, ...details })
  const shown = await fetch(`${checkoutUrl}/totals?orderMethod=gallery`, { headers })
  const { totalCents, cartVersion } = ((await shown.json()) as { data: CartTotals }).data
  const pay = async (): Promise<string> => {
    const attempt = { attemptId: randomUUID(), paymentToken: 'test_visa', totalCents, cartVersion }
    const answer = await post(`${checkoutUrl}/submit`, headers, { orderMethod: 'gallery', checkoutId, ...attempt })
    return ((await answer.json()) as { data: { orderNumber: string } }).data.orderNumber
  }
  return { parent, checkoutId, totalCents, pay }
}
