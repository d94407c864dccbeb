import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueUpload } from './enqueue-upload.ts'

/** An upload that waits for this long has stalled: its background job has used all its retries. */
const stalledAfterHours = 2
/** The limit of uploads per run; the next run follows an hour later. */
const maxUploadsPerRun = 500

/**
 * Requeues completely received files that were not processed, because the file storage or the server was down for longer than a background
 * job is retried. A file whose background job still waits is processed only once, since the second job finds it processed.
 */
export const requeueStalledUploads = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const cutoff = subHours(now, stalledAfterHours)
    const { rows } = await sql<{ studioId: number; uploadId: number }>`
      update uploads u set updated_at = ${now}
        from (select studio_id, id from uploads where state = 'received' and updated_at < ${cutoff}
               order by updated_at limit ${maxUploadsPerRun} for update skip locked) stalled
       where u.studio_id = stalled.studio_id and u.id = stalled.id
      returning u.studio_id as "studioId", u.id as "uploadId"`.execute(tx)
    for (const upload of rows) await enqueueUpload(tx, deps, upload)
  })
