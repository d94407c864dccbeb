import { sql } from 'kysely'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { type Problem, problem } from '../http/problem.ts'
import { subjectsToRemind } from '../images/store/year-book-choices.ts'

/** The latest order of each customer who is reminded. Customers are distinguished by their email address. */
const readOrdersToRemind = async (db: Db | Transaction, job: JobKey, now: Date): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select distinct on (o.email_key) o.id from orders o
      join order_lines l on l.studio_id = o.studio_id and l.order_id = o.id
     where o.studio_id = ${job.studioId} and o.job_id = ${job.jobId} and o.state <> 'cancelled' and o.email <> ''
       and l.subject_id in (${subjectsToRemind(job, now)})
     order by o.email_key, o.placed_at desc, o.id desc`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many customers a reminder would be sent to. */
export const countCustomersToRemind = async ({ db, clock }: Deps, job: JobKey): Promise<number> =>
  (await readOrdersToRemind(db, job, clock())).length

type ReminderRequest = { readonly job: JobKey; readonly user: User; readonly recordResponse: RecordResponse }

/** Enqueues one email per customer. Refused if there is no one to remind, as after the deadline. */
export const sendReminders = (
  deps: Deps,
  { job, user, recordResponse }: ReminderRequest,
): Promise<{ sent: number } | Problem<'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const orderIds = await readOrdersToRemind(tx, job, now)
    if (orderIds.length === 0) return problem('refused', 'There is no one to remind now')
    const { studioId, jobId } = job
    const remindedAt = now.toISOString()
    for (const orderId of orderIds)
      await deps.jobs.enqueue(tx, 'send-yearbook-reminder', { studioId, jobId, orderId, remindedAt })
    const answer = { sent: orderIds.length }
    const audit = { entityId: String(jobId), detail: answer, userId: user.id }
    await recordAudit(tx, deps, { studioId, action: 'yearbook.reminded', ...audit })
    await recordResponse(tx, answer)
    return answer
  })
