import { expect, test } from 'vitest'
import { fillInApproval } from '#client/customer/checkout/card/fill-in-approval.ts'
import { emptyCheckoutForm, taxAddress } from '#client/customer/checkout/form/checkout-form-values.ts'
import { address } from '../checkout-examples.ts'

const customer = { name: 'Wanda Wallet', email: 'wanda@example.com', phone: '9375550199' }
const priced = { ...address, name: 'Wanda Wallet', state: 'OR', zip: '97201' }

test.each(['home', 'batch'] as const)('with delivery “%s”, tax is that of the place that was priced', (delivery) => {
  const form = fillInApproval(
    emptyCheckoutForm,
    { customer, billingAddress: address, shippingAddress: priced },
    delivery,
  )
  expect(taxAddress(form, delivery)).toMatchObject({ state: 'OR', zip: '97201' })
  expect(form.customer).toEqual(customer)
})

test('for an order that is sent home, the billing address is that of the card', () => {
  const approval = { customer, billingAddress: address, shippingAddress: priced }
  expect(fillInApproval(emptyCheckoutForm, approval, 'home')).toMatchObject({
    ...{ billingAddress: address, shippingAddress: priced, sameAsBilling: false },
  })
})

test('a single address is the billing address', () => {
  const form = fillInApproval(emptyCheckoutForm, { customer, billingAddress: address }, 'home')
  expect(form).toEqual({ ...emptyCheckoutForm, customer, billingAddress: address })
})
