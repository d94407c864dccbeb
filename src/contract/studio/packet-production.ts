import { array, enums, type Infer, integer, nullable, object, size, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Id, Instant, Nothing } from '../shapes/primitives.ts'
import { jobPath, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'

/** Print files of orders on their way to the lab: made in the background, `ready` once all of them and their lists are there. */
export const Packet = type({
  id: integer(),
  state: enums(['waiting', 'making', 'ready', 'sent', 'failed']),
  orderNumbers: array(string()),
  filesTotal: integer(),
  filesDone: integer(),
  /** What went wrong, in a sentence; staff may try again. */
  error: nullable(string()),
  madeAt: Instant,
})
export type Packet = Infer<typeof Packet>

/**
 * Hands orders to the lab: they are its from now on, and a packet of print files is made of them. Refused, with each order's reason,
 * while a picture or a text of one is missing, or where one is not the customer's to hand on any more; then none goes.
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

/** Makes a packet that failed once more, when what was wrong has been put right; any other is as it is. */
export const postPacketRetry = {
  ...getPacket,
  method: 'POST',
  path: `${getPacket.path}/again`,
} satisfies AnyCall
