import { array, enums, type Infer, nullable, object, optional, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Cents, Instant } from '../shapes/primitives.ts'
import { financeStaff, jobPath, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'

/** State and refunds of an order; `refundableCents` was charged and is neither refunded nor being refunded. */
export const OrderStatus = type({
  orderNumber: string(),
  state: enums(['placed', 'batched', 'submitted', 'inProduction', 'shipped', 'cancelled']),
  trackingNumber: nullable(string()),
  refundableCents: Cents,
  refunds: array(type({ amountCents: Cents, state: enums(['pending', 'done', 'failed']), at: Instant })),
})
export type OrderStatus = Infer<typeof OrderStatus>

const params = object({ ...studioJobParams, orderNumber: size(string(), 1, 20) })
const path = `${jobPath}/orders/:orderNumber`
const problems = [...readProblems, 'refused'] as const

/** Sets the progress at the lab. When the order is shipped, the customer gets a mail with the tracking number. */
export const moveOrder = call({
  method: 'POST',
  path: `${path}/move`,
  who: staff,
  params,
  body: object({ to: enums(['inProduction', 'shipped']), trackingNumber: optional(size(string(), 1, 100)) }),
  answer: OrderStatus,
  problems,
})

/**
 * Cancels an order before production and refunds the rest of its money. Requires the permission to refund. Idempotent.
 */
export const cancelStaffOrder = call({
  method: 'POST',
  path: `${path}/cancel`,
  who: financeStaff,
  params,
  body: object({ reason: size(string(), 1, 500) }),
  answer: OrderStatus,
  problems,
})

/** Refunds an order in whole or in part, in any state. */
export const refundOrder = call({
  method: 'POST',
  path: `${path}/refunds`,
  who: financeStaff,
  params,
  body: object({ amountCents: Cents, reason: size(string(), 1, 500) }),
  answer: OrderStatus,
  problems,
})

/** Mails the receipt again, to the address the order was placed with. */
export const resendReceipt = call({
  method: 'POST',
  path: `${path}/receipt`,
  who: staff,
  params,
  answer: OrderStatus,
  problems,
})
