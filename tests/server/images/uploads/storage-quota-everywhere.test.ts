import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { cutOutSubject } from '#server/images/engine/chroma-key.ts'
import { proposeCutOut } from '#server/images/lookups/cut-outs.ts'
import { removeFiles } from '#server/jobs/delete-job.ts'
import { engines, freshDatabase } from '#support/database/test-database.ts'
import { addFeatures } from '#tests/server/carts/order-service-fixtures.ts'
import { jpegAt } from '#tests/server/discovery/job-fixtures.ts'
import { createUploadFixtures, type TestFile } from './upload-fixtures.ts'

const verifiedBytes = 2e12
const unverifiedBytes = 20e9
const quotaMessage =
  'Your studio has 2.0 TB for its images, of which 2.0 TB are taken. Delete images you no longer need, or ask us for more room'

const list = (name: string): TestFile => ({
  fileName: `${name}.csv`,
  bytes: Buffer.from(`First name,Last name\n${name},Lovelace\n`),
})
const smallJpeg = async (minute: number): Promise<TestFile> => ({
  fileName: `${minute}.jpg`,
  bytes: await jpegAt(minute),
})
const logoBytes = await sharp({ create: { width: 300, height: 100, channels: 4, background: '#1f6f78' } })
  .png()
  .toBuffer()
const greenScreenJpeg = await sharp(
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="250"><rect width="100%" height="100%" fill="#20b840"/><circle cx="100" cy="140" r="60" fill="#c89678"/></svg>',
  ),
)
  .jpeg()
  .toBuffer()

