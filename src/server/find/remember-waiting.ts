import { sql } from 'kysely'
import type { OrderMethod } from '../../domain/catalogue.ts'
import { email as emailRule, isValid, validate } from '../../domain/validators.ts'
import type { Deps } from '../deps.ts'
import { addFailure, countFailures } from '../http/guess-counts.ts'
import { type Problem, problem } from '../http/problem.ts'

/** New addresses one place on the net may leave in ten minutes: a hall of parents, and nobody's mailing list. */
const mostFromAddress = 60

type Waiting = { jobId: number; email: string; orderMethod?: OrderMethod | null | undefined; address: string }

/** Keeps that somebody wants to hear when orders for a job can be placed; twice is once. */
export const rememberWaiting = async (
  deps: Deps,
  { jobId, email, orderMethod = null, address }: Waiting,
): Promise<Record<string, never> | Problem<'not-found' | 'refused' | 'slow-down'>> => {
  const errors = validate({ email: email.trim() }, { email: [emailRule()] })
  if (!isValid(errors)) return problem('refused', errors.email, { fields: errors })
  const crowd = { kind: 'address', key: `tell ${address}` } as const
  if ((await countFailures(deps, [crowd])).address >= mostFromAddress)
    return problem('slow-down', undefined, { retryAfterSeconds: 600 })
  const { rows } = await sql<{ isThere: boolean; isNew: boolean }>`
    with job as (
      select l.studio_id, l.job_id from job_links l join studios s on s.id = l.studio_id
       where l.job_id = ${jobId} and s.rspo_enabled
    ), kept as (
      insert into notify_me (studio_id, job_id, order_method, email, created_at)
      select studio_id, job_id, ${orderMethod}, ${email.trim().toLowerCase()}, ${deps.clock()} from job
      on conflict do nothing returning 1
    )
    select exists (select from job) as "isThere", exists (select from kept) as "isNew"`.execute(deps.db)
  if (!rows[0]?.isThere) return problem('not-found')
  if (rows[0].isNew) await addFailure(deps, [crowd])
  return {}
}
