import { type RawBuilder, sql } from 'kysely'
import { foundLimit } from '#contract/customer/find-event.ts'
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

type EnteredCode = { enteredCode: string; now: Date }

/** The targets of a code at the studios that match, without hidden and staged subjects; none for a malformed code. */
const selectTargets = async <Target extends CodeTarget>(
  db: Db,
  { enteredCode, now }: EnteredCode,
  isAtStudio: RawBuilder<unknown>,
): Promise<Target[]> => {
  const code = normaliseAccessCode(enteredCode)
  if (!isAccessCode(code)) return []
  const { rows } = await sql<Target>`
    select c.studio_id as "studioId", c.job_id as "jobId", j.name as "jobName", c.subject_id as "subjectId",
           j.gallery_is_public as "publicGallery",
           coalesce(j.published_at <= ${now}::timestamptz, false) and j.archived_at is null as showing,
           s.slug as "studioSlug", s.name as "studioName"
      from access_codes c
      join studios s on s.id = c.studio_id
      join jobs j on j.studio_id = c.studio_id and j.id = c.job_id
      left join subjects u on u.studio_id = c.studio_id and u.id = c.subject_id
     where ${isAtStudio} and c.code = ${code} and u.hidden_at is null
       and u.state is distinct from 'staged'
     order by lower(s.name), s.id limit ${foundLimit}`.execute(db)
  return rows
}

/** Finds the target of a code at a studio; undefined for a wrong code and for the code of a hidden or staged subject. */
export const findCode = async (db: Db, studioId: number, entered: EnteredCode): Promise<CodeTarget | undefined> =>
  (await selectTargets(db, entered, sql`c.studio_id = ${studioId}`))[0]

/** A code's target and the studio that issued the code. */
export type CodeTargetAtStudio = CodeTarget & { studioSlug: string; studioName: string }

/**
 * Shorter codes open nothing without their studio: of all studios together, so many codes may have four or five
 * characters that guesses would find some.
 */
const minCodeLength = 6

/** Finds the targets of a code at all studios that use it, in the order of their names; none for a wrong code. */
export const findCodeOfAnyStudio = async (db: Db, entered: EnteredCode): Promise<CodeTargetAtStudio[]> =>
  normaliseAccessCode(entered.enteredCode).length < minCodeLength
    ? []
    : await selectTargets<CodeTargetAtStudio>(db, entered, sql`s.rspo_enabled`)

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
