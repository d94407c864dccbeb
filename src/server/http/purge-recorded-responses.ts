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

/** The job of a request; the index uses this exact expression. */
const askedJob = sql`substring(k.path from '/jobs/([0-9]+)')`

/**
 * Deletes the recorded answers of a job's calls, by staff and by customers. All answers with text are deleted, whatever name they contain:
 * a search for one name in each would take too long, and miss the names used before. A replay is answered with a problem, and nothing is
 * done twice.
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
