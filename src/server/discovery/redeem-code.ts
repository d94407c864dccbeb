import { sql } from 'kysely'
import type { RedeemedCode } from '#contract/customer/session-calls.ts'
import { isAccessCode, normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { grantAccess } from '../access/grants/grants.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { Problem } from '../http/problem.ts'
import { openSubjectToSession } from './confirm-subject.ts'
import { readGrantedSubject } from './granted-subjects.ts'
import { countNewSubject } from './lookup-rate-limit.ts'
import type { JobSessionAtAddress } from './record-unusual-searches.ts'

/** The job that a code opens, and the subject of a subject's own code. */
export type CodeTarget = {
  studioId: number
  jobId: number
  jobName: string
  subjectId: number | null
  publicGallery: boolean
  /** Whether subjects are shown: not while the job is unpublished or archived. */
  showing: boolean
}

/** Finds the target of a code at a studio; undefined for a wrong code and for the code of a hidden or staged subject. */
export const findCode = async (
  db: Db,
  studioId: number,
  { enteredCode, now }: { enteredCode: string; now: Date },
): Promise<CodeTarget | undefined> => {
  const code = normaliseAccessCode(enteredCode)
  if (!isAccessCode(code)) return undefined
  const { rows } = await sql<CodeTarget>`
    select c.studio_id as "studioId", c.job_id as "jobId", j.name as "jobName", c.subject_id as "subjectId",
           j.gallery_is_public as "publicGallery",
           coalesce(j.published_at <= ${now}::timestamptz, false) and j.archived_at is null as showing
      from access_codes c
      join jobs j on j.studio_id = c.studio_id and j.id = c.job_id
      left join subjects u on u.studio_id = c.studio_id and u.id = c.subject_id
     where c.studio_id = ${studioId} and c.code = ${code} and u.hidden_at is null
       and u.state is distinct from 'staged'`.execute(db)
  return rows[0]
}

/**
 * Grants a session access to the target of a code (section 4, grants): the job, its public gallery, and the subject of
 * a subject's own code. Redeeming the code again renews the same grants.
 */
export const redeemAccessCode = async (
  deps: Deps,
  { session, address }: Pick<JobSessionAtAddress, 'session' | 'address'>,
  target: CodeTarget,
): Promise<RedeemedCode | Problem<'slow-down'>> => {
  const { studioId, jobId, jobName, subjectId } = target
  const sessionAtAddress: JobSessionAtAddress = { session, job: { studioId, jobId }, address }
  const grantAll = () =>
    inTransaction(deps.db, async (tx) => {
      await grantAccess(tx, deps, sessionAtAddress, { kind: 'job' })
      if (target.publicGallery) await grantAccess(tx, deps, sessionAtAddress, { kind: 'gallery' })
      if (subjectId !== null) await grantAccess(tx, deps, sessionAtAddress, { kind: 'subject', subjectId })
    })
  const rejection =
    subjectId === null
      ? await grantAll()
      : await openSubjectToSession(deps, {
          ...{ jobSession: sessionAtAddress, subjectId, work: grantAll },
          beforeNew: () => countNewSubject(deps, sessionAtAddress),
        })
  if (rejection) return rejection
  const subject =
    subjectId !== null && target.showing
      ? await readGrantedSubject(deps.db, sessionAtAddress, { subjectId, now: deps.clock() })
      : undefined
  return { jobId, studioId, jobName, subject: subject ?? null }
}
