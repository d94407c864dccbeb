import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { maxUploadBytes } from '#domain/shared/file-size.ts'
import { inTransaction } from '#server/database/database.ts'
import { readSettings } from '#server/env.ts'
import { readStorageLimits, reserveStorage } from '#server/images/store/storage-quota.ts'
import { checkOpenUploadLimit, maxOpenUploads } from '#server/images/uploads/open-uploads.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { jpegAt } from '#tests/server/discovery/job-fixtures.ts'
import { createUploadFixtures } from './upload-fixtures.ts'

const createFiles = (from: number, count: number, byteSize: number) =>
  Array.from({ length: count }, (_, index) => ({
    fileName: `${from + index}.jpg`,
    fingerprint: `fingerprint-${from + index}`,
    byteSize,
  }))

describe.each(enginesFor(import.meta.filename))('the storage quota for uploads on $name', (engine) => {
  const database = freshDatabase(engine)

  it('an announcement beyond the default quota of 2 TB is refused, and adds no upload', async () => {
    const { request, jobUrl, deps, studioId, jobId } = await createUploadFixtures(database())
    expect(await readStorageLimits(deps.db, deps)).toEqual({ verified: 2e12, unverified: 20e9 })
    const settings = readSettings({ STUDIO_STORAGE_GB: '5' })
    expect(await readStorageLimits(deps.db, { settings })).toEqual({ verified: 5e9, unverified: 5e9 })
    const announce = (from: number) =>
      request('POST', jobUrl('uploads'), { payload: { files: createFiles(from, 200, maxUploadBytes) } })
    // Inserts the rows of ninety-five requests of 200 files of 100 MiB instead of sending the requests.
    const rows = createFiles(0, 19_000, maxUploadBytes).map(({ fileName, fingerprint, byteSize }) => ({
      studio_id: studioId,
      job_id: jobId,
      upload_key: fingerprint,
      file_name: fileName,
      byte_size: byteSize,
      purpose: 'image' as const,
      state: 'receiving' as const,
    }))
    for (let from = 0; from < rows.length; from += 2_000) {
      await deps.db
        .insertInto('uploads')
        .values(rows.slice(from, from + 2_000))
        .execute()
    }
    expect((await announce(100_000)).errors).toEqual([
      'Your studio has 2.0 TB for its images, of which 2.0 TB are taken. Delete images you no longer need, or ask us for more room',
    ])
    const { count } = await deps.db
      .selectFrom('uploads')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(19_000)
  })

  it('stored files count, and a file announced twice counts once', async () => {
    const { request, jobUrl, deps, studioId } = await createUploadFixtures(database())
    const settings = { ...deps.settings, fromEnvironment: { 'studio-storage': 0.001 } }
    const announce = (from: number, count: number) =>
      request('POST', jobUrl('uploads'), { payload: { files: createFiles(from, count, 300_000) } })
    expect((await announce(1, 2)).status).toBe(200)
    expect((await announce(1, 2)).status).toBe(200)
    const requestSpace = (bytes: number) =>
      inTransaction(deps.db, (tx) => reserveStorage(tx, { settings }, { studioId, bytes }))
    const rows = await deps.db.selectFrom('image_lookups').select('byte_size').execute()
    const storedBytes = rows.reduce((sum, { byte_size }) => sum + Number(byte_size), 0)
    expect(await requestSpace(400_000 - storedBytes)).toBeUndefined()
    expect(await requestSpace(400_001 - storedBytes)).toMatchObject({ name: 'refused' })
  })

  it('a restarted file counts with its first size even if another size is announced later', async () => {
    const { request, jobUrl, deps, studioId, jobId } = await createUploadFixtures(database())
    const announce = (byteSize: number) =>
      request('POST', jobUrl('uploads'), { payload: { files: createFiles(1, 1, byteSize) } })
    expect((await announce(300_000)).data).toMatchObject([{ state: 'receiving', byteSize: 300_000 }])
    await deps.db.updateTable('uploads').set({ state: 'abandoned' }).execute()
    const usedUpload = { studio_id: studioId, job_id: jobId, upload_key: 'taken', file_name: 'taken.jpg' }
    await deps.db
      .insertInto('uploads')
      .values({
        ...usedUpload,
        byte_size: 2e12 - 200_000,
        purpose: 'image',
        state: 'receiving',
      })
      .execute()
    expect(await announce(1)).toMatchObject({ status: 422, errors: [expect.stringMatching(/^Your studio has 2.0 TB/)] })
    await deps.db.updateTable('uploads').set({ byte_size: 1 }).where('upload_key', '=', 'taken').execute()
    expect((await announce(1)).data).toMatchObject([{ state: 'receiving', byteSize: 300_000 }])
  })

  it('a file announced many times concurrently counts once', async () => {
    const { request, jobUrl, deps, studioId, jobId } = await createUploadFixtures(database())
    const usedUpload = { studio_id: studioId, job_id: jobId, upload_key: 'taken', file_name: 'taken.jpg' }
    await deps.db
      .insertInto('uploads')
      .values({ ...usedUpload, byte_size: 2e12 - 500_000, purpose: 'image', state: 'receiving' })
      .execute()
    const announce = () => request('POST', jobUrl('uploads'), { payload: { files: createFiles(1, 1, 300_000) } })
    const answers = await Promise.all(Array.from({ length: 8 }, announce))
    expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([])
  })

  it('at most 20,000 announced files may be incomplete', async () => {
    const { deps, studioId } = await createUploadFixtures(database())
    const requestSpace = (count: number) =>
      inTransaction(deps.db, (tx) => checkOpenUploadLimit(tx, { studioId, count }))
    expect(await requestSpace(maxOpenUploads)).toBeUndefined()
    expect(await requestSpace(maxOpenUploads + 1)).toMatchObject({
      details: { messages: [expect.stringContaining('uploads 20,000 files at a time at most')] },
    })
  })

  it('no byte beyond the announced size is stored', async () => {
    const { app, deps, request, jobUrl, tokenOf, announce, tus, images } = await createUploadFixtures(database())
    const listStoredKeys = () => Array.fromAsync(deps.files.list(''), ({ key }) => key)
    const before = { stored: await listStoredKeys(), images: await images() }
    const [upload] = await announce([{ fileName: 'a.jpg', bytes: Buffer.alloc(1) }])
    const send = async (payload: Buffer | Readable) =>
      await app.inject({
        method: 'PATCH',
        url: jobUrl(`upload-bytes/${upload?.key}`),
        headers: {
          authorization: `Bearer ${await tokenOf()}`,
          ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        },
        payload,
      })
    const bytes = await jpegAt(1)
    for (const payload of [bytes, Readable.from([bytes.subarray(0, 1), bytes.subarray(1)])]) {
      expect((await send(payload)).statusCode).toBeOneOf([409, 413])
      expect((await tus('HEAD', upload?.key ?? '')).offset).toBe(0)
      expect((await request('GET', jobUrl('uploads'))).data).toMatchObject([{ receivedBytes: 0, state: 'receiving' }])
    }
    expect({ stored: await listStoredKeys(), images: await images() }).toEqual(before)
  })
})
