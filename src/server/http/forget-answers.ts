import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import type { JobKey } from './admit.ts'
import { answerOf, problem } from './problem.ts'

type Named = { readonly firstName: string; readonly lastName: string }

/** A word as it stands between others, whatever it is made of; one that is empty stands anywhere. */
const asWord = (word: string): string =>
  word === '' ? '' : `(^|[^[:alnum:]])${word.replace(/[^\p{L}\p{N}]/gu, '\\$&')}([^[:alnum:]]|$)`

const gone = answerOf(problem('not-found', 'What this was about has been deleted since'))

/**
 * Forgets what was recorded of answers that name people, or have one of these texts in them: to staff of the studio, and to whoever was
 * let into the job. A repetition hears that it is gone, and nothing is done twice.
 */
export const forgetAnswersNaming = async (
  tx: Transaction,
  { studioId, jobId }: JobKey,
  { people, texts }: { readonly people: readonly Named[]; readonly texts: readonly string[] },
): Promise<void> => {
  const names = people
    .filter(({ firstName, lastName }) => firstName !== '' || lastName !== '')
    .map(({ firstName, lastName }) => ({ first: asWord(firstName), last: asWord(lastName) }))
  await sql`
    update idempotency_keys k set status = ${gone.status}, answer = ${JSON.stringify(gone.body)}::jsonb
     where k.state = 'recorded' and k.answer is not null
       and (k.path like ${`%/studios/${studioId}/%`} or k.owner in (
             select 'session:' || g.session_id from session_grants g
              where g.studio_id = ${studioId} and g.job_id = ${jobId}))
       and (exists (select from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as n (first text, last text)
                     where k.answer::text ~* n.last and k.answer::text ~* n.first)
         or exists (select from jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb) t (said)
                     where strpos(k.answer::text, t.said) > 0))`.execute(tx)
}
