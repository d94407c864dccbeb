import type { Dexie } from 'dexie'
import { withDatabaseRetry } from '../recovery/with-database-retry.ts'
import type { Locks } from './locks.ts'
import type { Timers } from './timers.ts'

type WakeReason = 'mutation' | 'timer' | 'answer' | 'start' | 'online' | 'visible' | 'pageshow' | 'tap' | 'sync'

export type Sender = {
  /** Sends due requests until nothing is due; resolves when it has stopped for now. */
  drain(): Promise<void>
  /** Called when something happened after which requests may succeed. Signs of a better network end all waits. */
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
  /**
   * Sends one request and stores its outcome, under the lock. Returns work that must follow without the lock, or null.
   */
  sendNext(): Promise<FollowUp | null>
  unsentCount(): Promise<number>
  /** Makes everything due now. */
  endWaits(): Promise<void>
  /** Makes everything due now that waits because the server could not be reached. */
  retryUnreachedNow(): Promise<void>
}

export type FollowUp = { run: () => Promise<void> }

export type SendLoopDeps = {
  locks: Locks
  /** Milliseconds since 1970. */
  clock: () => number
  timers: Timers
}

/** Milliseconds until the next attempt after the device's database failed. */
const databaseRetryMs = 10_000
const reasonsThatKeepWaits: readonly WakeReason[] = ['mutation', 'timer', 'answer']

/**
 * Drains a queue until nothing is due, then sets a timer. Any number of loops may run over one queue, in tabs and the
 * worker.
 */
export const createSendLoop = (queue: SendQueue, { locks, clock, timers }: SendLoopDeps): Sender => {
  const { db, lock } = queue
  let isStopped = false
  let running: Promise<void> | null = null
  let isDrainRequested = false
  let endingWaits: Promise<void> | null = null
  let cancelTimer = () => {}

  const drain = (): Promise<void> => {
    isDrainRequested = true
    running ??= sendWhileDue().finally(() => {
      running = null
    })
    return running
  }

  const sendWhileDue = async (): Promise<void> => {
    let isDatabaseAlive = false
    try {
      do {
        isDrainRequested = false
        isDatabaseAlive = await sendAllDue()
      } while (isDrainRequested && isDatabaseAlive && !isStopped)
    } finally {
      if (!isStopped) await setTimer(isDatabaseAlive)
    }
  }

  /** Returns false if the device's database failed. */
  const sendAllDue = async (): Promise<boolean> => {
    while (!isStopped) {
      const due = await withDatabaseRetry(db, () => queue.nextDue())
      if (due === null || (typeof due === 'number' && due > clock())) return true
      const outcome = await locks.request(lock, () => withDatabaseRetry(db, () => queue.sendNext()))
      if (outcome !== null && 'ok' in outcome) return false
      if (outcome) await withDatabaseRetry(db, outcome.run)
    }
    return true
  }

  const setTimer = async (isDatabaseAlive: boolean): Promise<void> => {
    cancelTimer()
    const due = isDatabaseAlive ? await withDatabaseRetry(db, () => queue.nextDue()) : clock() + databaseRetryMs
    if (due === null) return
    const delayMs = typeof due === 'number' ? due - clock() : databaseRetryMs
    cancelTimer = timers.after(Math.max(0, delayMs), () => void wake('timer'))
  }

  const wake = async (reason: WakeReason): Promise<void> => {
    if (isStopped) return
    if (reason === 'answer') return await drainAfterResponse()
    if (!reasonsThatKeepWaits.includes(reason)) await withDatabaseRetry(db, () => queue.endWaits())
    await drain()
  }

  /**
   * The server responded to another call. The waits are ended under the lock: a request in flight may still fail,
   * although the network is back.
   */
  const drainAfterResponse = async (): Promise<void> => {
    const unsent = await withDatabaseRetry(db, () => queue.unsentCount())
    if (unsent === 0) return
    endingWaits ??= locks.request(lock, async () => {
      endingWaits = null
      await withDatabaseRetry(db, () => queue.retryUnreachedNow())
    })
    await endingWaits
    await drain()
  }

  const stop = (): void => {
    isStopped = true
    cancelTimer()
  }

  return { drain, wake, stop }
}
