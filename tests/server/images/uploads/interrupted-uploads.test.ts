import { describe, expect, it } from 'vitest'
import { requeueStalledImages } from '#server/images/serving/requeue-stalled-images.ts'
import { processUpload } from '#server/images/uploads/process-upload.ts'
import { purgeUploads } from '#server/images/uploads/purge-uploads.ts'
import { requeueStalledUploads } from '#server/images/uploads/requeue-stalled-uploads.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { jpegAt } from '../../discovery/job-fixtures.ts'
import { createUploadFixtures } from './upload-fixtures.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

describe.each(enginesFor(import.meta.filename))('interrupted uploads on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A complete file that waits to be processed. */
  const begin = async () => {
    const desk = await createUploadFixtures(database())
    const { deps, studioId, adaId } = desk
    const file = { fileName: 'a.jpg', bytes: await jpegAt(1) }
    const [upload] = await desk.announce([file], { subjectId: adaId })
    await desk.tus('PATCH', upload?.key ?? '', { bytes: file.bytes, offset: 0 })
    const [waiting] = desk.jobs.splice(0)
    const row = { studioId, uploadId: upload?.id ?? 0 }
    const folder = (name: string) => `studios/${studioId}/images/${name}`
    const stored = () => Array.fromAsync(deps.files.list(''), ({ key }) => key)
    const state = async () => (await deps.db.selectFrom('uploads').select('state').executeTakeFirst())?.state
    return { ...desk, file, row, waiting, folder, stored, state }
  }

  it('an upload interrupted after its file was stored is resumed, and leaves one file', async () => {
    const { deps, row, folder, stored, images } = await begin()
    const dies = { ...deps, jobs: { enqueue: () => Promise.reject(new Error('cut off')) } }
    await expect(processUpload(dies, row, folder('one'))).rejects.toThrow('cut off')
    await processUpload(deps, row, folder('two'))
    const [image] = await images()
    expect(await stored()).toEqual([image?.original_key])
  })

  describe('a stored file that became no image is removed', () => {
    /** An attempt dies right after it stored the file. */
    const died = async () => {
      const cut = await begin()
      const dies = { ...cut.deps, jobs: { enqueue: () => Promise.reject(new Error('cut off')) } }
      await expect(processUpload(dies, cut.row, cut.folder('one'))).rejects.toThrow('cut off')
      const kept = `${cut.folder('one')}/original`
      expect(await cut.stored()).toContain(kept)
      const removals = () => cut.jobs.filter(({ name }) => name === 'remove-files')
      const put = (state: 'abandoned' | 'refused') => cut.deps.db.updateTable('uploads').set({ state }).execute()
      return { ...cut, kept, removals, put }
    }

    it('the file is removed after a week of failed processing, even if cleanup runs repeatedly', async () => {
      const { deps, time, removals, kept } = await died()
      time.advance(8 * day)
      await purgeUploads(deps)
      await purgeUploads(deps)
      expect(removals()).toEqual([{ name: 'remove-files', payload: { folders: [], keys: [kept] } }])
    })

    it('the file is removed once the upload is discarded', async () => {
      const { ask, at, row, put, removals, kept } = await died()
      await put('abandoned')
      expect(await ask('DELETE', at(`uploads/${row.uploadId}`))).toMatchObject({ status: 200 })
      expect(removals()).toEqual([{ name: 'remove-files', payload: { folders: [], keys: [kept] } }])
    })

    it('the file is removed once the upload restarts', async () => {
      const { announce, file, adaId, put, removals, kept } = await died()
      await put('abandoned')
      expect(await announce([file], { subjectId: adaId })).toMatchObject([{ state: 'receiving', receivedBytes: 0 }])
      expect(removals()).toEqual([{ name: 'remove-files', payload: { folders: [], keys: [kept] } }])
    })

    it('the file is removed once the upload’s result has expired', async () => {
      const { deps, time, put, removals, kept } = await died()
      await put('refused')
      time.advance(91 * day)
      await purgeUploads(deps)
      expect(await deps.db.selectFrom('uploads').select('id').execute()).toEqual([])
      expect(removals()).toEqual([{ name: 'remove-files', payload: { folders: [], keys: [kept] } }])
    })

    it('the file of an image stays', async () => {
      const { deps, time, put, removals, row, folder, images } = await died()
      await processUpload(deps, row, folder('two'))
      const [image] = await images()
      await deps.db
        .updateTable('uploads')
        .set({ file_key: image?.original_key ?? null })
        .execute()
      await put('refused')
      time.advance(91 * day)
      await purgeUploads(deps)
      expect(removals()).toEqual([])
    })
  })

  it('two concurrent attempts make one image, and its file stays', async () => {
    const { deps, row, folder, stored, images, state } = await begin()
    let other: Promise<void> | undefined
    const files = {
      ...deps.files,
      put: async (key: string, body: Uint8Array) => {
        const put = await deps.files.put(key, body)
        other ??= processUpload(deps, row, folder('one'))
        await other
        return put
      },
    }
    await processUpload(
      { ...deps, files: { ...files, read: deps.files.read, remove: deps.files.remove } },
      row,
      folder('one'),
    )
    const [image, ...more] = await images()
    expect([more, await stored(), await state()]).toEqual([[], [image?.original_key], 'processed'])
  })

  it('an upload whose retries failed is requeued, and discarded after a week', async () => {
    const { deps, row, waiting, jobs, time, takeIn, state } = await begin()
    time.advance(hour)
    await requeueStalledUploads(deps)
    expect(jobs).toEqual([])
    time.advance(2 * hour)
    await requeueStalledUploads(deps)
    await requeueStalledUploads(deps)
    expect(jobs).toEqual([waiting])
    time.advance(7 * 24 * hour)
    await purgeUploads(deps)
    expect(await state()).toBe('abandoned')
    await takeIn()
    await processUpload(deps, row, 'studios/1/images/late')
    expect(await state()).toBe('abandoned')
  })

  it('the week starts when the last byte arrived, and then staff are notified', async () => {
    const desk = await createUploadFixtures(database())
    const { deps, time } = desk
    const file = { fileName: 'a.jpg', bytes: await jpegAt(1) }
    const unfinished = { fileName: 'b.jpg', bytes: await jpegAt(2) }
    const [{ key } = { key: '' }, { key: other } = { key: '' }] = await desk.announce([file, unfinished])
    await desk.tus('PATCH', key, { bytes: file.bytes.subarray(0, 20), offset: 0 })
    time.advance(6 * day)
    await desk.tus('PATCH', key, { bytes: file.bytes.subarray(20, 40), offset: 20 })
    await desk.tus('PATCH', other, { bytes: unfinished.bytes.subarray(0, 20), offset: 0 })
    time.advance(2 * day)
    await desk.tus('PATCH', key, { bytes: file.bytes.subarray(40), offset: 40 })
    time.advance(6 * day)
    await purgeUploads(deps)
    const open = async () => (await desk.ask('GET', `${desk.at('uploads')}?state=open&sort=name`)).data
    expect(await open()).toMatchObject([
      { fileName: 'a.jpg', state: 'received', refusal: null },
      { fileName: 'b.jpg', state: 'abandoned', refusal: 'The rest of this file did not come. Choose it again' },
    ])
    time.advance(2 * day)
    await purgeUploads(deps)
    const refusal = 'This file could not be looked at. Choose it again'
    expect(await open()).toMatchObject([{ state: 'abandoned', refusal }, { state: 'abandoned' }])
    const progress = async () => (await desk.ask('GET', desk.at('upload-progress'))).data
    expect(await progress()).toMatchObject({ receiving: 0, received: 0, abandoned: 2 })
    expect(await desk.upload([file])).toMatchObject([{ state: 'processed', refusal: null }])
    expect(await progress()).toMatchObject({ processed: 1, abandoned: 1 })
  })

  it('images without variants are requeued, too', async () => {
    const { deps, jobs, time, takeIn, waiting } = await begin()
    if (waiting) jobs.push(waiting)
    await takeIn()
    const [made] = jobs.splice(0)
    await deps.db.updateTable('image_lookups').set({ updated_at: deps.clock() }).execute()
    await requeueStalledImages(deps)
    expect(jobs).toEqual([])
    time.advance(3 * hour)
    await requeueStalledImages(deps)
    await requeueStalledImages(deps)
    expect(jobs).toEqual([made])
  })
})
