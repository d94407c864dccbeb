import { sql } from 'kysely'
import type { RedeemedCode } from '#contract/customer/session-calls.ts'
import { isAccessCode, normaliseAccessCode } from '#domain/subjects/access-code.ts'
import { grantAccess } from '../access/grants/grants.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { Problem } from '../http/problem.ts'
import { openSubjectToSession } from './confirm-subject.ts'
import { readGrantedSubject } from './granted-subjects.ts'
import { countNewSubject } from './lookup-rate-limit.ts'
import type { JobSessionAtAddress } from './record-unusual-searches.ts'

/** What a code opens: a job, and the subject whose own code it is. */
export type CodeTarget = {
  studioId: number
  jobId: number
  jobName: string
  subjectId: number | null
  publicGallery: boolean
  /** Whether images and fields are included: not while the job is unpublished or archived. */
  showing: boolean
}

/** What a code opens at a studio; undefined for a wrong code and for the code of a hidden subject. */
export const findCode = async (
  db: Db,
  studioId: number,
  { typed, now }: { typed: string; now: Date },
): Promise<CodeTarget | undefined> => {
  const code = normaliseAccessCode(typed)
  if (!isAccessCode(code)) return undefined
  const { rows } = await sql<CodeTarget>`
    select c.studio_id as "studioId", c.job_id as "jobId", j.name as "jobName", c.subject_id as "subjectId",
           j.gallery_is_public as "publicGallery",
           coalesce(j.published_at <= ${now}::timestamptz, false) and j.archived_at is null as showing
      from access_codes c
      join jobs j on j.studio_id = c.studio_id and j.id = c.job_id
      left join subjects u on u.studio_id = c.studio_id and u.id = c.subject_id
     where c.studio_id = ${studioId} and c.code = ${code} and u.hidden_at is null`.execute(db)
  return rows[0]
}

/**
 * Grants a session what a code opens (section 4, grants): the job, its public gallery, and the subject of a subject's own code. A
 * repetition renews the same grants.
 */
export const redeemAccessCode = async (
  deps: Deps,
  { session, address }: Pick<JobSessionAtAddress, 'session' | 'address'>,
  opened: CodeTarget,
): Promise<RedeemedCode | Problem<'slow-down'>> => {
  const { studioId, jobId, jobName, subjectId } = opened
  const visit: JobSessionAtAddress = { session, job: { studioId, jobId }, address }
  const giveGrants = () =>
    inTransaction(deps.db, async (tx) => {
      await grantAccess(tx, deps, visit, { kind: 'job' })
      if (opened.publicGallery) await grantAccess(tx, deps, visit, { kind: 'gallery' })
      if (subjectId !== null) await grantAccess(tx, deps, visit, { kind: 'subject', subjectId })
    })
  const refused =
    subjectId === null
      ? await giveGrants()
      : await openSubjectToSession(deps, {
          ...{ at: visit, subjectId, work: giveGrants },
          beforeNew: () => countNewSubject(deps, visit),
        })
  if (refused) return refused
  const subject =
    subjectId !== null && opened.showing
      ? await readGrantedSubject(deps.db, visit, { subjectId, now: deps.clock() })
      : undefined
  return { jobId, studioId, jobName, subject: subject ?? null }
}
