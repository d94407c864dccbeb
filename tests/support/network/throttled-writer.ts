import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * How slow a connection is. `roundTripMs`: latency in both directions together. `bytesPerSecond`: in each direction, shared by all
 * connections.
 */
export type Throttle = { roundTripMs: number; bytesPerSecond: number }

export const unthrottled: Throttle = { roundTripMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY }

/** One direction of a link: its connections share the bandwidth and send one after the other. */
export type ThrottledDirection = { throttle: Throttle; freeAt: number }

/** Writes to one end of a connection. */
export type ThrottledWriter = {
  /** Resolves when the piece has been written, after the throttle's delay plus `extraMs`. Pieces keep their order. */
  send: (piece: Buffer, extraMs?: number) => Promise<void>
  /** Resolves when everything has been written. */
  flushed: () => Promise<void>
}

/** Bytes of a packet: a slow link delivers a response as it is transmitted, not when its last byte has arrived. */
const packetBytes = 1_448

const packetsOf = (piece: Buffer, { bytesPerSecond }: Throttle): Buffer[] => {
  if (!Number.isFinite(bytesPerSecond)) return [piece]
  const count = Math.max(Math.ceil(piece.length / packetBytes), 1)
  return Array.from({ length: count }, (_, index) => piece.subarray(index * packetBytes, (index + 1) * packetBytes))
}

const writeTo = (socket: Socket, piece: Buffer): Promise<void> =>
  new Promise((resolve) => {
    // Nothing is written to a closed socket. The other end notices that it is closed.
    if (socket.writable) socket.write(piece, () => resolve())
    else resolve()
  })

const waitUntil = async (deadline: number): Promise<void> => {
  const remainingMs = deadline - performance.now()
  if (remainingMs > 0) await wait(remainingMs)
}

export const throttledWriterTo = (socket: Socket, direction: ThrottledDirection): ThrottledWriter => {
  let lastWrite = Promise.resolve()
  const sendPacket = (packet: Buffer, extraMs: number): void => {
    const { roundTripMs, bytesPerSecond } = direction.throttle
    direction.freeAt = Math.max(performance.now(), direction.freeAt) + (packet.length / bytesPerSecond) * 1000
    const deadline = direction.freeAt + roundTripMs / 2 + extraMs
    lastWrite = lastWrite.then(() => waitUntil(deadline)).then(() => writeTo(socket, packet))
  }
  return {
    send: (piece, extraMs = 0) => {
      for (const packet of packetsOf(piece, direction.throttle)) sendPacket(packet, extraMs)
      return lastWrite
    },
    flushed: () => lastWrite,
  }
}
