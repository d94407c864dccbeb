import { array, boolean, enums, type Infer, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { PersonalizationChoice } from '../shapes/cart-structs.ts'
import { customerJobProblems, jobParams, orderMethodQuery } from '../shapes/customer-call.ts'
import {
  Cents,
  Count,
  Day,
  Id,
  Instant,
  OrderMethod,
  PaymentProviderName,
  shortText,
  Uuid,
  WholeNumber,
} from '../shapes/primitives.ts'

export const Address = object({
  firstName: shortText(100),
  lastName: shortText(100),
  address1: shortText(),
  address2: shortText(),
  city: shortText(100),
  /** Two letters; AA, AE and AP for military addresses. */
  state: shortText(2),
  zip: shortText(10),
})
export type Address = Infer<typeof Address>

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

/** Whole cents; the parts, with the discount subtracted, add up to `totalCents` exactly. */
export const Totals = type({
  packagesCents: Cents,
  servicesCents: Cents,
  discountCents: Cents,
  /** What was added because the order is late. */
  lateFeeCents: Cents,
  shippingCents: Cents,
  taxCents: Cents,
  totalCents: Cents,
  /** In the totals of a cart: the codes of the promotions of the discount; null if there is none. */
  promotionCode: optional(nullable(string())),
})
export type Totals = Infer<typeof Totals>

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

export const OrderLine = type({
  /** A package's own id in its order, which the customer's changes refer to; services have none. */
  lineId: nullable(integer()),
  packageName: string(),
  subjectName: string(),
  imageThumbnailUrl: nullable(string()),
  quantity: integer(),
  /** Whole cents of the line: price times quantity, before the discount. */
  totalCents: Cents,
  /** Texts for display: those from an e-mail address or a phone number are masked (section 5). */
  items: array(type({ name: string(), productCode: string(), texts: array(string()) })),
  /** Printed name and year, if the line is that service. */
  personalization: optional(type({ ...PersonalizationChoice.schema })),
  /** The packages that use the retouched image, if the line retouches a single image. */
  retouchedIn: optional(array(string())),
})

export const Order = type({
  orderNumber: string(),
  jobId: integer(),
  jobName: string(),
  studioName: string(),
  studioSlug: string(),
  studioPhone: nullable(string()),
  studioEmail: nullable(string()),
  orderMethod: OrderMethod,
  state: enums(['placed', 'batched', 'submitted', 'inProduction', 'shipped', 'cancelled']),
  placedAt: Instant,
  customer: type({ firstName: string(), lastName: string(), email: string(), phone: string() }),
  shippingAddress: nullable(type({ ...Address.schema })),
  shippingName: string(),
  /** How the order is delivered: mailed, via the studio, or, if nothing is printed, as files. */
  delivery: enums(['home', 'studio', 'download']),
  lines: array(OrderLine),
  totals: Totals,
  cardEnding: nullable(string()),
  /** The codes of the promotions of the discount. */
  promotionCode: nullable(string()),
  /** The tracking number of a shipped order. */
  trackingNumber: nullable(string()),
  /** Refunds, oldest first; `pending`: not confirmed yet. A refund that was made has the number of a credit note. */
  refunds: array(
    type({
      amountCents: Cents,
      state: enums(['pending', 'done', 'failed']),
      at: Instant,
      creditNote: nullable(string()),
    }),
  ),
  /** The amount a cancellation would refund: paid, and neither refunded nor being refunded. */
  refundableCents: Cents,
  /** Links to files; `subjectName` if they are of one subject. */
  downloads: array(type({ linkId: string(), kind: enums(['single', 'all']), subjectName: string() })),
  /** Dates that matter to the order, in the studio's time zone, sorted. */
  dates: array(type({ name: string(), on: Day })),
  /** Whether the customer can still cancel: not at the lab, not paid at the studio, and no file downloaded. */
  mayCancel: boolean(),
  /** Whether texts, images and quantities can still be changed: not at the lab, and not in a closed batch. */
  mayChange: boolean(),
})
export type Order = Infer<typeof Order>

/** An order by its number; only for the session that placed it or found it by number and e-mail. */
export const getOrder = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/orders/:orderId',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20) }),
  answer: Order,
  problems: ['session-unknown', 'not-found'],
})

/** The order search: sets the session cookie if necessary and grants access to the one order that was found. */
export const searchOrder = call({
  method: 'GET',
  path: '/api/customer/cart/search/',
  who: 'anyone',
  query: object({ orderNumber: size(string(), 1, 40), email: size(string(), 3, 254) }),
  answer: type({ jobId: integer(), orderNumber: string(), order: Order }),
  problems: ['not-found'],
})
