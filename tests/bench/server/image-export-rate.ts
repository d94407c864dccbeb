import { sql } from 'kysely'
import sharp from 'sharp'
import { formatDefaults } from '#domain/image-exports/export-settings.ts'
import { makeImageExport } from '#server/image-exports/make-export.ts'
import { startRenderThreads } from '#server/images/engine/render-threads.ts'
import type { CropJob } from '#server/images/print/crop-image.ts'
import { cameraImageSequence } from '#support/images/camera-images.ts'
import { given } from '#support/server/given.ts'
import { exportSettings } from '#tests/server/image-exports/export-settings.ts'
import type { BenchServer } from './bench-server.ts'
import { type ComparisonResult, compareRates } from './compare-rates.ts'

/** Enough that what an export does once weighs little. */
const images = 80
const size = { width: 2400, height: 3000 }
/** One image per core. */
const concurrency = 2

/** Adds a job with images of a camera, and an export of them whose files are not made. */
const addExport = async ({ deps }: BenchServer): Promise<{ studioId: number; exportId: number }> => {
  const { studio, job: addJob, subject, image } = given(deps)
  const studioId = await studio({ slug: 'image-exports' })
  const job = await addJob(studioId)
  const imageAt = await cameraImageSequence({ ordinary: size, large: size, distinctImages: 4 })
  for (let n = 0; n < images; n += 1) {
    const original_key = `studios/${studioId}/images/${n}/original`
    await deps.files.put(original_key, imageAt(n))
    await image(job, { subjectId: await subject(job, { name: `Child ${n}` }), original_key, ...size })
  }
  const now = deps.clock()
  const { id: exportId } = await deps.db
    .insertInto('image_exports')
    .values({
      ...{ studio_id: studioId, job_id: job.jobId, format: 'pspa', created_at: now, updated_at: now },
      settings: JSON.stringify({ ...exportSettings, ...formatDefaults.pspa }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { studioId, exportId }
}

/** The same crop by the image library's shortest path. */
const cropWithLibrary = ({ source, crop, width, height, quality }: CropJob): Promise<Buffer> => {
  const scaled = { width: Math.round((width / crop.width) * 100), height: Math.round((height / crop.height) * 100) }
  const [left, top] = [(crop.cropX / 100) * scaled.width, (crop.cropY / 100) * scaled.height].map(Math.floor)
  return sharp(source as Uint8Array)
    .autoOrient()
    .resize({ ...scaled, fit: 'fill' })
    .extract({ left: left ?? 0, top: top ?? 0, width, height })
    .jpeg({ quality, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/**
 * Makes the files of an export, from the queued row to the finished one. Compares this with the same crops of images in memory by the
 * image library alone.
 */
export const cropExports = async (server: BenchServer): Promise<ComparisonResult> => {
  const { deps } = server
  const threads = startRenderThreads(deps.log)
  const key = await addExport(server)
  const jobs: CropJob[] = []
  const context = { deps, key, signal: new AbortController().signal }
  await makeImageExport({
    ...context,
    cropImage: (job) => {
      // A thread takes the bytes of its job.
      jobs.push({ ...job, source: Uint8Array.from(job.source as Uint8Array) }) // exports read files into memory
      return threads.cropImage(job)
    },
  })
  const ours = async () => {
    await sql`update image_exports set state = 'waiting' where id = ${key.exportId}`.execute(deps.db)
    await sql`update image_export_files set byte_size = null, content_hash = null where export_id = ${key.exportId}`.execute(
      deps.db,
    )
    return () => makeImageExport({ ...context, cropImage: threads.cropImage })
  }
  const baseline = async () => async () => {
    const remaining = jobs.values()
    const cropRemaining = async () => {
      for (const job of remaining) await cropWithLibrary(job)
    }
    await Promise.all(Array.from({ length: concurrency }, cropRemaining))
  }
  const result = await compareRates({ rounds: 5, ours, baseline })
  await threads.stop()
  return result
}
