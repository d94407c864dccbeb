import { sql } from 'kysely'
import type { GrantedSubject } from '#contract/shapes/job-structs.ts'
import { slowMilliseconds, tooManyWaiting } from '../access/brute-force/throttle.ts'
import { grantAccess, isLiveGrant, type JobSession } from '../access/grants/grants.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem } from '../http/problem.ts'
import { readGrantedSubject } from './granted-subjects.ts'
import { countNewSubject } from './lookup-rate-limit.ts'
import type { JobSessionAtAddress } from './record-unusual-searches.ts'

/** Subjects that one session may open in a job at full speed; more than any family has (section 4, grants). */
const quickSubjects = 12
const oneByOne = { pace: { atOnce: 1 }, maxWaiting: 4 }

/** Whether a subject can be confirmed: in this job, listed, not hidden. */
export const isListed = async ({ db }: Deps, { job }: JobSession, subjectId: number): Promise<boolean> => {
  const found = await db
    .selectFrom('subjects')
    .select('id')
    .where('studio_id', '=', job.studioId)
    .where('job_id', '=', job.jobId)
    .where('id', '=', subjectId)
    .where('state', '=', 'listed')
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

type OpenedSubjects = { readonly subjects: number; readonly isKnown: boolean }

/** How many subjects this session has grants for, and whether this one is among them. */
const heldBy = async (
  { db, clock }: Deps,
  { session, job }: JobSession,
  subjectId: number,
): Promise<OpenedSubjects> => {
  const { rows } = await sql<OpenedSubjects>`
    select count(*)::integer as subjects, coalesce(bool_or(g.subject_id = ${subjectId}), false) as "isKnown"
      from session_grants g
     where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId} and g.kind = 'subject'
       and ${isLiveGrant(clock())}`.execute(db)
  return rows[0] ?? { subjects: 0, isKnown: false }
}

type SubjectOpening<Result> = {
  readonly at: JobSession
  readonly subjectId: number
  /** An additional wait for a subject that is new to the session. */
  readonly beforeNew?: () => Promise<Problem<'slow-down'> | undefined>
  readonly work: () => Promise<Result>
}

/** Grants a session access to a subject, one at a time; after a dozen in a job each new one takes two seconds. */
export const openSubjectToSession = async <Result>(
  deps: Deps,
  { at, subjectId, beforeNew, work }: SubjectOpening<Result>,
): Promise<Result | Problem<'slow-down'>> => {
  const leave = await deps.semaphore.take(`confirm ${at.session.id}`, oneByOne)
  if (!leave) return tooManyWaiting()
  try {
    const { subjects, isKnown } = await heldBy(deps, at, subjectId)
    if (!isKnown) {
      const refused = await beforeNew?.()
      if (refused) return refused
      if (subjects >= quickSubjects) await deps.wait(slowMilliseconds)
    }
    return await work()
  } finally {
    leave()
  }
}

/** Creates or renews the grant for a subject that this session chose. */
export const confirmListedSubject = async (
  deps: Deps,
  at: JobSessionAtAddress,
  subjectId: number,
): Promise<GrantedSubject | Problem<'slow-down' | 'not-found'>> => {
  const grant = await openSubjectToSession(deps, {
    ...{ at, subjectId, beforeNew: () => countNewSubject(deps, at) },
    work: () => inTransaction(deps.db, (tx) => grantAccess(tx, deps, at, { kind: 'subject', subjectId })),
  })
  if (grant instanceof Problem) return grant
  return (await readGrantedSubject(deps.db, at, { subjectId, now: deps.clock() })) ?? problem('not-found')
}
