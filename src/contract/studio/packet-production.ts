import { array, enums, type Infer, integer, nullable, object, size, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Id, Instant, Nothing } from '../shapes/primitives.ts'
import { jobPath, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'

/** A packet of print files for the lab: made in the background, `ready` once all files and lists are there. */
export const Packet = type({
  id: integer(),
  state: enums(['waiting', 'making', 'ready', 'sent', 'failed']),
  orderNumbers: array(string()),
  filesTotal: integer(),
  filesDone: integer(),
  /** What failed, as a message; staff can retry. */
  error: nullable(string()),
  madeAt: Instant,
})
export type Packet = Infer<typeof Packet>

/**
 * Submits orders to the lab and makes a packet of print files of them. All or none: rejected, with the reason for each
 * order, while an image or a text is missing, or if an order can no longer be submitted.
 */
export const submitOrders = {
  method: 'POST',
  path: `${jobPath}/orders/submit`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: object({ orderNumbers: size(array(size(string(), 1, 20)), 1, 500) }),
  answer: Packet,
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

export const getPacket = {
  method: 'GET',
  path: `${jobPath}/packets/:packetId`,
  who: staff,
  params: object({ ...studioJobParams, packetId: Id }),
  query: Nothing,
  body: Nothing,
  answer: Packet,
  problems: readProblems,
} satisfies AnyCall

/** Retries a failed packet; other packets stay unchanged. */
export const postPacketRetry = {
  ...getPacket,
  method: 'POST',
  path: `${getPacket.path}/again`,
} satisfies AnyCall
