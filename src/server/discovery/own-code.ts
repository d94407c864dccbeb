import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'

/** The problem for a search in a job whose subjects are opened only by their own codes. */
export const requireOwnCode = async (
  { db }: Pick<Deps, 'db'>,
  { studioId, jobId }: JobKey,
): Promise<Problem<'own-code-needed'> | undefined> => {
  const row = await db
    .selectFrom('jobs')
    .select('own_code_only')
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .executeTakeFirst()
  return row?.own_code_only ? problem('own-code-needed') : undefined
}
