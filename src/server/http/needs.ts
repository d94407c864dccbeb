import { sql } from 'kysely'
import type { Feature, Need } from '../../contract/call.ts'
import type { Db } from '../database/database.ts'
import { type Problem, problem } from './problem.ts'

/** What is said of a feature that a studio was not given. */
const notGiven: Record<Feature, string> = {
  studioVerification: 'Studio verification is not switched on for this studio',
  rspoJob: 'Jobs of organizations are not switched on for this studio',
  greenscreens: 'Green screens are not switched on for this studio',
  yearbookPose: 'Yearbook poses are not switched on for this studio',
  digitalDownloads: 'Digital downloads are not switched on for this studio',
  orderServices: 'Order services are not switched on for this studio',
  promotions: 'Promotions are not switched on for this studio',
  workflows: 'Workflows are not switched on for this studio',
  dataImport: 'Data import is not switched on for this studio',
  orderEntry: 'Order entry is not switched on for this studio',
  reports: 'Reports are not switched on for this studio',
}

/** What is said where the partner has not verified the studio (section 8). */
const verificationNeeded = 'This studio needs to be verified by the partner to access this feature'

/** Why a studio may not have a call made: it lacks the feature, or the partner's word (sections 2 and 4). Undefined where it may. */
export const lacking = async (
  db: Db,
  studioId: number,
  { feature, verified }: Need,
): Promise<Problem<'not-allowed' | 'not-found'> | undefined> => {
  const { rows } = await sql<{ given: boolean; verified: boolean }>`
    select s.is_millers_verified as verified, exists (
      select from studio_features a join features f on f.id = a.feature_id
       where a.studio_id = s.id and f.identifier = ${feature ?? null}) as given
      from studios s where s.id = ${studioId}`.execute(db)
  const [studio] = rows
  if (!studio) return problem('not-found')
  if (feature && !studio.given) return problem('not-allowed', notGiven[feature])
  return verified && !studio.verified ? problem('not-allowed', verificationNeeded) : undefined
}
