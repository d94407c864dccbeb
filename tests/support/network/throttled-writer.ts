import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** How slow a line is. `roundTripMs`: there and back; `bytesPerSecond`: in each direction, all its connections together. */
export type Throttle = { roundTripMs: number; bytesPerSecond: number }

export const unthrottled: Throttle = { roundTripMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY }

/** One direction of a line: what its connections send goes out one after the other. */
export type ThrottledDirection = { pace: Throttle; freeAt: number }

/** The way to one end of a connection. */
export type ThrottledWriter = {
  /** Resolves when the piece has left, as late as the line is slow, or `moreMs` later still. Pieces keep their order. */
  send: (piece: Buffer, moreMs?: number) => Promise<void>
  /** Resolves when everything has left. */
  flushed: () => Promise<void>
}

const written = (socket: Socket, piece: Buffer): Promise<void> =>
  new Promise((resolve) => {
    // Whoever hung up gets nothing more; that is for the other end to notice.
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
