import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { codeNeededMessage } from '#contract/shapes/problems.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import type { LocalDatabase, Rejection } from '../store/database.ts'
import { lostAccessOf, saveJobAccess } from '../store/job-access.ts'
import { sessionCount } from '../store/session-count.ts'
import type { CallFailure, RequestFunction } from '../transport/request.ts'

/** `open`: the job's doors are open again; `later`: no answer yet; `refused`: only the customer has another code. */
export type AccessResult =
  | { kind: 'open' }
  | { kind: 'later'; answer: CallFailure }
  | { kind: 'refused'; refusal: Rejection }

/** Told as a job's doors are answered for in a new session: what was cached of it for the old one is to be asked for again. */
export type SessionChanged = (jobId: number) => Promise<void>

/**
 * Gives the server again what the customer gave it: every code kept for a job, then every person confirmed in it. Its carts are held
 * back until both came through: what is told of a person before their door is open is refused for good. What the device keeps of the
 * job to show stays that long too, for a network that is gone again meanwhile.
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
    // Unless the visit whose doors these were is over meanwhile.
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

/** Answers that a visit gets to whom the event itself is shut; any other proves it open, whatever becomes of the person. */
const accessDeniedProblems = ['code-needed', 'session-unknown']

/**
 * `refused`: nobody was asked for, or the event is shut. A person who is not shown any more is not the cart's problem: their lines
 * answer for themselves.
 */
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
