import { randomUUID } from 'node:crypto'
import { inTransaction } from '#server/database/database.ts'
import { startRenderThreads } from '#server/images/engine/render-threads.ts'
import type { RenderVariants } from '#server/images/engine/render-variants.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { nameMark } from '#server/images/engine/watermark.ts'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { startVariantWorkers } from '#server/images/serving/make-variants.ts'
import { readWholeFile, storeOriginal } from '#server/images/store/image-files.ts'
import { ingestImage } from '#server/images/store/ingest-image.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import type { BenchServer } from './bench-server.ts'
import { type ComparisonResult, compareRates } from './compare-rates.ts'

const imageCount = 24
/** More than there are threads, so that none of them waits for the next image. */
const threadConcurrency = 4
/** One image per core, where there are no threads. */
const coreConcurrency = 2

const readOriginals = async ({ deps }: BenchServer): Promise<Buffer[]> => {
  const rows = await deps.db
    .selectFrom('image_lookups')
    .select('original_key')
    .where('kind', '=', 'hosted-individual')
    .orderBy('id')
    .limit(imageCount)
    .execute()
  const originals = await Promise.all(rows.map(({ original_key }) => readWholeFile(deps.files, original_key)))
  return originals.filter((bytes) => bytes !== undefined)
}

/** Starts the product's workers. Returns a function that waits until this many images are finished. */
const startWorkers = async (
  { deps, jobs }: BenchServer,
  render: RenderVariants,
): Promise<(count: number) => Promise<void>> => {
  let finished = 0
  let targetCount = Number.POSITIVE_INFINITY
  let resolveTarget = () => {}
  const work: BackgroundJobs<typeof queues>['work'] = (name, options, handle) =>
    jobs.work(name, options, async (job) => {
      await handle(job)
      finished += 1
      if (finished === targetCount) resolveTarget()
    })
  // The worker uses only `work` of its jobs.
  await startVariantWorkers({ work } as BackgroundJobs<typeof queues>, deps, render)
  return (count) =>
    new Promise((resolve) => {
      finished = 0
      targetCount = count
      resolveTarget = resolve
    })
}

/**
 * Makes variants of the demo's images, from the queue to the ready row, files included. It is compared with the image library alone, in
 * the same threads and in this one. The uploads are not timed.
 */
export const compareThumbnailRates = async (
  server: BenchServer,
): Promise<{ inThreads: ComparisonResult; inOneThread: ComparisonResult }> => {
  const { deps } = server
  const originals = await readOriginals(server)
  const threads = startRenderThreads(server.deps.log)
  const waitUntilFinished = await startWorkers(server, threads.render)
  const job = await deps.db.selectFrom('jobs').select(['studio_id', 'id']).orderBy('id').executeTakeFirstOrThrow()
  const jobRef = { studioId: job.studio_id, jobId: job.id }

  /** Stores an upload without enqueueing its job. */
  const upload = async (bytes: Buffer, position: number): Promise<number> => {
    const inspection = await inspect(bytes)
    if (!inspection.ok) throw new Error(inspection.refusal.message)
    const original = await storeOriginal(deps.files, {
      folder: `bench/${randomUUID()}`,
      bytes,
      image: inspection.image,
    })
    const owner = { kind: 'hosted-individual', subjectId: null } as const
    const image = { fileName: `${position}.jpg`, owner, position, publishedAt: null }
    return inTransaction(deps.db, (tx) =>
      ingestImage(tx, { enqueue: async () => {} }, { job: jobRef, image, original }),
    )
  }

  const ours = async () => {
    const imageIds = await Promise.all(originals.map(upload))
    return async () => {
      const finished = waitUntilFinished(imageIds.length)
      for (const imageId of imageIds) {
        await inTransaction(deps.db, (tx) =>
          deps.jobs.enqueue(tx, 'make-variants', { studioId: jobRef.studioId, imageId }),
        )
      }
      await finished
    }
  }
  const withoutQueue = (render: RenderVariants, concurrency: number) => async () => async () => {
    const remaining = originals.values()
    const renderRemaining = async () => {
      for (const bytes of remaining) {
        const variants = await render(bytes, nameMark('Riverside Portraits'))
        if (!variants.ok) throw new Error(variants.refusal.message)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, renderRemaining))
  }
  const inThreads = await compareRates({ rounds: 7, ours, baseline: withoutQueue(threads.render, threadConcurrency) })
  const inOneThread = await compareRates({ rounds: 7, ours, baseline: withoutQueue(createRenderer(), coreConcurrency) })
  await threads.stop()
  return { inThreads, inOneThread }
}
