import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import { readSetting } from '#server/configuration/read-settings.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { UploadPart } from '#server/database/tables/columns.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { removeClaimedFiles } from './remove-claimed-files.ts'

/** The days after which an incomplete upload, or one whose processing always failed, is abandoned. */
const unfinishedDays = 7

type UploadWithParts = { readonly studioId: number; readonly id: number; readonly parts: readonly UploadPart[] }

/** Removes the parts of a finished upload, and then records the removal. If the server fails in between, the nightly run repeats it. */
export const removeParts = async (
  { db, files }: Pick<Deps, 'db' | 'files'>,
  { studioId, id, parts }: UploadWithParts,
): Promise<void> => {
  for (const { key } of parts) await files.remove(key)
  await db
    .updateTable('uploads')
    .set({ parts: '[]' })
    .where('studio_id', '=', studioId)
    .where('id', '=', id)
    .where('state', '<>', 'receiving')
    .execute()
}

/** Discards an upload that has not become an image, with its files. */
export const discardUpload = async (
  deps: Deps,
  { studioId, jobId }: JobKey,
  uploadId: number,
): Promise<Problem<'not-found' | 'refused'> | undefined> => {
  const discarded = await inTransaction(deps.db, async (tx) => {
    const rows = await tx
      .selectFrom('uploads')
      .select(['parts', 'state'])
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('id', '=', uploadId)
      .forUpdate()
      .execute()
    const [upload] = rows
    if (!upload) return problem('not-found')
    if (upload.state === 'received') return problem('refused', 'This file is being looked at just now')
    if (upload.state === 'processed')
      return problem('refused', 'This file is an image already. Delete the image instead')
    await removeClaimedFiles(tx, deps, sql`u.studio_id = ${studioId} and u.id = ${uploadId}`)
    await tx.deleteFrom('uploads').where('studio_id', '=', studioId).where('id', '=', uploadId).execute()
    return upload
  })
  if (!('parts' in discarded)) return discarded
  for (const { key } of discarded.parts) await deps.files.remove(key)
  return undefined
}

/**
 * Abandons uploads that are still incomplete, or received but not processed, after a week. The message that staff
 * see says which of the two it was.
 */
const abandon = async (tx: Transaction, deps: Pick<Deps, 'jobs'>, now: Date): Promise<void> => {
  const cutoff = subHours(now, unfinishedDays * 24)
  const isOverdue = sql`(u.state = 'receiving' and u.updated_at < ${cutoff}::timestamptz
    or u.state = 'received' and u.received_at < ${cutoff}::timestamptz)`
  await removeClaimedFiles(tx, deps, isOverdue)
  await sql`
    update uploads u
       set state = 'abandoned', received_bytes = 0, updated_at = ${now},
           refusal = case u.state when 'received' then 'This file could not be looked at. Choose it again'
                                else 'The rest of this file did not come. Choose it again' end
     where ${isOverdue}`.execute(tx)
}

/** Runs every night: abandons overdue uploads, removes the parts of finished ones, and deletes results that were shown for long enough. */
export const purgeUploads = async (deps: Pick<Deps, 'db' | 'files' | 'clock' | 'jobs' | 'settings'>): Promise<void> => {
  const now = deps.clock()
  await inTransaction(deps.db, (tx) => abandon(tx, deps, now))
  const { rows } = await sql<UploadWithParts>`
    select studio_id as "studioId", id, parts from uploads
     where state in ('abandoned', 'refused', 'processed') and parts <> '[]'`.execute(deps.db)
  for (const upload of rows) await removeParts(deps, upload)
  await inTransaction(deps.db, async (tx) => {
    const cutoff = subHours(now, (await readSetting(tx, deps, 'upload-days')) * 24)
    const isExpired = sql`u.state in ('abandoned', 'refused', 'processed') and u.updated_at < ${cutoff}::timestamptz`
    await removeClaimedFiles(tx, deps, isExpired)
    await sql`delete from uploads u where ${isExpired}`.execute(tx)
  })
}
