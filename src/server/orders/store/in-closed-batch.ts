import { sql } from 'kysely'

/** Whether order `o` is in a batch that its studio has closed, and so can no longer change. */
export const inClosedBatch = sql<boolean>`exists (
  select from batches b where b.studio_id = o.studio_id and b.id = o.batch_id and b.state <> 'open')`
