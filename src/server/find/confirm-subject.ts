import { sql } from 'kysely'
import type { GrantedSubject } from '../../contract/customer-find.ts'
import { giveGrant, isLive, type Visit } from '../admission/grants.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { addFailure, countFailures } from '../http/guess-counts.ts'
import { type Problem, problem } from '../http/problem.ts'
import { grantedSubject } from './granted-subjects.ts'

/** People one visit may confirm in a job at full speed; more than any family has (section 4, grants). */
const quickSubjects = 12
/**
 * New people confirmed from one address in ten minutes at full speed: two each for the 300 families of a hall. Sessions cost nothing,
 * so that without this one code and a dozen people for each session would walk through a whole school.
 */
const quickFromAddress = 600
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

type Held = { readonly others: number; readonly isKnown: boolean }

/** How many other people this visit holds, and whether it holds this one. */
const heldBy = async ({ db, clock }: Deps, { session, job }: Visit, subjectId: number): Promise<Held> => {
  const { rows } = await sql<Held>`
    select count(*) filter (where g.subject_id <> ${subjectId}) as others,
           coalesce(bool_or(g.subject_id = ${subjectId}), false) as "isKnown"
      from session_grants g
     where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId} and g.kind = 'subject'
       and ${isLive(clock())}`.execute(db)
  return rows[0] ?? { others: 0, isKnown: false }
}

/** Two seconds more for each person past what one address confirms in ten minutes, one at a time. */
const waitInCrowd = async (deps: Deps, address: string): Promise<Problem<'slow-down'> | undefined> => {
  const crowd = { kind: 'address', key: `people ${address}` } as const
  const leave = await deps.lines.take(crowd.key, { group: address, atOnce: 1, mostWaiting: 100 })
  if (!leave) return tooMany()
  try {
    const confirmed = await countFailures(deps, [crowd])
    if (confirmed.address > quickFromAddress) await deps.wait(slowMilliseconds)
    await addFailure(deps, [crowd])
    return undefined
  } finally {
    leave()
  }
}

const tooMany = (): Problem<'slow-down'> => problem('slow-down', undefined, { retryAfterSeconds: 8 })

export type Confirming = { readonly subjectId: number; readonly address: string }

/** Makes or renews the grant for a person this visit chose; past a dozen people it takes two seconds each, one at a time. */
export const confirmPerson = async (
  deps: Deps,
  visit: Visit,
  { subjectId, address }: Confirming,
): Promise<GrantedSubject | Problem<'slow-down' | 'not-found'>> => {
  const group = String(visit.session.id)
  const leave = await deps.lines.take(`confirm ${group}`, { group, atOnce: 1, mostWaiting: 4 })
  if (!leave) return tooMany()
  try {
    const held = await heldBy(deps, visit, subjectId)
    const refused = held.isKnown ? undefined : await waitInCrowd(deps, address)
    if (refused) return refused
    if (held.others >= quickSubjects) await deps.wait(slowMilliseconds)
    await inTransaction(deps.db, (tx) => giveGrant(tx, deps, visit, { kind: 'subject', subjectId }))
  } finally {
    leave()
  }
  return (await grantedSubject(deps.db, visit, { subjectId, now: deps.clock() })) ?? problem('not-found')
}
