import type { Dexie } from 'dexie'
import { withDatabaseRetry } from '../recovery/with-database-retry.ts'
import type { Locks } from './locks.ts'
import type { Timers } from './timers.ts'

type WakeReason = 'mutation' | 'timer' | 'answer' | 'start' | 'online' | 'visible' | 'pageshow' | 'tap' | 'sync'

export type Sender = {
  /** Sends what is due until nothing is; resolves when it has stopped trying for now. */
  drain(): Promise<void>
  /** Something happened that may let more through; signs of a better network forget the waiting. */
  wake(reason: WakeReason): Promise<void>
  stop(): void
}

/** A queue in the device's database, sent one request at a time. */
export type SendQueue = {
  db: Dexie
  /** The Web Lock held for each request. */
  lock: string
  /** When the next request is due, in milliseconds since 1970; null when nothing waits. */
  nextDue(): Promise<number | null>
  /** Sends one request and stores its outcome, under the lock. Returns work that must follow without the lock, or null. */
  sendNext(): Promise<FollowUp | null>
  unsentCount(): Promise<number>
  /** Makes everything due now. */
  endWaits(): Promise<void>
  /** Makes everything due now that waits because the server could not be reached. */
  endUnreachedWaits(): Promise<void>
}

export type FollowUp = { run: () => Promise<void> }

export type SendLoopDeps = {
  locks: Locks
  /** Milliseconds since 1970. */
  clock: () => number
  timers: Timers
}

/** A phone whose database died is left in peace for this long. */
const deviceRestMs = 10_000
const patientReasons: readonly WakeReason[] = ['mutation', 'timer', 'answer']

/** Drains a queue until nothing is due, then sets a timer. Any number of loops may run over one queue, in tabs and the worker. */
export const createSendLoop = (queue: SendQueue, { locks, clock, timers }: SendLoopDeps): Sender => {
  const { db, lock } = queue
  let stopped = false
  let running: Promise<void> | null = null
  let again = false
  let ending: Promise<void> | null = null
  let cancelTimer = () => {}

  const drain = (): Promise<void> => {
    again = true
    running ??= sendWhileDue().finally(() => {
      running = null
    })
    return running
  }

  const sendWhileDue = async (): Promise<void> => {
    let alive = false
    try {
      do {
        again = false
        alive = await sendAllDue()
      } while (again && alive && !stopped)
    } finally {
      if (!stopped) await setTimer(alive)
    }
  }

  /** False when the device's database would not work. */
  const sendAllDue = async (): Promise<boolean> => {
    while (!stopped) {
      const due = await withDatabaseRetry(db, () => queue.nextDue())
      if (due === null || (typeof due === 'number' && due > clock())) return true
      const outcome = await locks.request(lock, () => withDatabaseRetry(db, () => queue.sendNext()))
      if (outcome !== null && 'ok' in outcome) return false
      if (outcome) await withDatabaseRetry(db, outcome.run)
    }
    return true
  }

  const setTimer = async (alive: boolean): Promise<void> => {
    cancelTimer()
    const due = alive ? await withDatabaseRetry(db, () => queue.nextDue()) : clock() + deviceRestMs
    if (due === null) return
    const wait = typeof due === 'number' ? due - clock() : deviceRestMs
    cancelTimer = timers.after(Math.max(0, wait), () => void wake('timer'))
  }

  const wake = async (reason: WakeReason): Promise<void> => {
    if (stopped) return
    if (reason === 'answer') return await goOnReached()
    if (!patientReasons.includes(reason)) await withDatabaseRetry(db, () => queue.endWaits())
    await drain()
  }

  /**
   * The server answered another call. The waits are ended under the lock: a request still under way may fail only now, though the
   * network came back while it hung.
   */
  const goOnReached = async (): Promise<void> => {
    const waiting = await withDatabaseRetry(db, () => queue.unsentCount())
    if (waiting === 0) return
    ending ??= locks.request(lock, async () => {
      ending = null
      await withDatabaseRetry(db, () => queue.endUnreachedWaits())
    })
    await ending
    await drain()
  }

  const stop = (): void => {
    stopped = true
    cancelTimer()
  }

  return { drain, wake, stop }
}
