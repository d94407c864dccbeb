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
import type { AnyCall } from '../shapes/call.ts'
import { Cents, Id, Nothing, Uuid } from '../shapes/primitives.ts'
import { Address, Checkout, Customer, Order, PaymentAttemptOutcome, submitCheckout, Totals } from './checkout-calls.ts'

const params = object({ jobId: Id, orderId: size(string(), 1, 20) })

/**
 * Takes an order back, for as long as the lab does not have it; what was paid goes back to where it came from. For the session that
 * placed it or found it by number and e-mail. Cancelled again, the order is answered as it is.
 */
export const cancelOrder = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/orders/:orderId/cancel',
  who: 'session',
  params,
  query: Nothing,
  body: Nothing,
  answer: Order,
  problems: ['session-unknown', 'not-found', 'refused'],
} satisfies AnyCall

/** How many are wanted of packages of an order, absolute; 0 takes one off, and one that is not named stays as it is. */
const packages = size(array(object({ lineId: Id, quantity: max(min(integer(), 0), maxLineQuantity) })), 1, 200)

/** An order as it would be with fewer packages. */
export const ReductionQuote = type({
  totals: Totals,
  /** What goes back to where it was paid from. */
  backCents: Cents,
  /** Nothing would be left: the order is cancelled. */
  cancels: boolean(),
  /** What goes with what is taken off: add-ons that may not stand without it, and services of whom no package is left for. */
  goesToo: array(string()),
  /** The promotion code that does not hold for what is left. */
  endedCode: nullable(string()),
})
export type ReductionQuote = Infer<typeof ReductionQuote>

/** What an order would come to with fewer packages, and what would go back; nothing is changed. */
export const quoteReduction = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/orders/:orderId/fewer/price',
  who: 'session',
  params,
  query: Nothing,
  body: object({ packages }),
  answer: ReductionQuote,
  problems: ['session-unknown', 'not-found', 'refused'],
} satisfies AnyCall

/**
 * Takes packages off an order, whole or some of each, until it goes to the lab; the last one off cancels it. `backCents` is what was
 * shown to go back: where it would be another amount nothing is done. Told again, the order is answered as it is.
 */
export const reduceOrder = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/orders/:orderId/fewer',
  who: 'session',
  params,
  query: Nothing,
  body: object({ packages, backCents: Cents }),
  answer: Order,
  problems: ['session-unknown', 'not-found', 'totals-changed', 'in-flight', 'refused'],
} satisfies AnyCall

/** How many are wanted of packages of an order, absolute, more than there are. */
const morePackages = size(array(object({ lineId: Id, quantity: max(min(integer(), 1), maxLineQuantity) })), 1, 200)

/** An order as it would be with more of its packages. */
export const IncreaseQuote = type({
  totals: Totals,
  /** What is to be paid for that. */
  chargeCents: Cents,
  payment: Checkout.schema.payment,
  /** Whose card it is taken to be, unless the order's was another's. */
  payer: type({ customer: type({ ...Customer.schema }), billingAddress: nullable(type({ ...Address.schema })) }),
})
export type IncreaseQuote = Infer<typeof IncreaseQuote>

/** What an order would come to with more of its packages, and what would be charged; nothing is changed. */
export const quoteIncrease = {
  ...quoteReduction,
  path: '/api/customer/jobs/:jobId/orders/:orderId/more/price',
  body: object({ packages: morePackages }),
  answer: IncreaseQuote,
} satisfies AnyCall

/**
 * Pays for more of an order's packages, until it goes to the lab. As with `submitCheckout` the attempt stands for one token and one
 * shown amount and is stored before it is sent: asked again with the same one, the same outcome comes again and nothing is charged
 * twice. Where the order was changed while its bank was asked, the money goes back.
 */
export const increaseOrder = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/orders/:orderId/more',
  who: 'session',
  params,
  query: Nothing,
  body: object({
    packages: morePackages,
    attemptId: Uuid,
    paymentToken: nullable(size(string(), 1, 200)),
    chargeCents: Cents,
    authentication: optional(enums(['confirmed', 'cancelled'])),
  }),
  answer: submitCheckout.answer,
  problems: ['session-unknown', 'not-found', 'in-flight', 'totals-changed', 'payment-declined', 'refused'],
} satisfies AnyCall

const increaseAttemptCall = {
  path: '/api/customer/jobs/:jobId/orders/:orderId/attempts/:attemptId',
  who: 'session',
  params: object({ ...params.schema, attemptId: Uuid }),
  query: Nothing,
  body: Nothing,
  answer: PaymentAttemptOutcome,
  problems: ['session-unknown', 'not-found', 'refused'],
} as const

/**
 * Asks what became of an attempt to pay for more of an order; never charges anything. `refused` where it was paid too late to add anything:
 * the money goes back.
 */
export const getIncreaseAttempt = { method: 'GET', ...increaseAttemptCall } satisfies AnyCall

/** Gives such an attempt up: nothing can be charged by it afterwards, even if its request arrives later. `ordered` where it was paid before. */
export const abandonIncreaseAttempt = { method: 'DELETE', ...increaseAttemptCall } satisfies AnyCall
