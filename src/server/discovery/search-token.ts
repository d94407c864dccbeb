import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { isLiveGrant, type JobSession } from '../access/grants/grants.ts'
import type { Deps } from '../deps.ts'
import { requireOwnCode } from './own-code.ts'

type SubjectRef = { readonly jobId: number; readonly subjectId: number }

const proofBytes = 16

const digest = ({ settings }: Pick<Deps, 'settings'>, { jobId, subjectId }: SubjectRef): Buffer =>
  createHmac('sha256', settings.secret).update(`confirm:${jobId}:${subjectId}`).digest().subarray(0, proofBytes)

/**
 * What shows that somebody searched for this person by name: without it, counting ids upward would open a whole school to whoever has
 * its code (section 4, grants). Bound to no session, so that a device whose session was forgotten can open its people again.
 */
export const createSearchToken = (deps: Pick<Deps, 'settings'>, person: SubjectRef): string =>
  digest(deps, person).toString('base64url')

const isProof = (deps: Deps, person: SubjectRef, shown: string): boolean => {
  const bytes = Buffer.from(shown, 'base64url')
  return bytes.length === proofBytes && timingSafeEqual(bytes, digest(deps, person))
}

/** Whether this visit was shown the person without a search: they held their grant at some time, or see everybody now. */
const wasShown = async ({ db, clock }: Deps, { session, job }: JobSession, subjectId: number): Promise<boolean> => {
  const { rows } = await sql`
    select from session_grants g join jobs j on j.studio_id = g.studio_id and j.id = g.job_id
     where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId}
       and ((g.kind = 'subject' and g.subject_id = ${subjectId})
            or (g.kind = 'gallery' and j.gallery_is_public and ${isLiveGrant(clock())}))
     limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Whether a session may say that it orders for this person: it found them, or they were shown to it before. Where people are opened by
 * their own codes alone, a search of before opens nobody any more.
 */
export const mayConfirmSubject = async (
  deps: Deps,
  visit: JobSession,
  { subjectId, proof }: { subjectId: number; proof: string | undefined },
): Promise<boolean> => {
  const wasFound = proof !== undefined && isProof(deps, { jobId: visit.job.jobId, subjectId }, proof)
  if (wasFound && !(await requireOwnCode(deps, visit.job))) return true
  return await wasShown(deps, visit, subjectId)
}
