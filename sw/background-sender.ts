import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { unsentCount } from '#local/outbox/sending-state.ts'
import { recovery } from '#local/recovery/recovery.ts'
import type { SessionChanged } from '#local/recovery/restore-access.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import { deviceLocks } from '#local/transport/locks.ts'
import { createSender } from '#local/transport/sender.ts'
import { requestFromWorker } from '#local/transport/worker-http-client.ts'

/** When the worker sends what waits, with a page open or without. */
export type BackgroundSender = {
  /**
   * The platform says there is a network. Rejects while something is left, so that the platform tries once more; the guarantee is the
   * next page that opens, not this.
   */
  onSync: () => Promise<void>
  /** The server answered something that this worker fetched: whatever waited because it could not be reached goes at once. */
  onAnswer: () => Promise<void>
}

/** Events that are in a new visit once the outbox was sent are renewed with `renew`. */
export const createBackgroundSender = (db: LocalDatabase, renew: SessionChanged): BackgroundSender => {
  let renewing: Promise<void>[] = []
  const sender = createSender({
    db,
    ask: requestFromWorker,
    locks: deviceLocks,
    clock: Date.now,
    random: Math.random,
    timers: { after: () => () => undefined },
    stamp: deviceStamp,
    loadRecovery: async () => recovery,
    // Nothing that is to be sent waits for it.
    sessionChanged: async (jobId) => void renewing.push(renew(jobId)),
  })
  const wake = async (reason: 'sync' | 'answer'): Promise<void> => {
    await sender.wake(reason)
    const begun = renewing
    renewing = []
    await Promise.all(begun)
  }
  return {
    onAnswer: () => wake('answer'),
    onSync: async () => {
      await wake('sync')
      const left = await unsentCount(db)
      if (left > 0) throw new Error(`${left} changes are still waiting for a network`)
    },
  }
}
