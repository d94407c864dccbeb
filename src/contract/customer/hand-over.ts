import { boolean, enums, integer, object, pattern, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Id, Instant, Nothing, OrderMethod } from '../shapes/primitives.ts'

/** 128 random bits, as text for addresses. */
const Secret = pattern(string(), /^[\w-]{22}$/)

/** How long a hand-over is valid. */
export const handOverMinutes = 10

/**
 * Starts handing this session over to another device of the customer: returns the address to open there, and the same
 * as a QR code. Neither contains a name. The hand-over is valid for one device and ten minutes; a new one replaces it
 * if no device has accepted it. `orderMethod`: of the cart that the customer sees.
 */
export const postHandOver = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/hand-over',
  who: 'job',
  params: object({ jobId: Id }),
  body: object({ orderMethod: OrderMethod }),
  /** `qr`: an SVG, dark on transparent, including its quiet zone. */
  answer: type({ id: string(), address: string(), qr: string(), expiresAt: Instant }),
  problems: ['session-unknown', 'code-needed', 'not-found', 'in-flight', 'key-reused'],
})

/** The state of this session's latest hand-over: `over` if it expired before a device accepted it. */
export const getHandOver = call({
  ...postHandOver,
  method: 'GET',
  body: Nothing,
  answer: type({ id: string(), state: enums(['waiting', 'taken', 'over']) }),
  problems: ['session-unknown', 'code-needed', 'not-found'],
})

/**
 * Redeems another device's hand-over: this device joins its session, with a cookie of its own. This device generates
 * `secret` before the request, so that a retry after a lost response succeeds. `holdsCart`: whether this device has
 * items in a cart of its own. The call fails with `own-cart` if `holdsCart` is true or the server knows of such a cart,
 * unless this device belongs to the session already.
 */
export const redeemHandOver = call({
  method: 'POST',
  path: '/api/customer/hand-over',
  who: 'anyone',
  body: object({ token: Secret, secret: Secret, holdsCart: boolean() }),
  answer: type({ jobId: integer(), studioId: integer(), orderMethod: OrderMethod, joined: boolean() }),
  problems: ['not-found', 'own-cart'],
})
