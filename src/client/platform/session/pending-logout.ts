import { closeSession } from '#contract/customer/session-calls.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import { deletePersonalCaches } from '#local/store/cache-names.ts'
import { request } from '#local/transport/http-client.ts'
import { deviceLocks, type Locks, sessionLock } from '#local/transport/locks.ts'
import type { CallFailure, CallResult } from '#local/transport/request.ts'

const storageKey = 'pending-logout'

type PendingLogoutInput = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Ends the session on the server. */
  endSession: () => Promise<CallResult<unknown>>
  /**
   * Deletes grants and responses that were stored after the device was cleared: until the session ends, the service
   * worker can still load and cache images.
   */
  deleteSessionData: () => Promise<unknown>
  /** Limits the logout to one tab: a second logout could end the next customer's session. */
  locks: Locks
}

export type PendingLogout = {
  /** Stores that the session must end before the next request, because the device was cleared. */
  schedule: () => void
  isPending: () => boolean
  /**
   * Sends the pending logout. Resolves to the failure if it must be retried, or to null if no logout is pending
   * afterwards.
   */
  complete: () => Promise<CallFailure | null>
}

/**
 * The logout of a customer who cleared this device. Only the server can delete the session cookie, so a logout that is
 * requested offline must wait. Until it is completed, a stored flag prevents the next customer from using the previous
 * session.
 */
export const createPendingLogout = ({
  storage,
  endSession,
  deleteSessionData,
  locks,
}: PendingLogoutInput): PendingLogout => {
  const isPending = () => storage.getItem(storageKey) !== null
  const completeInLock = async (): Promise<CallFailure | null> => {
    if (!isPending()) return null
    const response = await endSession()
    if (!response.ok && retryPolicy(response.status, response.problem) === 'retry') return response
    // If the browser cannot open its caches, the service worker cannot read them either, so the logout is complete.
    await deleteSessionData().catch(console.warn)
    storage.removeItem(storageKey)
    return null
  }
  return {
    schedule: () => storage.setItem(storageKey, '1'),
    isPending,
    complete: async () => (isPending() ? await locks.request(sessionLock, completeInLock) : null),
  }
}

// Imported on demand, so that pages without a pending logout do not load the database.
const deleteGrants = async () => (await import('./delete-local-grants.ts')).deleteLocalGrants()

/** The pending logout of this device, shared by all tabs through `localStorage`. */
export const pendingLogout = createPendingLogout({
  storage: window.localStorage,
  endSession: () => request(closeSession),
  deleteSessionData: () => Promise.all([deletePersonalCaches(window.caches), deleteGrants()]),
  locks: deviceLocks,
})
