import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'

/** The problem to answer a search with, in a job that opens its people by their own codes alone. */
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
