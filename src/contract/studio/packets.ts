import { type Infer, integer, nullable, object, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Bytes, Count, Instant } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'
import { getPacket, Packet } from './packet-production.ts'

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
 * Links to the files of a packet, valid for 15 minutes: a ZIP of all files, and its two lists. A download that was
 * started can be resumed for a day (`If-Range`).
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
  answer: PacketFiles,
  problems: [...readProblems, 'refused'],
})

/**
 * Recalls a packet: its orders return to their previous state, and customers can change them again. Rejected once one
 * of them is in production.
 */
export const recallPacket = call({
  ...getPacket,
  method: 'POST',
  path: `${getPacket.path}/take-back`,
  answer: type({ orders: Count }),
  problems: [...readProblems, 'refused'],
})
