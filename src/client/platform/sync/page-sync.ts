import type { SessionChanged } from '#local/recovery/restore-access.ts'
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

// Background Sync is a bonus some browsers have; the guarantee is the next time a page is open.
const askForSync = () => {
  void navigator.serviceWorker?.ready
    .then((registration: WithSync) => registration.sync?.register(syncTag))
    .catch(() => undefined)
}

// Another tab finished on this device: nothing this one shows is here any more.
const leaveWhenFinished = () => {
  otherTabs.onmessage = ({ data }: MessageEvent<DeviceClearedMessage>) => {
    if (data.type !== 'finished') return
    searchedNames.dropAll()
    window.location.assign('/')
  }
}

/** Asks again for what was cached of an event in a visit that is over. It lies beside what takes up a visit anew, and is there by then. */
export const onSessionChanged: SessionChanged = async (jobId) =>
  (await import('../service-worker/refresh-cache.ts')).refreshCache(jobId)

let sender: Sender | null = null

/** Sends from this tab whatever waits on the device, from now on; the same sender however often it is asked for. */
export const startPageSync = (): Sender => {
  if (sender) return sender
  leaveWhenFinished()
  const heard = (answer: CallResult<unknown>) => void recordResponse(answer, 'proof')
  sender = startSync(database, {
    window,
    document,
    requestBackgroundSync: askForSync,
    onResponse: heard,
    onServerResponse,
    onSessionChanged,
  })
  return sender
}
