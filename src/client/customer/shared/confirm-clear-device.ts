import { unsentCount } from '#local/outbox/sending-state.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { clearDevice } from '#local/store/clear-device.ts'
import { database } from '#platform/database.ts'
import { installDismissedKey } from '#platform/install-prompt.ts'
import { otherTabs } from '#platform/other-tabs.ts'
import { pendingLogout } from '#platform/session/pending-logout.ts'
import { searchedNames } from '#platform/session/searched-names.ts'
import { persistenceRequestedKey } from '#platform/storage-persistence.ts'
import { urls } from '#platform/urls.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toastError } from '#ui/toast/toast.ts'

/** Timeout in milliseconds for ending the session. */
const timeoutMs = 2_000

const warning = (unsent: number) =>
  unsent > 0
    ? 'Some of your choices aren’t saved online yet and would be lost. Wait for a connection to keep them.'
    : 'This removes your cart, photos and codes from this device. Orders you placed are safe.'

const notClearedMessage = 'We couldn’t clear this phone yet. Close this page, open it again, and finish'

/**
 * "Finish on this device", for shared tablets: asks once, warns of data loss, and deletes everything. Then restarts the
 * app at `nextUrl`.
 */
export const confirmClearDevice = async (nextUrl = urls.home()): Promise<void> => {
  const unsent = await withDatabaseRetry(database, () => unsentCount(database))
  if (typeof unsent !== 'number') return toastError([notClearedMessage])
  const isConfirmed = await confirm({
    title: 'Finish on this device?',
    message: warning(unsent),
    confirmText: unsent > 0 ? 'Finish and lose them' : 'Finish',
    danger: unsent > 0,
  })
  if (!isConfirmed) return
  pendingLogout.schedule()
  if (await clearDevice(database, { caches: window.caches, otherTabs })) return toastError([notClearedMessage])
  for (const key of [persistenceRequestedKey, installDismissedKey]) window.localStorage.removeItem(key)
  searchedNames.dropAll()
  // A hanging connection must not block the customer: the next page ends the session.
  await Promise.race([pendingLogout.complete(), new Promise((resolve) => setTimeout(resolve, timeoutMs))])
  // A URL that differs only in its fragment would not reload the page.
  window.history.replaceState(null, '', nextUrl)
  window.location.reload()
}
