import { recoverSession, restoreLostAccess } from '#local/recovery/recover-session.ts'
import { lostAccessOf, saveJobAccess } from '#local/store/job-access.ts'
import { deviceLocks } from '#local/transport/locks.ts'
import type { CallFailure, RequestFunction } from '#local/transport/request.ts'
import { database, stamp } from '../database.ts'
import { refreshCache } from '../service-worker/refresh-cache.ts'

const parts = { locks: deviceLocks, stamp, sessionChanged: refreshCache }

let recovering: Promise<boolean> | null = null

/** A visit that the server does not know any more is taken up again once, however many wait for it; whether there is a new one. */
const recovered = (ask: RequestFunction): Promise<boolean> => {
  recovering ??= recoverSession(database, ask, parts)
    .then(({ kind }) => kind === 'recovered')
    .finally(() => {
      recovering = null
    })
  return recovering
}

/**
 * Events whose codes were given again by this page without being asked to: once is enough, a code refused counts as a guess. Where the
 * database failed, nothing was given.
 */
const tried = new Map<number, Promise<void>>()

// The visit may have become another without anybody hearing of it: a new code makes one where there is none.
const tryOnce = (jobId: number): Promise<void> => {
  const before = tried.get(jobId)
  if (before) return before
  const trying = shutWhereKept(jobId)
  tried.set(jobId, trying)
  trying.catch(() => tried.delete(jobId))
  return trying
}

const shutWhereKept = async (jobId: number): Promise<void> => {
  if ((await lostAccessOf(database, jobId)) || (await database.codes.where({ jobId }).count()) === 0) return
  await saveJobAccess(database, jobId, { refusal: null, stale: true })
}

/**
 * Puts right why a call was turned away, as far as the device can: a new visit, the event's doors opened with what is kept for them.
 * What to answer where that does not go right now; null where it is worth asking once more.
 */
export const recoverDeniedCall = async (
  ask: RequestFunction,
  answer: CallFailure,
  jobId: number | undefined,
): Promise<CallFailure | null> => {
  const { problem } = answer
  if (problem === 'session-unknown' && !(await recovered(ask))) return answer
  if (jobId === undefined) return null
  if (problem === 'code-needed') await tryOnce(jobId)
  const doors = await restoreLostAccess(database, ask, { ...parts, jobId })
  if (doors.kind === 'refused' && problem === 'code-needed') return answer
  return doors.kind === 'later' ? doors.answer : null
}
