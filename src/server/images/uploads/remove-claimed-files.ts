import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

/** The number of files that one background job removes. */
const filesPerJob = 200

/**
 * Enqueues the removal of files that uploads `u` claimed for an image that was never created, because an attempt stored
 * the file and failed. No other row references these files, so every statement that ends or restarts uploads calls this
 * function in the same transaction.
 */
export const removeClaimedFiles = async (
  tx: Transaction,
  { jobs }: Pick<Deps, 'jobs'>,
  condition: RawBuilder<unknown>,
): Promise<void> => {
  const { rows } = await sql<{ key: string }>`
    with ending as (
      select u.studio_id, u.id, u.file_key as key from uploads u where u.file_key is not null and ${condition} for update),
    released as (
      update uploads u set file_key = null from ending e where u.studio_id = e.studio_id and u.id = e.id)
    select e.key from ending e
     where not exists (select from image_lookups i where i.studio_id = e.studio_id and e.key in (i.original_key, i.uploaded_key))
     order by e.key`.execute(tx)
  for (let start = 0; start < rows.length; start += filesPerJob) {
    const keys = rows.slice(start, start + filesPerJob).map(({ key }) => key)
    await jobs.enqueue(tx, 'remove-files', { folders: [], keys })
  }
}
