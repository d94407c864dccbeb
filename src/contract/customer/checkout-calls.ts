import { array, boolean, enums, type Infer, nullable, object, optional, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { customerJobProblems, jobParams, orderMethodQuery } from '../shapes/customer-call.ts'
import { Address, Totals } from '../shapes/order-structs.ts'
import {
  Cents,
  Count,
  Id,
  OrderMethod,
  PaymentProviderName,
  shortText,
  Uuid,
  WholeNumber,
} from '../shapes/primitives.ts'

export const Customer = object({
  firstName: shortText(100),
  lastName: shortText(100),
  email: shortText(254),
  phone: shortText(30),
})
export type Customer = Infer<typeof Customer>

/**
 * What a customer fills in (section 3, checkout details). Incomplete details are stored too; only `submit` requires
 * them to be complete.
 */
export const CheckoutDetails = object({
  customer: Customer,
  billingAddress: Address,
  shippingAddress: Address,
  shippingAddressSameAsBillingAddress: boolean(),
  payMethod: enums(['card', 'none']),
  shippingOption: object({ code: shortText(40) }),
  isPartOfBatchOrder: boolean(),
  promoCode: object({ code: nullable(shortText(40)) }),
  paymentToken: nullable(shortText()),
  mailToHome: boolean(),
  orderMethod: OrderMethod,
  jobVersion: object({ major: WholeNumber, minor: WholeNumber }),
  isV3Job: boolean(),
  recreatePaymethod: boolean(),
})
export type CheckoutDetails = Infer<typeof CheckoutDetails>

/**
 * A cart's totals. `cartVersion` is the version they were computed from: a submit names the one that the customer saw.
 */
export const CartTotals = type({ ...Totals.schema, cartVersion: Count })
export type CartTotals = Infer<typeof CartTotals>

export const ShippingOption = type({ code: string(), name: string(), priceCents: Cents })
export type ShippingOption = Infer<typeof ShippingOption>

export const Checkout = type({
  checkoutId: Uuid,
  details: nullable(type({ ...CheckoutDetails.schema })),
  shippingOptions: array(ShippingOption),
  /** Whether the job's orders can be delivered to the studio in a batch ('Studio Shipping') and to a home. */
  delivery: type({ batch: boolean(), home: boolean() }),
  /** When the order arrives if it is placed today, as customers read it; null if the studio does not say so. */
  arrivals: type({ batch: nullable(string()), home: nullable(string()) }),
  /** The payment provider, its key for the browser, and the studio's account with it; null if there is none. */
  payment: type({
    provider: PaymentProviderName,
    publishableKey: nullable(string()),
    account: nullable(string()),
  }),
  /**
   * The promotion code that the customer typed, and why it currently gives no discount; missing if the studio has no
   * promotions.
   */
  promotion: optional(nullable(type({ code: string(), why: nullable(string()) }))),
  /** Set once this checkout became an order. */
  orderNumber: nullable(string()),
})
export type Checkout = Infer<typeof Checkout>

/**
 * Stores the details of the cart's checkout; the first call creates it (the device generates `checkoutId`, one per cart
 * until it is ordered).
 */
export const postCheckout = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/checkout',
  who: 'job',
  params: jobParams,
  body: object({ checkoutId: Uuid, ...CheckoutDetails.schema }),
  answer: Checkout,
  problems: [...customerJobProblems, 'refused', 'conflict'],
})

export const getCheckout = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/checkout',
  who: 'job',
  params: jobParams,
  query: object({ ...orderMethodQuery, checkoutId: optional(Uuid) }),
  answer: Checkout,
  problems: customerJobProblems,
})

/** The totals on the review screen, computed by the server from the current cart and the stored details. */
export const getTotals = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/checkout/totals',
  who: 'job',
  params: jobParams,
  query: object(orderMethodQuery),
  answer: CartTotals,
  problems: [...customerJobProblems, 'prices-changed', 'refused'],
})

/** The data with which the provider's module in the browser asks the customer's bank to confirm the payment. */
export const NextAction = type({
  provider: PaymentProviderName,
  clientSecret: nullable(string()),
  publishableKey: nullable(string()),
  account: nullable(string()),
})
export type NextAction = Infer<typeof NextAction>

/**
 * Charges the card and places the order. An `attemptId` belongs to one token, and to the total and cart version that
 * the customer saw; the client stores it before it sends the request. A retry with the same id gets the recorded
 * response. Another cart version returns `totals-changed`. After `requires-action`, the same attempt is submitted again
 * with `authentication`.
 */
export const submitCheckout = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/checkout/submit',
  who: 'job',
  params: jobParams,
  body: object({
    orderMethod: OrderMethod,
    checkoutId: Uuid,
    attemptId: Uuid,
    paymentToken: nullable(size(string(), 1, 200)),
    totalCents: Cents,
    cartVersion: Count,
    authentication: optional(enums(['confirmed', 'cancelled'])),
  }),
  answer: type({
    outcome: enums(['ordered', 'requires-action']),
    orderNumber: nullable(string()),
    /** Set for `requires-action`. */
    action: optional(NextAction),
  }),
  problems: [
    ...customerJobProblems,
    'in-flight',
    'totals-changed',
    'prices-changed',
    'cart-incomplete',
    'payment-declined',
    'refused',
  ],
})

/**
 * The outcome of a payment attempt. `unfinished`: the request never arrived, or the customer's bank still waits for
 * them; nothing is charged unless they continue. `ended`: nothing was charged, and nothing can be.
 */
export const PaymentAttemptOutcome = type({
  state: enums(['unfinished', 'charging', 'ended', 'ordered']),
  orderNumber: nullable(string()),
})
export type PaymentAttemptOutcome = Infer<typeof PaymentAttemptOutcome>

const attemptCall = {
  path: '/api/customer/jobs/:jobId/checkout/:checkoutId/attempts/:attemptId',
  who: 'job',
  params: object({ jobId: Id, checkoutId: Uuid, attemptId: Uuid }),
  answer: PaymentAttemptOutcome,
  problems: [...customerJobProblems, 'refused'],
} as const

/** Reads the outcome of an attempt; never charges anything. */
export const getPaymentAttempt = call({ method: 'GET', ...attemptCall })

/**
 * Abandons an attempt: it can no longer charge anything, even if its `submit` arrives later. Returns `ordered` if it
 * was charged before.
 */
export const abandonPaymentAttempt = call({ method: 'DELETE', ...attemptCall })
