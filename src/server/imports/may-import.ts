import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { JobKey } from '../http/admit.ts'
import { type Problem, problem } from '../http/problem.ts'

const notGiven = 'Data import is not switched on for this studio'

/** Why lists are not imported into this job: it is not the studio's, or the studio has not got the feature; undefined where they are. */
export const cannotImport = async (
  db: Db,
  { studioId, jobId }: JobKey,
): Promise<Problem<'not-found' | 'not-allowed'> | undefined> => {
  const { rows } = await sql<{ given: boolean }>`
    select exists (select from studio_features a join features f on f.id = a.feature_id
                    where a.studio_id = j.studio_id and f.identifier = 'dataImport') as given
      from jobs j where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const [job] = rows
  if (!job) return problem('not-found')
  return job.given ? undefined : problem('not-allowed', notGiven)
}
