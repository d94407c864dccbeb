import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

/** How many one background job removes. */
const together = 200

/**
 * Enqueues the removal of files that uploads `u` claimed for an image that never came to be: an attempt stored them and died. Nothing else
 * names them, so whatever ends or restarts an upload releases its claim by this, in the same transaction.
 */
export const removeClaimedFiles = async (
  tx: Transaction,
  { jobs }: Pick<Deps, 'jobs'>,
  ending: RawBuilder<unknown>,
): Promise<void> => {
  const { rows } = await sql<{ key: string }>`
    with ending as (
      select u.studio_id, u.id, u.file_key as key from uploads u where u.file_key is not null and ${ending} for update),
    let_go as (
      update uploads u set file_key = null from ending e where u.studio_id = e.studio_id and u.id = e.id)
    select e.key from ending e
     where not exists (select from image_lookups i where i.studio_id = e.studio_id and e.key in (i.original_key, i.uploaded_key))
     order by e.key`.execute(tx)
  for (let first = 0; first < rows.length; first += together) {
    const keys = rows.slice(first, first + together).map(({ key }) => key)
    await jobs.enqueue(tx, 'remove-files', { folders: [], keys })
  }
}
