import { array, enums, type Infer, integer, nullable, object, size, string, type } from 'superstruct'
import { batchStates } from '#domain/orders/batch-states.ts'
import { orderStates } from '#domain/orders/order-states.ts'
import type { AnyCall } from '../shapes/call.ts'
import { Cents, Count, Day, Id, Instant, Nothing } from '../shapes/primitives.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import { expectedVersion, jobPath, readProblems, staff, studioJobParams, writeProblems } from '../shapes/staff-call.ts'
import { Packet } from './packet-production.ts'

/** Orders of a job that go to the lab together and come by way of the studio; those that were cancelled do not count. */
export const Batch = type({
  id: integer(),
  name: string(),
  state: enums(batchStates),
  /** When it closes by itself, and the day of that where the studio is; null where it waits for staff. */
  closesAt: nullable(Instant),
  closesOn: nullable(Day),
  closedAt: nullable(Instant),
  /** Grows with each thing that staff do with it; orders that come and go do not count. */
  version: Count,
  orderCount: Count,
  packageCount: Count,
  totalCents: Cents,
  /** How many of its orders still wait for pictures to be chosen. */
  awaitingPoses: Count,
  /** What was made of it for the lab. */
  packetId: nullable(integer()),
})
export type Batch = Infer<typeof Batch>

/** An order of a batch; `why` says what keeps it from the lab. */
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

const ofBatch = object({ ...studioJobParams, batchId: Id })
const ofOrder = object({ ...studioJobParams, orderNumber: size(string(), 1, 20) })

/** The batches of a job, the newest first. */
export const listBatches = {
  method: 'GET',
  path: `${jobPath}/batches`,
  who: staff,
  params: object(studioJobParams),
  query: object(pageQuery),
  body: Nothing,
  answer: listOf(Batch),
  problems: readProblems,
} satisfies AnyCall

export const getBatch = {
  method: 'GET',
  path: `${jobPath}/batches/:batchId`,
  who: staff,
  params: ofBatch,
  query: Nothing,
  body: Nothing,
  answer: BatchDetails,
  problems: readProblems,
} satisfies AnyCall

/** Says on which day an open batch closes, at its end where the studio is; null leaves it to staff. */
export const patchBatch = {
  method: 'PATCH',
  path: `${jobPath}/batches/:batchId`,
  who: staff,
  params: ofBatch,
  query: Nothing,
  body: object({ ...expectedVersion, closesOn: nullable(Day) }),
  answer: Batch,
  problems: writeProblems,
} satisfies AnyCall

/** Takes no more orders in: the next one makes the next batch. Those in it are still their customers' to cancel. */
export const closeBatch = {
  method: 'POST',
  path: `${jobPath}/batches/:batchId/close`,
  who: staff,
  params: ofBatch,
  query: Nothing,
  body: object({ version: Count }),
  answer: Batch,
  problems: writeProblems,
} satisfies AnyCall

/** Takes orders in again, for as long as the lab does not have it and no other batch of the job does. */
export const reopenBatch = { ...closeBatch, path: `${jobPath}/batches/:batchId/reopen` } satisfies AnyCall

/**
 * Hands a closed batch to the lab, all of its orders or none: refused, with each order's reason, while a picture or a text of one is
 * missing.
 */
export const submitBatch = {
  ...closeBatch,
  path: `${jobPath}/batches/:batchId/submit`,
  answer: Packet,
} satisfies AnyCall

/** Which batch an order is in; null for none. */
export const OrderBatch = type({ orderNumber: string(), batchId: nullable(integer()) })

/** Takes an order out of its batch: held by itself, it still goes to the studio, with the next batch or alone. */
export const removeFromBatch = {
  method: 'DELETE',
  path: `${jobPath}/orders/:orderNumber/batch`,
  who: staff,
  params: ofOrder,
  query: Nothing,
  body: Nothing,
  answer: OrderBatch,
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

/** Puts an order that goes to the studio into the job's open batch, which is made where there is none. */
export const addToBatch = { ...removeFromBatch, method: 'POST' } satisfies AnyCall
