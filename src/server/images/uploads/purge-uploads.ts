import { sql } from 'kysely'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { UploadPart } from '#server/database/tables/columns.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { removeClaimedFiles } from './remove-claimed-files.ts'

/** Days after which an unfinished upload is discarded, and one whose every processing attempt failed. */
const unfinishedDays = 7
/** Days for which an upload's result is shown. */
const toldDays = 90

const day = 24 * 60 * 60 * 1000

type WithParts = { readonly studioId: number; readonly id: number; readonly parts: readonly UploadPart[] }

/** Removes the parts of a finished upload, and then records it: where a server dies in between, the nightly run repeats it. */
export const removeParts = async (
  { db, files }: Pick<Deps, 'db' | 'files'>,
  { studioId, id, parts }: WithParts,
): Promise<void> => {
  for (const { key } of parts) await files.remove(key)
  await sql`update uploads set parts = '[]' where studio_id = ${studioId} and id = ${id} and state <> 'receiving'`.execute(
    db,
  )
}

/** Discards an upload that is no image of the job, with its files. */
export const discardUpload = async (
  deps: Deps,
  { studioId, jobId }: JobKey,
  uploadId: number,
): Promise<Problem<'not-found' | 'refused'> | undefined> => {
  const gone = await inTransaction(deps.db, async (tx) => {
    const { rows } = await sql<{ parts: UploadPart[]; state: string }>`
      select parts, state from uploads where studio_id = ${studioId} and job_id = ${jobId} and id = ${uploadId} for update`.execute(
      tx,
    )
    const [found] = rows
    if (!found) return problem('not-found')
    if (found.state === 'received') return problem('refused', 'This file is being looked at just now')
    if (found.state === 'processed')
      return problem('refused', 'This file is a picture already. Delete the picture instead')
    await removeClaimedFiles(tx, deps, sql`u.studio_id = ${studioId} and u.id = ${uploadId}`)
    await tx.deleteFrom('uploads').where('studio_id', '=', studioId).where('id', '=', uploadId).execute()
    return found
  })
  if (!('parts' in gone)) return gone
  for (const { key } of gone.parts) await deps.files.remove(key)
  return undefined
}

/** Abandons uploads after a week: without all their bytes, or, counted from completion, without being processed. Staff see which it was. */
const abandon = async (tx: Transaction, deps: Pick<Deps, 'jobs'>, now: Date): Promise<void> => {
  const before = new Date(now.getTime() - unfinishedDays * day)
  const ended = sql`(u.state = 'receiving' and u.updated_at < ${before}::timestamptz
    or u.state = 'received' and u.received_at < ${before}::timestamptz)`
  await removeClaimedFiles(tx, deps, ended)
  await sql`
    update uploads u
       set state = 'abandoned', received_bytes = 0, updated_at = ${now},
           refusal = case u.state when 'received' then 'This file could not be looked at. Choose it again'
                                else 'The rest of this file did not come. Choose it again' end
     where ${ended}`.execute(tx)
}

/** Nightly: discards abandoned uploads, and results that were shown for long enough. */
export const purgeUploads = async (deps: Pick<Deps, 'db' | 'files' | 'clock' | 'jobs'>): Promise<void> => {
  const now = deps.clock().getTime()
  await inTransaction(deps.db, (tx) => abandon(tx, deps, new Date(now)))
  const { rows } = await sql<WithParts>`
    select studio_id as "studioId", id, parts from uploads
     where state in ('abandoned', 'refused', 'processed') and parts <> '[]'`.execute(deps.db)
  for (const upload of rows) await removeParts(deps, upload)
  await inTransaction(deps.db, async (tx) => {
    const told = sql`u.state in ('abandoned', 'refused', 'processed') and u.updated_at < ${new Date(now - toldDays * day)}::timestamptz`
    await removeClaimedFiles(tx, deps, told)
    await sql`delete from uploads u where ${told}`.execute(tx)
  })
}
