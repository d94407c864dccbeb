import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { valueAt } from '#domain/shared/validators.ts'

/** A name as typed in one field. */
export type NameParts = { firstName: string; lastName: string }

/** Splits a name: the last word is the last name, the rest the first. A single word is a first name. */
export const splitName = (name: string): NameParts => {
  const words = name.trim().split(/\s+/)
  const [lastName = ''] = words.length > 1 ? words.splice(-1) : []
  return { firstName: words.join(' '), lastName }
}

export const joinName = ({ firstName, lastName }: NameParts): string => `${firstName} ${lastName}`.trim()

/** An address as typed. The name of the billing address is the customer's. */
export type AddressInput = {
  name: string
  address1: string
  address2: string
  city: string
  state: string
  zip: string
}

/** The checkout form as typed, stored on the device until the order is placed. Excludes the card. */
export type CheckoutFormValues = {
  customer: { name: string; email: string; phone: string }
  billingAddress: AddressInput
  shippingAddress: AddressInput
  sameAsBilling: boolean
  delivery: 'home' | 'batch'
  /** As chosen. If it is not offered for the address, the first offered option applies. */
  shippingCode: string
  /** As typed; the server decides which code applies. */
  promoCode: string
}

const emptyAddress: AddressInput = {
  name: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  zip: '',
}

export const emptyCheckoutForm: CheckoutFormValues = {
  customer: { name: '', email: '', phone: '' },
  billingAddress: emptyAddress,
  shippingAddress: emptyAddress,
  sameAsBilling: true,
  delivery: 'home',
  shippingCode: '',
  promoCode: '',
}

const readText = (draft: unknown, path: string): string => {
  const value = valueAt(draft, path)
  return typeof value === 'string' ? value : ''
}

const readTexts = <Part extends { name: string }>(draft: unknown, path: string, empty: Part): Part => {
  const pairs = Object.keys(empty).map((name) => [name, readText(draft, `${path}.${name}`)])
  const texts = Object.fromEntries(pairs) as Part // same keys, all text
  // Older versions of the page had two fields for the name.
  const parts = { firstName: readText(draft, `${path}.firstName`), lastName: readText(draft, `${path}.lastName`) }
  return { ...texts, name: texts.name || joinName(parts) }
}

/** Reads a draft. An older version of the page may have written it, so values of the wrong type are ignored. */
export const formFromDraft = (draft: unknown): CheckoutFormValues => ({
  customer: readTexts(draft, 'customer', emptyCheckoutForm.customer),
  billingAddress: readTexts(draft, 'billingAddress', emptyAddress),
  shippingAddress: readTexts(draft, 'shippingAddress', emptyAddress),
  sameAsBilling: valueAt(draft, 'sameAsBilling') !== false,
  delivery: valueAt(draft, 'delivery') === 'batch' ? 'batch' : 'home',
  shippingCode: readText(draft, 'shippingCode'),
  promoCode: readText(draft, 'promoCode'),
})

/** Storage key of a cart's checkout draft. */
export const checkoutDraftKey = ({ jobId, orderMethod }: { jobId: number; orderMethod: OrderMethod }): string =>
  `checkout ${jobId} ${orderMethod}`

/** The values of a part without spaces around them, with first and last name apart. */
const toServerValues = <Part extends { name: string }>({ name, ...part }: Part): Omit<Part, 'name'> & NameParts => {
  const trimmed = Object.entries(part).map(([key, value]) => [key, String(value).trim()])
  return { ...(Object.fromEntries(trimmed) as Omit<Part, 'name'>), ...splitName(name) } // same keys
}

/** The shipping address, as typed. */
export const mailingAddress = ({ sameAsBilling, billingAddress, shippingAddress }: CheckoutFormValues): AddressInput =>
  sameAsBilling ? billingAddress : shippingAddress

/** The address that determines the tax: the shipping address, or the billing address for batch delivery. */
export const taxAddress = (form: CheckoutFormValues, delivery: CheckoutFormValues['delivery']): AddressInput =>
  delivery === 'batch' ? form.billingAddress : mailingAddress(form)

export type CheckoutDetailsInput = {
  orderMethod: OrderMethod
  jobVersion: { major: number; minor: number }
  /** The effective option for the address; empty if unknown. */
  shippingCode: string
  payMethod: 'card' | 'none'
  /** Set after a card failed. */
  recreatePaymethod: boolean
}

/** The checkout details in the server's format (section 3). */
export const toCheckoutDetails = (form: CheckoutFormValues, input: CheckoutDetailsInput): CheckoutDetails => {
  const customer = toServerValues(form.customer)
  const billingAddress = toServerValues({ ...form.billingAddress, name: form.customer.name })
  const isBatch = form.delivery === 'batch'
  return {
    customer,
    billingAddress,
    shippingAddress: form.sameAsBilling ? billingAddress : toServerValues(form.shippingAddress),
    shippingAddressSameAsBillingAddress: form.sameAsBilling,
    payMethod: input.payMethod,
    shippingOption: { code: isBatch ? '' : input.shippingCode },
    isPartOfBatchOrder: isBatch,
    promoCode: { code: null },
    paymentToken: null,
    mailToHome: !isBatch,
    orderMethod: input.orderMethod,
    jobVersion: input.jobVersion,
    isV3Job: input.jobVersion.major >= 3,
    recreatePaymethod: input.recreatePaymethod,
  }
}
