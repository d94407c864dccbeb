import { array, enums, type Infer, integer, nullable, object, size, string, type } from 'superstruct'
import { batchStates, orderStates } from '#domain/orders/order-states.ts'
import { call } from '../shapes/call.ts'
import { Cents, Count, Day, Id, Instant } from '../shapes/primitives.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import { expectedVersion, jobPath, readProblems, staff, studioJobParams, writeProblems } from '../shapes/staff-call.ts'
import { Packet } from './packets.ts'

/**
 * Orders of a job that are submitted to the lab together and delivered via the studio. Counts and total leave out
 * cancelled orders; `BatchDetails.orders` includes them.
 */
export const Batch = type({
  id: integer(),
  name: string(),
  state: enums(batchStates),
  /** When it closes automatically, and that day in the studio's time zone; null if staff close it. */
  closesAt: nullable(Instant),
  closesOn: nullable(Day),
  closedAt: nullable(Instant),
  /** Increases with each change by staff; orders that are added or removed do not count. */
  version: Count,
  orderCount: Count,
  packageCount: Count,
  totalCents: Cents,
  /** How many of its orders still wait for images to be chosen. */
  awaitingPoses: Count,
  /** The packet made of it for the lab. */
  packetId: nullable(integer()),
})
export type Batch = Infer<typeof Batch>

/** An order of a batch; `why` is the reason it cannot be submitted to the lab. */
export const BatchOrder = type({
  orderNumber: string(),
  customerName: string(),
  state: enums(orderStates),
  placedAt: Instant,
  packageCount: Count,
  totalCents: Cents,
  why: nullable(string()),
})
export type BatchOrder = Infer<typeof BatchOrder>

export const BatchDetails = type({ ...Batch.schema, orders: array(BatchOrder) })
export type BatchDetails = Infer<typeof BatchDetails>

const batchParams = object({ ...studioJobParams, batchId: Id })
const orderParams = object({ ...studioJobParams, orderNumber: size(string(), 1, 20) })

/** The batches of a job, newest first. */
export const listBatches = call({
  method: 'GET',
  path: `${jobPath}/batches`,
  who: staff,
  params: object(studioJobParams),
  query: object(pageQuery),
  answer: listOf(Batch),
  problems: readProblems,
})

export const getBatch = call({
  method: 'GET',
  path: `${jobPath}/batches/:batchId`,
  who: staff,
  params: batchParams,
  answer: BatchDetails,
  problems: readProblems,
})

/** Sets the day at whose end an open batch closes, in the studio's time zone; null leaves it to staff. */
export const patchBatch = call({
  method: 'PATCH',
  path: `${jobPath}/batches/:batchId`,
  who: staff,
  params: batchParams,
  body: object({ ...expectedVersion, closesOn: nullable(Day) }),
  answer: Batch,
  problems: writeProblems,
})

/** Closes a batch: the next order starts a new one. Customers can still cancel the orders in it. */
export const closeBatch = call({
  method: 'POST',
  path: `${jobPath}/batches/:batchId/close`,
  who: staff,
  params: batchParams,
  body: object({ version: Count }),
  answer: Batch,
  problems: writeProblems,
})

/** Reopens a batch, as long as it is not submitted and the job has no other open batch. */
export const reopenBatch = call({ ...closeBatch, path: `${jobPath}/batches/:batchId/reopen` })

/**
 * Submits a closed batch to the lab, all of its orders or none: rejected, with the reason for each order, while an
 * image or a text is missing.
 */
export const submitBatch = call({
  ...closeBatch,
  path: `${jobPath}/batches/:batchId/submit`,
  answer: Packet,
})

/** The batch of an order; null for none. */
export const OrderBatch = type({ orderNumber: string(), batchId: nullable(integer()) })

/**
 * Removes an order from its batch. It is still delivered to the studio; staff can add it to the open batch or submit it
 * alone.
 */
export const removeFromBatch = call({
  method: 'DELETE',
  path: `${jobPath}/orders/:orderNumber/batch`,
  who: staff,
  params: orderParams,
  answer: OrderBatch,
  problems: [...readProblems, 'refused'],
})

/** Adds an order that is delivered to the studio to the job's open batch, which is created if necessary. */
export const addToBatch = call({ ...removeFromBatch, method: 'POST' })
