import { array, boolean, enums, type Infer, integer, nullable, object, size, string, type } from 'superstruct'
import { orderErrorKinds } from '#domain/orders/order-error-kinds.ts'
import { batchStates, orderStates } from '#domain/orders/order-states.ts'
import { Customer } from '../customer/checkout-calls.ts'
import { call } from '../shapes/call.ts'
import { CartPackage } from '../shapes/cart-structs.ts'
import { Address, Totals } from '../shapes/order-structs.ts'
import { Cents, Instant, OrderMethod } from '../shapes/primitives.ts'
import { jobPath, readProblems, staff } from '../shapes/staff-call.ts'
import { mailStates } from '../system/call-logs.ts'
import { moveOrder } from './order-actions.ts'
import { Packet } from './packets.ts'

/** A line of an order; for a package, `sold` is how it prints, with images that staff may see. */
const StaffOrderLine = type({
  id: integer(),
  name: string(),
  subjectName: string(),
  quantity: integer(),
  amountCents: Cents,
  needsImages: boolean(),
  /** The text that a service prints. */
  words: array(string()),
  sold: nullable(CartPackage),
})

/** A charge or refund, and who made it. A refund that was made has the number of a credit note. */
const LedgerRow = type({
  kind: enums(['charge', 'refund']),
  state: enums(['pending', 'done', 'failed']),
  amountCents: Cents,
  provider: string(),
  reason: nullable(string()),
  by: nullable(string()),
  at: Instant,
  creditNote: nullable(string()),
})

const OrderMove = type({
  from: nullable(enums(orderStates)),
  to: enums(orderStates),
  reason: nullable(string()),
  by: nullable(string()),
  at: Instant,
})

/** An order with all data that staff may see. */
export const StaffOrder = type({
  orderNumber: string(),
  state: enums(orderStates),
  orderMethod: OrderMethod,
  placedAt: Instant,
  customer: type({ ...Customer.schema }),
  enteredBy: nullable(string()),
  note: nullable(string()),
  isToStudio: boolean(),
  shippingName: nullable(string()),
  shippingAddress: nullable(type({ ...Address.schema })),
  trackingNumber: nullable(string()),
  promotionCode: nullable(string()),
  payMethod: string(),
  cardEnding: nullable(string()),
  totals: Totals,
  refundableCents: Cents,
  ledger: array(LedgerRow),
  moves: array(OrderMove),
  batch: nullable(type({ id: integer(), name: string(), state: enums(batchStates) })),
  packets: array(type({ id: integer(), state: Packet.schema.state, error: nullable(string()) })),
  /** What failed for this order and is not resolved. */
  errors: array(type({ kind: enums(orderErrorKinds), message: string(), at: Instant })),
  /** The emails to the customer about this order, the newest first. */
  emails: array(type({ id: integer(), kind: string(), at: Instant, state: enums(mailStates) })),
  lines: array(StaffOrderLine),
  /** Why it cannot be submitted to the lab; null once it was. */
  why: nullable(string()),
})
export type StaffOrder = Infer<typeof StaffOrder>

export const getStaffOrder = call({
  method: 'GET',
  path: `${jobPath}/orders/:orderNumber`,
  who: staff,
  params: moveOrder.params,
  answer: StaffOrder,
  problems: readProblems,
})

/**
 * A link to a document of an order, valid for 10 to 15 minutes. `documentName` is `receipt.pdf`, or the number of a credit
 * note with `.pdf`. The link answers 404 if the order has no such document.
 */
export const getOrderDocument = call({
  method: 'GET',
  path: `${getStaffOrder.path}/documents/:documentName`,
  who: staff,
  params: object({ ...moveOrder.params.schema, documentName: size(string(), 1, 40) }),
  answer: type({ url: string() }),
  problems: readProblems,
})
