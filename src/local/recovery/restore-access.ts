import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { codeNeededMessage } from '#contract/shapes/problems.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import type { LocalDatabase } from '../store/database.ts'
import { sessionCount } from '../store/device-entries.ts'
import { lostAccessOf, saveJobAccess } from '../store/job-access.ts'
import type { Rejection } from '../store/rows.ts'
import type { CallFailure, RequestFunction } from '../transport/request.ts'

/**
 * `open`: the device has access to the job. `later`: a request failed in a way that may pass, so it is unknown.
 * `rejected`: neither a stored code nor a confirmed subject gives access.
 */
export type AccessResult =
  | { kind: 'open' }
  | { kind: 'later'; answer: CallFailure }
  | { kind: 'rejected'; rejection: Rejection }

/**
 * Called when the access to a job was restored or rejected in a new session. Responses of the job that were cached in
 * the previous session are stale from then on.
 */
export type OnSessionChanged = (jobId: number) => Promise<void>

/**
 * Redeems the stored codes of a job in the current session, then confirms its stored subjects, and stores the result.
 * The carts of the job wait for both, because mutations about a subject without access are rejected for good. Cached
 * responses of the job remain until then, in case the network is lost meanwhile.
 */
export const restoreAccess = async (
  db: LocalDatabase,
  ask: RequestFunction,
  { jobId, sessionChanged }: { jobId: number; sessionChanged: OnSessionChanged | undefined },
): Promise<AccessResult> => {
  const session = await sessionCount(db)
  const access = await requestAccess(db, ask, jobId)
  if (access.kind === 'later') return access
  const hasStaleResponses = await db.transaction('rw', db.device, async () => {
    // The session may have been replaced meanwhile; the result says nothing about the new one.
    if ((await sessionCount(db)) !== session) return false
    const previous = await lostAccessOf(db, jobId)
    await saveJobAccess(db, jobId, access.kind === 'open' ? null : { rejection: access.rejection, stale: false })
    return previous?.stale === true
  })
  // Only now, since the service worker keeps cached responses of rejected calls until access is restored or rejected.
  if (hasStaleResponses) await sessionChanged?.(jobId)
  return access
}

const requestAccess = async (db: LocalDatabase, ask: RequestFunction, jobId: number): Promise<AccessResult> => {
  const codesResult = await redeemStoredCodes(db, ask, jobId)
  if (codesResult.kind === 'later') return codesResult
  const subjectsResult = await reconfirmSubjects(db, ask, jobId)
  return subjectsResult.kind === 'rejected' ? codesResult : subjectsResult
}

const redeemStoredCodes = async (db: LocalDatabase, ask: RequestFunction, jobId: number): Promise<AccessResult> => {
  let isOpen = false
  let message: string = codeNeededMessage
  for (const { studioSlug, code } of await db.codes.where('jobId').equals(jobId).toArray()) {
    const answer = await ask(redeemCode, { params: { slug: studioSlug }, query: { code } })
    if (answer.ok) {
      isOpen = true
      await db.codes.update([jobId, code], { studioId: answer.data.studioId })
    } else if (retryPolicy(answer.status, answer.problem) === 'retry') return { kind: 'later', answer }
    else message = answer.errors[0] ?? message
  }
  return isOpen ? { kind: 'open' } : { kind: 'rejected', rejection: { problem: 'code-needed', message } }
}

/**
 * The problems of a session that has no access to the job. Any other response shows that it has access, even if it
 * rejects the subject.
 */
const accessDeniedProblems = ['code-needed', 'session-unknown']

/**
 * Confirms the stored subjects. `rejected`: there are none, or the session has no access to the job. A subject that the
 * server no longer offers does not block the carts.
 */
const reconfirmSubjects = async (
  db: LocalDatabase,
  ask: RequestFunction,
  jobId: number,
): Promise<AccessResult | { kind: 'rejected' }> => {
  let hasAccess = false
  for (const { subjectId, proof } of await db.subjects.where('jobId').equals(jobId).toArray()) {
    const answer = await ask(confirmSubject, { params: { jobId }, body: { subjectId, ...(proof && { proof }) } })
    if (!answer.ok && retryPolicy(answer.status, answer.problem) === 'retry') return { kind: 'later', answer }
    hasAccess ||= answer.ok || !accessDeniedProblems.includes(answer.problem ?? '')
  }
  return hasAccess ? { kind: 'open' } : { kind: 'rejected' }
}
