import { sql } from 'kysely'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import type { ImageKey } from './make-variants.ts'

/** A job in the queue has used all its retries long before that. */
const leftAfterHours = 2
/** The limit of one run; the rest follows an hour later. */
const together = 500

/** Requeues images whose retries were used up, for example during an outage of the store. */
export const requeueStalledImages = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const before = new Date(now.getTime() - leftAfterHours * 60 * 60 * 1000)
    const { rows } = await sql<ImageKey>`
      update image_lookups i set updated_at = ${now}
        from (select studio_id, id from image_lookups where state = 'processing' and updated_at < ${before}
               order by updated_at limit ${together} for update skip locked) left_over
       where i.studio_id = left_over.studio_id and i.id = left_over.id
      returning i.studio_id as "studioId", i.id as "imageId"`.execute(tx)
    for (const left of rows) await deps.jobs.enqueue(tx, 'make-variants', left)
  })
