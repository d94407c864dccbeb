import { type RawBuilder, sql } from 'kysely'
import { type GalleryWorkKind, maxGalleryWorkPerCall } from '#domain/studio/gallery-work.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { startPreviewRun } from '#server/images/store/preview-runs.ts'
import { requeueRefusedImages } from '#server/images/store/requeue-images.ts'
import { redriveDeadLetters } from '#server/queue/dead-letters.ts'
import { idInPayload } from '#server/queue/queue.ts'
import { type ChangeOutcome, inOneTransaction, type WorkChange } from './change-gallery-work.ts'

/** Retries of other features, which are handed in. Idempotent. */
export type WorkRetries = {
  readonly retryPacket: (deps: Deps, key: { studioId: number; jobId: number; packetId: number }) => Promise<void>
  readonly retryExport: (
    deps: Deps,
    key: { studioId: number; jobId: number; exportId: number },
    user: User,
  ) => Promise<void>
}

/** Enqueues the background jobs of a queue again that failed for good and are about rows of a job. `rows`: `from … where …`. */
const redrive = (
  tx: Transaction,
  deps: Deps,
  { queue, studioId, rows }: { queue: string; studioId: number; rows: RawBuilder<unknown> },
): Promise<number> =>
  redriveDeadLetters(
    tx,
    deps,
    sql`d.source_name = ${queue} and ${idInPayload('d.data', 'studioId')} = ${studioId} and exists (select ${rows})`,
  )

const retryUploads = inOneTransaction(async (tx, { deps, studioId, jobId }) => {
  const rows = sql`from uploads u
    where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.id = ${idInPayload('d.data', 'uploadId')} and u.state = 'received'`
  const count = await redrive(tx, deps, { queue: 'process-upload', studioId, rows })
  return count > 0 ? count : 'Rejected files cannot be processed as they are. The studio has to upload corrected ones'
})

const retryVariants = inOneTransaction(async (tx, { deps, studioId, jobId }) => {
  const ofJob = sql`i.studio_id = ${studioId} and i.job_id = ${jobId}`
  const rows = sql`from image_lookups i where ${ofJob} and i.id = ${idInPayload('d.data', 'imageId')} and i.state = 'processing'`
  const stalled = await redrive(tx, deps, { queue: 'make-variants', studioId, rows })
  const refused = await requeueRefusedImages(
    tx,
    deps,
    sql`${ofJob} and i.id in (select i.id from image_lookups i
      where ${ofJob} and i.state = 'refused' and i.superseded_at is null order by i.id limit ${maxGalleryWorkPerCall})`,
  )
  return stalled + refused
})

const retryCutOuts = inOneTransaction((tx, { deps, studioId, jobId }) => {
  const rows = sql`from image_lookups i
    where i.studio_id = ${studioId} and i.job_id = ${jobId} and i.id = ${idInPayload('d.data', 'imageId')}`
  return redrive(tx, deps, { queue: 'propose-cut-out', studioId, rows })
})

const retryPreviews = inOneTransaction(async (tx, { deps, studioId }) => {
  const run = await tx.selectFrom('preview_runs').select('state').where('studio_id', '=', studioId).executeTakeFirst()
  if (run?.state === 'running') return 'The previews are being made at this moment'
  if (!(await startPreviewRun(tx, deps, studioId))) return 'All previews have their watermark now'
  return 1
})

const failedIn = async (
  table: 'packets' | 'image_exports',
  { deps, studioId, jobId }: WorkChange,
): Promise<number[]> => {
  const rows = await deps.db
    .selectFrom(table)
    .select('id')
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('state', '=', 'failed')
    .orderBy('id')
    .limit(maxGalleryWorkPerCall)
    .execute()
  return rows.map(({ id }) => id)
}

const retries: Readonly<Record<GalleryWorkKind, (change: WorkChange, retries: WorkRetries) => Promise<ChangeOutcome>>> =
  {
    upload: retryUploads,
    variant: retryVariants,
    'cut-out': retryCutOuts,
    preview: retryPreviews,
    packet: async (change, { retryPacket }) => {
      const { deps, studioId, jobId } = change
      const ids = await failedIn('packets', change)
      for (const packetId of ids) await retryPacket(deps, { studioId, jobId, packetId })
      return ids.length
    },
    export: async (change, { retryExport }) => {
      const { deps, studioId, jobId, user } = change
      const ids = await failedIn('image_exports', change)
      for (const exportId of ids) await retryExport(deps, { studioId, jobId, exportId }, user)
      return ids.length
    },
  }

/** Retries what failed of one kind. */
export const retryWork = (
  kind: GalleryWorkKind,
  change: WorkChange,
  workRetries: WorkRetries,
): Promise<ChangeOutcome> => retries[kind](change, workRetries)
