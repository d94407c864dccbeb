import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { maxUploadBytes } from '#domain/shared/upload-size.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import { readSettings } from '#server/env.ts'
import { takeRoom } from '#server/images/store/storage-quota.ts'
import { maxOpenUploads, refusedAsTooMany } from '#server/images/uploads/open-uploads.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { jpegAt } from '../../discovery/job-fixtures.ts'
import { createUploadFixtures } from './upload-fixtures.ts'

const filesOf = (from: number, count: number, byteSize: number) =>
  Array.from({ length: count }, (_, at) => ({
    fileName: `${from + at}.jpg`,
    fingerprint: `fingerprint-${from + at}`,
    byteSize,
  }))

describe.each(enginesFor(import.meta.filename))('the storage quota for uploads on $name', (engine) => {
  const database = freshDatabase(engine)

  it('2 TB of stored and announced images are accepted, in any number of requests', async () => {
    const { ask, at, deps, studioId, jobId } = await createUploadFixtures(database())
    expect(readSettings({})).toMatchObject({ studioStorageBytes: 2e12, unverifiedStorageBytes: 20e9 })
    expect(readSettings({ STUDIO_STORAGE_GB: '5' }).unverifiedStorageBytes).toBe(5e9)
    const announce = (from: number) =>
      ask('POST', at('uploads'), { payload: { files: filesOf(from, 200, maxUploadBytes) } })
    // Ninety-five requests of 200 files of 100 MiB, as rows: the requests themselves are the same each time.
    const rows = filesOf(0, 19_000, maxUploadBytes).map(({ fileName, fingerprint, byteSize }) => ({
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
      'Your studio has 2.0 TB for its pictures, of which 2.0 TB are taken. Delete pictures you no longer need, or ask us for more room',
    ])
    const { count } = await deps.db
      .selectFrom('uploads')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(19_000)
  })

  it('stored files count, and a file announced twice counts once', async () => {
    const { ask, at, deps, studioId } = await createUploadFixtures(database())
    const settings = { ...deps.settings, studioStorageBytes: 1_000_000 }
    const announce = (from: number, count: number) =>
      ask('POST', at('uploads'), { payload: { files: filesOf(from, count, 300_000) } })
    expect((await announce(1, 2)).status).toBe(200)
    expect((await announce(1, 2)).status).toBe(200)
    const refused = (bytes: number) => inTransaction(deps.db, (tx) => takeRoom(tx, { settings }, { studioId, bytes }))
    const rows = await deps.db.selectFrom('image_lookups').select('byte_size').execute()
    const stored = rows.reduce((sum, { byte_size }) => sum + Number(byte_size), 0)
    expect(await refused(400_000 - stored)).toBeUndefined()
    expect(await refused(400_001 - stored)).toMatchObject({ name: 'refused' })
  })

  it('a restarted file counts with its first size, whatever size is announced then', async () => {
    const { ask, at, deps, studioId, jobId } = await createUploadFixtures(database())
    const announce = (byteSize: number) => ask('POST', at('uploads'), { payload: { files: filesOf(1, 1, byteSize) } })
    expect((await announce(300_000)).data).toMatchObject([{ state: 'receiving', byteSize: 300_000 }])
    await deps.db.updateTable('uploads').set({ state: 'abandoned' }).execute()
    const taken = { studio_id: studioId, job_id: jobId, upload_key: 'taken', file_name: 'taken.jpg' }
    await deps.db
      .insertInto('uploads')
      .values({ ...taken, byte_size: deps.settings.studioStorageBytes - 200_000, purpose: 'image', state: 'receiving' })
      .execute()
    expect(await announce(1)).toMatchObject({ status: 422, errors: [expect.stringMatching(/^Your studio has 2.0 TB/)] })
    await deps.db.updateTable('uploads').set({ byte_size: 1 }).where('upload_key', '=', 'taken').execute()
    expect((await announce(1)).data).toMatchObject([{ state: 'receiving', byteSize: 300_000 }])
  })

  it('a file announced many times concurrently counts once', async () => {
    const { ask, at, deps, studioId, jobId } = await createUploadFixtures(database())
    const { studioStorageBytes } = deps.settings
    const taken = { studio_id: studioId, job_id: jobId, upload_key: 'taken', file_name: 'taken.jpg' }
    await deps.db
      .insertInto('uploads')
      .values({ ...taken, byte_size: studioStorageBytes - 500_000, purpose: 'image', state: 'receiving' })
      .execute()
    const announce = () => ask('POST', at('uploads'), { payload: { files: filesOf(1, 1, 300_000) } })
    const answers = await Promise.all(Array.from({ length: 8 }, announce))
    expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([])
  })

  it('at most 20,000 files may be announced and not complete', async () => {
    const { deps, studioId } = await createUploadFixtures(database())
    const refused = (count: number) => inTransaction(deps.db, (tx) => refusedAsTooMany(tx, { studioId, count }))
    expect(await refused(maxOpenUploads)).toBeUndefined()
    expect(await refused(maxOpenUploads + 1)).toMatchObject({
      details: { sentences: [expect.stringContaining('uploads 20,000 files at a time at most')] },
    })
  })

  it('announcing a smaller size gains nothing: no byte past it is stored', async () => {
    const { app, deps, ask, at, tokenOf, announce, tus, images } = await createUploadFixtures(database())
    const stored = () => Array.fromAsync(deps.files.list(''), ({ key }) => key)
    const before = { stored: await stored(), images: await images() }
    const [upload] = await announce([{ fileName: 'a.jpg', bytes: Buffer.alloc(1) }])
    const send = async (payload: Buffer | Readable) =>
      await app.inject({
        method: 'PATCH',
        url: at(`upload-bytes/${upload?.key}`),
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
      expect((await ask('GET', at('uploads'))).data).toMatchObject([{ receivedBytes: 0, state: 'receiving' }])
    }
    expect({ stored: await stored(), images: await images() }).toEqual(before)
  })
})
