import { sql } from 'kysely'
import type { GrantedSubject } from '#contract/shapes/job-structs.ts'
import { slowMs, tooManyWaiting } from '../access/brute-force/throttle.ts'
import { grantAccess, isLiveGrant, type JobSession } from '../access/grants/grants.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem } from '../http/problem.ts'
import { readGrantedSubject } from './granted-subjects.ts'
import { countNewSubject } from './lookup-rate-limit.ts'
import type { JobSessionAtAddress } from './record-unusual-searches.ts'

/** Subjects that one session may open in a job at full speed, above the size of any family (section 4, grants). */
const unthrottledSubjects = 12
const oneAtATime = { pace: { atOnce: 1 }, maxWaiting: 4 }

/** Whether a subject can be confirmed: it belongs to this job, is listed and is not hidden. */
export const isListed = async ({ db }: Deps, { job }: JobSession, subjectId: number): Promise<boolean> => {
  const subject = await db
    .selectFrom('subjects')
    .select('id')
    .where('studio_id', '=', job.studioId)
    .where('job_id', '=', job.jobId)
    .where('id', '=', subjectId)
    .where('state', '=', 'listed')
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  return subject !== undefined
}

type OpenedSubjects = { readonly subjects: number; readonly isGranted: boolean }

/** Counts the subjects that this session has grants for, and checks whether this one is among them. */
const countGrantedSubjects = async (
  { db, clock }: Deps,
  { session, job }: JobSession,
  subjectId: number,
): Promise<OpenedSubjects> => {
  const { rows } = await sql<OpenedSubjects>`
    select count(*)::integer as subjects, coalesce(bool_or(g.subject_id = ${subjectId}), false) as "isGranted"
      from session_grants g
     where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId} and g.kind = 'subject'
       and ${isLiveGrant(clock())}`.execute(db)
  return rows[0] ?? { subjects: 0, isGranted: false }
}

type SubjectOpening<Result> = {
  readonly jobSession: JobSession
  readonly subjectId: number
  /** An additional wait for a subject that is new to the session. */
  readonly beforeNew?: () => Promise<Problem<'slow-down'> | undefined>
  readonly work: () => Promise<Result>
}

/**
 * Opens subjects to a session one at a time. After `unthrottledSubjects` in a job, each new subject takes two seconds.
 */
export const openSubjectToSession = async <Result>(
  deps: Deps,
  { jobSession, subjectId, beforeNew, work }: SubjectOpening<Result>,
): Promise<Result | Problem<'slow-down'>> => {
  const release = await deps.semaphore.take(`confirm ${jobSession.session.id}`, oneAtATime)
  if (!release) return tooManyWaiting()
  try {
    const { subjects, isGranted } = await countGrantedSubjects(deps, jobSession, subjectId)
    if (!isGranted) {
      const rejection = await beforeNew?.()
      if (rejection) return rejection
      if (subjects >= unthrottledSubjects) await deps.wait(slowMs)
    }
    return await work()
  } finally {
    release()
  }
}

/** Creates or renews the grant for a subject that this session chose. */
export const confirmListedSubject = async (
  deps: Deps,
  jobSession: JobSessionAtAddress,
  subjectId: number,
): Promise<GrantedSubject | Problem<'slow-down' | 'not-found'>> => {
  const grant = await openSubjectToSession(deps, {
    ...{ jobSession, subjectId, beforeNew: () => countNewSubject(deps, jobSession) },
    work: () => inTransaction(deps.db, (tx) => grantAccess(tx, deps, jobSession, { kind: 'subject', subjectId })),
  })
  if (grant instanceof Problem) return grant
  return (await readGrantedSubject(deps.db, jobSession, { subjectId, now: deps.clock() })) ?? problem('not-found')
}
