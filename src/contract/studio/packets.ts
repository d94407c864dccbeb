import { array, enums, type Infer, integer, nullable, object, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Bytes, Count, Id, Instant } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'

/** A packet of print files for the lab: made in the background, `ready` once all files and lists are written. */
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
export const retryPacket = call({
  ...getPacket,
  method: 'POST',
  path: `${getPacket.path}/again`,
})

/** A packet as a row of a list; `begun` is how many of its orders are in production. */
export const PacketRow = type({
  id: integer(),
  state: Packet.schema.state,
  batchName: nullable(string()),
  orderCount: Count,
  begun: Count,
  filesTotal: Count,
  filesDone: Count,
  error: nullable(string()),
  madeAt: Instant,
  madeBy: nullable(string()),
})
export type PacketRow = Infer<typeof PacketRow>

/** The packets of a job, newest first. */
export const listPackets = call({
  method: 'GET',
  path: `${jobPath}/packets`,
  who: staff,
  params: object(studioJobParams),
  query: object(listQuery),
  answer: listOf(PacketRow),
  problems: readProblems,
})

/**
 * Links to the files of a packet, valid for 10 to 15 minutes: a ZIP of all files, and its two lists. A download that
 * was started can be resumed for another day (`If-Range`).
 */
export const PacketFiles = type({
  fileCount: Count,
  bytes: Bytes,
  zipUrl: string(),
  jsonUrl: string(),
  csvUrl: string(),
})

/** Returns the files of a packet. Rejected while it is incomplete. */
export const getPacketFiles = call({
  ...getPacket,
  path: `${getPacket.path}/files`,
  givesPhotos: true,
  answer: PacketFiles,
  problems: [...readProblems, 'refused'],
})

/**
 * Recalls a packet: its orders return to their previous state. Customers can change them again, except in a batch,
 * which is closed then. Rejected once one of the orders is in production.
 */
export const recallPacket = call({
  ...getPacket,
  method: 'POST',
  path: `${getPacket.path}/take-back`,
  answer: type({ orders: Count }),
  problems: [...readProblems, 'refused'],
})
