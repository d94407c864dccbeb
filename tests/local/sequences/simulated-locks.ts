import { type Locks, outboxLock } from '#local/transport/locks.ts'
import type { VirtualTime } from './simulated-time.ts'

/** The outbox lock may be held no longer than the timeout of one request. */
const maxHoldMs = 10_000

type Turn = { owner: object; since: number; start: () => void }

export type PhoneLocks = {
  of(owner: object): Locks
  /** A killed holder releases its locks and its place in the queue. */
  release(owner: object): void
}

/** The platform's locks, shared by the tabs and the worker of one phone; a lock held too long is reported. */
export const phoneLocks = (time: VirtualTime, report: (what: string) => void): PhoneLocks => {
  const queues = new Map<string, Turn[]>()
  const startFirst = (queue: Turn[]) => {
    const [first] = queue
    if (!first) return
    first.since = time.now()
    void Promise.resolve().then(() => queue[0] === first && first.start())
  }
  const leave = (name: string, turn: Turn): boolean => {
    const queue = queues.get(name) ?? []
    if (queue[0] !== turn) return false
    const heldMs = time.now() - turn.since
    if (name === outboxLock && heldMs > maxHoldMs) report(`the lock was held for ${heldMs} ms`)
    queue.shift()
    startFirst(queue)
    return true
  }
  return {
    of: (owner) => ({
      request: (name, work) =>
        new Promise((resolve, reject) => {
          const queue = queues.get(name) ?? []
          queues.set(name, queue)
          const turn: Turn = {
            owner,
            since: 0,
            start: () =>
              void work().then(
                (value) => leave(name, turn) && resolve(value),
                (reason) => leave(name, turn) && reject(reason),
              ),
          }
          queue.push(turn)
          if (queue.length === 1) startFirst(queue)
        }),
    }),
    release: (owner) => {
      for (const [name, queue] of queues) {
        const remaining = queue.filter((turn) => turn.owner !== owner)
        queues.set(name, remaining)
        if (remaining[0] !== queue[0]) startFirst(remaining)
      }
    },
  }
}
