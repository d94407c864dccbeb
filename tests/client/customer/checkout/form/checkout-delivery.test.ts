import { is } from 'superstruct'
import { expect, test } from 'vitest'
import { checkoutBlocker } from '#client/customer/checkout/checkout-blocker.ts'
import { checkoutDelivery, deliveryForCart } from '#client/customer/checkout/form/checkout-delivery.ts'
import { validateCheckoutForm } from '#client/customer/checkout/form/checkout-form-rules.ts'
import { emptyCheckoutForm, toCheckoutDetails } from '#client/customer/checkout/form/checkout-form-values.ts'
import { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import { problems } from '#contract/shapes/problems.ts'
import { lineOf, packageItem, packageOf } from '#tests/domain/cart/cart-fixtures.ts'
import { checkout, filledForm } from '../checkout-examples.ts'

const detailsInput = {
  orderMethod: 'gallery',
  jobVersion: { major: 3, minor: 0 },
  shippingCode: 'standard',
  payMethod: 'card',
  recreatePaymethod: false,
} as const

test.each([
  ['both methods, home delivery by default', { batch: true, home: true }, 'home', 'home', true],
  ['both methods, batch delivery chosen', { batch: true, home: true }, 'batch', 'batch', true],
  ['only home delivery', { batch: false, home: true }, 'batch', 'home', false],
  ['only batch delivery', { batch: true, home: false }, 'home', 'batch', false],
] as const)('the delivery is determined for a job that offers %s', (_, delivery, chosen, expected, choosable) => {
  const result = checkoutDelivery({ ...emptyCheckoutForm, delivery: chosen }, { ...checkout, delivery })
  expect(result).toMatchObject({ delivery: expected, choosable })
  expect(result.shippingCode).toBe(expected === 'batch' ? '' : 'standard')
  expect(result.shippingName).toBe(expected === 'batch' ? 'Studio Shipping' : 'Standard mail')
})

test('the arrival is that of the chosen delivery', () => {
  const arrivals = {
    home: 'Arrives about 04/12–04/15',
    batch: 'Handed out at Lincoln Elementary about 04/20',
  }
  const arrivalBy = (delivery: 'home' | 'batch') =>
    checkoutDelivery({ ...emptyCheckoutForm, delivery }, { ...checkout, arrivals }).arrival
  expect(arrivalBy('home')).toBe('Arrives about 04/12–04/15')
  expect(arrivalBy('batch')).toBe('Handed out at Lincoln Elementary about 04/20')
  expect(checkoutDelivery(emptyCheckoutForm, checkout).arrival).toBeUndefined()
})

test('a cart of downloads only has no shipping', () => {
  const batch = checkoutDelivery({ ...emptyCheckoutForm, delivery: 'batch' }, checkout)
  const files = lineOf(packageOf({ items: [packageItem({ productCode: 'Dj' })] }))
  expect(deliveryForCart({ cartPackages: [files] }, batch).shippingName).toBeUndefined()
  expect(deliveryForCart({ cartPackages: [files, lineOf(packageOf())] }, batch)).toEqual(batch)
  expect(deliveryForCart(undefined, batch)).toEqual(batch)
})

test('a chosen shipping option stays while offered, and falls back when it is not', () => {
  expect(checkoutDelivery({ ...filledForm, shippingCode: 'priority' }, checkout).shippingCode).toBe('priority')
  expect(checkoutDelivery({ ...filledForm, shippingCode: 'gone' }, checkout).shippingCode).toBe('standard')
})

test('incomplete details match the contract too', () => {
  expect(is(toCheckoutDetails(emptyCheckoutForm, detailsInput), CheckoutDetails)).toBe(true)
  expect(is(toCheckoutDetails(filledForm, detailsInput), CheckoutDetails)).toBe(true)
})

test('the billing address has the customer’s name, and no field contains a card', () => {
  const details = toCheckoutDetails(
    { ...filledForm, customer: { ...filledForm.customer, name: ' Annabella  Byron ' } },
    detailsInput,
  )
  expect(details.billingAddress).toMatchObject({ firstName: 'Annabella', lastName: 'Byron' })
  expect(details.shippingAddress).toEqual(details.billingAddress)
  expect(details.paymentToken).toBeNull()
})

test('the details include the delivery method, the job’s version, and whether a new payment method is needed', () => {
  const home = toCheckoutDetails(filledForm, { ...detailsInput, recreatePaymethod: true })
  expect(home).toMatchObject({ mailToHome: true, isPartOfBatchOrder: false, isV3Job: true, recreatePaymethod: true })
  const batch = toCheckoutDetails(
    { ...filledForm, delivery: 'batch' },
    { ...detailsInput, jobVersion: { major: 2, minor: 1 } },
  )
  expect(batch).toMatchObject({ mailToHome: false, isPartOfBatchOrder: true, isV3Job: false, recreatePaymethod: false })
  expect(batch).toMatchObject({ shippingOption: { code: '' }, jobVersion: { major: 2, minor: 1 }, payMethod: 'card' })
})

test('a separate shipping address must be complete, unless the order is delivered with the batch', () => {
  const separateAddress = { ...emptyCheckoutForm, sameAsBilling: false }
  const requiredPaths = ['name', 'address1', 'zip', 'state', 'city'].map((name) => `shippingAddress.${name}`)
  const pathsWithErrors = (form: typeof separateAddress) =>
    Object.entries(validateCheckoutForm(form))
      .filter(([path, messages]) => path.startsWith('shippingAddress.') && messages.length > 0)
      .map(([path]) => path)
  expect(pathsWithErrors(separateAddress)).toEqual(requiredPaths)
  expect(pathsWithErrors({ ...separateAddress, delivery: 'batch' })).toEqual([])
  expect(pathsWithErrors({ ...separateAddress, sameAsBilling: true })).toEqual([])
})

const payable = {
  closedReason: null,
  cart: { kind: 'sent', label: 'Saved' },
  online: true,
  problem: undefined,
  isPriced: true,
} as const

test.each([
  ['a valid checkout has no blocker', payable, null],
  ['a closed method is a blocker', { ...payable, closedReason: 'Ordering has ended' }, 'Ordering has ended'],
  [
    'a cart that needs attention is a blocker',
    { ...payable, cart: { kind: 'attention', label: '' } },
    'Check your cart',
  ],
  ['an unsent cart is a blocker', { ...payable, cart: { kind: 'sending', label: '' } }, 'Sending your cart…'],
  ['missing totals are a blocker', { ...payable, isPriced: false }, 'Updating total…'],
] as const)('%s', (_, state, short) => {
  expect(checkoutBlocker(state)?.short ?? null).toBe(short)
})

test.each([
  ['changed prices leads to the cart', 'prices-changed', {}, true],
  ['a withdrawn service leads to the cart', 'refused', { 'service.4': ['It is no longer offered'] }, true],
  [
    'a withdrawn package leads to the cart',
    'refused',
    { '0b7f3c1e-8a52-4d7e-9c11-5f2a6b3d4e90': ['It is gone'] },
    true,
  ],
  ['a form field does not lead to the cart', 'refused', { 'customer.email': ['Please look at this'] }, false],
])('the blocker for %s, and does not mention a price', (_, name, fields, toCart) => {
  const problem = { ok: false as const, status: 422, errors: ['Please look again'], problem: name, fields }
  const blocker = checkoutBlocker({ ...payable, isPriced: false, problem })
  expect(blocker).toMatchObject({ toCart, message: 'Please look again' })
  expect(`${blocker?.short} ${problems['prices-changed'].message}`).not.toMatch(/price/i)
})
