import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { valueAt } from '#domain/shared/validators.ts'

/** An address as it is typed; the name of the billing address is the customer's own. */
export type AddressInput = {
  firstName: string
  lastName: string
  address1: string
  address2: string
  city: string
  state: string
  zip: string
}

/** What the checkout asks for, as it is typed and kept on the device until ordered. The card is no part of it. */
export type CheckoutFormValues = {
  customer: { firstName: string; lastName: string; email: string; phone: string }
  billingAddress: AddressInput
  shippingAddress: AddressInput
  sameAsBilling: boolean
  delivery: 'home' | 'batch'
  /** As chosen; an option that is not offered for the address gives way to the first that is. */
  shippingCode: string
  /** As typed; in force is the one the server says. */
  promoCode: string
}

const emptyAddress: AddressInput = {
  firstName: '',
  lastName: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  zip: '',
}

export const emptyCheckoutForm: CheckoutFormValues = {
  customer: { firstName: '', lastName: '', email: '', phone: '' },
  billingAddress: emptyAddress,
  shippingAddress: emptyAddress,
  sameAsBilling: true,
  delivery: 'home',
  shippingCode: '',
  promoCode: '',
}

const textOf = (kept: unknown, path: string): string => {
  const value = valueAt(kept, path)
  return typeof value === 'string' ? value : ''
}

const textsOf = <Part extends Record<string, string>>(kept: unknown, path: string, empty: Part): Part => {
  const pairs = Object.keys(empty).map((name) => [name, textOf(kept, `${path}.${name}`)])
  return Object.fromEntries(pairs) as Part // the same keys, each a text
}

/** A draft read back; an older version of the page may have written it, so that only what fits is taken. */
export const formFromDraft = (kept: unknown): CheckoutFormValues => ({
  customer: textsOf(kept, 'customer', emptyCheckoutForm.customer),
  billingAddress: textsOf(kept, 'billingAddress', emptyAddress),
  shippingAddress: textsOf(kept, 'shippingAddress', emptyAddress),
  sameAsBilling: valueAt(kept, 'sameAsBilling') !== false,
  delivery: valueAt(kept, 'delivery') === 'batch' ? 'batch' : 'home',
  shippingCode: textOf(kept, 'shippingCode'),
  promoCode: textOf(kept, 'promoCode'),
})

/** Where the draft of a cart's checkout lies. */
export const checkoutDraftKey = ({ jobId, orderMethod }: { jobId: number; orderMethod: OrderMethod }): string =>
  `checkout ${jobId} ${orderMethod}`

const trimmed = <Part extends Record<string, string>>(part: Part): Part =>
  Object.fromEntries(Object.entries(part).map(([name, value]) => [name, value.trim()])) as Part // the same keys

/** The address things are mailed to, as typed. */
export const mailingAddress = ({ sameAsBilling, billingAddress, shippingAddress }: CheckoutFormValues): AddressInput =>
  sameAsBilling ? billingAddress : shippingAddress

/** The address whose taxes apply: where it is mailed, or where the customer is billed when the studio hands it out. */
export const taxAddress = (form: CheckoutFormValues, delivery: CheckoutFormValues['delivery']): AddressInput =>
  delivery === 'batch' ? form.billingAddress : mailingAddress(form)

export type CheckoutDetailsInput = {
  orderMethod: OrderMethod
  jobVersion: { major: number; minor: number }
  /** The option in force for the address; empty while none is known. */
  shippingCode: string
  payMethod: 'card' | 'none'
  /** After a card that failed. */
  recreatePaymethod: boolean
}

/** The checkout details as the server takes them (section 3). */
export const toCheckoutDetails = (form: CheckoutFormValues, facts: CheckoutDetailsInput): CheckoutDetails => {
  const customer = trimmed(form.customer)
  const { firstName, lastName } = customer
  const billingAddress = { ...trimmed(form.billingAddress), firstName, lastName }
  const batch = form.delivery === 'batch'
  return {
    customer,
    billingAddress,
    shippingAddress: form.sameAsBilling ? billingAddress : trimmed(form.shippingAddress),
    shippingAddressSameAsBillingAddress: form.sameAsBilling,
    payMethod: facts.payMethod,
    shippingOption: { code: batch ? '' : facts.shippingCode },
    isPartOfBatchOrder: batch,
    promoCode: { code: null },
    paymentToken: null,
    mailToHome: !batch,
    orderMethod: facts.orderMethod,
    jobVersion: facts.jobVersion,
    isV3Job: facts.jobVersion.major >= 3,
    recreatePaymethod: facts.recreatePaymethod,
  }
}
