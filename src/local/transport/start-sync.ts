import { liveQuery } from 'dexie'
import { deviceStamp } from '../outbox/device-stamp.ts'
import type { OnSessionChanged } from '../recovery/restore-access.ts'
import { retryOnReopenedDatabase } from '../recovery/with-database-retry.ts'
import type { LocalDatabase } from '../store/database.ts'
import { request } from './http-client.ts'
import { deviceLocks } from './locks.ts'
import type { CallResult, RequestFunction } from './request.ts'
import type { Sender } from './send-loop.ts'
import { createSender } from './sender.ts'
import { deviceTimers } from './timers.ts'
import { type WakeSignals, wakeOnSignals } from './wake-on-signals.ts'

/** The page's events that the sender listens to; passed in, because this folder does not use the document. */
export type SyncSignals = WakeSignals & {
  /** Asks the platform to wake the worker when there is a network, if supported. */
  requestBackgroundSync?: () => void
  /** Called with every response: the sender's requests show first whether the server can be reached. */
  onResponse?: (answer: CallResult<unknown>) => void
  /** Called when a job's cached responses belong to an earlier session. */
  onSessionChanged?: OnSessionChanged
}

/** The pending mutations, and how many carts wait for the customer. */
type PendingState = { waiting: number[]; paused: number }

// A retried mutation, or one that no longer waits for the customer, is not new, but must be sent too.
const readPendingState = (db: LocalDatabase): Promise<PendingState> =>
  db.transaction('r', [db.outbox, db.sending], async () => ({
    waiting: await db.outbox.where('state').anyOf('new', 'sent').primaryKeys(),
    paused: await db.sending.filter(({ paused }) => paused !== null).count(),
  }))

/** Starts sending from this page: on every sign of a network, every new mutation, and by timer. */
export const startSync = (db: LocalDatabase, signals: SyncSignals): Sender => {
  const { requestBackgroundSync, onResponse, onSessionChanged: sessionChanged } = signals
  const askAndReport: RequestFunction = async (call, input) => {
    const answer = await request(call, input)
    onResponse?.(answer)
    return answer
  }
  const sender = createSender({
    db,
    ask: askAndReport,
    locks: deviceLocks,
    clock: Date.now,
    random: Math.random,
    timers: deviceTimers,
    stamp: deviceStamp,
    sessionChanged,
    loadRecovery: () => import('../recovery/recovery.ts').then(({ recovery }) => recovery).catch(() => null),
  })
  const stopWaking = wakeOnSignals(sender, signals)
  let previous: PendingState = { waiting: [], paused: 0 }
  const subscription = liveQuery(() => retryOnReopenedDatabase(db, () => readPendingState(db))).subscribe((current) => {
    const knownSeqs = new Set(previous.waiting)
    const hasNewWork = current.waiting.some((seq) => !knownSeqs.has(seq)) || current.paused < previous.paused
    previous = current
    if (!hasNewWork) return
    void sender.wake('mutation')
    requestBackgroundSync?.()
  })
  void sender.wake('start')
  return {
    ...sender,
    stop: () => {
      stopWaking()
      subscription.unsubscribe()
      sender.stop()
    },
  }
}
