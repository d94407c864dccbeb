import type { SessionChanged } from '../src/local/codes-again.ts'
import type { LocalDatabase } from '../src/local/database.ts'
import { unsentCount } from '../src/local/finish.ts'
import { deviceLocks } from '../src/local/locks.ts'
import { rescue } from '../src/local/rescue.ts'
import { createSender } from '../src/local/sender.ts'
import { deviceStamp } from '../src/local/stamp.ts'
import { askFromWorker } from '../src/local/worker-api.ts'

/**
 * The platform says there is a network: sends what waits, with no page open too. Rejects while something is left, so that the platform
 * tries once more; the guarantee is the next page that opens, not this. Events that are in a new visit by then are renewed.
 */
export const sendFromWorker = async (db: LocalDatabase, renew: SessionChanged): Promise<void> => {
  const renewing: Promise<void>[] = []
  const sender = createSender({
    db,
    ask: askFromWorker,
    locks: deviceLocks,
    clock: Date.now,
    random: Math.random,
    timers: { after: () => () => undefined },
    stamp: deviceStamp,
    rescue: async () => rescue,
    // Nothing that is to be sent waits for it.
    sessionChanged: async (jobId) => void renewing.push(renew(jobId)),
  })
  await sender.wake('sync')
  sender.stop()
  await Promise.all(renewing)
  const left = await unsentCount(db)
  if (left > 0) throw new Error(`${left} changes are still waiting for a network`)
}
