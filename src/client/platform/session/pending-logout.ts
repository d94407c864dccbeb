import { closeSession } from '#contract/customer/discovery-calls.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import { deletePersonalCaches } from '#local/store/delete-personal-caches.ts'
import { request } from '#local/transport/http-client.ts'
import { deviceLocks, type Locks, sessionLock } from '#local/transport/locks.ts'
import type { CallFailure, CallResult } from '#local/transport/request.ts'

const key = 'session-to-end'

type Ways = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Ends the session on the server. */
  close: () => Promise<CallResult<unknown>>
  /** Drops what was fetched since the device was finished: until its session ended, the worker was still given pictures. */
  drop: () => Promise<unknown>
  /** One tab ends it: a second ending could meet the session of whoever came after. */
  locks: Locks
}

export type PendingLogout = {
  /** This device was finished: its session ends before anything else is asked. */
  schedule: () => void
  isPending: () => boolean
  /** Ends the session if that is owed; answers why it could not be, null when nothing is owed any more. */
  complete: () => Promise<CallFailure | null>
}

/**
 * The end of a visit that was finished on this device. The cookie of a session is the server's to take away, and without a network
 * the server hears of nothing: until it does, a note stands here, so that nobody goes on with the session of somebody else.
 */
export const createPendingLogout = ({ storage, close, drop, locks }: Ways): PendingLogout => {
  const isOwed = () => storage.getItem(key) !== null
  const settleAlone = async (): Promise<CallFailure | null> => {
    if (!isOwed()) return null
    const answer = await close()
    if (!answer.ok && retryPolicy(answer.status, answer.problem) === 'retry') return answer
    // A browser that will not open its caches shows nothing of them either.
    await drop().catch(console.warn)
    storage.removeItem(key)
    return null
  }
  return {
    schedule: () => storage.setItem(key, '1'),
    isPending: isOwed,
    complete: async () => (isOwed() ? await locks.request(sessionLock, settleAlone) : null),
  }
}

// Pages that nobody finished never need the database for this.
const forgetGrants = async () => (await import('./delete-local-grants.ts')).deleteLocalGrants()

/** This device's own. */
export const pendingLogout = createPendingLogout({
  storage: window.localStorage,
  close: () => request(closeSession),
  drop: () => Promise.all([deletePersonalCaches(window.caches), forgetGrants()]),
  locks: deviceLocks,
})
