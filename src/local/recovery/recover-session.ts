import { openSession } from '#contract/customer/session-calls.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { deviceStamp } from '../outbox/device-stamp.ts'
import { sendingStateOf } from '../outbox/enqueue.ts'
import { knownCarts } from '../outbox/outbox-rows.ts'
import { isPaying } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import { jobsWithoutAccess, lostAccessOf, saveLostAccess } from '../store/job-access.ts'
import { incrementSessionCount, sessionCount } from '../store/session-count.ts'
import { deviceLocks, type Locks, sessionLock } from '../transport/locks.ts'
import type { CallFailure, RequestFunction } from '../transport/request.ts'
import { requeueLostCart } from './requeue-lost-cart.ts'
import { type AccessResult, restoreAccess, type SessionChanged } from './restore-access.ts'

/** `later`: there is no new visit yet, and why. What did not open in a new one stays shut, for whoever needs it next to open. */
export type SessionRecovery = { kind: 'recovered' } | { kind: 'later'; answer: CallFailure }
export type RecoverSessionDeps = {
  locks: Locks
  stamp: Stamp
  session?: number
  sessionChanged?: SessionChanged | undefined
}

/**
 * The server does not know this device any more (401 `session-unknown`): a new session, every code and person given again, and
 * every cart sent once more under new ids. Only a refused code pauses, and only its job's carts. `session`: the count when the 401's
 * request began; if it has grown since, another tab has begun all this, and what it did not come to is done here.
 */
export const recoverSession = async (
  db: LocalDatabase,
  ask: RequestFunction,
  parts: RecoverSessionDeps = { locks: deviceLocks, stamp: deviceStamp },
): Promise<SessionRecovery> => {
  const before = parts.session ?? (await sessionCount(db))
  return await parts.locks.request(sessionLock, async (): Promise<SessionRecovery> => {
    if ((await sessionCount(db)) === before) {
      const opened = await ask(openSession)
      if (!opened.ok) return { kind: 'later', answer: opened }
      // Before anything else is asked: should the rest not come through, the new visit is one that was told nothing yet.
      await resetForNewSession(db, parts.stamp)
    }
    for (const { jobId } of await jobsWithoutAccess(db)) {
      const doors = await restoreIfLost(db, ask, { ...parts, jobId })
      // The next would get no answer either, and others wait for the lock.
      if (doors.kind === 'later') break
    }
    return { kind: 'recovered' }
  })
}

type RestoreAccessDeps = Pick<RecoverSessionDeps, 'locks' | 'sessionChanged'> & { jobId: number }

/** Restores the access to a job where it is lost, under the session lock; returns the stored rejection where only the customer can. */
export const restoreLostAccess = (
  db: LocalDatabase,
  ask: RequestFunction,
  parts: RestoreAccessDeps,
): Promise<AccessResult> => parts.locks.request(sessionLock, () => restoreIfLost(db, ask, parts))

const restoreIfLost = async (
  db: LocalDatabase,
  ask: RequestFunction,
  { jobId, sessionChanged }: Omit<RestoreAccessDeps, 'locks'>,
): Promise<AccessResult> => {
  const shut = await lostAccessOf(db, jobId)
  if (!shut) return { kind: 'open' }
  const { refusal } = shut
  const doors: AccessResult = refusal
    ? { kind: 'refused', refusal }
    : await restoreAccess(db, ask, { jobId, sessionChanged })
  if (doors.kind === 'refused') await db.sending.where('jobId').equals(jobId).modify({ paused: doors.refusal })
  return doors
}

/**
 * Prepares the device for a new session: marks the access to every job as lost and requeues every cart. A cart that is being paid waits for
 * the outcome.
 */
export const resetForNewSession = async (db: LocalDatabase, stamp: Stamp): Promise<void> => {
  await db.transaction('rw', db.tables, async () => {
    await incrementSessionCount(db)
    const carts = await knownCarts(db)
    const jobs = new Set([...(await db.codes.toArray()), ...carts].map((one) => one.jobId))
    await saveLostAccess(
      db,
      [...jobs].map((jobId) => ({ jobId, refusal: null, stale: true })),
    )
    for (const key of carts) {
      if (!(await isPaying(db, key)))
        await requeueLostCart(db, key, { found: emptyCart(key.jobId, key.orderMethod), stamp })
      const sending = await sendingStateOf(db, key)
      await db.sending.put({ ...sending, nextAt: 0, inFlight: false, paused: null })
    }
  })
}
