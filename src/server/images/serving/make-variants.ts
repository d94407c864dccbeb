import { sql } from 'kysely'
import { showsOneOf, touched } from '#server/carts/store/touch-carts.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import { workUnlessPaused } from '#server/queue/pausable-work.ts'
import type { queues } from '#server/queue/queues.ts'
import type { RenderVariants } from '../engine/render-variants.ts'
import { type ImageRejection, lostFile } from '../inspection/image-rejection.ts'
import { removeOrphanFiles, variantFileKeys } from '../store/image-file-keys.ts'
import { readWholeFile, storeVariants, type VariantColumns } from '../store/image-files.ts'
import { joinMark, type MarkRow, markColumns, markKey, openMark } from '../store/image-mark.ts'

export type ImageKey = { readonly studioId: number; readonly imageId: number }

type VariantsDeps = Pick<Deps, 'db' | 'files' | 'clock' | 'log'>

/**
 * The number of images that are processed concurrently. It is above the number of rendering threads, so that the threads
 * render while other images are fetched, stored and recorded.
 */
const imagesAtOnce = 4

type ProcessingImage = {
  original_key: string
  thumb_hash: string | null
  preview_hash: string | null
  file_name: string
  job_id: number
  /** Whether it arrived so long ago that a temporary outage of the file storage would be over. */
  is_old: boolean
} & MarkRow

const readProcessingImage = async (db: Db, { studioId, imageId }: ImageKey): Promise<ProcessingImage | undefined> => {
  const { rows } = await sql<ProcessingImage>`
    select i.original_key, i.thumb_hash, i.preview_hash, i.file_name, i.job_id, i.created_at < now() - interval '1 day' as is_old, ${markColumns}
      from image_lookups i join jobs j on j.studio_id = i.studio_id and j.id = i.job_id
      join studios s on s.id = i.studio_id ${joinMark}
     where i.studio_id = ${studioId} and i.id = ${imageId} and i.state = 'processing'`.execute(db)
  return rows[0]
}

/** SQL: whether the watermark of an image is still the one that was read with it. */
const hasMark = ({ job_id, markKey: key }: ProcessingImage) => sql<boolean>`(
  select ${markKey} = ${key} from jobs j join studios s on s.id = j.studio_id ${joinMark}
   where j.studio_id = image_lookups.studio_id and j.id = ${job_id})`

type VariantsOutcome = { ok: true; columns: VariantColumns } | { ok: false; refusal: ImageRejection }

/**
 * Records the outcome of an image, unless another attempt already did, and gives the carts that show it a new version. It is one statement,
 * since a shoot has thousands of images. Returns false if the image no longer waited for the outcome.
 */
const recordOutcome = async (
  { db, clock }: VariantsDeps,
  { key: { studioId, imageId }, image, outcome }: { key: ImageKey; image: ProcessingImage; outcome: VariantsOutcome },
): Promise<boolean> => {
  const imageChange = outcome.ok
    ? { ...outcome.columns, preview_mark: image.markKey, former_preview_hashes: '[]', state: 'ready' as const }
    : { state: 'refused' as const, refusal: outcome.refusal.message }
  const logEntry = outcome.ok
    ? ({ state: 'done', message: null } as const)
    : ({ state: 'refused', message: outcome.refusal.message } as const)
  const { numInsertedOrUpdatedRows = 0n } = await db
    .with('settled', (cte) =>
      cte
        .updateTable('image_lookups')
        .set({ ...imageChange, updated_at: clock(), version: sql`version + 1` })
        .where('studio_id', '=', studioId)
        .where('id', '=', imageId)
        .where('state', '=', 'processing')
        // An image replaced meanwhile waits for the variants of its new bytes.
        .where('original_key', '=', image.original_key)
        // An image whose watermark changed meanwhile is rendered again.
        .where(hasMark(image))
        .returning(['studio_id', 'job_id', 'id', 'kind', 'subject_id', 'published_at']),
    )
    .with('touched_carts', (cte) =>
      cte
        .updateTable('carts')
        .set(touched(clock()))
        .where('studio_id', '=', studioId)
        .where('job_id', '=', image.job_id)
        .where(showsOneOf(sql`(select * from settled where published_at is not null)`)),
    )
    .insertInto('processing_log')
    .columns(['studio_id', 'job_id', 'image_id', 'file_name', 'step', 'state', 'message'])
    .expression((cte) =>
      cte
        .selectFrom('settled')
        .select((row) => [
          row.val(studioId).as('studio_id'),
          row.val(image.job_id).as('job_id'),
          'settled.id as image_id',
          row.val(image.file_name).as('file_name'),
          row.val('variants' as const).as('step'),
          row.val(logEntry.state).as('state'),
          row.val(logEntry.message).as('message'),
        ]),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Removes the previous variants, from before the image was replaced or its watermark changed. */
const removePrevious = async (
  { files }: VariantsDeps,
  image: ProcessingImage,
  outcome: VariantsOutcome,
): Promise<void> => {
  if (!outcome.ok) return
  const keysOf = ({ thumb_hash: thumb, preview_hash: preview }: Pick<ProcessingImage, 'thumb_hash' | 'preview_hash'>) =>
    variantFileKeys(image.original_key, { thumb, preview })
  const current = new Set(keysOf(outcome.columns))
  for (const key of keysOf(image)) if (!current.has(key)) await files.remove(key)
}

/**
 * Makes the variants of one image: from `processing` to `ready`, or to `refused` with the reason. Can be retried after a failure at any
 * point; an image that is not in the state `processing` stays unchanged.
 */
export const makeVariantsOf = async (
  deps: VariantsDeps,
  key: ImageKey,
  { render, signal }: { render: RenderVariants; signal?: AbortSignal },
): Promise<void> => {
  const image = await readProcessingImage(deps.db, key)
  if (!image) return
  const original = await readWholeFile(deps.files, image.original_key)
  if (!original) {
    if (!image.is_old) throw new Error(`The original of image ${key.imageId} is not in the store`)
    await recordOutcome(deps, { key, image, outcome: { ok: false, refusal: lostFile } })
    return
  }
  const rendered = await render(original, await openMark(deps.files, image), signal)
  const outcome: VariantsOutcome = rendered.ok
    ? { ok: true, columns: await storeVariants(deps.files, image.original_key, rendered) }
    : rendered
  const isRecorded = await recordOutcome(deps, { key, image, outcome })
  if (isRecorded) return await removePrevious(deps, image, outcome)
  if (!outcome.ok) return
  const { thumb_hash: thumb, preview_hash: preview } = outcome.columns
  await removeOrphanFiles(deps, key, variantFileKeys(image.original_key, { thumb, preview }))
  const waiting = await readProcessingImage(deps.db, key)
  if (waiting && waiting.markKey !== image.markKey)
    await makeVariantsOf(deps, key, { render, ...(signal && { signal }) })
}

/** Starts the workers of the queue `make-variants`; called when the server starts. */
export const startVariantWorkers = (
  jobs: BackgroundJobs<typeof queues>,
  deps: VariantsDeps,
  render: RenderVariants,
): Promise<void> =>
  workUnlessPaused(jobs, deps, { queue: 'make-variants', concurrency: imagesAtOnce }, ({ payload, signal }) =>
    makeVariantsOf(deps, payload, { render, signal }),
  )
