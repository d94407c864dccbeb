import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  size,
  string,
  type,
  union,
} from 'superstruct'
import { orderStates } from '#domain/orders/order-states.ts'
import { maxBulkOrders, orderViews } from '#domain/orders/order-views.ts'
import type { AnyCall } from '../shapes/call.ts'
import { Cents, Count, Id, Instant, Nothing, OrderMethod } from '../shapes/primitives.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'
import { Packet } from './packet-production.ts'

/**
 * Which orders of a job are meant. The view `prepay` is of the job's own way of ordering, gallery orders where it takes no others;
 * `method` asks for one of both. `waiting`: for pictures to be chosen, or for nothing any more.
 */
const orderFilter = {
  view: optional(enums(orderViews)),
  method: optional(OrderMethod),
  state: optional(enums(orderStates)),
  waiting: optional(enums(['poses', 'nothing'])),
  batchId: optional(Id),
  packetId: optional(Id),
}
const OrderFilter = object({ ...orderFilter, filter: pageQuery.filter })
export type OrderFilter = Infer<typeof OrderFilter>

/** An order as a list shows it; `why` says what keeps it from the lab, of one that is not there yet. */
export const OrderRow = type({
  orderNumber: string(),
  customerName: string(),
  email: string(),
  people: array(string()),
  state: enums(orderStates),
  orderMethod: OrderMethod,
  placedAt: Instant,
  packageCount: Count,
  totalCents: Cents,
  /** What went back of it, or is on its way back. */
  refundedCents: Cents,
  isToStudio: boolean(),
  batch: nullable(type({ id: integer(), name: string() })),
  /** The newest one it is in. */
  packet: nullable(type({ id: integer(), state: Packet.schema.state })),
  trackingNumber: nullable(string()),
  why: nullable(string()),
})
export type OrderRow = Infer<typeof OrderRow>

/** A job's orders, the newest first unless it is asked for otherwise. */
export const listStaffOrders = {
  method: 'GET',
  path: `${jobPath}/orders`,
  who: staff,
  params: object(studioJobParams),
  query: object({ ...listQuery, ...orderFilter }),
  body: Nothing,
  answer: listOf(OrderRow),
  problems: readProblems,
} satisfies AnyCall

/** How many orders each view has, and what in them is waiting for somebody. `method` is the job's own way of ordering. */
export const OrderCounts = type({
  method: OrderMethod,
  prepay: Count,
  batch: Count,
  individual: Count,
  submitted: Count,
  awaitingPoses: Count,
  failedPackets: Count,
})

export const getOrderCounts = {
  method: 'GET',
  path: `${jobPath}/order-counts`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: Nothing,
  answer: OrderCounts,
  problems: readProblems,
} satisfies AnyCall

/** Orders that were chosen one by one, or all that a list shows on its pages. */
export const SelectedOrders = union([
  object({ orderNumbers: size(array(size(string(), 1, 20)), 1, maxBulkOrders) }),
  object({ matching: OrderFilter }),
])
export type SelectedOrders = Infer<typeof SelectedOrders>

/** What is done with many orders at once; `after` goes on where the answer before left off. */
const bulkBody = { which: SelectedOrders, after: optional(Id) }

/** Orders that stayed as they were, each with the reason; `after` where there are some beyond what is done together. */
const bulkRefusals = { refused: array(type({ orderNumber: string(), why: string() })), after: nullable(integer()) }

/** Of all that match, those that could not go at all as they stand: no more than counted, so that they keep no others waiting. */
const passed = array(type({ why: string(), count: Count }))

/**
 * Hands to the lab what of these orders can go, as one packet; the others stay, and are told of. Null where none could.
 */
export const submitReadyOrders = {
  method: 'POST',
  path: `${jobPath}/orders/submit-ready`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: object(bulkBody),
  answer: type({ packet: nullable(Packet), ...bulkRefusals, passed }),
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

/** Says of many orders how far the lab is; each customer is mailed whose order is shipped. */
export const moveOrders = {
  ...submitReadyOrders,
  path: `${jobPath}/orders/move`,
  body: object({ ...bulkBody, to: enums(['inProduction', 'shipped']) }),
  answer: type({ moved: Count, ...bulkRefusals, passed }),
} satisfies AnyCall

/**
 * Puts the main picture of each person on the packages that were paid for before there were any (section 5); what has one keeps it.
 * Told of are orders of which somebody has no picture yet.
 */
export const assignMainImages = {
  ...submitReadyOrders,
  path: `${jobPath}/orders/place-pictures`,
  answer: type({ placed: Count, ...bulkRefusals }),
} satisfies AnyCall
