import { array, enums, type Infer, nullable, object, optional, size, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Cents, Instant, Nothing } from '../shapes/primitives.ts'
import { financeStaff, jobPath, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'

/** What staff see of an order's money and way; `refundableCents` is what was charged and neither given back nor on its way back. */
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

/** Says how far the lab is. The customer is mailed when it is shipped, with the number it can be followed by. */
export const moveOrder = {
  method: 'POST',
  path: `${path}/move`,
  who: staff,
  params,
  query: Nothing,
  body: object({ to: enums(['inProduction', 'shipped']), trackingNumber: optional(size(string(), 1, 100)) }),
  answer: OrderStatus,
  problems,
} satisfies AnyCall

/**
 * Takes an order back, for as long as the lab is not at it; all that is left of its money goes back. Who may give money back may do
 * this. Cancelled again, it is as it is.
 */
export const cancelStaffOrder = {
  method: 'POST',
  path: `${path}/cancel`,
  who: financeStaff,
  params,
  query: Nothing,
  body: object({ reason: size(string(), 1, 500) }),
  answer: OrderStatus,
  problems,
} satisfies AnyCall

/** Gives money of an order back, whole or in part, whatever its state. */
export const refundOrder = {
  method: 'POST',
  path: `${path}/refunds`,
  who: financeStaff,
  params,
  query: Nothing,
  body: object({ amountCents: Cents, reason: size(string(), 1, 500) }),
  answer: OrderStatus,
  problems,
} satisfies AnyCall

/** Mails the receipt once more, to the address the order was placed with. */
export const resendReceipt = {
  method: 'POST',
  path: `${path}/receipt`,
  who: staff,
  params,
  query: Nothing,
  body: Nothing,
  answer: OrderStatus,
  problems,
} satisfies AnyCall
