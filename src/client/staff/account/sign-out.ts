import { logOut } from '#contract/system/auth.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import { storeSignOut } from '#local/outbox/staff-outbox.ts'
import { deleteStoredResponses } from '#local/store/stored-responses.ts'
import { callApi } from '#platform/api/api.ts'
import { formDrafts } from '../kit/form/form-drafts.ts'
import { staffDatabase, staffSender } from '../kit/query/staff-sender.ts'
import { session } from '../kit/session/current-session.ts'

/**
 * Signs out on this device immediately. The request that ends the session is queued and sent once the device is online.
 * If the request cannot be stored, it is sent once and never retried.
 */
export const signOut = async (): Promise<void> => {
  const refreshToken = session.refreshToken()
  if (refreshToken) {
    const request = { kind: 'signOut', refreshToken } as const
    const queued = await storeSignOut(staffDatabase, { requestId: randomId(), request }).catch(() => null)
    if (typeof queued !== 'number') void callApi(logOut, { body: { refreshToken } })
  }
  session.clear()
  await deleteStoredResponses(staffDatabase).catch(console.warn)
  formDrafts.dropAll()
  void staffSender().wake('tap')
}
