import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { maxUploadBytes } from '#domain/shared/file-size.ts'
import { readWholeFile } from '#server/images/store/image-files.ts'
import { purgeUploads } from '#server/images/uploads/purge-uploads.ts'
import type { Files } from '#server/ports/files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { testApp } from '#support/server/test-app.ts'
import { jpegAt } from '#tests/server/discovery/job-fixtures.ts'
import { createUploadFixtures, type TestFile, type UploadFixtures } from './upload-fixtures.ts'

/** An image of noise, which has enough bytes to be interrupted. */
const noisyJpeg = async (fileName: string, side = 700): Promise<TestFile> => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 50 }
  const create = { width: side, height: side, channels: 3 as const, background: '#888', noise }
  return { fileName, bytes: await sharp({ create }).jpeg({ quality: 90 }).toBuffer() }
}
const smallJpeg = async (fileName: string, minute = 1): Promise<TestFile> => ({ fileName, bytes: await jpegAt(minute) })
const readStored = async ({ deps, images }: UploadFixtures): Promise<(Buffer | undefined)[]> =>
  Promise.all((await images()).map(({ original_key: key }) => readWholeFile(deps.files, key)))
const listFileNames = async ({ images }: UploadFixtures) => (await images()).map(({ file_name }) => file_name)

const chunk = (kind: string, content: Buffer): Buffer => {
  const kindAndContent = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(kindAndContent))
  return Buffer.concat([size, kindAndContent, checksum])
}

/** A PNG of a black square: many pixels in a small file. */
const flatPng = (side: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))))
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** Files that count the received bytes of the file that is being stored. */
const watchFiles = () => {
  let receivedBytes = 0
  let notify = (): void => {}
  const wrap = (files: Files): Files => ({
    ...files,
    put: (key, body) => {
      receivedBytes = 0
      async function* counted(stream: Readable) {
        for await (const chunk of stream) {
          yield chunk
          receivedBytes += chunk.length
          notify()
        }
      }
      return files.put(key, body instanceof Uint8Array ? body : Readable.from(counted(body)))
    },
  })
  /** Resolves when this many bytes have been received. */
  const waitForBytes = (bytes: number): Promise<void> =>
    new Promise((resolve) => {
      notify = () => receivedBytes >= bytes && resolve()
    })
  return { wrap, waitForBytes }
}

type UploadConnection = { port: number; path: string; token: string }

/** Sends the remainder of a file and closes the connection when the first `cutAt` bytes have been received. */
const sendUntilCut = async (
  { port, path, token }: UploadConnection,
  { remainder, offset, cutAt, received }: { remainder: Buffer; offset: number; cutAt: number; received: Promise<void> },
): Promise<void> => {
  const clientRequest = request({
    port,
    path,
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': offset,
      'content-type': 'application/offset+octet-stream',
      'content-length': remainder.length,
    },
  })
  const ended = new Promise<void>((resolve) => clientRequest.on('close', () => resolve()))
  clientRequest.on('error', () => {})
  clientRequest.write(remainder.subarray(0, cutAt))
  await received
  clientRequest.destroy()
  await ended
}

