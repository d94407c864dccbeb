import { array, boolean, enums, type Infer, integer, nullable, object, optional, size, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { PersonalizationChoice } from '../shapes/cart-structs.ts'
import {
  Cents,
  Count,
  Day,
  Id,
  Instant,
  Nothing,
  OrderMethod,
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

/** What a customer fills in (section 3, checkout details). Half-filled details are kept too; `submit` is what insists. */
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

/** Each amount in whole cents; the parts add up to `totalCents` exactly, the discount being taken away. */
export const Totals = type({
  packagesCents: Cents,
  servicesCents: Cents,
  discountCents: Cents,
  shippingCents: Cents,
  taxCents: Cents,
  totalCents: Cents,
})
export type Totals = Infer<typeof Totals>

/** A cart's totals. `cartVersion` is the version they are of: a submit says which one the customer was shown. */
export const CartTotals = type({ ...Totals.schema, cartVersion: Count })
export type CartTotals = Infer<typeof CartTotals>

export const ShippingOption = type({ code: string(), name: string(), priceCents: Cents })
export type ShippingOption = Infer<typeof ShippingOption>

export const Checkout = type({
  checkoutId: Uuid,
  details: nullable(type({ ...CheckoutDetails.schema })),
  shippingOptions: array(ShippingOption),
  /** Whether the job's orders may go to the studio in a batch ('Studio Shipping') and to a home. */
  delivery: type({ batch: boolean(), home: boolean() }),
  /** Who takes cards; with Stripe, `account` is the studio's own, null while it takes none. */
  payment: type({
    provider: enums(['test', 'stripe']),
    publishableKey: nullable(string()),
    account: optional(nullable(string())),
  }),
  /** The promotion code of this checkout, and why it takes nothing off as things stand; absent where the studio takes no codes. */
  promotion: optional(nullable(type({ code: string(), why: nullable(string()) }))),
  /** Set once this checkout became an order. */
  orderNumber: nullable(string()),
})
export type Checkout = Infer<typeof Checkout>

export const jobParams = object({ jobId: Id })
/** Without `orderMethod` it is the cart in front of the customer: the method is chosen as on the device. */
export const orderMethodQuery = { orderMethod: optional(OrderMethod) }
export const customerJobProblems = ['session-unknown', 'code-needed', 'not-found'] as const

/** Keeps the details of the cart's checkout; the first call names it (`checkoutId` is the device's, one per cart until ordered). */
export const postCheckout = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/checkout',
  who: 'job',
  params: jobParams,
  query: Nothing,
  body: object({ checkoutId: Uuid, ...CheckoutDetails.schema }),
  answer: Checkout,
  problems: [...customerJobProblems, 'refused', 'conflict'],
} satisfies AnyCall

export const getCheckout = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/checkout',
  who: 'job',
  params: jobParams,
  query: object({ ...orderMethodQuery, checkoutId: optional(Uuid) }),
  body: Nothing,
  answer: Checkout,
  problems: customerJobProblems,
} satisfies AnyCall

/** What the review shows: priced by the server from the current cart and the kept details. */
export const getTotals = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/checkout/totals',
  who: 'job',
  params: jobParams,
  query: object(orderMethodQuery),
  body: Nothing,
  answer: CartTotals,
  problems: [...customerJobProblems, 'prices-changed', 'refused'],
} satisfies AnyCall

/** With what the browser asks the customer's bank, by the provider's own script. */
export const NextAction = type({ clientSecret: string(), publishableKey: string(), account: nullable(string()) })
export type NextAction = Infer<typeof NextAction>

/**
 * Pays and orders. One `attemptId` belongs to one token, and to the total and the cart version that the customer was shown; the client
 * stores it before it sends it. A repetition with the same id gets the recorded answer. A cart of another version is answered
 * `totals-changed`. After `requires-action`, the same attempt is submitted once more with `authentication`.
 */
export const submitCheckout = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/checkout/submit',
  who: 'job',
  params: jobParams,
  query: Nothing,
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
    /** Of `requires-action`, where the page does not ask the bank's question itself. */
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
} satisfies AnyCall

/**
 * What became of a payment attempt. `unfinished`: the request never arrived, or the customer's bank still waits for them; nothing is charged unless
 * they go on. `ended`: nothing was charged, and nothing can be.
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
  query: Nothing,
  body: Nothing,
  answer: PaymentAttemptOutcome,
  problems: [...customerJobProblems, 'refused'],
} as const

/** Asks what became of an attempt; never charges anything. */
export const getPaymentAttempt = { method: 'GET', ...attemptCall } satisfies AnyCall

/** Gives an attempt up: nothing can be charged by it afterwards, even if its `submit` arrives later. `ordered` where it was charged before. */
export const abandonPaymentAttempt = { method: 'DELETE', ...attemptCall } satisfies AnyCall

export const OrderLine = type({
  /** A package's own id in its order, by which its customer changes it; a service has none. */
  lineId: optional(nullable(integer())),
  packageName: string(),
  personName: string(),
  imageThumbnailUrl: nullable(string()),
  quantity: integer(),
  /** Whole cents of the line: price times quantity, before the discount. */
  totalCents: Cents,
  /** Texts are as they may be shown: fed by an e-mail address or a phone number, they are masked (section 5). */
  items: array(type({ name: string(), productCode: optional(string()), texts: array(string()) })),
  /** Name and year as they print, where the line is that service. */
  personalization: optional(type({ ...PersonalizationChoice.schema })),
  /** The packages that show the picture which is retouched, where the line is of one picture. */
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
  /** How it comes: mailed, by way of the studio, or, where nothing of it is printed, as files. */
  delivery: optional(enums(['home', 'studio', 'download'])),
  lines: array(OrderLine),
  totals: Totals,
  cardEnding: nullable(string()),
  /** The promotion code the discount is of. */
  promotionCode: optional(nullable(string())),
  /** What a shipped order can be followed by. */
  trackingNumber: optional(nullable(string())),
  /** Money given back, oldest first: `pending` is on its way. */
  refunds: optional(array(type({ amountCents: Cents, state: enums(['pending', 'done', 'failed']), at: Instant }))),
  /** What would go back were it cancelled: paid, and neither given back nor on its way back. */
  refundableCents: optional(Cents),
  /** Links to what comes as files; `personName` where it is of one person. */
  downloads: optional(array(type({ linkId: string(), kind: enums(['single', 'all']), personName: string() }))),
  /** Days that matter to it, where the studio is, in their order. */
  dates: optional(array(type({ name: string(), on: Day }))),
  /** Whether it may still be taken back: the lab does not have it. */
  mayCancel: optional(boolean()),
  /** Whether texts and pictures may still be put right, and packages be taken off. */
  mayChange: optional(boolean()),
})
export type Order = Infer<typeof Order>

/** By order number; for the session that placed it or found it by number and e-mail. */
export const getOrder = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/orders/:orderId',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20) }),
  query: Nothing,
  body: Nothing,
  answer: Order,
  problems: ['session-unknown', 'not-found'],
} satisfies AnyCall

/** The order search: sets the session cookie where needed and grants the one order that was found. */
export const searchOrder = {
  method: 'GET',
  path: '/api/customer/cart/search/',
  who: 'anyone',
  params: Nothing,
  query: object({ orderNumber: size(string(), 1, 40), email: size(string(), 3, 254) }),
  body: Nothing,
  answer: type({ jobId: integer(), orderNumber: string(), order: Order }),
  problems: ['not-found'],
} satisfies AnyCall
