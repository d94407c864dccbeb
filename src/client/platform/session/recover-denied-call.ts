import { recoverSession, restoreLostAccess } from '#local/recovery/recover-session.ts'
import { lostAccessOf, saveJobAccess } from '#local/store/job-access.ts'
import { deviceLocks } from '#local/transport/locks.ts'
import type { CallFailure, RequestFunction } from '#local/transport/request.ts'
import { database, stamp } from '../database.ts'
import { refreshCache } from '../service-worker/refresh-cache.ts'

const recoveryDependencies = { locks: deviceLocks, stamp, sessionChanged: refreshCache }

let recovery: Promise<boolean> | null = null

/** Recovers a lost session once for all waiting calls; resolves to whether there is a new one. */
const recoverOnce = (ask: RequestFunction): Promise<boolean> => {
  recovery ??= recoverSession(database, ask, recoveryDependencies)
    .then(({ kind }) => kind === 'recovered')
    .finally(() => {
      recovery = null
    })
  return recovery
}

/**
 * Jobs whose access this page has marked as stale, so that their codes are redeemed again: only once each, since a
 * rejected code counts as a guess. Entries are removed if the database failed.
 */
const staleMarkings = new Map<number, Promise<void>>()

// Marked as stale, because the server may have created a new session unnoticed: redeeming a code does so if there
// is none.
const markAccessStaleOnce = (jobId: number): Promise<void> => {
  const previous = staleMarkings.get(jobId)
  if (previous) return previous
  const marking = markAccessStale(jobId)
  staleMarkings.set(jobId, marking)
  marking.catch(() => staleMarkings.delete(jobId))
  return marking
}

const markAccessStale = async (jobId: number): Promise<void> => {
  if ((await lostAccessOf(database, jobId)) || (await database.codes.where({ jobId }).count()) === 0) return
  await saveJobAccess(database, jobId, { rejection: null, stale: true })
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
  if (problem === 'session-unknown' && !(await recoverOnce(ask))) return response
  if (jobId === undefined) return null
  if (problem === 'code-needed') await markAccessStaleOnce(jobId)
  const access = await restoreLostAccess(database, ask, { ...recoveryDependencies, jobId })
  if (access.kind === 'rejected' && problem === 'code-needed') return response
  return access.kind === 'later' ? access.answer : null
}