describe.each(enginesFor(import.meta.filename))('uploads on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createUploadFixtures(database())

  it('an upload that is interrupted twenty times is stored unchanged', { timeout: 60_000 }, async () => {
    const { wrap, waitForBytes } = watchFiles()
    const fixtures = await createUploadFixtures(database(), wrap)
    const file = await noisyJpeg('IMG_0001.JPG')
    const [upload] = await fixtures.announce([file])
    if (!upload) throw new Error('nothing was announced')
    await fixtures.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = fixtures.app.server.address() as AddressInfo // it listens on a port
    const connection = { port, path: fixtures.jobUrl(`upload-bytes/${upload.key}`), token: await fixtures.tokenOf() }
    const bytesPerCut = Math.floor(file.bytes.length / 22)
    let offset = 0
    for (let cut = 1; cut <= 20; cut += 1) {
      const cutAt = bytesPerCut - cut
      await sendUntilCut(connection, {
        remainder: file.bytes.subarray(offset),
        offset,
        cutAt,
        received: waitForBytes(cutAt),
      })
      const head = await fixtures.tus('HEAD', upload.key)
      expect(head).toEqual({ status: 200, offset: offset + cutAt })
      offset = head.offset
    }
    expect((await fixtures.tus('PATCH', upload.key, { bytes: file.bytes.subarray(offset), offset })).status).toBe(204)
    await fixtures.processUploads()
    const [bytes] = await readStored(fixtures)
    expect(bytes?.equals(file.bytes)).toBe(true)
    // No partial file remains.
    expect(await Array.fromAsync(fixtures.deps.files.list('uploads/'))).toEqual([])
  })

  it('any server with the same files can resume an upload, also after a restart', async () => {
    const fixtures = await setUp()
    const file = await noisyJpeg('IMG_0001.JPG', 200)
    const [upload] = await fixtures.announce([file])
    const key = upload?.key ?? ''
    await fixtures.tus('PATCH', key, { bytes: file.bytes.subarray(0, 1000), offset: 0 })
    const secondServer = await testApp(fixtures.deps)
    expect(await fixtures.tus('HEAD', key, { app: secondServer })).toEqual({ status: 200, offset: 1000 })
    // Bytes sent again from an earlier offset are not stored twice.
    expect(
      (await fixtures.tus('PATCH', key, { bytes: file.bytes.subarray(1000, 3000), offset: 1000, app: secondServer }))
        .status,
    ).toBe(204)
    expect((await fixtures.tus('PATCH', key, { bytes: file.bytes.subarray(1000), offset: 1000 })).status).toBe(409)
    expect((await fixtures.tus('PATCH', key, { bytes: file.bytes.subarray(3000), offset: 3000 })).status).toBe(204)
    await fixtures.processUploads()
    expect((await readStored(fixtures))[0]?.equals(file.bytes)).toBe(true)
  })

  it('files that are not images are refused with the reason, and the others are accepted', {
    timeout: 60_000,
  }, async () => {
    const fixtures = await setUp()
    const jpeg = await jpegAt(1)
    const noise = await noisyJpeg('whole.jpg', 300)
    const files: TestFile[] = [
      { fileName: 'first.jpg', bytes: jpeg },
      { fileName: 'broken.jpg', bytes: noise.bytes.subarray(0, noise.bytes.length / 2) },
      { fileName: 'bomb.png', bytes: flatPng(16_000) },
      { fileName: 'two-hundred.png', bytes: flatPng(14_143) },
      { fileName: 'drawing.svg', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>') },
      { fileName: 'svg-as-jpeg.jpg', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      { fileName: 'image-with-script.jpg', bytes: Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]) },
      { fileName: 'notes.txt', bytes: Buffer.from('first name,last name\n') },
      { fileName: 'empty.jpg', bytes: Buffer.alloc(0) },
      { fileName: 'last.jpg', bytes: await jpegAt(2) },
    ]
    const results = (await fixtures.upload(files)).map(({ fileName, state, refusal }) => [fileName, state, refusal])
    expect(results).toEqual([
      ['first.jpg', 'processed', null],
      [
        'broken.jpg',
        'refused',
        'This image is damaged or incomplete. Export or copy it again and upload the new file.',
      ],
      ['bomb.png', 'refused', expect.stringContaining('256 megapixels')],
      ['two-hundred.png', 'refused', expect.stringContaining('201 megapixels')],
      ['drawing.svg', 'refused', 'This is an SVG file. Only JPEG, PNG and WebP images can be uploaded.'],
      ['svg-as-jpeg.jpg', 'refused', 'This is an SVG file. Only JPEG, PNG and WebP images can be uploaded.'],
      [
        'image-with-script.jpg',
        'refused',
        'This file contains data besides its image. Export the image again and upload the new file.',
      ],
      ['notes.txt', 'refused', 'This file is not an image. Only JPEG, PNG and WebP images can be uploaded.'],
      ['empty.jpg', 'refused', 'This file is empty. Copy it again and upload the new file.'],
      ['last.jpg', 'processed', null],
    ])
    expect(await listFileNames(fixtures)).toEqual(['first.jpg', 'last.jpg'])
    expect((await fixtures.request('GET', fixtures.jobUrl('upload-progress'))).data).toEqual({
      receiving: 0,
      received: 0,
      processed: 2,
      refused: 8,
      abandoned: 0,
      makingPictures: 2,
    })
    expect(await Array.fromAsync(fixtures.deps.files.list('uploads/'))).toEqual([])
    const [log] = await fixtures.deps.db
      .selectFrom('processing_log')
      .select(['file_name', 'message'])
      .where('state', '=', 'refused')
      .orderBy('id')
      .execute()
    expect(log).toEqual({ file_name: 'broken.jpg', message: expect.stringContaining('damaged') })
  })

  it('a file that is too large is refused before any byte is sent', async () => {
    const fixtures = await setUp()
    const files = [{ fileName: 'huge.jpg', byteSize: maxUploadBytes + 1, fingerprint: 'a'.repeat(20) }]
    const { data } = await fixtures.request('POST', fixtures.jobUrl('uploads'), { payload: { files } })
    expect(data).toMatchObject([
      { state: 'refused', refusal: 'This file is too large: 101 MB. The maximum is 100 MB. Export a smaller file.' },
    ])
    expect((await fixtures.tus('PATCH', data[0].key, { bytes: Buffer.alloc(10), offset: 0 })).status).toBe(410)
  })

  it('selecting the same file again or under another name adds no upload, and a deleted image can be uploaded again', async () => {
    const fixtures = await setUp()
    const file = await smallJpeg('IMG_0001.JPG')
    const [first] = await fixtures.upload([file])
    const [repeated] = await fixtures.upload([file])
    const [renamed] = await fixtures.upload([{ ...file, fileName: 'Copy of IMG_0001.JPG' }])
    expect(repeated).toEqual(first)
    expect(renamed).toMatchObject({ state: 'processed', imageId: first?.imageId })
    expect(await listFileNames(fixtures)).toEqual(['IMG_0001.JPG'])
    await fixtures.deps.db.deleteFrom('image_lookups').execute()
    expect(await fixtures.announce([file])).toMatchObject([{ id: first?.id, state: 'receiving', receivedBytes: 0 }])
    await fixtures.announce([file], { matchBy: 'shooting' })
    // The `matchBy` that was sent last applies.
    const storedMatch = fixtures.deps.db
      .selectFrom('uploads')
      .select('match_by')
      .where('id', '=', first?.id ?? 0)
    expect(await storedMatch.execute()).toEqual([{ match_by: 'shooting' }])
    await fixtures.upload([file])
    expect(await listFileNames(fixtures)).toEqual(['IMG_0001.JPG'])
  })

  it('a file whose image was replaced in the meantime becomes an image again', async () => {
    const fixtures = await setUp()
    const file = await smallJpeg('IMG_0001.JPG')
    const [first] = await fixtures.upload([file])
    await fixtures.deps.db.updateTable('image_lookups').set({ superseded_at: new Date() }).execute()
    expect(await fixtures.announce([file])).toMatchObject([{ id: first?.id, state: 'receiving', imageId: null }])
    const [repeated] = await fixtures.upload([file])
    expect(repeated).toMatchObject({ state: 'processed', imageId: expect.any(Number) })
    expect(repeated?.imageId).not.toBe(first?.imageId)
    expect(await listFileNames(fixtures)).toEqual(['IMG_0001.JPG', 'IMG_0001.JPG'])
  })

  it('the same file for another subject becomes another image, and again for the first subject it does not', async () => {
    const fixtures = await setUp()
    const { deps, studioId, jobId, adaId } = fixtures
    const bobId = await given(deps).subject({ studioId, jobId }, { name: 'Bob Lovelace' })
    const file = await smallJpeg('IMG_0001.JPG')
    const [forAda] = await fixtures.upload([file], { subjectId: adaId })
    const [forBob] = await fixtures.upload([file], { subjectId: bobId })
    const [forAdaOnceMore] = await fixtures.upload([{ ...file, fileName: 'Copy of IMG_0001.JPG' }], {
      subjectId: adaId,
    })
    expect(forBob).toMatchObject({ state: 'processed', imageId: expect.any(Number) })
    expect(forAdaOnceMore?.imageId).toBe(forAda?.imageId)
    const owners = (await fixtures.images()).map(({ subject_id }) => subject_id)
    expect(owners).toEqual([adaId, bobId])
  })

  it('images are matched by code, by file name, by time of check-in or by hand, or stay unmatched', async () => {
    const fixtures = await setUp()
    const { deps, studioId, jobId, adaId } = fixtures
    const jobKey = { studio_id: studioId, job_id: jobId }
    await given(deps).code({ studioId, jobId }, 'ADALVL', adaId)
    const groupId = await given(deps).group({ studioId, jobId }, 'Room 12')
    // The camera's clock shows the local time of the studio.
    const { time_zone: zone } = await deps.db
      .selectFrom('studios')
      .select('time_zone')
      .where('id', '=', studioId)
      .executeTakeFirstOrThrow()
    const hours = zone === 'America/New_York' ? 13 : zone === 'UTC' ? 9 : 14
    const checkIn = {
      ...jobKey,
      check_in_key: deps.newId(),
      subject_id: adaId,
      checked_in_at: new Date(Date.UTC(2027, 3, 1, hours, 5)),
    }
    await deps.db.insertInto('check_ins').values(checkIn).execute()
    await fixtures.upload([await smallJpeg('ADALVL_1.jpg', 1), await smallJpeg('IMG_1.jpg', 2)], { matchBy: 'code' })
    await fixtures.upload([await smallJpeg('ada lovelace.jpg', 3), await smallJpeg('room-12.jpg', 4)], {
      matchBy: 'fileName',
    })
    await fixtures.upload([await smallJpeg('IMG_6.jpg', 6), await smallJpeg('IMG_0.jpg', 0)], { matchBy: 'shooting' })
    await fixtures.upload([await smallJpeg('ADALVL_2.jpg', 9)])
    await fixtures.upload([await smallJpeg('IMG_10.jpg', 10)], { subjectId: adaId })
    await fixtures.upload([await smallJpeg('IMG_11.jpg', 11)], { groupId })
    const matches = (await fixtures.images()).map((image) => [
      image.file_name,
      image.subject_id,
      image.group_id,
      image.matched_by,
      image.position,
    ])
    expect(matches).toEqual([
      ['ADALVL_1.jpg', adaId, null, 'code', 1],
      ['IMG_1.jpg', null, null, null, 0],
      ['ada lovelace.jpg', adaId, null, 'fileName', 2],
      ['room-12.jpg', null, groupId, 'fileName', 1],
      ['IMG_6.jpg', adaId, null, 'shooting', 3],
      ['IMG_0.jpg', null, null, null, 0],
      ['ADALVL_2.jpg', null, null, null, 0],
      ['IMG_10.jpg', adaId, null, 'hand', 4],
      ['IMG_11.jpg', null, groupId, 'hand', 2],
    ])
  })

  it('uploads of a studio are not accessible with another studio’s token', async () => {
    const fixtures = await setUp()
    const file = await smallJpeg('IMG_0001.JPG')
    const [upload] = await fixtures.announce([file])
    const key = upload?.key ?? ''
    const url = fixtures.jobUrl(`upload-bytes/${key}`)
    const answers = [
      await fixtures.tus('HEAD', key, { caller: { studioId: fixtures.studioId + 1 } }),
      await fixtures.tus('PATCH', key, { bytes: file.bytes, offset: 0, caller: { studioId: fixtures.studioId + 1 } }),
      await fixtures.tus('PATCH', key, { bytes: file.bytes, offset: 0, caller: { permissions: [] } }),
      await fixtures.tus('HEAD', 'f'.repeat(32)),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403, 404])
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    expect((await fixtures.app.inject({ method: 'PATCH', url, headers, payload: file.bytes })).statusCode).toBe(401)
    const otherJobUrl = fixtures.jobUrl(`upload-bytes/${key}`, { jobId: fixtures.jobId + 1000 })
    const token = await fixtures.tokenOf()
    expect(
      (
        await fixtures.app.inject({
          method: 'HEAD',
          url: otherJobUrl,
          headers: { ...headers, authorization: `Bearer ${token}` },
        })
      ).statusCode,
    ).toBe(404)
    expect(
      (
        await fixtures.request('POST', fixtures.jobUrl('uploads'), {
          payload: { files: [{ fileName: 'a.jpg', byteSize: 1, fingerprint: 'abcdefgh' }], subjectId: 999_999 },
        })
      ).status,
    ).toBe(404)
    expect(await fixtures.tus('HEAD', key)).toEqual({ status: 200, offset: 0 })
    expect(
      (await fixtures.app.inject({ method: 'HEAD', url, headers: { ...headers, authorization: `Bearer ${token}` } }))
        .headers['x-content-type-options'],
    ).toBe('nosniff')
  })

  it('an upload is abandoned after a week without progress, and restarts when its file is selected again', async () => {
    const fixtures = await setUp()
    const file = await noisyJpeg('IMG_0001.JPG', 100)
    const [upload] = await fixtures.announce([file])
    await fixtures.tus('PATCH', upload?.key ?? '', { bytes: file.bytes.subarray(0, 500), offset: 0 })
    await purgeUploads(fixtures.deps)
    expect(await fixtures.announce([file])).toMatchObject([{ state: 'receiving', receivedBytes: 500 }])
    fixtures.time.advance(8 * 24 * 60 * 60 * 1000)
    await purgeUploads(fixtures.deps)
    expect(await Array.fromAsync(fixtures.deps.files.list('uploads/'))).toEqual([])
    expect((await fixtures.tus('HEAD', upload?.key ?? '')).status).toBe(410)
    expect(await fixtures.announce([file])).toMatchObject([{ id: upload?.id, state: 'receiving', receivedBytes: 0 }])
  })

  it('the states of uploads are read by their ids, and reading them changes nothing', async () => {
    const fixtures = await setUp()
    const files = await Promise.all(Array.from({ length: 3 }, (_, n) => smallJpeg(`IMG_${n}.jpg`, n)))
    const [done, waiting, discarded] = [
      ...(await fixtures.upload(files.slice(0, 1))),
      ...(await fixtures.announce(files.slice(1))),
    ]
    await fixtures.request('DELETE', fixtures.jobUrl(`uploads/${discarded?.id}`))
    const rows = () => fixtures.deps.db.selectFrom('uploads').selectAll().orderBy('id').execute()
    const before = await rows()
    // The image is replaced, so announcing its file would restart the upload.
    await fixtures.deps.db.updateTable('image_lookups').set({ superseded_at: fixtures.deps.clock() }).execute()
    const url = (ids: string) => `${fixtures.jobUrl('upload-states')}?ids=${ids}`
    const { data } = await fixtures.request('GET', url(`${waiting?.id},${done?.id},${discarded?.id}`))
    expect(data).toHaveLength(2)
    expect(data).toEqual(expect.arrayContaining([done, waiting]))
    expect(await rows()).toEqual(before)
    expect(
      (await fixtures.request('GET', url(String(done?.id)), { caller: { studioId: fixtures.studioId + 1 } })).status,
    ).toBe(404)
    for (const ids of ['', 'x', '1,,2', Array.from({ length: 201 }, () => '1').join(',')])
      expect((await fixtures.request('GET', url(ids))).status).toBe(400)
  })

  it('uploads are listed in pages and discarded one by one', async () => {
    const fixtures = await setUp()
    const files = await Promise.all(Array.from({ length: 5 }, (_, n) => smallJpeg(`IMG_${n}.jpg`, n)))
    await fixtures.announce(files)
    const page = (await fixtures.request('GET', `${fixtures.jobUrl('uploads')}?currentPage=2&pageSize=2&sort=name`))
      .data
    expect(page).toMatchObject({ totalRecords: 5, resultItems: [{ fileName: 'IMG_2.jpg' }, { fileName: 'IMG_3.jpg' }] })
    const [{ id }] = page.resultItems
    expect((await fixtures.request('DELETE', fixtures.jobUrl(`uploads/${id}`))).status).toBe(200)
    expect((await fixtures.request('DELETE', fixtures.jobUrl(`uploads/${id}`))).status).toBe(404)
    expect(
      (await fixtures.request('GET', `${fixtures.jobUrl('uploads')}?state=open&filter=IMG_`)).data.totalRecords,
    ).toBe(4)
    await fixtures.upload(files.slice(0, 1))
    const [done] = (await fixtures.request('GET', `${fixtures.jobUrl('uploads')}?state=processed`)).data
    expect((await fixtures.request('DELETE', fixtures.jobUrl(`uploads/${done.id}`))).errors).toEqual([
      'This file is an image already. Delete the image instead',
    ])
  })
})