describe.each(engines)('the storage quota for every kind of file on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async ({ quotaBytes = verifiedBytes }: { quotaBytes?: number } = {}) => {
    const fixtures = await createUploadFixtures(database())
    const { deps, studioId, jobId, organizationId, request, jobUrl } = fixtures
    const { db, files } = deps
    await addFeatures(deps, fixtures, ['dataImport', 'greenscreens'])
    await db
      .updateTable('studios')
      .set({ is_millers_verified: quotaBytes === verifiedBytes })
      .execute()
    // The fixtures' own images have no files.
    await db.updateTable('image_lookups').set({ byte_size: 0 }).execute()
    const studio = `/api/studioadmin/studios/${studioId}`
    const images = `${studio}/organizations/${organizationId}/jobs/${jobId}/imagelookups`
    const send = async (
      method: 'POST' | 'PUT' | 'PATCH',
      url: string,
      { file, fields = {} }: { file: TestFile; fields?: Record<string, string> },
    ) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('File', new File([new Uint8Array(file.bytes)], file.fileName))
      const headers = { authorization: `Bearer ${await fixtures.tokenOf()}` }
      const answer = await fixtures.app.inject({ method, url, headers, payload: form })
      return { status: answer.statusCode, ...answer.json() }
    }
    const announce = (byteSize: number, fileName = 'next.jpg') =>
      request('POST', jobUrl('uploads'), {
        payload: { files: [{ fileName, byteSize, fingerprint: `fingerprint-${fileName}` }] },
      })
    const senders = {
      announce,
      sendList: (name: string) => send('POST', jobUrl('imports'), { file: list(name) }),
      sendBackground: (file: TestFile) => send('POST', jobUrl('greenscreens'), { file }),
      sendLogo: () => send('PUT', `${studio}/logo`, { file: { fileName: 'logo.png', bytes: logoBytes } }),
      replace: (id: number, file: TestFile) => send('PATCH', `${images}/${id}`, { file }),
      bulkReplace: (id: number, file: TestFile) =>
        send('PATCH', `${images}/bulk-replace`, {
          file,
          fields: { 'ImageMigrationSettings[0].ImageId': String(id) },
        }),
    }

    /** The stored files except variants, sorted by key. */
    const listOriginals = async () => {
      const storedFiles = await Array.fromAsync(files.list('studios/'))
      return storedFiles
        .filter(({ key }) => !/\/(thumb|preview)-/.test(key))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    }
    const storedBytes = async () => (await listOriginals()).reduce((sum, { size }) => sum + size, 0)
    /** Adds an announced upload that leaves this many bytes free. */
    const leaveFreeBytes = async (bytes: number) => {
      await db.deleteFrom('uploads').where('upload_key', '=', 'filler').execute()
      const byte_size = quotaBytes - (await storedBytes()) - bytes
      const upload = { studio_id: studioId, job_id: jobId, upload_key: 'filler', file_name: 'filler.jpg', byte_size }
      await db
        .insertInto('uploads')
        .values({ ...upload, purpose: 'image', state: 'receiving' })
        .execute()
    }
    const expectFreeBytes = async (bytes: number) => {
      expect((await announce(bytes + 1, 'more.jpg')).status, 'one byte too many').toBe(422)
      if (bytes === 0) return
      const { status, data } = await announce(bytes, 'rest.jpg')
      expect(status).toBe(200)
      expect((await request('DELETE', jobUrl(`uploads/${data[0].id}`))).status).toBe(200)
    }
    const countRows = async () =>
      Promise.all(
        (['image_lookups', 'green_screens', 'imports', 'uploads', 'audit_log'] as const).map(async (table) => {
          const { count } = await db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('count'))
            .executeTakeFirstOrThrow()
          return `${count} ${table}`
        }),
      )
    /**
     * Asserts that a file is refused and not stored if one byte is missing, and that it is accepted and counted if
     * there is enough space.
     */
    const expectAcceptedWithin = async (
      { neededBytes, freeAfter = 0 }: { neededBytes: number; freeAfter?: number },
      sendFile: () => Promise<{ status: number; errors?: string[] }>,
    ) => {
      await leaveFreeBytes(neededBytes - 1)
      const before = [await listOriginals(), await countRows()]
      expect(await sendFile()).toMatchObject({ status: 422, errors: [quotaMessage] })
      expect([await listOriginals(), await countRows()]).toEqual(before)
      await leaveFreeBytes(neededBytes)
      expect((await sendFile()).status).toBe(200)
      await expectFreeBytes(freeAfter)
    }
    const addUploadedImage = async (file: TestFile) => (await fixtures.upload([file]))[0]?.imageId ?? 0
    return {
      ...fixtures,
      db,
      ...senders,
      listOriginals,
      leaveFreeBytes,
      expectFreeBytes,
      countRows,
      expectAcceptedWithin,
      addUploadedImage,
    }
  }

  it('an announced upload counts', async () => {
    const { expectAcceptedWithin, announce } = await setUp()
    await expectAcceptedWithin({ neededBytes: 300 }, () => announce(300))
  })

  it('a list of subjects counts until it is imported or deleted', async () => {
    const { expectAcceptedWithin, sendList, db, expectFreeBytes, request, jobUrl, jobs } = await setUp()
    const neededBytes = list('Ada').bytes.length
    await expectAcceptedWithin({ neededBytes }, () => sendList('Ada'))
    const { id, version } = await db.selectFrom('imports').select(['id', 'version']).executeTakeFirstOrThrow()
    await db.updateTable('imports').set({ state: 'done' }).where('id', '=', id).execute()
    await expectFreeBytes(neededBytes)
    await db.updateTable('imports').set({ state: 'mapping' }).where('id', '=', id).execute()
    expect([version, jobs]).toEqual([1, []])
    expect((await request('DELETE', jobUrl(`imports/${id}`))).status).toBe(200)
    await expectFreeBytes(neededBytes)
  })

  it('a background counts', async () => {
    const { expectAcceptedWithin, sendBackground } = await setUp()
    const file = await smallJpeg(1)
    await expectAcceptedWithin({ neededBytes: file.bytes.length }, () => sendBackground(file))
  })

  it('a logo counts together with the one it replaces', async () => {
    const { expectAcceptedWithin, sendLogo, leaveFreeBytes, expectFreeBytes, listOriginals, request, studioId } =
      await setUp()
    await leaveFreeBytes(1e6)
    expect((await sendLogo()).status).toBe(200)
    const [{ size } = { size: 0 }] = await listOriginals()
    expect((await request('DELETE', `/api/studioadmin/studios/${studioId}/logo`)).status).toBe(200)
    await expectAcceptedWithin({ neededBytes: size }, () => sendLogo())
    // The same logo again needs no more space.
    expect((await sendLogo()).status).toBe(200)
    await expectFreeBytes(0)
  })

  it('a replacement counts with the bytes by which it is larger', async () => {
    const { expectAcceptedWithin, replace, addUploadedImage, leaveFreeBytes, expectFreeBytes, jobs, deps } =
      await setUp()
    const [smallFile, largeFile] = [await smallJpeg(1), { fileName: 'large.jpg', bytes: greenScreenJpeg }]
    const extraBytes = largeFile.bytes.length - smallFile.bytes.length
    expect(extraBytes).toBeGreaterThan(0)
    const id = await addUploadedImage(smallFile)
    await expectAcceptedWithin({ neededBytes: extraBytes }, () => replace(id, largeFile))
    for (const { name, payload } of jobs.splice(0)) if (name === 'remove-files') await removeFiles(deps, payload)
    // More is stored than allowed, for example after a changed setting.
    await leaveFreeBytes(-1)
    expect((await replace(id, smallFile)).status).toBe(200)
    await expectFreeBytes(extraBytes - 1)
  })

  it('each file of a bulk replacement counts separately', async () => {
    const { bulkReplace, addUploadedImage, leaveFreeBytes, expectFreeBytes, listOriginals, countRows } = await setUp()
    const [former, next] = [await smallJpeg(1), await smallJpeg(2)]
    const id = await addUploadedImage(former)
    await leaveFreeBytes(next.bytes.length - 1)
    const before = [await listOriginals(), await countRows()]
    expect(await bulkReplace(id, next)).toMatchObject({
      status: 200,
      data: [{ imageId: id, newImageId: null, problem: quotaMessage }],
    })
    expect([await listOriginals(), await countRows()]).toEqual(before)
    await leaveFreeBytes(next.bytes.length)
    expect(await bulkReplace(id, next)).toMatchObject({ status: 200, data: [{ problem: null }] })
    await expectFreeBytes(former.bytes.length)
  })

  it('a cut-out counts, and without space none is created and the log has the reason', async () => {
    const {
      addUploadedImage,
      leaveFreeBytes,
      expectFreeBytes,
      listOriginals,
      deps,
      db,
      studioId,
      request,
      organizationId,
      jobId,
    } = await setUp()
    const imageId = await addUploadedImage({ fileName: 'green.jpg', bytes: greenScreenJpeg })
    const image = () => db.selectFrom('image_lookups').selectAll().where('id', '=', imageId).executeTakeFirstOrThrow()
    const propose = () => proposeCutOut(deps, { studioId, imageId }, { keyGreen: cutOutSubject })
    const decide = async (decision: 'accept' | 'reject') => {
      const path = `organizations/${organizationId}/jobs/${jobId}/imagelookups/${imageId}/cut-out`
      const payload = { version: (await image()).version, decision }
      return (await request('POST', `/api/studioadmin/studios/${studioId}/${path}`, { payload })).status
    }
    const before = await Array.fromAsync(deps.files.list(''))
    await leaveFreeBytes(1)
    await propose()
    expect(await image()).toMatchObject({ cut_out_state: 'none', cut_out_key: null, version: 1 })
    expect(await Array.fromAsync(deps.files.list(''))).toEqual(before)
    const log = db.selectFrom('processing_log').select(['step', 'state', 'message', 'image_id'])
    expect(await log.where('step', '=', 'cut-out').execute()).toEqual([
      { step: 'cut-out', state: 'refused', message: quotaMessage, image_id: imageId },
    ])

    await leaveFreeBytes(1e6)
    await propose()
    const size = (await listOriginals()).find(({ key }) => key.includes('cut-out'))?.size ?? 0
    await expectFreeBytes(1e6 - size)
    expect(await decide('accept')).toBe(200)
    await expectFreeBytes(1e6 - size)
    expect(await decide('reject')).toBe(200)
    await expectFreeBytes(1e6)
  })

  it('the quota is small until the studio is verified', async () => {
    const { announce, db, leaveFreeBytes, sendList } = await setUp({ quotaBytes: unverifiedBytes })
    await leaveFreeBytes(10)
    const smallMessage =
      'Your studio has 20 GB for its images, of which 20 GB are taken. Delete images you no longer need, or have your studio verified for more room'
    expect(await announce(11)).toMatchObject({ status: 422, errors: [smallMessage] })
    expect(await sendList('Ada')).toMatchObject({ status: 422, errors: [smallMessage] })
    await db.updateTable('studios').set({ is_millers_verified: true }).execute()
    expect((await announce(11)).status).toBe(200)
    expect((await sendList('Ada')).status).toBe(200)
  })

  it('the last free space is given to only one of several concurrent requests', async () => {
    const { announce, sendList, sendBackground, leaveFreeBytes, expectFreeBytes, listOriginals } = await setUp()
    const neededBytes = list('Ada').bytes.length
    await leaveFreeBytes(2 * neededBytes)
    const lists = await Promise.all(Array.from({ length: 6 }, () => sendList('Ada')))
    expect(lists.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422, 422, 422])
    await expectFreeBytes(0)
    expect(await listOriginals()).toHaveLength(2)

    const file = await smallJpeg(1)
    const size = file.bytes.length
    await leaveFreeBytes(size)
    const answers = await Promise.all([announce(size, 'a.jpg'), sendBackground(file), announce(size, 'b.jpg')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  })
})
