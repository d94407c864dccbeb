import { is } from 'superstruct'
import { expect, test } from 'vitest'
import { checkoutBlocker } from '#client/customer/checkout/checkout-blocker.ts'
import { checkoutDelivery, deliveryForCart } from '#client/customer/checkout/form/checkout-delivery.ts'
import { validateCheckoutForm } from '#client/customer/checkout/form/checkout-form-rules.ts'
import { emptyCheckoutForm, toCheckoutDetails } from '#client/customer/checkout/form/checkout-form-values.ts'
import { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import { problems } from '#contract/shapes/problems.ts'
import { lineOf, packageItem, packageOf } from '../../../../domain/cart/cart-fixtures.ts'
import { checkout, filledForm } from '../checkout-examples.ts'

const facts = {
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
] as const)('delivery for a job that offers %s', (_, delivery, wanted, way, choosable) => {
  const found = checkoutDelivery({ ...emptyCheckoutForm, delivery: wanted }, { ...checkout, delivery })
  expect(found).toMatchObject({ delivery: way, choosable })
  expect(found.shippingCode).toBe(way === 'batch' ? '' : 'standard')
  expect(found.shippingName).toBe(way === 'batch' ? 'Studio Shipping' : 'Standard mail')
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
  expect(is(toCheckoutDetails(emptyCheckoutForm, facts), CheckoutDetails)).toBe(true)
  expect(is(toCheckoutDetails(filledForm, facts), CheckoutDetails)).toBe(true)
})

test('the billing address has the customer’s name, and no field contains a card', () => {
  const details = toCheckoutDetails(
    { ...filledForm, customer: { ...filledForm.customer, firstName: ' Annabella ' } },
    facts,
  )
  expect(details.billingAddress).toMatchObject({ firstName: 'Annabella', lastName: 'Byron' })
  expect(details.shippingAddress).toEqual(details.billingAddress)
  expect(details.paymentToken).toBeNull()
})

test('the details include the delivery method, the job’s version, and whether a new payment method is needed', () => {
  const home = toCheckoutDetails(filledForm, { ...facts, recreatePaymethod: true })
  expect(home).toMatchObject({ mailToHome: true, isPartOfBatchOrder: false, isV3Job: true, recreatePaymethod: true })
  const batch = toCheckoutDetails(
    { ...filledForm, delivery: 'batch' },
    { ...facts, jobVersion: { major: 2, minor: 1 } },
  )
  expect(batch).toMatchObject({ mailToHome: false, isPartOfBatchOrder: true, isV3Job: false, recreatePaymethod: false })
  expect(batch).toMatchObject({ shippingOption: { code: '' }, jobVersion: { major: 2, minor: 1 }, payMethod: 'card' })
})

test('a separate shipping address must be complete, unless the order is delivered with the batch', () => {
  const elsewhere = { ...emptyCheckoutForm, sameAsBilling: false }
  const wanted = ['firstName', 'lastName', 'address1', 'city', 'state', 'zip'].map((name) => `shippingAddress.${name}`)
  const marked = (form: typeof elsewhere) =>
    Object.entries(validateCheckoutForm(form))
      .filter(([path, messages]) => path.startsWith('shippingAddress.') && messages.length > 0)
      .map(([path]) => path)
  expect(marked(elsewhere)).toEqual(wanted)
  expect(marked({ ...elsewhere, delivery: 'batch' })).toEqual([])
  expect(marked({ ...elsewhere, sameAsBilling: true })).toEqual([])
})

const fine = {
  closed: null,
  cart: { kind: 'sent', label: 'Saved' },
  online: true,
  problem: undefined,
  priced: true,
} as const

test.each([
  ['a valid checkout has no blocker', fine, null],
  ['a closed method is a blocker', { ...fine, closed: 'Ordering has ended' }, 'Ordering has ended'],
  ['a rejected total is a blocker', { ...fine, cart: { kind: 'attention', label: '' } }, 'Look at your cart'],
  ['an unsent cart is a blocker', { ...fine, cart: { kind: 'sending', label: '' } }, 'Sending your cart…'],
  ['missing totals are a blocker', { ...fine, priced: false }, 'Adding it up…'],
] as const)('%s', (_, now, short) => {
  expect(checkoutBlocker(now)?.short ?? null).toBe(short)
})

test.each([
  ['changed prices', 'prices-changed', {}, true],
  ['withdrawn service', 'refused', { 'service.4': ['It is not on offer any more'] }, true],
  ['withdrawn package', 'refused', { '0b7f3c1e-8a52-4d7e-9c11-5f2a6b3d4e90': ['It is gone'] }, true],
  ['form field', 'refused', { 'customer.email': ['Please look at this'] }, false],
])(
  'the blocker "%s" leads to the cart or not, and mentions prices only if the studio does',
  (_, name, fields, toCart) => {
    const problem = { ok: false as const, status: 422, errors: ['Please look again'], problem: name, fields }
    const hold = checkoutBlocker({ ...fine, priced: false, problem })
    expect(hold).toMatchObject({ toCart, message: 'Please look again' })
    expect(`${hold?.short} ${problems['prices-changed'].sentence}`).not.toMatch(/price/i)
  },
)
