import { ignoring } from '#domain/shared/ignoring.ts'
import type { OnSessionChanged } from '#local/recovery/restore-access.ts'
import { syncTag } from '#local/store/cache-names.ts'
import type { CallResult } from '#local/transport/request.ts'
import type { Sender } from '#local/transport/send-loop.ts'
import { startSync } from '#local/transport/start-sync.ts'
import type { DeviceClearedMessage } from '#local/transport/worker-messages.ts'
import { onServerResponse, recordResponse } from '../api/api.ts'
import { database } from '../database.ts'
import { otherTabs } from '../other-tabs.ts'
import { searchedNames } from '../session/searched-names.ts'

type WithSync = ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } }

// Background Sync is optional and not widely supported.
const requestSync = () =>
  void ignoring('changes are sent when a page is next open', async () => {
    const registration: WithSync = await navigator.serviceWorker?.ready
    await registration?.sync?.register(syncTag)
  })

// Another tab cleared this device: nothing shown here is valid any more.
const leaveWhenCleared = () => {
  otherTabs.onmessage = ({ data }: MessageEvent<DeviceClearedMessage>) => {
    if (data.type !== 'finished') return
    searchedNames.dropAll()
    window.location.assign('/')
  }
}

/**
 * Refetches a job's responses that were cached in a session that has ended. The code is in the same chunk as session
 * recovery, so it is loaded by then.
 */
export const onSessionChanged: OnSessionChanged = async (jobId) =>
  (await import('../service-worker/refresh-cache.ts')).refreshCache(jobId)

let sender: Sender | null = null

/** Starts sending stored changes from this tab; repeated calls return the same sender. */
export const startPageSync = (): Sender => {
  if (sender) return sender
  leaveWhenCleared()
  const onResponse = (response: CallResult<unknown>) => void recordResponse(response, 'proof')
  sender = startSync(database, {
    window,
    document,
    requestBackgroundSync: requestSync,
    onResponse,
    onServerResponse,
    onSessionChanged,
  })
  return sender
}
