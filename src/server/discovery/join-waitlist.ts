import { sql } from 'kysely'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { email as emailRule, isValid, validate } from '#domain/shared/validators.ts'
import { countFailures, recordFailure } from '../access/brute-force/failure-counts.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { orderAvailabilityColumns } from '../jobs/store/order-availability.ts'
import { isThere, showsSubjectImages, type WaitedFor } from './notify-waitlist.ts'

/** New addresses from one IP address in ten minutes: enough for a hall of parents, too few to abuse others' mailboxes. */
const mostFromAddress = 60

type WaitlistEntry = {
  jobId: number
  email: string
  orderMethod?: OrderMethod | null | undefined
  /** The subject whose first image is waited for; the caller checks that the session may see them. */
  subjectId?: number
  address: string
}

/**
 * Saves a request to be mailed when orders for a job can be placed, or when a subject's first image is published. Repeating it changes
 * nothing. An address that was already notified gets a new request if there is still something to wait for, because each request is mailed
 * once.
 */
export const joinWaitlist = async (
  deps: Deps,
  { jobId, email, orderMethod = null, subjectId, address }: WaitlistEntry,
): Promise<Record<string, never> | Problem<'not-found' | 'refused' | 'slow-down'>> => {
  const errors = validate({ email: email.trim() }, { email: [emailRule()] })
  if (!isValid(errors)) return problem('refused', errors.email, { fields: errors })
  const crowd = { kind: 'address', key: `tell ${address}` } as const
  const [left = 0] = await countFailures(deps, [crowd])
  if (left >= mostFromAddress) return problem('slow-down', undefined, { retryAfterSeconds: 600 })
  const now = deps.clock()
  const subject = sql`${subjectId ?? null}::bigint`
  const jobs = await sql<Omit<WaitedFor, 'order_method'> & { studio_id: number }>`
    select l.studio_id, ${orderAvailabilityColumns(now)}, ${showsSubjectImages(subject, now)} as photos_show from job_links l
      join jobs j on j.studio_id = l.studio_id and j.id = l.job_id
      join studios s on s.id = l.studio_id
     where l.job_id = ${jobId} and s.rspo_enabled`.execute(deps.db)
  const [job] = jobs.rows
  if (!job) return problem('not-found')
  const isAwaited = !isThere({ ...job, order_method: orderMethod }, now)
  const kept = await sql`
    insert into notify_me as w (studio_id, job_id, order_method, subject_id, email, created_at)
    values (${job.studio_id}, ${jobId}, ${orderMethod}, ${subject}, ${email.trim().toLowerCase()}, ${now})
    on conflict (studio_id, job_id, email, order_method, subject_id) do update
      set id = excluded.id, created_at = excluded.created_at, notified_at = null
      where w.notified_at is not null and ${isAwaited}::boolean
    returning 1 as new`.execute(deps.db)
  if (kept.rows.length > 0) await recordFailure(deps, [crowd])
  return {}
}
