import { sql } from 'kysely'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import type { ImageKey } from './make-variants.ts'

/** A job in the queue has had all its tries long before that. */
const leftAfterHours = 2
/** So many at a time; the others come with the next hour. */
const together = 500

/** Has pictures made ready whose tries have all been had, as with a store that was gone for an hour; nobody else would come back to them. */
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
