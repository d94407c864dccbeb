import { array, enums, type Infer, integer, nullable, object, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Id, Instant } from '../shapes/primitives.ts'
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
export const submitOrders = call({
  method: 'POST',
  path: `${jobPath}/orders/submit`,
  who: staff,
  params: object(studioJobParams),
  body: object({ orderNumbers: size(array(size(string(), 1, 20)), 1, 500) }),
  answer: Packet,
  problems: [...readProblems, 'refused'],
})

export const getPacket = call({
  method: 'GET',
  path: `${jobPath}/packets/:packetId`,
  who: staff,
  params: object({ ...studioJobParams, packetId: Id }),
  answer: Packet,
  problems: readProblems,
})

/** Retries a failed packet; other packets stay unchanged. */
export const postPacketRetry = call({
  ...getPacket,
  method: 'POST',
  path: `${getPacket.path}/again`,
})
