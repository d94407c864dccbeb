import { sql } from 'kysely'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import { answerOf, problem } from './problem.ts'

const deletedResponse = answerOf(
  problem(
    'not-found',
    'This was already done. The result is no longer available, because personal data of this event was deleted',
  ),
)

/** The job id in the path of a request. The index uses this exact expression. */
const requestJobId = sql`substring(k.path from '/jobs/([0-9]+)')`

/**
 * Replaces the recorded responses to a job's calls, by staff and by customers, with a problem. It replaces every
 * response that contains text, because searching each for one name would take too long and miss former names. A replay
 * gets that problem, and its work is not run twice.
 */
export const purgeRecordedResponses = async (tx: Transaction, { studioId, jobId }: JobKey): Promise<void> => {
  await sql`
    update idempotency_keys k set status = ${deletedResponse.status}, response = ${JSON.stringify(deletedResponse.body)}::jsonb
     where k.state = 'recorded' and k.response @? '$.** ? (@.type() == "string")'
       and (${requestJobId} = ${String(jobId)}::text
         or ${requestJobId} is null and k.owner in (
             select 'session:' || g.session_id from session_grants g
              where g.studio_id = ${studioId} and g.job_id = ${jobId}))`.execute(tx)
}
