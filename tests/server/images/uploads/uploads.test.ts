import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { maxUploadBytes } from '#domain/shared/upload-size.ts'
import { readWholeFile } from '#server/images/store/image-files.ts'
import { purgeUploads } from '#server/images/uploads/purge-uploads.ts'
import type { Files } from '#server/ports/files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp } from '#support/server/test-app.ts'
import { jpegAt } from '../../discovery/job-fixtures.ts'
import { createUploadFixtures, type TestFile, type UploadFixtures } from './upload-fixtures.ts'

/** A photograph that compresses badly, so that it has enough bytes to be interrupted. */
const noisy = async (fileName: string, side = 700): Promise<TestFile> => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 50 }
  const create = { width: side, height: side, channels: 3 as const, background: '#888', noise }
  return { fileName, bytes: await sharp({ create }).jpeg({ quality: 90 }).toBuffer() }
}
const small = async (fileName: string, minute = 1): Promise<TestFile> => ({ fileName, bytes: await jpegAt(minute) })
const stored = async ({ deps, images }: UploadFixtures): Promise<(Buffer | undefined)[]> =>
  Promise.all((await images()).map(({ original_key: key }) => readWholeFile(deps.files, key)))
const namesOf = async ({ images }: UploadFixtures) => (await images()).map(({ file_name }) => file_name)

const chunk = (kind: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, check])
}

/** A black square that unfolds from a few kilobytes. */
const flatPng = (side: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))))
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** Files that report how many bytes of those being stored have arrived. */
const watched = () => {
  let came = 0
  let tell = (): void => {}
  const wrap = (files: Files): Files => ({
    ...files,
    put: (key, body) => {
      came = 0
      async function* counted(stream: Readable) {
        for await (const chunk of stream) {
          yield chunk
          came += chunk.length
          tell()
        }
      }
      return files.put(key, body instanceof Uint8Array ? body : Readable.from(counted(body)))
    },
  })
  /** Resolves when this many have arrived. */
  const until = (bytes: number): Promise<void> =>
    new Promise((resolve) => {
      tell = () => came >= bytes && resolve()
    })
  return { wrap, until }
}

type Line = { port: number; path: string; token: string }

/** Sends the rest of a file over a connection that breaks once this many bytes of it have arrived. */
const sendUntilCut = async (
  { port, path, token }: Line,
  { rest, offset, cutAt, have }: { rest: Buffer; offset: number; cutAt: number; have: Promise<void> },
): Promise<void> => {
  const sending = request({
    port,
    path,
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': offset,
      'content-type': 'application/offset+octet-stream',
      'content-length': rest.length,
    },
  })
  const ended = new Promise<void>((resolve) => sending.on('close', () => resolve()))
  sending.on('error', () => {})
  sending.write(rest.subarray(0, cutAt))
  await have
  sending.destroy()
  await ended
}

