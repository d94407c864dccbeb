import { sql } from 'kysely'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import { answerOf, problem } from './problem.ts'

const gone = answerOf(
  problem(
    'not-found',
    'This was done before. What was answered then was forgotten when somebody of this event was deleted',
  ),
)

/** Which job a request was about; there is an index by this, word for word. */
const askedJob = sql`substring(k.path from '/jobs/([0-9]+)')`

/**
 * Forgets what was recorded of a job's answers: to staff, and to whoever was let into it. All that say anything in words, whoever they
 * name: to seek somebody's names in each would hold up everybody, and miss what they were called before. A repetition hears so, and
 * nothing is done twice.
 */
export const purgeRecordedResponses = async (tx: Transaction, { studioId, jobId }: JobKey): Promise<void> => {
  await sql`
    update idempotency_keys k set status = ${gone.status}, answer = ${JSON.stringify(gone.body)}::jsonb
     where k.state = 'recorded' and k.answer @? '$.** ? (@.type() == "string")'
       and (${askedJob} = ${String(jobId)}::text
         or ${askedJob} is null and k.owner in (
             select 'session:' || g.session_id from session_grants g
              where g.studio_id = ${studioId} and g.job_id = ${jobId}))`.execute(tx)
}
