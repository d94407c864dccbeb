import { sql } from 'kysely'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { email as emailRule, isValid, validate } from '#domain/shared/validators.ts'
import { countFailures, recordFailure } from '../access/brute-force/failure-counts.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { orderAvailabilityColumns } from '../jobs/store/order-availability.ts'
import { isFulfilled, showsSubjectImages, type WaitlistCondition } from './notify-waitlist.ts'

/**
 * New entries from one IP address in ten minutes: enough for a hall of parents, too few to flood the mailboxes of
 * others.
 */
const maxEntriesPerAddress = 60

type WaitlistEntry = {
  jobId: number
  email: string
  orderMethod?: OrderMethod | null | undefined
  /** The subject whose first image the entry waits for. The caller checks that the session may see it. */
  subjectId?: number
  address: string
}

/**
 * Saves an entry to be notified when orders for a job can be placed, or when a subject's first image is published. A
 * repeated entry changes nothing. Each entry is notified once, so an address that was notified gets a new entry if its
 * condition is not fulfilled.
 */
export const joinWaitlist = async (
  deps: Deps,
  { jobId, email, orderMethod = null, subjectId, address }: WaitlistEntry,
): Promise<Record<string, never> | Problem<'not-found' | 'refused' | 'slow-down'>> => {
  const fields = validate({ email: email.trim() }, { email: [emailRule()] })
  if (!isValid(fields)) return problem('refused', fields.email, { fields })
  const counter = { kind: 'address', key: `tell ${address}` } as const
  const [entryCount = 0] = await countFailures(deps, [counter])
  if (entryCount >= maxEntriesPerAddress) return problem('slow-down', undefined, { retryAfterSeconds: 600 })
  const now = deps.clock()
  const subject = sql`${subjectId ?? null}::bigint`
  const jobs = await sql<Omit<WaitlistCondition, 'order_method'> & { studio_id: number }>`
    select l.studio_id, ${orderAvailabilityColumns(now)}, ${showsSubjectImages(subject, now)} as photos_show from job_links l
      join jobs j on j.studio_id = l.studio_id and j.id = l.job_id
      join studios s on s.id = l.studio_id
     where l.job_id = ${jobId} and s.rspo_enabled`.execute(deps.db)
  const [job] = jobs.rows
  if (!job) return problem('not-found')
  const isAwaited = !isFulfilled({ ...job, order_method: orderMethod }, now)
  const inserted = await sql`
    insert into notify_me as w (studio_id, job_id, order_method, subject_id, email, created_at)
    values (${job.studio_id}, ${jobId}, ${orderMethod}, ${subject}, ${email.trim().toLowerCase()}, ${now})
    on conflict (studio_id, job_id, email, order_method, subject_id) do update
      set id = excluded.id, created_at = excluded.created_at, notified_at = null
      where w.notified_at is not null and ${isAwaited}::boolean
    returning 1 as new`.execute(deps.db)
  if (inserted.rows.length > 0) await recordFailure(deps, [counter])
  return {}
}
