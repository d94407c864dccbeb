import { sql } from 'kysely'
import type { GrantedSubject } from '../../contract/customer-find.ts'
import { giveGrant, isLive, type Visit } from '../admission/grants.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { grantedSubject } from './granted-subjects.ts'

/** People one visit may confirm in a job at full speed; more than any family has (section 4, grants). */
const quickSubjects = 12
const slowMilliseconds = 2_000

/** Whether a person can be confirmed: of this job, listed, not hidden. */
export const isListed = async ({ db }: Deps, { job }: Visit, subjectId: number): Promise<boolean> => {
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

/** Whether this visit holds so many other people that one more must wait. */
const isOneTooMany = async ({ db, clock }: Deps, { session, job }: Visit, subjectId: number): Promise<boolean> => {
  const { rows } = await sql<{ others: number }>`
    select count(*) as others from session_grants g
     where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId} and g.kind = 'subject'
       and g.subject_id <> ${subjectId} and ${isLive(clock())}`.execute(db)
  return (rows[0]?.others ?? 0) >= quickSubjects
}

/** Makes or renews the grant for a person this visit chose; past a dozen people it takes two seconds each, one at a time. */
export const confirmPerson = async (
  deps: Deps,
  visit: Visit,
  subjectId: number,
): Promise<GrantedSubject | Problem<'slow-down' | 'not-found'>> => {
  const group = String(visit.session.id)
  const leave = await deps.lines.take(`confirm ${group}`, { group, atOnce: 1, mostWaiting: 4 })
  if (!leave) return problem('slow-down', undefined, { retryAfterSeconds: 8 })
  try {
    if (await isOneTooMany(deps, visit, subjectId)) await deps.wait(slowMilliseconds)
    await inTransaction(deps.db, (tx) => giveGrant(tx, deps, visit, { kind: 'subject', subjectId }))
  } finally {
    leave()
  }
  return (await grantedSubject(deps.db, visit, { subjectId, now: deps.clock() })) ?? problem('not-found')
}
