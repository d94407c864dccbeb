import { closeSession } from '#contract/customer/session-calls.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import { deletePersonalCaches } from '#local/store/delete-personal-caches.ts'
import { request } from '#local/transport/http-client.ts'
import { deviceLocks, type Locks, sessionLock } from '#local/transport/locks.ts'
import type { CallFailure, CallResult } from '#local/transport/request.ts'

const key = 'session-to-end'

type PendingLogoutInput = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Ends the session on the server. */
  close: () => Promise<CallResult<unknown>>
  /**
   * Deletes responses cached since the device was cleared: until the session ended, the worker could still load images.
   */
  deleteCaches: () => Promise<unknown>
  /** Only one tab ends it: a second logout could end the next customer's session. */
  locks: Locks
}

export type PendingLogout = {
  /** The device was cleared: the session must end before any other request. */
  schedule: () => void
  isPending: () => boolean
  /** Completes a pending logout; returns the failure, or null if nothing is pending any more. */
  complete: () => Promise<CallFailure | null>
}

/**
 * The logout of a session that was finished on this device. Only the server can delete its session cookie, and offline
 * it cannot be reached: until then a stored flag prevents the next customer from using the previous session.
 */
export const createPendingLogout = ({ storage, close, deleteCaches, locks }: PendingLogoutInput): PendingLogout => {
  const isOwed = () => storage.getItem(key) !== null
  const settleAlone = async (): Promise<CallFailure | null> => {
    if (!isOwed()) return null
    const response = await close()
    if (!response.ok && retryPolicy(response.status, response.problem) === 'retry') return response
    // A browser that cannot open its caches does not show their content either.
    await deleteCaches().catch(console.warn)
    storage.removeItem(key)
    return null
  }
  return {
    schedule: () => storage.setItem(key, '1'),
    isPending: isOwed,
    complete: async () => (isOwed() ? await locks.request(sessionLock, settleAlone) : null),
  }
}

// Pages without a pending logout never load the database for this.
const deleteGrants = async () => (await import('./delete-local-grants.ts')).deleteLocalGrants()

/** The instance of this device. */
export const pendingLogout = createPendingLogout({
  storage: window.localStorage,
  close: () => request(closeSession),
  deleteCaches: () => Promise.all([deletePersonalCaches(window.caches), deleteGrants()]),
  locks: deviceLocks,
})
