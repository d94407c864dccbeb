import { randomUUID } from 'node:crypto'
import { inTransaction } from '#server/database/in-transaction.ts'
import { renderThreads } from '#server/images/engine/render-threads.ts'
import type { Render } from '#server/images/engine/render-variants.ts'
import { renderer } from '#server/images/engine/render-variants.ts'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { workOnPictures } from '#server/images/serving/make-variants.ts'
import { keepOriginal, readWhole } from '#server/images/store/image-files.ts'
import { ingestImage } from '#server/images/store/ingest-image.ts'
import type { Jobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import type { OwnServer } from './bench-server.ts'
import { compete, type Outcome } from './compare-rates.ts'

const pictures = 24
/** More than there are threads, so that none of them waits for the next picture. */
const forThreads = 4
/** A picture a core, where there are no threads. */
const forCores = 2

const readOriginals = async ({ deps }: OwnServer): Promise<Buffer[]> => {
  const rows = await deps.db
    .selectFrom('image_lookups')
    .select('original_key')
    .where('kind', '=', 'hosted-individual')
    .orderBy('id')
    .limit(pictures)
    .execute()
  const read = await Promise.all(rows.map(({ original_key }) => readWhole(deps.files, original_key)))
  return read.filter((bytes) => bytes !== undefined)
}

/** Starts the product's workers and gives a way to wait for a number of pictures to be finished. */
const startWorkers = async ({ deps, jobs }: OwnServer, render: Render): Promise<(count: number) => Promise<void>> => {
  let finished = 0
  let goal = Number.POSITIVE_INFINITY
  let reached = () => {}
  const work: Jobs<typeof queues>['work'] = (name, most, handle) =>
    jobs.work(name, most, async (job) => {
      await handle(job)
      finished += 1
      if (finished === goal) reached()
    })
  // The worker asks its jobs for nothing but `work`.
  await workOnPictures({ work } as Jobs<typeof queues>, deps, render)
  return (count) =>
    new Promise((resolve) => {
      finished = 0
      goal = count
      reached = resolve
    })
}

/**
 * Variants of the demo's pictures from the queue to the row that says they are ready, files included, against the image library
 * alone: in the same threads, and in this one. The uploads before it are not timed.
 */
export const makeThumbnails = async (server: OwnServer): Promise<{ inThreads: Outcome; inOne: Outcome }> => {
  const { deps } = server
  const originals = await readOriginals(server)
  const threads = renderThreads(server.deps.log)
  const finish = await startWorkers(server, threads.render)
  const job = await deps.db.selectFrom('jobs').select(['studio_id', 'id']).orderBy('id').executeTakeFirstOrThrow()
  const place = { studioId: job.studio_id, jobId: job.id }

  /** As an upload does, but for putting it on the queue. */
  const upload = async (bytes: Buffer, position: number): Promise<number> => {
    const looked = await inspect(bytes)
    if (!looked.ok) throw new Error(looked.refusal.sentence)
    const original = await keepOriginal(deps.files, { folder: `bench/${randomUUID()}`, bytes, picture: looked.picture })
    const owner = { kind: 'hosted-individual', subjectId: null } as const
    const image = { fileName: `${position}.jpg`, owner, position, publishedAt: null }
    return inTransaction(deps.db, (tx) => ingestImage(tx, { enqueue: async () => {} }, { job: place, image, original }))
  }

  const ours = async () => {
    const imageIds = await Promise.all(originals.map(upload))
    return async () => {
      const finished = finish(imageIds.length)
      for (const imageId of imageIds) {
        await inTransaction(deps.db, (tx) =>
          deps.jobs.enqueue(tx, 'make-variants', { studioId: place.studioId, imageId }),
        )
      }
      await finished
    }
  }
  const alone = (render: Render, atOnce: number) => async () => async () => {
    const waiting = originals.values()
    const maker = async () => {
      for (const bytes of waiting) {
        const made = await render(bytes, 'Riverside Portraits')
        if (!made.ok) throw new Error(made.refusal.sentence)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, maker))
  }
  const inThreads = await compete({ rounds: 7, ours, bare: alone(threads.render, forThreads) })
  const inOne = await compete({ rounds: 7, ours, bare: alone(renderer(), forCores) })
  await threads.stop()
  return { inThreads, inOne }
}
