import { sql } from 'kysely'

/** Whether order `o` is part of a batch that its studio has closed: it is put together for the lab as it is. */
export const inClosedBatch = sql<boolean>`exists (
  select from batches b where b.studio_id = o.studio_id and b.id = o.batch_id and b.state <> 'open')`
