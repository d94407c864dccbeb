import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { unsentCount } from '#local/outbox/sending-state.ts'
import { recovery } from '#local/recovery/recovery.ts'
import type { OnSessionChanged } from '#local/recovery/restore-access.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import { deviceLocks } from '#local/transport/locks.ts'
import { createSender } from '#local/transport/sender.ts'
import { requestFromWorker } from '#local/transport/worker-http-client.ts'

/** Sends pending mutations from the worker, with or without an open page. */
export type BackgroundSender = {
  /**
   * The platform reports a network. Rejects while mutations remain unsent, so that the platform retries; the guarantee
   * is the next page that opens, not this event.
   */
  onSync: () => Promise<void>
  /**
   * The server responded to a request of this worker: sends at once what waited because the server could not be
   * reached.
   */
  onAnswer: () => Promise<void>
}

/** Jobs that are in a new session after the outbox was sent are refreshed with `refreshJob`. */
export const createBackgroundSender = (db: LocalDatabase, refreshJob: OnSessionChanged): BackgroundSender => {
  let refreshes: Promise<void>[] = []
  const sender = createSender({
    db,
    ask: requestFromWorker,
    locks: deviceLocks,
    clock: Date.now,
    random: Math.random,
    timers: { after: () => () => undefined },
    stamp: deviceStamp,
    loadRecovery: async () => recovery,
    // Sending does not wait for it.
    sessionChanged: async (jobId) => void refreshes.push(refreshJob(jobId)),
  })
  const wake = async (reason: 'sync' | 'answer'): Promise<void> => {
    await sender.wake(reason)
    const started = refreshes
    refreshes = []
    await Promise.all(started)
  }
  return {
    onAnswer: () => wake('answer'),
    onSync: async () => {
      await wake('sync')
      const remaining = await unsentCount(db)
      if (remaining > 0) throw new Error(`${remaining} changes are still waiting for a network`)
    },
  }
}
