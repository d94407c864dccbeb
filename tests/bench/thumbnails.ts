import { randomUUID } from 'node:crypto'
import { inTransaction } from '../../src/server/database/in-transaction.ts'
import type { Jobs } from '../../src/server/jobs/jobs.ts'
import type { queues } from '../../src/server/jobs/queues.ts'
import { ingestImage } from '../../src/server/photos/ingest-image.ts'
import { workOnPictures } from '../../src/server/photos/make-variants.ts'
import { keepOriginal, readWhole } from '../../src/server/photos/picture-files.ts'
import { inspect } from '../../src/server/pictures/inspect.ts'
import { makeVariants } from '../../src/server/pictures/variants.ts'
import { drawWatermark } from '../../src/server/pictures/watermark.ts'
import type { OwnServer } from './own-server.ts'
import { compete, type Outcome } from './rounds.ts'

const pictures = 12
/** As many as the product's own workers take. */
const atOnce = 2

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
const startWorkers = async ({ deps, jobs }: OwnServer): Promise<(count: number) => Promise<void>> => {
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
  await workOnPictures({ work } as Jobs<typeof queues>, deps)
  return (count) =>
    new Promise((resolve) => {
      finished = 0
      goal = count
      reached = resolve
    })
}

/** Variants of the demo's pictures through the job queue, files and rows included, against the image library alone. */
export const makeThumbnails = async (server: OwnServer): Promise<Outcome> => {
  const { deps } = server
  const originals = await readOriginals(server)
  const finish = await startWorkers(server)
  const job = await deps.db.selectFrom('jobs').select(['studio_id', 'id']).orderBy('id').executeTakeFirstOrThrow()
  const place = { studioId: job.studio_id, jobId: job.id }
  const watermark = await drawWatermark('Riverside Portraits')

  const store = async (bytes: Buffer, position: number) => {
    const looked = await inspect(bytes)
    if (!looked.ok) throw new Error(looked.refusal.sentence)
    const original = await keepOriginal(deps.files, { folder: `bench/${randomUUID()}`, bytes, picture: looked.picture })
    const owner = { kind: 'hosted-individual', subjectId: null } as const
    return { original, image: { fileName: `${position}.jpg`, owner, position, publishedAt: null } }
  }

  return compete({
    rounds: 7,
    ours: async () => {
      const stored = await Promise.all(originals.map(store))
      return async () => {
        const finished = finish(stored.length)
        await inTransaction(deps.db, async (tx) => {
          for (const one of stored) await ingestImage(tx, deps.jobs, { job: place, ...one })
        })
        await finished
      }
    },
    bare: async () => async () => {
      const waiting = originals.values()
      const maker = async () => {
        for (const bytes of waiting) {
          const made = await makeVariants(bytes, { watermark })
          if (!made.ok) throw new Error(made.refusal.sentence)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, maker))
    },
  })
}
