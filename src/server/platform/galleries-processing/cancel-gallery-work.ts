import { type RawBuilder, sql } from 'kysely'
import type { GalleryWorkKind } from '#domain/studio/gallery-work.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { cancelPreviewRun } from '#server/images/store/preview-runs.ts'
import { cancelProcessingImages } from '#server/images/store/requeue-images.ts'
import { idInPayload } from '#server/queue/queue.ts'
import { type ChangeOutcome, inOneTransaction, type WorkChange } from './change-gallery-work.ts'

/** Enqueues the removal of files that uploads `u` claimed. */
export type RemoveClaimedFiles = (
  tx: Transaction,
  deps: Pick<Deps, 'jobs'>,
  condition: RawBuilder<unknown>,
) => Promise<void>

const count = ({ numAffectedRows = 0n }: { numAffectedRows?: bigint }): number => Number(numAffectedRows)

/** The files are removed by the nightly purge. Choosing the same file again starts a new upload. */
const cancelUploads = (change: WorkChange, removeClaimedFiles: RemoveClaimedFiles): Promise<ChangeOutcome> =>
  inOneTransaction(async (tx, { deps, studioId, jobId }) => {
    const waiting = sql`u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state in ('receiving', 'received')`
    await removeClaimedFiles(tx, deps, waiting)
    const cancelled = await sql`
      update uploads u set state = 'abandoned', received_bytes = 0, updated_at = ${deps.clock()},
             refusal = 'The platform cancelled this upload. Choose the file again' where ${waiting}`.execute(tx)
    return count(cancelled)
  })(change)

const cancelVariants = inOneTransaction((tx, { deps, studioId, jobId }) =>
  cancelProcessingImages(tx, deps, sql`i.studio_id = ${studioId} and i.job_id = ${jobId}`),
)

/** A cut-out in progress is finished: it takes seconds, and waits for the approval of staff. */
const cancelCutOuts = inOneTransaction(async (tx, { studioId, jobId }) => {
  const ofJob = (column: string) => sql`
    exists (select from image_lookups i where i.studio_id = ${studioId} and i.job_id = ${jobId} and i.id = ${idInPayload(column, 'imageId')})
      and ${idInPayload(column, 'studioId')} = ${studioId}`
  const parked = await sql`
    delete from parked_background_jobs p
     where p.studio_id = ${studioId} and p.queue = 'propose-cut-out' and ${ofJob('p.payload')}`.execute(tx)
  const waiting = await sql`
    update pgboss.job j set state = 'cancelled', completed_on = now()
     where j.name = 'propose-cut-out' and j.state < 'active' and not j.blocked and ${ofJob('j.data')}`.execute(tx)
  return count(parked) + count(waiting)
})

const cancelInTable = (table: 'packets' | 'image_exports') =>
  inOneTransaction(async (tx, { deps, studioId, jobId }) => {
    const cancelled = await sql`
      update ${sql.table(table)} set state = 'failed', error = 'The platform cancelled this', updated_at = ${deps.clock()}
       where studio_id = ${studioId} and job_id = ${jobId} and state in ('waiting', 'making')`.execute(tx)
    return count(cancelled)
  })

type Cancellation = (change: WorkChange, removeClaimedFiles: RemoveClaimedFiles) => Promise<ChangeOutcome>

const cancellations: Readonly<Record<GalleryWorkKind, Cancellation>> = {
  upload: cancelUploads,
  variant: cancelVariants,
  'cut-out': cancelCutOuts,
  preview: async ({ deps, studioId }) => ((await cancelPreviewRun(deps, studioId)) ? 1 : 0),
  packet: cancelInTable('packets'),
  export: cancelInTable('image_exports'),
}

/**
 * Cancels what waits and runs of one kind. A packet in progress stops after the files at hand, an export in progress after at most sixteen
 * more files.
 */
export const cancelWork = (
  kind: GalleryWorkKind,
  change: WorkChange,
  removeClaimedFiles: RemoveClaimedFiles,
): Promise<ChangeOutcome> => cancellations[kind](change, removeClaimedFiles)
