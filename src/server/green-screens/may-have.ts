import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { type Problem, problem } from '../http/problem.ts'

/** What is said where the partner has not verified the studio (section 8). */
const verificationNeeded = 'This studio needs to be verified by the partner to access this feature'

/** Why a studio may have no backgrounds; undefined where it may (sections 2 and 4). */
export const notForThis = async (db: Db, studioId: number): Promise<Problem<'not-allowed'> | undefined> => {
  const { rows } = await sql<{ given: boolean; verified: boolean }>`
    select s.is_millers_verified as verified, exists (
      select from studio_features a join features f on f.id = a.feature_id
       where a.studio_id = s.id and f.identifier = 'greenscreens') as given
      from studios s where s.id = ${studioId}`.execute(db)
  const [studio] = rows
  if (!studio?.given) return problem('not-allowed', 'This studio was not given green screens')
  return studio.verified ? undefined : problem('not-allowed', verificationNeeded)
}
