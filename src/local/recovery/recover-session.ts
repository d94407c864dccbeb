import { openSession } from '#contract/customer/session-calls.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { deviceStamp } from '../outbox/device-stamp.ts'
import { sendingStateOf } from '../outbox/enqueue.ts'
import { knownCarts } from '../outbox/outbox-rows.ts'
import { isPaying } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import { incrementSessionCount, sessionCount } from '../store/device-entries.ts'
import { jobsWithoutAccess, lostAccessOf, saveLostAccess } from '../store/job-access.ts'
import { deviceLocks, type Locks, sessionLock } from '../transport/locks.ts'
import type { CallFailure, RequestFunction } from '../transport/request.ts'
import { requeueLostCart } from './requeue-lost-cart.ts'
import { type AccessResult, type OnSessionChanged, restoreAccess } from './restore-access.ts'

/**
 * `later`: no new session could be opened; `answer` says why. A job whose access was not restored stays without access
 * until a later request restores it.
 */
export type SessionRecovery = { kind: 'recovered' } | { kind: 'later'; answer: CallFailure }
export type RecoverSessionDeps = {
  locks: Locks
  stamp: Stamp
  session?: number
  sessionChanged?: OnSessionChanged | undefined
}

/**
 * The server no longer knows this device (401 `session-unknown`): opens a new session, restores the access to every job
 * and subject, and requeues the changes of every cart under new ids. Only a rejected code pauses carts, and only those
 * of its job. `session`: the session count when the failed request began; if it has grown since, another tab has
 * started the recovery, and the rest is done here.
 */
export const recoverSession = async (
  db: LocalDatabase,
  ask: RequestFunction,
  deps: RecoverSessionDeps = { locks: deviceLocks, stamp: deviceStamp },
): Promise<SessionRecovery> => {
  const sessionBefore = deps.session ?? (await sessionCount(db))
  return await deps.locks.request(sessionLock, async (): Promise<SessionRecovery> => {
    if ((await sessionCount(db)) === sessionBefore) {
      const opened = await ask(openSession)
      if (!opened.ok) return { kind: 'later', answer: opened }
      // Before any other request: if the rest fails, the device is in a new session that has received nothing yet.
      await resetForNewSession(db, deps.stamp)
    }
    for (const { jobId } of await jobsWithoutAccess(db)) {
      const access = await restoreIfLost(db, ask, { ...deps, jobId })
      // The next request would fail too, and others wait for the lock.
      if (access.kind === 'later') break
    }
    return { kind: 'recovered' }
  })
}

type RestoreAccessDeps = Pick<RecoverSessionDeps, 'locks' | 'sessionChanged'> & { jobId: number }

/**
 * Restores the access to a job where it is lost, under the session lock; returns the stored rejection if only the
 * customer can restore it.
 */
export const restoreLostAccess = (
  db: LocalDatabase,
  ask: RequestFunction,
  deps: RestoreAccessDeps,
): Promise<AccessResult> => deps.locks.request(sessionLock, () => restoreIfLost(db, ask, deps))

const restoreIfLost = async (
  db: LocalDatabase,
  ask: RequestFunction,
  { jobId, sessionChanged }: Omit<RestoreAccessDeps, 'locks'>,
): Promise<AccessResult> => {
  const lostAccess = await lostAccessOf(db, jobId)
  if (!lostAccess) return { kind: 'open' }
  const { rejection } = lostAccess
  const access: AccessResult = rejection
    ? { kind: 'rejected', rejection }
    : await restoreAccess(db, ask, { jobId, sessionChanged })
  if (access.kind === 'rejected') await db.sending.where('jobId').equals(jobId).modify({ paused: access.rejection })
  return access
}

/**
 * Prepares the device for a new session: marks the access to every job as lost and requeues every cart. A cart that is
 * being paid waits for the outcome.
 */
export const resetForNewSession = async (db: LocalDatabase, stamp: Stamp): Promise<void> => {
  await db.transaction('rw', db.tables, async () => {
    await incrementSessionCount(db)
    const carts = await knownCarts(db)
    const jobs = new Set([...(await db.codes.toArray()), ...carts].map(({ jobId }) => jobId))
    await saveLostAccess(
      db,
      [...jobs].map((jobId) => ({ jobId, rejection: null, stale: true })),
    )
    for (const key of carts) {
      if (!(await isPaying(db, key)))
        await requeueLostCart(db, key, { serverCart: emptyCart(key.jobId, key.orderMethod), stamp })
      const sending = await sendingStateOf(db, key)
      await db.sending.put({ ...sending, nextAt: 0, inFlight: false, paused: null })
    }
  })
}
