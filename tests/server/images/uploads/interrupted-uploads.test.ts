import { describe, expect, it } from 'vitest'
import { requeueStalledImages } from '#server/images/serving/requeue-stalled-images.ts'
import { processUpload } from '#server/images/uploads/process-upload.ts'
import { purgeUploads } from '#server/images/uploads/purge-uploads.ts'
import { requeueStalledUploads } from '#server/images/uploads/requeue-stalled-uploads.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { jpegAt } from '#tests/server/discovery/job-fixtures.ts'
import { createUploadFixtures } from './upload-fixtures.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

describe.each(enginesFor(import.meta.filename))('interrupted uploads on $name', (engine) => {
  const database = freshDatabase(engine)

  /** Creates a complete upload that waits to be processed. */
  const setUp = async () => {
    const fixtures = await createUploadFixtures(database())
    const { deps, studioId, adaId } = fixtures
    const file = { fileName: 'a.jpg', bytes: await jpegAt(1) }
    const [upload] = await fixtures.announce([file], { subjectId: adaId })
    await fixtures.tus('PATCH', upload?.key ?? '', { bytes: file.bytes, offset: 0 })
    const [queuedJob] = fixtures.jobs.splice(0)
    const row = { studioId, uploadId: upload?.id ?? 0 }
    const folder = (name: string) => `studios/${studioId}/images/${name}`
    const listStoredKeys = () => Array.fromAsync(deps.files.list(''), ({ key }) => key)
    const state = async () => (await deps.db.selectFrom('uploads').select('state').executeTakeFirst())?.state
    return { ...fixtures, file, row, queuedJob, folder, listStoredKeys, state }
  }

  it('an upload interrupted after its file was stored is resumed, and leaves one file', async () => {
    const { deps, row, folder, listStoredKeys, images } = await setUp()
    const interruptedDeps = { ...deps, jobs: { enqueue: () => Promise.reject(new Error('cut off')) } }
    await expect(processUpload(interruptedDeps, row, folder('one'))).rejects.toThrow('cut off')
    await processUpload(deps, row, folder('two'))
    const [image] = await images()
    expect(await listStoredKeys()).toEqual([image?.original_key])
  })

  describe('a stored file without an image', () => {
    /** Interrupts an attempt right after it stored the file. */
    const interrupt = async () => {
      const fixtures = await setUp()
      const interruptedDeps = { ...fixtures.deps, jobs: { enqueue: () => Promise.reject(new Error('cut off')) } }
      await expect(processUpload(interruptedDeps, fixtures.row, fixtures.folder('one'))).rejects.toThrow('cut off')
      const storedKey = `${fixtures.folder('one')}/original`
      expect(await fixtures.listStoredKeys()).toContain(storedKey)
      const removals = () => fixtures.jobs.filter(({ name }) => name === 'remove-files')
      const setState = (state: 'abandoned' | 'refused') =>
        fixtures.deps.db.updateTable('uploads').set({ state }).execute()
      return { ...fixtures, storedKey, removals, setState }
    }

    it('the file is removed after a week of failed processing, even if cleanup runs repeatedly', async () => {
      const { deps, time, removals, storedKey } = await interrupt()
      time.advance(8 * day)
      await purgeUploads(deps)
      await purgeUploads(deps)
      expect(removals()).toEqual([{ name: 'remove-files', payload: { folders: [], keys: [storedKey] } }])
    })

    it('the file is removed once the upload is discarded', async () => {
      const { request, jobUrl, row, setState, removals, storedKey } = await interrupt()
      await setState('abandoned')
      expect(await request('DELETE', jobUrl(`uploads/${row.uploadId}`))).toMatchObject({ status: 200 })
      expect(removals()).toEqual([{ name: 'remove-files', payload: { folders: [], keys: [storedKey] } }])
    })

    it('the file is removed once the upload restarts', async () => {
      const { announce, file, adaId, setState, removals, storedKey } = await interrupt()
      await setState('abandoned')
      expect(await announce([file], { subjectId: adaId })).toMatchObject([{ state: 'receiving', receivedBytes: 0 }])
      expect(removals()).toEqual([{ name: 'remove-files', payload: { folders: [], keys: [storedKey] } }])
    })

    it('the file is removed once the upload’s result has expired', async () => {
      const { deps, time, setState, removals, storedKey } = await interrupt()
      await setState('refused')
      time.advance(91 * day)
      await purgeUploads(deps)
      expect(await deps.db.selectFrom('uploads').select('id').execute()).toEqual([])
      expect(removals()).toEqual([{ name: 'remove-files', payload: { folders: [], keys: [storedKey] } }])
    })

    it('the file of an image stays', async () => {
      const { deps, time, setState, removals, row, folder, images } = await interrupt()
      await processUpload(deps, row, folder('two'))
      const [image] = await images()
      await deps.db
        .updateTable('uploads')
        .set({ file_key: image?.original_key ?? null })
        .execute()
      await setState('refused')
      time.advance(91 * day)
      await purgeUploads(deps)
      expect(removals()).toEqual([])
    })
  })

  it('two concurrent attempts make one image, and its file stays', async () => {
    const { deps, row, folder, listStoredKeys, images, state } = await setUp()
    let concurrentRun: Promise<void> | undefined
    const files = {
      ...deps.files,
      put: async (key: string, body: Uint8Array) => {
        const result = await deps.files.put(key, body)
        concurrentRun ??= processUpload(deps, row, folder('one'))
        await concurrentRun
        return result
      },
    }
    await processUpload(
      { ...deps, files: { ...files, read: deps.files.read, remove: deps.files.remove } },
      row,
      folder('one'),
    )
    const [image, ...others] = await images()
    expect([others, await listStoredKeys(), await state()]).toEqual([[], [image?.original_key], 'processed'])
  })

  it('an upload whose retries failed is requeued, and abandoned after a week', async () => {
    const { deps, row, queuedJob, jobs, time, processUploads, state } = await setUp()
    time.advance(hour)
    await requeueStalledUploads(deps)
    expect(jobs).toEqual([])
    time.advance(2 * hour)
    await requeueStalledUploads(deps)
    await requeueStalledUploads(deps)
    expect(jobs).toEqual([queuedJob])
    time.advance(7 * 24 * hour)
    await purgeUploads(deps)
    expect(await state()).toBe('abandoned')
    await processUploads()
    await processUpload(deps, row, 'studios/1/images/late')
    expect(await state()).toBe('abandoned')
  })

  it('an upload is abandoned a week after its last byte arrived, and staff see the reason', async () => {
    const fixtures = await createUploadFixtures(database())
    const { deps, time } = fixtures
    const file = { fileName: 'a.jpg', bytes: await jpegAt(1) }
    const unfinished = { fileName: 'b.jpg', bytes: await jpegAt(2) }
    const [{ key } = { key: '' }, { key: unfinishedKey } = { key: '' }] = await fixtures.announce([file, unfinished])
    await fixtures.tus('PATCH', key, { bytes: file.bytes.subarray(0, 20), offset: 0 })
    time.advance(6 * day)
    await fixtures.tus('PATCH', key, { bytes: file.bytes.subarray(20, 40), offset: 20 })
    await fixtures.tus('PATCH', unfinishedKey, { bytes: unfinished.bytes.subarray(0, 20), offset: 0 })
    time.advance(2 * day)
    await fixtures.tus('PATCH', key, { bytes: file.bytes.subarray(40), offset: 40 })
    time.advance(6 * day)
    await purgeUploads(deps)
    const listOpen = async () =>
      (await fixtures.request('GET', `${fixtures.jobUrl('uploads')}?state=open&sort=name`)).data
    expect(await listOpen()).toMatchObject([
      { fileName: 'a.jpg', state: 'received', refusal: null },
      { fileName: 'b.jpg', state: 'abandoned', refusal: 'The rest of this file did not come. Choose it again' },
    ])
    time.advance(2 * day)
    await purgeUploads(deps)
    const refusal = 'This file could not be looked at. Choose it again'
    expect(await listOpen()).toMatchObject([{ state: 'abandoned', refusal }, { state: 'abandoned' }])
    const progress = async () => (await fixtures.request('GET', fixtures.jobUrl('upload-progress'))).data
    expect(await progress()).toMatchObject({ receiving: 0, received: 0, abandoned: 2 })
    expect(await fixtures.upload([file])).toMatchObject([{ state: 'processed', refusal: null }])
    expect(await progress()).toMatchObject({ processed: 1, abandoned: 1 })
  })

  it('images without variants are requeued', async () => {
    const { deps, jobs, time, processUploads, queuedJob } = await setUp()
    if (queuedJob) jobs.push(queuedJob)
    await processUploads()
    const [variantsJob] = jobs.splice(0)
    await deps.db.updateTable('image_lookups').set({ updated_at: deps.clock() }).execute()
    await requeueStalledImages(deps)
    expect(jobs).toEqual([])
    time.advance(3 * hour)
    await requeueStalledImages(deps)
    await requeueStalledImages(deps)
    expect(jobs).toEqual([variantsJob])
  })
})
