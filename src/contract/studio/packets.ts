import { type Infer, integer, nullable, object, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Bytes, Count, Instant, Nothing } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'
import { getPacket, Packet } from './packet-production.ts'

/** A packet as a list shows it; the lab has `begun` with so many of its orders. */
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

/** What went to the lab of a job, the newest first. */
export const listPackets = {
  method: 'GET',
  path: `${jobPath}/packets`,
  who: staff,
  params: object(studioJobParams),
  query: object(listQuery),
  body: Nothing,
  answer: listOf(PacketRow),
  problems: readProblems,
} satisfies AnyCall

/**
 * Where the files of a packet are for a quarter of an hour: all of them together, and its two lists. What was begun meanwhile may go
 * on for a day where it broke off (`If-Range`).
 */
export const PacketFiles = type({
  fileCount: Count,
  bytes: Bytes,
  zipUrl: string(),
  jsonUrl: string(),
  csvUrl: string(),
})

/** What is handed to the lab. Refused while it is not whole. */
export const getPacketFiles = {
  ...getPacket,
  path: `${getPacket.path}/files`,
  answer: PacketFiles,
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

/**
 * Takes a packet back with all of its orders, which are their customers' again and wait where they waited; refused once the lab has
 * begun one of them.
 */
export const recallPacket = {
  ...getPacket,
  method: 'POST',
  path: `${getPacket.path}/take-back`,
  answer: type({ orders: Count }),
  problems: [...readProblems, 'refused'],
} satisfies AnyCall
