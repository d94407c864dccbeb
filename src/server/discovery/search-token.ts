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
 * A token that proves that the subject was found by name: without it, counting ids upward would open a whole school to anyone with its code
 * (section 4, grants). Not bound to a session, so that a device whose session was deleted can open its subjects again.
 */
export const createSearchToken = (deps: Pick<Deps, 'settings'>, person: SubjectRef): string =>
  digest(deps, person).toString('base64url')

const isProof = (deps: Deps, person: SubjectRef, shown: string): boolean => {
  const bytes = Buffer.from(shown, 'base64url')
  return bytes.length === proofBytes && timingSafeEqual(bytes, digest(deps, person))
}

/** Whether this session was shown the subject without a search: it had a grant at some time, or sees all subjects now. */
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
 * Whether a session may order for this subject: it found them, or they were shown to it before. Where subjects are opened only by their own
 * codes, an earlier search opens none any more.
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
