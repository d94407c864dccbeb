import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  max,
  min,
  nullable,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { maxLineQuantity } from '#domain/cart/cart-rules.ts'
import { call } from '../shapes/call.ts'
import { Address, Totals } from '../shapes/order-structs.ts'
import { Cents, Id, Uuid } from '../shapes/primitives.ts'
import { Checkout, Customer, PaymentAttemptOutcome, submitCheckout } from './checkout-calls.ts'
import { Order } from './order-calls.ts'

const params = object({ jobId: Id, orderId: size(string(), 1, 20) })

/**
 * Cancels an order and refunds what was paid. Rejected if it is at the lab, was paid at the studio, or a file of it was
 * downloaded. For the session that placed it or found it by number and e-mail. Idempotent: cancelling again returns the
 * order unchanged.
 */
export const cancelOrder = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/orders/:orderId/cancel',
  who: 'session',
  params,
  answer: Order,
  problems: ['session-unknown', 'not-found', 'refused'],
})

/** Absolute quantities of an order's packages; 0 removes one, packages that are not named stay. */
const packages = size(array(object({ lineId: Id, quantity: max(min(integer(), 0), maxLineQuantity) })), 1, 200)

/** Preview of an order with fewer packages. */
export const ReductionQuote = type({
  totals: Totals,
  /** The amount to refund. */
  refundCents: Cents,
  /** Nothing would be left, so the order would be cancelled. */
  cancels: boolean(),
  /**
   * What is removed as a consequence: add-ons that are no longer allowed, and services of subjects without a package.
   */
  alsoRemoved: array(string()),
  /** The promotion code that is no longer valid for what is left. */
  lostPromotionCode: nullable(string()),
})
export type ReductionQuote = Infer<typeof ReductionQuote>

/** Previews an order with fewer packages, and the refund; changes nothing. */
export const quoteReduction = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/orders/:orderId/fewer/price',
  who: 'session',
  params,
  body: object({ packages }),
  answer: ReductionQuote,
  problems: ['session-unknown', 'not-found', 'refused'],
})

/**
 * Reduces the packages of an order until its batch closes or it is submitted to the lab; removing the last one cancels
 * the order. `refundCents` is the refund that the customer saw: if it differs by now, nothing is changed. A retry
 * returns the order unchanged.
 */
export const reduceOrder = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/orders/:orderId/fewer',
  who: 'session',
  params,
  body: object({ packages, refundCents: Cents }),
  answer: Order,
  problems: ['session-unknown', 'not-found', 'totals-changed', 'in-flight', 'refused'],
})

/** Absolute quantities of an order's packages, larger than the current ones. */
const morePackages = size(array(object({ lineId: Id, quantity: max(min(integer(), 1), maxLineQuantity) })), 1, 200)

/** Preview of an order with more of its packages. */
export const IncreaseQuote = type({
  totals: Totals,
  /** The amount to charge. */
  chargeCents: Cents,
  payment: Checkout.schema.payment,
  /** The assumed payer: the order's customer, unless a different person pays. */
  payer: type({ customer: type({ ...Customer.schema }), billingAddress: nullable(type({ ...Address.schema })) }),
})
export type IncreaseQuote = Infer<typeof IncreaseQuote>

/** Previews an order with more of its packages, and the charge; changes nothing. */
export const quoteIncrease = call({
  ...quoteReduction,
  path: '/api/customer/jobs/:jobId/orders/:orderId/more/price',
  body: object({ packages: morePackages }),
  answer: IncreaseQuote,
})

/**
 * Charges for more of an order's packages until its batch closes or it is submitted to the lab. As with
 * `submitCheckout`, an attempt belongs to one token and one amount, and is stored before it is sent: a retry returns
 * the same outcome and charges nothing again. If the order changed during bank authentication, the charge is refunded.
 */
export const increaseOrder = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/orders/:orderId/more',
  who: 'session',
  params,
  body: object({
    packages: morePackages,
    attemptId: Uuid,
    paymentToken: nullable(size(string(), 1, 200)),
    chargeCents: Cents,
    authentication: optional(enums(['confirmed', 'cancelled'])),
  }),
  answer: submitCheckout.answer,
  problems: ['session-unknown', 'not-found', 'in-flight', 'totals-changed', 'payment-declined', 'refused'],
})

const increaseAttemptCall = {
  path: '/api/customer/jobs/:jobId/orders/:orderId/attempts/:attemptId',
  who: 'session',
  params: object({ ...params.schema, attemptId: Uuid }),
  answer: PaymentAttemptOutcome,
  problems: ['session-unknown', 'not-found', 'refused'],
} as const

/**
 * Reads the outcome of an attempt to increase an order; never charges anything. `refused` if it was paid too late to
 * change the order: the charge is refunded.
 */
export const getIncreaseAttempt = call({ method: 'GET', ...increaseAttemptCall })

/**
 * Abandons such an attempt: it can no longer charge anything, even if its request arrives later. Returns `ordered` if
 * it was paid before.
 */
export const abandonIncreaseAttempt = call({ method: 'DELETE', ...increaseAttemptCall })
