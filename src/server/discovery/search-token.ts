import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { JobKey } from '../access/authorization/authorize.ts'
import { isLiveGrant, type JobSession } from '../access/grants/grants.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'

/** Returns a problem for a job whose subjects are opened only by their own codes. */
export const requireOwnCode = async (
  { db }: Pick<Deps, 'db'>,
  { studioId, jobId }: JobKey,
): Promise<Problem<'own-code-needed'> | undefined> => {
  const row = await db
    .selectFrom('jobs')
    .select('own_code_only')
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .executeTakeFirst()
  return row?.own_code_only ? problem('own-code-needed') : undefined
}

type SubjectRef = { readonly jobId: number; readonly subjectId: number }

const tokenBytes = 16

const digest = ({ settings }: Pick<Deps, 'settings'>, { jobId, subjectId }: SubjectRef): Buffer =>
  createHmac('sha256', settings.secret).update(`confirm:${jobId}:${subjectId}`).digest().subarray(0, tokenBytes)

/**
 * Creates a token that proves that the subject was found by name. Without it, anyone with a job's code could open all
 * its subjects by enumerating ids (section 4, grants). It is not bound to a session, so that a device can reopen its
 * subjects in a new session.
 */
export const createSearchToken = (deps: Pick<Deps, 'settings'>, subjectRef: SubjectRef): string =>
  digest(deps, subjectRef).toString('base64url')

const isValidToken = (deps: Deps, subjectRef: SubjectRef, token: string): boolean => {
  const bytes = Buffer.from(token, 'base64url')
  return bytes.length === tokenBytes && timingSafeEqual(bytes, digest(deps, subjectRef))
}

/** Whether this session has seen the subject without a search: it once had a grant, or currently sees all subjects. */
const hasSeenSubject = async (
  { db, clock }: Deps,
  { session, job }: JobSession,
  subjectId: number,
): Promise<boolean> => {
  const { rows } = await sql`
    select from session_grants g join jobs j on j.studio_id = g.studio_id and j.id = g.job_id
     where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId}
       and ((g.kind = 'subject' and g.subject_id = ${subjectId})
            or (g.kind = 'gallery' and j.gallery_is_public and ${isLiveGrant(clock())}))
     limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Whether a session may order for this subject, because it found the subject by a search or has seen it before. A
 * search does not count where subjects are opened only by their own codes.
 */
export const mayConfirmSubject = async (
  deps: Deps,
  jobSession: JobSession,
  { subjectId, proof }: { subjectId: number; proof: string | undefined },
): Promise<boolean> => {
  const wasFound = proof !== undefined && isValidToken(deps, { jobId: jobSession.job.jobId, subjectId }, proof)
  if (wasFound && !(await requireOwnCode(deps, jobSession.job))) return true
  return await hasSeenSubject(deps, jobSession, subjectId)
}
