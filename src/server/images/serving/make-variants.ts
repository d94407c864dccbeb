import { sql } from 'kysely'
import { showsOneOf, touched } from '#server/carts/store/touch-carts.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import type { RenderVariants } from '../engine/render-variants.ts'
import { type ImageRejection, lostFile } from '../inspection/image-rejection.ts'
import { removeOrphanFiles, variantFileKeys } from '../store/image-file-keys.ts'
import { readWholeFile, storeVariants, type VariantColumns } from '../store/image-files.ts'
import { variantKey } from '../store/variant-files.ts'

export type ImageKey = { readonly studioId: number; readonly imageId: number }

type VariantsDeps = Pick<Deps, 'db' | 'files' | 'clock' | 'log'>

/** More than are rendered at once (see `render-threads.ts`): while one is fetched, stored and recorded, the cores render others. */
const picturesInHand = 4

type ProcessingImage = {
  original_key: string
  thumb_hash: string | null
  preview_hash: string | null
  file_name: string
  job_id: number
  /** Whether it arrived so long ago that a temporary outage of the store would be over. */
  is_old: boolean
  mark: string
}

const readWaiting = async (db: Db, { studioId, imageId }: ImageKey): Promise<ProcessingImage | undefined> => {
  const { rows } = await sql<ProcessingImage>`
    select i.original_key, i.thumb_hash, i.preview_hash, i.file_name, i.job_id, i.created_at < now() - interval '1 day' as is_old, coalesce(w.text, s.name) as mark
      from image_lookups i join jobs j on j.studio_id = i.studio_id and j.id = i.job_id
      join studios s on s.id = i.studio_id left join watermarks w on w.id = j.watermark_id and w.kind = 'text'
     where i.studio_id = ${studioId} and i.id = ${imageId} and i.state = 'processing'`.execute(db)
  return rows[0]
}

type Finished = { ok: true; columns: VariantColumns } | { ok: false; refusal: ImageRejection }

/**
 * Records the result of an image, unless another attempt already did, and gives the carts that show it a new version: one statement, since
 * a shoot has thousands of images. False where the image was no longer waiting for it.
 */
const settle = async (
  { db, clock }: VariantsDeps,
  {
    image: { studioId, imageId },
    waiting,
    finished,
  }: { image: ImageKey; waiting: ProcessingImage; finished: Finished },
): Promise<boolean> => {
  const outcome = finished.ok
    ? { ...finished.columns, state: 'ready' as const }
    : { state: 'refused' as const, refusal: finished.refusal.message }
  const told = finished.ok
    ? ({ state: 'done', message: null } as const)
    : ({ state: 'refused', message: finished.refusal.message } as const)
  const { numInsertedOrUpdatedRows = 0n } = await db
    .with('settled', (settling) =>
      settling
        .updateTable('image_lookups')
        .set({ ...outcome, updated_at: clock(), version: sql`version + 1` })
        .where('studio_id', '=', studioId)
        .where('id', '=', imageId)
        .where('state', '=', 'processing')
        // An image replaced meanwhile waits for the variants of its new bytes.
        .where('original_key', '=', waiting.original_key)
        .returning(['studio_id', 'job_id', 'id', 'kind', 'subject_id', 'published_at']),
    )
    .with('read_again', (shown) =>
      shown
        .updateTable('carts')
        .set(touched(clock()))
        .where('studio_id', '=', studioId)
        .where('job_id', '=', waiting.job_id)
        .where(showsOneOf(sql`(select * from settled where published_at is not null)`)),
    )
    .insertInto('processing_log')
    .columns(['studio_id', 'job_id', 'image_id', 'file_name', 'step', 'state', 'message'])
    .expression((log) =>
      log
        .selectFrom('settled')
        .select((row) => [
          row.val(studioId).as('studio_id'),
          row.val(waiting.job_id).as('job_id'),
          'settled.id as image_id',
          row.val(waiting.file_name).as('file_name'),
          row.val('variants' as const).as('step'),
          row.val(told.state).as('state'),
          row.val(told.message).as('message'),
        ]),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Removes variants of previous bytes, from before the image was replaced or its watermark changed. */
const removeFormer = async ({ files }: VariantsDeps, waiting: ProcessingImage, finished: Finished): Promise<void> => {
  if (!finished.ok) return
  const { thumb_hash, preview_hash } = finished.columns
  const former = [
    { variant: 'thumb', hash: waiting.thumb_hash, now: thumb_hash },
    { variant: 'preview', hash: waiting.preview_hash, now: preview_hash },
  ] as const
  for (const { variant, hash, now } of former) {
    if (hash === null || hash === now) continue
    for (const format of ['webp', 'jpeg'] as const) {
      await files.remove(variantKey(waiting.original_key, { variant, hash, format }))
    }
  }
}

/**
 * Makes the variants of one image: from `processing` to `ready`, or to `refused` with the reason. Can be retried at any point; an image
 * that is not waiting is left alone.
 */
export const makeVariantsOf = async (
  working: VariantsDeps,
  image: ImageKey,
  { render, signal }: { render: RenderVariants; signal?: AbortSignal },
): Promise<void> => {
  const waiting = await readWaiting(working.db, image)
  if (!waiting) return
  const original = await readWholeFile(working.files, waiting.original_key)
  if (!original) {
    if (!waiting.is_old) throw new Error(`The original of image ${image.imageId} is not in the store`)
    await settle(working, { image, waiting, finished: { ok: false, refusal: lostFile } })
    return
  }
  const made = await render(original, waiting.mark, signal)
  const finished: Finished = made.ok
    ? { ok: true, columns: await storeVariants(working.files, waiting.original_key, made) }
    : made
  const isSettled = await settle(working, { image, waiting, finished })
  if (isSettled) return await removeFormer(working, waiting, finished)
  if (!finished.ok) return
  const { thumb_hash: thumb, preview_hash: preview } = finished.columns
  await removeOrphanFiles(working, image, variantFileKeys(waiting.original_key, { thumb, preview }))
}

/** Starts the workers of the queue `make-variants`; called when the server starts. */
export const workOnVariants = (
  jobs: BackgroundJobs<typeof queues>,
  working: VariantsDeps,
  render: RenderVariants,
): Promise<void> =>
  jobs.work('make-variants', picturesInHand, ({ payload, signal }) =>
    makeVariantsOf(working, payload, { render, signal }),
  )
