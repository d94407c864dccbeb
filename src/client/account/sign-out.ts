import { logOut } from '../../contract/auth.ts'
import { storeSignOut } from '../../local/staff-outbox.ts'
import { randomId } from '../../local/stamp.ts'
import { dropStoredAnswers } from '../../local/stored-answers.ts'
import { ask } from '../device/ask.ts'
import { formDrafts } from '../session/form-drafts.ts'
import { session } from '../session/signed-in.ts'
import { staffDatabase, staffSender } from '../staff/staff-sending.ts'

/**
 * Signs out on this device at once. The request that ends the session on the server is stored first, and sent as soon as there is a
 * network; a device that can store nothing sends it now or never.
 */
export const signOut = async (): Promise<void> => {
  const refreshToken = session.refreshToken()
  if (refreshToken) {
    const request = { kind: 'signOut', refreshToken } as const
    const stored = await storeSignOut(staffDatabase, { requestId: randomId(), request }).catch(() => null)
    if (typeof stored !== 'number') void ask(logOut, { body: { refreshToken } })
  }
  session.clear()
  await dropStoredAnswers(staffDatabase).catch(console.warn)
  formDrafts.dropAll()
  void staffSender().wake('tap')
}
