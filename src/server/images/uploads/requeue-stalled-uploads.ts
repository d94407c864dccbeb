import { sql } from 'kysely'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueUpload } from './enqueue-upload.ts'

/** A job in the queue has used all its retries long before that. */
const leftAfterHours = 2
/** The limit of one run; the rest follows an hour later. */
const together = 500

/**
 * Requeues completely received files that were not processed: the store or the server was down for longer than a job is retried. A file
 * whose job still waits is processed once, since the second job finds it done.
 */
export const requeueStalledUploads = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const before = new Date(now.getTime() - leftAfterHours * 60 * 60 * 1000)
    const { rows } = await sql<{ studioId: number; uploadId: number }>`
      update uploads u set updated_at = ${now}
        from (select studio_id, id from uploads where state = 'received' and updated_at < ${before}
               order by updated_at limit ${together} for update skip locked) left_over
       where u.studio_id = left_over.studio_id and u.id = left_over.id
      returning u.studio_id as "studioId", u.id as "uploadId"`.execute(tx)
    for (const left of rows) await enqueueUpload(tx, deps, left)
  })
