import { sql } from 'kysely'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { throwIfPaused } from '#server/queue/pausable-work.ts'
import { pauseMs } from '#server/queue/queue.ts'
import type { RenderVariants } from '../engine/render-variants.ts'
import { removeOrphanFiles, variantFileKeys } from '../store/image-file-keys.ts'
import { readWholeFile, storeVariants, type VariantColumns } from '../store/image-files.ts'
import { joinMark, type MarkRow, markColumns, markKey, openMark } from '../store/image-mark.ts'

type RemakeDeps = Pick<Deps, 'db' | 'files' | 'clock' | 'wait' | 'jobs' | 'log'>
type StudioRef = { readonly studioId: number }

/** The images of a step, which are rendered at the same time: one more than the rendering threads. */
const imagesPerStep = 3
/** The steps of a background job; the next one continues, so that studios take turns. */
const stepsPerJob = 200
/** The number of earlier previews of an image whose URLs stay valid. */
const maxFormerHashes = 10

type OutdatedImage = {
  imageId: number
  originalKey: string
  thumbHash: string
  previewHash: string
} & MarkRow

type Run = { readonly attempt: number; readonly lastImageId: number }

const readRun = ({ db }: RemakeDeps, { studioId }: StudioRef): Promise<Run | undefined> =>
  db
    .selectFrom('preview_runs')
    .select(['attempt', 'last_image_id as lastImageId'])
    .where('studio_id', '=', studioId)
    .where('state', '=', 'running')
    .executeTakeFirst()

const readNextImages = async ({ db }: RemakeDeps, { studioId }: StudioRef, run: Run): Promise<OutdatedImage[]> => {
  const { rows } = await sql<OutdatedImage>`
    select i.id as "imageId", i.original_key as "originalKey", i.thumb_hash as "thumbHash", i.preview_hash as "previewHash", ${markColumns}
      from image_lookups i join jobs j on j.studio_id = i.studio_id and j.id = i.job_id
      join studios s on s.id = i.studio_id ${joinMark}
     where i.studio_id = ${studioId} and i.id > ${run.lastImageId}
       and i.state = 'ready' and i.preview_mark is distinct from ${markKey}
     order by i.id limit ${imagesPerStep}`.execute(db)
  return rows
}

/** Records new variants, unless the image got others meanwhile. The URL of the earlier preview stays valid. */
const recordVariants = async (
  { db, clock }: RemakeDeps,
  { studioId, image, columns }: StudioRef & { image: OutdatedImage; columns: VariantColumns },
): Promise<boolean> => {
  const former = sql<string>`(
    select coalesce(jsonb_agg(hash order by position), '[]') from (
      select hash, min(position) as position
        from jsonb_array_elements_text(jsonb_build_array(${image.previewHash}::text) || former_preview_hashes)
             with ordinality as former (hash, position)
       where hash <> ${columns.preview_hash} group by hash order by 2 limit ${maxFormerHashes}) latest)`
  const { numUpdatedRows } = await db
    .updateTable('image_lookups')
    .set({ ...columns, preview_mark: image.markKey, former_preview_hashes: former, updated_at: clock() })
    .where('studio_id', '=', studioId)
    .where('id', '=', image.imageId)
    .where('state', '=', 'ready')
    .where('original_key', '=', image.originalKey)
    .where('preview_hash', '=', image.previewHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Makes one preview again. Until the new one is recorded, the image keeps the earlier one. Returns whether its file could be used. */
const remakePreview = async (
  deps: RemakeDeps,
  { studioId }: StudioRef,
  { image, render, signal }: { image: OutdatedImage; render: RenderVariants; signal: AbortSignal | undefined },
): Promise<boolean> => {
  const { imageId, originalKey, thumbHash, previewHash } = image
  const original = await readWholeFile(deps.files, originalKey)
  const rendered = original && (await render(original, await openMark(deps.files, image), signal))
  if (!rendered?.ok) {
    deps.log.warn({ studioId, imageId }, 'the preview of an image could not be made again')
    return false
  }
  const columns = await storeVariants(deps.files, originalKey, rendered)
  await recordVariants(deps, { studioId, image, columns })
  const unused = [
    ...variantFileKeys(originalKey, { thumb: thumbHash, preview: previewHash }),
    ...variantFileKeys(originalKey, { thumb: columns.thumb_hash, preview: columns.preview_hash }),
  ]
  await removeOrphanFiles(deps, { studioId, imageId }, unused)
  return true
}

type Progress = { readonly lastImageId: number; readonly done: number; readonly failed: number }

/** Records progress, or the end of the run; nothing if the run was cancelled or started again. */
const recordProgress = async (
  { db, clock }: RemakeDeps,
  { studioId }: StudioRef,
  { run, progress }: { run: Run; progress: Progress | 'finished' },
): Promise<void> => {
  const now = clock()
  await db
    .updateTable('preview_runs')
    .set((eb) =>
      progress === 'finished'
        ? { state: 'done', finished_at: now, moved_at: now }
        : {
            images_done: eb('images_done', '+', progress.done),
            images_failed: eb('images_failed', '+', progress.failed),
            last_image_id: progress.lastImageId,
            moved_at: now,
          },
    )
    .where('studio_id', '=', studioId)
    .where('attempt', '=', run.attempt)
    .where('state', '=', 'running')
    .execute()
}

type Rendering = { readonly render: RenderVariants; readonly signal?: AbortSignal }

/** Returns whether the run continues. */
const runStep = async (deps: RemakeDeps, studio: StudioRef, { render, signal }: Rendering): Promise<boolean> => {
  const run = await readRun(deps, studio)
  if (!run) return false
  const images = await readNextImages(deps, studio, run)
  const last = images.at(-1)
  if (!last) {
    await recordProgress(deps, studio, { run, progress: 'finished' })
    return false
  }
  const outcomes = await Promise.all(images.map((image) => remakePreview(deps, studio, { image, render, signal })))
  const failed = outcomes.filter((isUsable) => !isUsable).length
  const progress = { lastImageId: last.imageId, done: images.length, failed }
  await recordProgress(deps, studio, { run, progress })
  return true
}

/**
 * Makes previews of a studio again whose watermark changed. Each step records its images and the run's progress, so that an interrupted run
 * continues; after many steps, another background job does so.
 */
export const remakePreviews = async (deps: RemakeDeps, studio: StudioRef, rendering: Rendering): Promise<void> => {
  for (let step = 0; step < stepsPerJob; step += 1) {
    rendering.signal?.throwIfAborted()
    await throwIfPaused(deps, studio.studioId)
    if (!(await runStep(deps, studio, rendering))) return
    await deps.wait(pauseMs)
  }
  await inTransaction(deps.db, (tx) => deps.jobs.enqueue(tx, 'remake-previews', { studioId: studio.studioId }))
}
