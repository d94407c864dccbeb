import { type RawBuilder, sql } from 'kysely'
import type { Feature } from '#contract/shapes/call.ts'

/**
 * Whether the studio of job `j` has a feature (section 4). Without it, its parts are hidden from customers and their
 * requests are refused.
 */
export const hasFeature = (identifier: Feature): RawBuilder<boolean> => sql`exists (
  select from studio_features a join features f on f.id = a.feature_id
   where a.studio_id = j.studio_id and f.identifier = ${identifier})`
