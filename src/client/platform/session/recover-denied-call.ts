import { recoverSession, restoreLostAccess } from '#local/recovery/recover-session.ts'
import { lostAccessOf, saveJobAccess } from '#local/store/job-access.ts'
import { deviceLocks } from '#local/transport/locks.ts'
import type { CallFailure, RequestFunction } from '#local/transport/request.ts'
import { database, stamp } from '../database.ts'
import { refreshCache } from '../service-worker/refresh-cache.ts'

const parts = { locks: deviceLocks, stamp, sessionChanged: refreshCache }

let recovering: Promise<boolean> | null = null

/** Recovers a lost session once for all waiting calls; resolves to whether there is a new one. */
const recovered = (ask: RequestFunction): Promise<boolean> => {
  recovering ??= recoverSession(database, ask, parts)
    .then(({ kind }) => kind === 'recovered')
    .finally(() => {
      recovering = null
    })
  return recovering
}

/**
 * Jobs whose codes this page has redeemed again automatically: only once each, since a rejected code counts as a guess.
 * Entries are removed if the database failed.
 */
const tried = new Map<number, Promise<void>>()

// The session may have been replaced unnoticed: redeeming a code creates one if there is none.
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
 * Recovers from a denied call as far as the device can: a new session, and job access from the stored codes. Returns
 * the failure if that is not possible now; null if the call should be retried.
 */
export const recoverDeniedCall = async (
  ask: RequestFunction,
  response: CallFailure,
  jobId: number | undefined,
): Promise<CallFailure | null> => {
  const { problem } = response
  if (problem === 'session-unknown' && !(await recovered(ask))) return response
  if (jobId === undefined) return null
  if (problem === 'code-needed') await tryOnce(jobId)
  const doors = await restoreLostAccess(database, ask, { ...parts, jobId })
  if (doors.kind === 'refused' && problem === 'code-needed') return response
  return doors.kind === 'later' ? doors.answer : null
}
