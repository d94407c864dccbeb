import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { ImageKey } from './make-variants.ts'

/** An image that waits for this long has stalled: its background job has used all its retries. */
const stalledAfterHours = 2
/** The limit of images per run; the next run follows an hour later. */
const maxImagesPerRun = 500

/** Requeues images whose retries were used up, for example during an outage of the file storage. */
export const requeueStalledImages = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const cutoff = subHours(now, stalledAfterHours)
    const { rows } = await sql<ImageKey>`
      update image_lookups i set updated_at = ${now}
        from (select studio_id, id from image_lookups where state = 'processing' and updated_at < ${cutoff}
               order by updated_at limit ${maxImagesPerRun} for update skip locked) stalled
       where i.studio_id = stalled.studio_id and i.id = stalled.id
      returning i.studio_id as "studioId", i.id as "imageId"`.execute(tx)
    for (const image of rows) await deps.jobs.enqueue(tx, 'make-variants', image)
  })
