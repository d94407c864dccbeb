import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { codeNeededMessage } from '#contract/shapes/problems.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import type { LocalDatabase, Rejection } from '../store/database.ts'
import { lostAccessOf, saveJobAccess } from '../store/job-access.ts'
import { sessionCount } from '../store/session-count.ts'
import type { CallFailure, RequestFunction } from '../transport/request.ts'

/** `open`: access is restored; `later`: no response yet; `refused`: every stored code was rejected. */
export type AccessResult =
  | { kind: 'open' }
  | { kind: 'later'; answer: CallFailure }
  | { kind: 'refused'; refusal: Rejection }

/** Called once the access to a job is decided in a new session: responses cached for the old one must be fetched again. */
export type SessionChanged = (jobId: number) => Promise<void>

/**
 * Sends the stored codes of a job again, then its confirmed subjects. Its carts wait for both, since mutations about a subject without access
 * are rejected for good. Cached responses of the job stay until then, in case the network is lost again.
 */
export const restoreAccess = async (
  db: LocalDatabase,
  ask: RequestFunction,
  { jobId, sessionChanged }: { jobId: number; sessionChanged: SessionChanged | undefined },
): Promise<AccessResult> => {
  const session = await sessionCount(db)
  const doors = await resendCredentials(db, ask, jobId)
  if (doors.kind === 'later') return doors
  const isStale = await db.transaction('rw', db.device, async () => {
    // Unless that session has ended since.
    if ((await sessionCount(db)) !== session) return false
    const before = await lostAccessOf(db, jobId)
    await saveJobAccess(db, jobId, doors.kind === 'open' ? null : { refusal: doors.refusal, stale: false })
    return before?.stale === true
  })
  // By now the worker takes what the server says of this visit for its last word.
  if (isStale) await sessionChanged?.(jobId)
  return doors
}

const resendCredentials = async (db: LocalDatabase, ask: RequestFunction, jobId: number): Promise<AccessResult> => {
  const codes = await resendCodes(db, ask, jobId)
  if (codes.kind === 'later') return codes
  const people = await reconfirmSubjects(db, ask, jobId)
  return people.kind === 'refused' ? codes : people
}

const resendCodes = async (db: LocalDatabase, ask: RequestFunction, jobId: number): Promise<AccessResult> => {
  let opened = false
  let sentence: string = codeNeededMessage
  for (const { studioSlug, code } of await db.codes.where('jobId').equals(jobId).toArray()) {
    const answer = await ask(redeemCode, { params: { slug: studioSlug }, query: { code } })
    if (answer.ok) {
      opened = true
      await db.codes.update([jobId, code], { studioId: answer.data.studioId })
    } else if (retryPolicy(answer.status, answer.problem) === 'retry') return { kind: 'later', answer }
    else sentence = answer.errors[0] ?? sentence
  }
  return opened ? { kind: 'open' } : { kind: 'refused', refusal: { problem: 'code-needed', message: sentence } }
}

/** Problems of a session without access to the job; any other response proves access, whatever happens to the subject. */
const accessDeniedProblems = ['code-needed', 'session-unknown']

/** `refused`: no subject is stored, or the job is not accessible. A subject that is no longer shown does not block the cart. */
const reconfirmSubjects = async (
  db: LocalDatabase,
  ask: RequestFunction,
  jobId: number,
): Promise<AccessResult | { kind: 'refused' }> => {
  let admitted = false
  for (const { subjectId, proof } of await db.subjects.where('jobId').equals(jobId).toArray()) {
    const answer = await ask(confirmSubject, { params: { jobId }, body: { subjectId, ...(proof && { proof }) } })
    if (!answer.ok && retryPolicy(answer.status, answer.problem) === 'retry') return { kind: 'later', answer }
    admitted ||= answer.ok || !accessDeniedProblems.includes(answer.problem ?? '')
  }
  return admitted ? { kind: 'open' } : { kind: 'refused' }
}
