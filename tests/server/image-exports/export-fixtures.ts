import type { LightMyRequestResponse } from 'fastify'
import sharp from 'sharp'
import type { ExportSettings } from '#domain/image-exports/export-settings.ts'
import type { Database } from '#server/database/database.ts'
import { makeImageExport } from '#server/image-exports/make-export.ts'
import { type CropImage, cropImage } from '#server/images/print/crop-image.ts'
import { unzip } from '#support/files/unzip.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'

/** The metadata of a camera, with a child's name and a place, which no export may contain. */
export const cameraExif = {
  IFD0: { Artist: 'Riverside', ImageDescription: 'Ada Lovelace' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '39/1 45/1 30/1' },
}

/** Upright 240 × 320 pixels: red above and blue below the middle. Stored turned by 90°, with metadata. */
export const halvesJpeg = async (): Promise<Buffer> => {
  const half = (background: string) => ({ create: { width: 240, height: 160, channels: 3 as const, background } })
  const upright = await sharp(half('#f00')).extend({ bottom: 160, background: '#00f' }).png().toBuffer()
  return await sharp(await sharp(upright).rotate(-90).toBuffer())
    .withExif({ ...cameraExif, IFD0: { ...cameraExif.IFD0, Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}

/** The rows of a tab-separated file by their headings. */
export const tabRows = (content: Buffer | undefined): Record<string, string>[] => {
  const [headings = [], ...rows] = String(content)
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'))
  return rows.map((row) => Object.fromEntries(headings.map((heading, index) => [heading, row[index] ?? ''])))
}

type SubjectInput = {
  name: string
  reference?: string
  fields?: Record<string, string>
  images?: number
  hidden_at?: Date
}

/** A school's job with a member of staff, who starts exports; queued jobs are recorded. */
export const createExportFixtures = async (database: Database) => {
  const time = manualClock()
  const { jobs, enqueue } = recordingQueue()
  const deps = { ...testDeps(database, time), jobs: { enqueue } }
  const app = await testApp(deps)
  const { studio, organization, job: addJob, subject, image } = given(deps)
  const studioId = await studio({ name: 'Riverside Portraits' })
  const organizationId = await organization(studioId)
  const job = await addJob(studioId, { name: 'Fall 2027', organization_id: organizationId })
  const { staffRequest, id: userId } = await staffClient(deps, app, studioId, { jobId: job.jobId })
  const originalKey = `studios/${studioId}/original`
  await deps.files.put(originalKey, await halvesJpeg())
  const addImage = (subjectId: number, columns: object = {}) =>
    image(job, { subjectId, original_key: originalKey, width: 240, height: 320, isPublished: false, ...columns })
  const addSubject = async ({ name, reference, fields = {}, images = 1, hidden_at }: SubjectInput) => {
    const id = await subject(job, { name, ...(reference && { reference }), ...(hidden_at && { hidden_at }) })
    const rows = Object.entries(fields).map(([field, value]) => ({ name: field, value }))
    if (rows.length > 0)
      await deps.db
        .insertInto('subject_fields')
        .values(rows.map((row) => ({ studio_id: studioId, subject_id: id, ...row })))
        .execute()
    const imageIds: number[] = []
    for (let n = 0; n < images; n += 1) imageIds.push(await addImage(id))
    return { id, imageIds }
  }
  const start = async (settings: ExportSettings): Promise<number> => {
    const { data, errors, fields } = await staffRequest('POST', 'image-exports', settings)
    if (!data) throw new Error(`not started: ${errors} ${JSON.stringify(fields)}`)
    return data.id
  }
  const run = async (exportId: number, crop: CropImage = cropImage, signal = new AbortController().signal) =>
    makeImageExport({ deps, key: { studioId, exportId }, cropImage: crop, signal })
  const read = async (exportId: number) =>
    (await staffRequest('GET', 'image-exports')).data.find(({ id }: { id: number }) => id === exportId)
  const fileLink = async (exportId: number) => await staffRequest('POST', `image-exports/${exportId}/file`, {})
  const get = (url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
    app.inject({ url, headers })
  const download = async (exportId: number) => unzip((await get((await fileLink(exportId)).data.zipUrl)).rawPayload)
  /** Starts and makes an export, and returns its files. */
  const exported = async (settings: ExportSettings) => {
    const exportId = await start(settings)
    await run(exportId)
    return { exportId, files: await download(exportId) }
  }
  return {
    ...{
      deps,
      app,
      time,
      jobs,
      studioId,
      organizationId,
      job,
      userId,
      staffRequest,
      originalKey,
      addImage,
      addSubject,
    },
    ...{ start, run, read, fileLink, get, download, exported },
  }
}
