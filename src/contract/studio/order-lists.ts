import { array, enums, type Infer, integer, nullable, object, optional, size, string, type, union } from 'superstruct'
import { maxBulkOrders, orderStates, orderViews } from '#domain/orders/order-states.ts'
import { call } from '../shapes/call.ts'
import { Cents, Count, Id, Instant, OrderMethod } from '../shapes/primitives.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'
import { Packet } from './packets.ts'

/**
 * Selects orders of a job. `method` restricts any view to one order method. The view `prepay` always contains orders of
 * one method: without `method` those of prepay, or of gallery if the job has only a gallery. `waiting` selects orders
 * that wait for images to be chosen (`poses`), or for nothing.
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

/** An order as a row of a list; `why` is why it cannot be submitted to the lab, if it was not yet. */
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
  /** The amount refunded or being refunded. */
  refundedCents: Cents,
  /** How the order is delivered: mailed, via the studio, or, if nothing is printed, as files. */
  delivery: enums(['home', 'studio', 'download']),
  batch: nullable(type({ id: integer(), name: string() })),
  /** The newest packet it is in. */
  packet: nullable(type({ id: integer(), state: Packet.schema.state })),
  trackingNumber: nullable(string()),
  why: nullable(string()),
})
export type OrderRow = Infer<typeof OrderRow>

/** A job's orders, newest first by default. */
export const listStaffOrders = call({
  method: 'GET',
  path: `${jobPath}/orders`,
  who: staff,
  params: object(studioJobParams),
  query: object({ ...listQuery, ...orderFilter }),
  answer: listOf(OrderRow),
  problems: readProblems,
})

/** Number of orders in each view, and of those that need attention. `method` is that of the view `prepay`. */
export const OrderCounts = type({
  method: OrderMethod,
  prepay: Count,
  batch: Count,
  individual: Count,
  submitted: Count,
  awaitingPoses: Count,
  failedPackets: Count,
})

export const getOrderCounts = call({
  method: 'GET',
  path: `${jobPath}/order-counts`,
  who: staff,
  params: object(studioJobParams),
  answer: OrderCounts,
  problems: readProblems,
})

/** Orders selected one by one, or all that match a filter. */
export const SelectedOrders = union([
  object({ orderNumbers: size(array(size(string(), 1, 20)), 1, maxBulkOrders) }),
  object({ matching: OrderFilter }),
])
export type SelectedOrders = Infer<typeof SelectedOrders>

/** The selection of a bulk action; `after` continues where the previous response ended. */
const bulkBody = { which: SelectedOrders, after: optional(Id) }

/**
 * Orders that were not changed, each with the reason; `after` is set if there are more orders than one call handles.
 */
const bulkRejections = { refused: array(type({ orderNumber: string(), why: string() })), after: nullable(integer()) }

/**
 * Orders that match the filter but cannot be changed in their state; only counted, so that they do not use up the bulk
 * limit.
 */
const skippedOrders = array(type({ why: string(), count: Count }))

/**
 * Submits those of the orders that are ready, as one packet; the others are returned with their reasons. `packet` is
 * null if none was ready.
 */
export const submitReadyOrders = call({
  method: 'POST',
  path: `${jobPath}/orders/submit-ready`,
  who: staff,
  params: object(studioJobParams),
  body: object(bulkBody),
  answer: type({ packet: nullable(Packet), ...bulkRejections, passed: skippedOrders }),
  problems: [...readProblems, 'refused'],
})

/** Sets the progress at the lab of many orders; customers whose order is shipped get a mail. */
export const moveOrders = call({
  ...submitReadyOrders,
  path: `${jobPath}/orders/move`,
  body: object({ ...bulkBody, to: enums(['inProduction', 'shipped']) }),
  answer: type({ moved: Count, ...bulkRejections, passed: skippedOrders }),
})

/**
 * Assigns each subject's primary image to the packages that were paid for before the picture day; chosen images stay.
 * Returns the orders with a subject that has no image yet.
 */
export const assignMainImages = call({
  ...submitReadyOrders,
  path: `${jobPath}/orders/place-images`,
  answer: type({ placed: Count, ...bulkRejections }),
})
