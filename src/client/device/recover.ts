import type { Ask, Failed } from '../../local/ask.ts'
import { noteDoors, shutDoorsOf } from '../../local/doors.ts'
import { dropCatalogue } from '../../local/drop-catalogue.ts'
import { deviceLocks } from '../../local/locks.ts'
import { openShutDoors, recover } from '../../local/visits.ts'
import { local, stamp } from './local.ts'

const parts = { locks: deviceLocks, stamp, sessionChanged: dropCatalogue }

/** Takes a visit up again that the server does not know any more; answers whether it worked. */
export const recoverVisit = async (ask: Ask): Promise<boolean> =>
  (await recover(local, ask, parts)).kind === 'recovered'

/** Events whose codes were given again by this page without being asked to: once is enough, a code refused counts as a guess. */
const tried = new Set<number>()

// The visit may have become another without anybody hearing of it: a new code makes one where there is none.
const tryOnce = async (jobId: number): Promise<void> => {
  if (tried.has(jobId) || (await shutDoorsOf(local, jobId))) return
  tried.add(jobId)
  if ((await local.codes.where({ jobId }).count()) === 0) return
  await noteDoors(local, jobId, { refusal: null, stale: true })
}

/** Opens an event's doors with what is kept for them, where that is worth trying; why it does not go right now, or null. */
export const openDoors = async (ask: Ask, jobId: number, { problem }: Failed): Promise<Failed | null> => {
  if (problem === 'code-needed') await tryOnce(jobId)
  const doors = await openShutDoors(local, ask, { ...parts, jobId })
  return doors.kind === 'later' ? doors.answer : null
}
