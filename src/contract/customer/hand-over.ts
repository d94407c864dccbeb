import { boolean, enums, integer, object, pattern, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Id, Instant, Nothing, OrderMethod } from '../shapes/primitives.ts'

/** 128 bits drawn at random, as text for addresses. */
const Secret = pattern(string(), /^[\w-]{22}$/)

/** How long a hand-over waits for the other device. */
export const handOverMinutes = 10

/**
 * Begins to hand this visit to another device of the customer's: the address to open there, and the same as a picture to scan. It is
 * good for one device and ten minutes; a new one takes the place of the old. Neither names anybody. `orderMethod`: of the cart in
 * front of the customer.
 */
export const postHandOver = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/hand-over',
  who: 'job',
  params: object({ jobId: Id }),
  query: Nothing,
  body: object({ orderMethod: OrderMethod }),
  /** `qr`: an SVG, dark on nothing, its quiet edge included. */
  answer: type({ id: string(), address: string(), qr: string(), expiresAt: Instant }),
  problems: ['session-unknown', 'code-needed', 'not-found', 'in-flight', 'key-reused'],
} satisfies AnyCall

/** How this visit's latest hand-over stands: `over` where its time has passed. */
export const getHandOver = {
  ...postHandOver,
  method: 'GET',
  body: Nothing,
  answer: type({ id: string(), state: enums(['waiting', 'taken', 'over']) }),
  problems: ['session-unknown', 'code-needed', 'not-found'],
} satisfies AnyCall

/**
 * Takes what another device hands over: this one joins its visit, with a cookie of its own. `secret` is drawn by this device before it
 * asks, so that asking again after an answer was lost finds it in. `holdsCart`: something of a cart of its own lies here; then, and where
 * the server knows of such a cart, it is told so (`own-cart`) and nothing is taken, unless it is in already.
 */
export const redeemHandOver = {
  method: 'POST',
  path: '/api/customer/hand-over',
  who: 'anyone',
  params: Nothing,
  query: Nothing,
  body: object({ token: Secret, secret: Secret, holdsCart: boolean() }),
  answer: type({ jobId: integer(), studioId: integer(), orderMethod: OrderMethod, joined: boolean() }),
  problems: ['not-found', 'own-cart'],
} satisfies AnyCall
