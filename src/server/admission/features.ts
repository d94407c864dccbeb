import { type RawBuilder, sql } from 'kysely'

/** Whether the studio of job `j` has a feature (section 4): without it, what it names is hidden and refused to its customers too. */
export const hasFeature = (
  identifier: 'digitalDownloads' | 'greenscreens' | 'orderEntry' | 'orderServices' | 'promotions' | 'yearbookPose',
): RawBuilder<boolean> => sql`exists (
  select from studio_features a join features f on f.id = a.feature_id
   where a.studio_id = j.studio_id and f.identifier = ${identifier})`