describe.each(enginesFor(import.meta.filename))('uploads on $name', (engine) => {
  const database = freshDatabase(engine)
  const begin = () => createUploadFixtures(database())

  it('an upload interrupted twenty times arrives byte for byte', { timeout: 60_000 }, async () => {
    const { wrap, until } = watched()
    const desk = await createUploadFixtures(database(), wrap)
    const file = await noisy('IMG_0001.JPG')
    const [upload] = await desk.announce([file])
    if (!upload) throw new Error('nothing was announced')
    await desk.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = desk.app.server.address() as AddressInfo // it listens on a port
    const line = { port, path: desk.at(`upload-bytes/${upload.key}`), token: await desk.tokenOf() }
    const step = Math.floor(file.bytes.length / 22)
    let offset = 0
    for (let cuts = 1; cuts <= 20; cuts += 1) {
      const cutAt = step - cuts
      await sendUntilCut(line, { rest: file.bytes.subarray(offset), offset, cutAt, have: until(cutAt) })
      const seen = await desk.tus('HEAD', upload.key)
      expect(seen).toEqual({ status: 200, offset: offset + cutAt })
      offset = seen.offset
    }
    expect((await desk.tus('PATCH', upload.key, { bytes: file.bytes.subarray(offset), offset })).status).toBe(204)
    await desk.takeIn()
    const [bytes] = await stored(desk)
    expect(bytes?.equals(file.bytes)).toBe(true)
    // No part is left.
    expect(await Array.fromAsync(desk.deps.files.list('uploads/'))).toEqual([])
  })

  it('any server of the same files can resume an upload, also after a restart', async () => {
    const desk = await begin()
    const file = await noisy('IMG_0001.JPG', 200)
    const [upload] = await desk.announce([file])
    const key = upload?.key ?? ''
    await desk.tus('PATCH', key, { bytes: file.bytes.subarray(0, 1000), offset: 0 })
    const other = await testApp(desk.deps)
    expect(await desk.tus('HEAD', key, { app: other })).toEqual({ status: 200, offset: 1000 })
    // Bytes sent again from an earlier offset are not stored twice.
    expect(
      (await desk.tus('PATCH', key, { bytes: file.bytes.subarray(1000, 3000), offset: 1000, app: other })).status,
    ).toBe(204)
    expect((await desk.tus('PATCH', key, { bytes: file.bytes.subarray(1000), offset: 1000 })).status).toBe(409)
    expect((await desk.tus('PATCH', key, { bytes: file.bytes.subarray(3000), offset: 3000 })).status).toBe(204)
    await desk.takeIn()
    expect((await stored(desk))[0]?.equals(file.bytes)).toBe(true)
  })

  it('a file that is no image is refused with its name and the reason, and the others are accepted', {
    timeout: 60_000,
  }, async () => {
    const desk = await begin()
    const jpeg = await jpegAt(1)
    const noise = await noisy('whole.jpg', 300)
    const files: TestFile[] = [
      { fileName: 'first.jpg', bytes: jpeg },
      { fileName: 'broken.jpg', bytes: noise.bytes.subarray(0, noise.bytes.length / 2) },
      { fileName: 'bomb.png', bytes: flatPng(16_000) },
      { fileName: 'two-hundred.png', bytes: flatPng(14_143) },
      { fileName: 'drawing.svg', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>') },
      { fileName: 'dressed-up.jpg', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      { fileName: 'two-in-one.jpg', bytes: Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]) },
      { fileName: 'notes.txt', bytes: Buffer.from('first name,last name\n') },
      { fileName: 'empty.jpg', bytes: Buffer.alloc(0) },
      { fileName: 'last.jpg', bytes: await jpegAt(2) },
    ]
    const told = (await desk.upload(files)).map(({ fileName, state, refusal }) => [fileName, state, refusal])
    expect(told).toEqual([
      ['first.jpg', 'processed', null],
      [
        'broken.jpg',
        'refused',
        'This picture is damaged or incomplete. Export or copy it again and upload the new file.',
      ],
      ['bomb.png', 'refused', expect.stringContaining('256 megapixels')],
      ['two-hundred.png', 'refused', expect.stringContaining('201 megapixels')],
      ['drawing.svg', 'refused', 'This is a SVG file. Only JPEG, PNG and WebP pictures can be uploaded.'],
      ['dressed-up.jpg', 'refused', 'This is a SVG file. Only JPEG, PNG and WebP pictures can be uploaded.'],
      [
        'two-in-one.jpg',
        'refused',
        'This file contains data besides its image. Export the picture again and upload the new file.',
      ],
      ['notes.txt', 'refused', 'This file is not a picture. Only JPEG, PNG and WebP pictures can be uploaded.'],
      ['empty.jpg', 'refused', 'This file is empty. Copy it again and upload the new file.'],
      ['last.jpg', 'processed', null],
    ])
    expect(await namesOf(desk)).toEqual(['first.jpg', 'last.jpg'])
    expect((await desk.ask('GET', desk.at('upload-progress'))).data).toEqual({
      receiving: 0,
      received: 0,
      processed: 2,
      refused: 8,
      abandoned: 0,
      makingPictures: 2,
    })
    expect(await Array.fromAsync(desk.deps.files.list('uploads/'))).toEqual([])
    const [log] = await desk.deps.db
      .selectFrom('processing_log')
      .select(['file_name', 'message'])
      .where('state', '=', 'refused')
      .orderBy('id')
      .execute()
    expect(log).toEqual({ file_name: 'broken.jpg', message: expect.stringContaining('damaged') })
  })

  it('too large a file is refused before a byte is sent', async () => {
    const desk = await begin()
    const files = [{ fileName: 'huge.jpg', byteSize: maxUploadBytes + 1, fingerprint: 'a'.repeat(20) }]
    const { data } = await desk.ask('POST', desk.at('uploads'), { payload: { files } })
    expect(data).toMatchObject([
      { state: 'refused', refusal: 'This file has 101 MB. The most is 100 MB; export it smaller.' },
    ])
    expect((await desk.tus('PATCH', data[0].key, { bytes: Buffer.alloc(10), offset: 0 })).status).toBe(410)
  })

  it('the same file is one upload, selected again or under another name; a deleted image can be uploaded again', async () => {
    const desk = await begin()
    const file = await small('IMG_0001.JPG')
    const [first] = await desk.upload([file])
    const [again] = await desk.upload([file])
    const [renamed] = await desk.upload([{ ...file, fileName: 'Copy of IMG_0001.JPG' }])
    expect(again).toEqual(first)
    expect(renamed).toMatchObject({ state: 'processed', imageId: first?.imageId })
    expect(await namesOf(desk)).toEqual(['IMG_0001.JPG'])
    await desk.deps.db.deleteFrom('image_lookups').execute()
    expect(await desk.announce([file])).toMatchObject([{ id: first?.id, state: 'receiving', receivedBytes: 0 }])
    await desk.announce([file], { matchBy: 'shooting' })
    // The owner that was sent last counts.
    const said = desk.deps.db
      .selectFrom('uploads')
      .select('match_by')
      .where('id', '=', first?.id ?? 0)
    expect(await said.execute()).toEqual([{ match_by: 'shooting' }])
    await desk.upload([file])
    expect(await namesOf(desk)).toEqual(['IMG_0001.JPG'])
  })

  it('a file whose image was replaced since becomes an image again', async () => {
    const desk = await begin()
    const file = await small('IMG_0001.JPG')
    const [first] = await desk.upload([file])
    await desk.deps.db.updateTable('image_lookups').set({ superseded_at: new Date() }).execute()
    expect(await desk.announce([file])).toMatchObject([{ id: first?.id, state: 'receiving', imageId: null }])
    const [again] = await desk.upload([file])
    expect(again).toMatchObject({ state: 'processed', imageId: expect.any(Number) })
    expect(again?.imageId).not.toBe(first?.imageId)
    expect(await namesOf(desk)).toEqual(['IMG_0001.JPG', 'IMG_0001.JPG'])
  })

  it('the same file for a second subject becomes an image of theirs, and once more for the first it does not', async () => {
    const desk = await begin()
    const { deps, studioId, jobId, adaId } = desk
    const { id: bobId } = await deps.db
      .insertInto('subjects')
      .values({
        studio_id: studioId,
        job_id: jobId,
        first_name: 'Bob',
        last_name: 'Lovelace',
        first_key: 'bob',
        last_key: 'lovelace',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const file = await small('IMG_0001.JPG')
    const [forAda] = await desk.upload([file], { subjectId: adaId })
    const [forBob] = await desk.upload([file], { subjectId: bobId })
    const [forAdaOnceMore] = await desk.upload([{ ...file, fileName: 'Copy of IMG_0001.JPG' }], { subjectId: adaId })
    expect(forBob).toMatchObject({ state: 'processed', imageId: expect.any(Number) })
    expect(forAdaOnceMore?.imageId).toBe(forAda?.imageId)
    const owners = (await desk.images()).map(({ subject_id }) => subject_id)
    expect(owners).toEqual([adaId, bobId])
  })

  it('images are matched by code, by name or by order of shooting, or wait', async () => {
    const desk = await begin()
    const { deps, studioId, jobId, adaId } = desk
    const ofJob = { studio_id: studioId, job_id: jobId }
    await deps.db
      .insertInto('access_codes')
      .values({ ...ofJob, code: 'ADALVL', subject_id: adaId })
      .execute()
    const { id: groupId } = await deps.db
      .insertInto('groups')
      .values({ ...ofJob, name: 'Room 12' })
      .returning('id')
      .executeTakeFirstOrThrow()
    // Nine o'clock by the camera is nine o'clock at the studio.
    const { time_zone: zone } = await deps.db
      .selectFrom('studios')
      .select('time_zone')
      .where('id', '=', studioId)
      .executeTakeFirstOrThrow()
    const hours = zone === 'America/New_York' ? 13 : zone === 'UTC' ? 9 : 14
    const checkIn = {
      ...ofJob,
      check_in_key: deps.newId(),
      subject_id: adaId,
      checked_in_at: new Date(Date.UTC(2027, 3, 1, hours, 5)),
    }
    await deps.db.insertInto('check_ins').values(checkIn).execute()
    await desk.upload([await small('ADALVL_1.jpg', 1), await small('IMG_1.jpg', 2)], { matchBy: 'code' })
    await desk.upload([await small('ada lovelace.jpg', 3), await small('room-12.jpg', 4)], { matchBy: 'fileName' })
    await desk.upload([await small('IMG_6.jpg', 6), await small('IMG_0.jpg', 0)], { matchBy: 'shooting' })
    await desk.upload([await small('ADALVL_2.jpg', 9)])
    await desk.upload([await small('IMG_10.jpg', 10)], { subjectId: adaId })
    await desk.upload([await small('IMG_11.jpg', 11)], { groupId })
    const found = (await desk.images()).map((one) => [
      one.file_name,
      one.subject_id,
      one.group_id,
      one.matched_by,
      one.position,
    ])
    expect(found).toEqual([
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

  it('uploads are the studio’s own: another studio’s token does not open them', async () => {
    const desk = await begin()
    const file = await small('IMG_0001.JPG')
    const [upload] = await desk.announce([file])
    const key = upload?.key ?? ''
    const url = desk.at(`upload-bytes/${key}`)
    const tries = [
      await desk.tus('HEAD', key, { by: { studioId: desk.studioId + 1 } }),
      await desk.tus('PATCH', key, { bytes: file.bytes, offset: 0, by: { studioId: desk.studioId + 1 } }),
      await desk.tus('PATCH', key, { bytes: file.bytes, offset: 0, by: { permissions: [] } }),
      await desk.tus('HEAD', 'f'.repeat(32)),
    ]
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 403, 404])
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    expect((await desk.app.inject({ method: 'PATCH', url, headers, payload: file.bytes })).statusCode).toBe(401)
    const elsewhere = desk.at(`upload-bytes/${key}`, { jobId: desk.jobId + 1000 })
    const token = await desk.tokenOf()
    expect(
      (
        await desk.app.inject({
          method: 'HEAD',
          url: elsewhere,
          headers: { ...headers, authorization: `Bearer ${token}` },
        })
      ).statusCode,
    ).toBe(404)
    expect(
      (
        await desk.ask('POST', desk.at('uploads'), {
          payload: { files: [{ fileName: 'a.jpg', byteSize: 1, fingerprint: 'abcdefgh' }], subjectId: 999_999 },
        })
      ).status,
    ).toBe(404)
    expect(await desk.tus('HEAD', key)).toEqual({ status: 200, offset: 0 })
    expect(
      (await desk.app.inject({ method: 'HEAD', url, headers: { ...headers, authorization: `Bearer ${token}` } }))
        .headers['x-content-type-options'],
    ).toBe('nosniff')
  })

  it('an upload is discarded after a week without progress, and restarts when its file is selected again', async () => {
    const desk = await begin()
    const file = await noisy('IMG_0001.JPG', 100)
    const [upload] = await desk.announce([file])
    await desk.tus('PATCH', upload?.key ?? '', { bytes: file.bytes.subarray(0, 500), offset: 0 })
    await purgeUploads(desk.deps)
    expect(await desk.announce([file])).toMatchObject([{ state: 'receiving', receivedBytes: 500 }])
    desk.time.advance(8 * 24 * 60 * 60 * 1000)
    await purgeUploads(desk.deps)
    expect(await Array.fromAsync(desk.deps.files.list('uploads/'))).toEqual([])
    expect((await desk.tus('HEAD', upload?.key ?? '')).status).toBe(410)
    expect(await desk.announce([file])).toMatchObject([{ id: upload?.id, state: 'receiving', receivedBytes: 0 }])
  })

  it('uploads are listed in pages and discarded one by one', async () => {
    const desk = await begin()
    const files = await Promise.all(Array.from({ length: 5 }, (_, n) => small(`IMG_${n}.jpg`, n)))
    await desk.announce(files)
    const page = (await desk.ask('GET', `${desk.at('uploads')}?currentPage=2&pageSize=2&sort=name`)).data
    expect(page).toMatchObject({ totalRecords: 5, resultItems: [{ fileName: 'IMG_2.jpg' }, { fileName: 'IMG_3.jpg' }] })
    const [{ id }] = page.resultItems
    expect((await desk.ask('DELETE', desk.at(`uploads/${id}`))).status).toBe(200)
    expect((await desk.ask('DELETE', desk.at(`uploads/${id}`))).status).toBe(404)
    expect((await desk.ask('GET', `${desk.at('uploads')}?state=open&filter=IMG_`)).data.totalRecords).toBe(4)
    await desk.upload(files.slice(0, 1))
    const [done] = (await desk.ask('GET', `${desk.at('uploads')}?state=processed`)).data
    expect((await desk.ask('DELETE', desk.at(`uploads/${done.id}`))).errors).toEqual([
      'This file is a picture already. Delete the picture instead',
    ])
  })
})
