import { liveQuery } from 'dexie'
import { deviceStamp } from '../outbox/device-stamp.ts'
import type { SessionChanged } from '../recovery/restore-access.ts'
import type { LocalDatabase } from '../store/database.ts'
import { request } from './http-client.ts'
import { deviceLocks } from './locks.ts'
import type { CallResult, RequestFunction } from './request.ts'
import type { Sender } from './send-loop.ts'
import { createSender } from './sender.ts'
import { deviceTimers } from './timers.ts'
import { type WakeSignals, wakeOnSignals } from './wake-on-signals.ts'

/** What of the page the sender listens to; handed in, since this room knows no document. */
export type SyncSignals = WakeSignals & {
  /** Asks the platform to wake the worker when there is a network, where it can. */
  requestBackgroundSync?: () => void
  /** Told of every answer the sender gets: whether the server can be reached shows in its requests first. */
  onResponse?: (answer: CallResult<unknown>) => void
  /** What the page does about an event's kept answers when a new visit has begun; without it they are dropped. */
  onSessionChanged?: SessionChanged
}

/** What waits, and how many carts wait for the customer. */
type PendingState = { waiting: number[]; paused: number }

// What is sent again, or no longer waits for the customer, is no new mutation, and wants to go all the same.
const readPendingState = (db: LocalDatabase): Promise<PendingState> =>
  db.transaction('r', [db.outbox, db.sending], async () => ({
    waiting: await db.outbox.where('state').anyOf('new', 'sent').primaryKeys(),
    paused: await db.sending.filter(({ paused }) => paused !== null).count(),
  }))

/** Starts sending from this page and keeps at it: on every sign of a network, every new mutation, and by the clock. */
export const startSync = (db: LocalDatabase, signals: SyncSignals): Sender => {
  const { requestBackgroundSync: askForSync, onResponse: heard, onSessionChanged: sessionChanged } = signals
  const askAloud: RequestFunction = async (call, given) => {
    const answer = await request(call, given)
    heard?.(answer)
    return answer
  }
  const sender = createSender({
    db,
    ask: askAloud,
    locks: deviceLocks,
    clock: Date.now,
    random: Math.random,
    timers: deviceTimers,
    stamp: deviceStamp,
    sessionChanged,
    loadRecovery: () => import('../recovery/recovery.ts').then(({ recovery }) => recovery).catch(() => null),
  })
  const stopWaking = wakeOnSignals(sender, signals)
  let before: PendingState = { waiting: [], paused: 0 }
  const written = liveQuery(() => readPendingState(db)).subscribe((now) => {
    const known = new Set(before.waiting)
    const isMore = now.waiting.some((seq) => !known.has(seq)) || now.paused < before.paused
    before = now
    if (!isMore) return
    void sender.wake('mutation')
    askForSync?.()
  })
  void sender.wake('start')
  return {
    ...sender,
    stop: () => {
      stopWaking()
      written.unsubscribe()
      sender.stop()
    },
  }
}
