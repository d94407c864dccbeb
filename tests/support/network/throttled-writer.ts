import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * How slow a connection is. `roundTripMs`: latency in both directions together. `bytesPerSecond`: in each direction, shared by all
 * connections.
 */
export type Throttle = { roundTripMs: number; bytesPerSecond: number }

export const unthrottled: Throttle = { roundTripMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY }

/** One direction of a link: its connections share the bandwidth and send one after the other. */
export type ThrottledDirection = { pace: Throttle; freeAt: number }

/** Writes to one end of a connection. */
export type ThrottledWriter = {
  /** Resolves when the piece has been written, after the throttle's delay plus `moreMs`. Pieces keep their order. */
  send: (piece: Buffer, moreMs?: number) => Promise<void>
  /** Resolves when everything has been written. */
  flushed: () => Promise<void>
}

const written = (socket: Socket, piece: Buffer): Promise<void> =>
  new Promise((resolve) => {
    // A closed socket gets nothing more; its other end notices by itself.
    if (socket.writable) socket.write(piece, () => resolve())
    else resolve()
  })

const until = async (due: number): Promise<void> => {
  const left = due - performance.now()
  if (left > 0) await wait(left)
}

export const throttledWriterTo = (socket: Socket, direction: ThrottledDirection): ThrottledWriter => {
  let tail = Promise.resolve()
  return {
    send: (piece, moreMs = 0) => {
      const { roundTripMs, bytesPerSecond } = direction.pace
      direction.freeAt = Math.max(performance.now(), direction.freeAt) + (piece.length / bytesPerSecond) * 1000
      const due = direction.freeAt + roundTripMs / 2 + moreMs
      tail = tail.then(() => until(due)).then(() => written(socket, piece))
      return tail
    },
    flushed: () => tail,
  }
}
