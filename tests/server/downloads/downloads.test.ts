import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { downloadDays } from '#domain/catalogue/downloads.ts'
import { mailLog } from '#server/adapters/mail-record.ts'
import { enqueueDownloadEmails } from '#server/orders/emails/notify-downloads-ready.ts'
import { sendReceiptEmail, startOrderEmailWorkers } from '#server/orders/emails/order-emails.ts'
import type { Message } from '#server/ports/mail.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { unzip } from '#support/files/unzip.ts'
import { fakeJpeg } from '#support/images/fake-jpeg.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem } from '#tests/domain/cart/cart-fixtures.ts'
import { onePrint } from '../carts/cart-fixtures.ts'
import { readyToPay } from '../payments/checkout-driver.ts'

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The digest of each file of a ZIP by its name. */
const digestsOf = async (zip: Buffer): Promise<Record<string, string>> =>
  Object.fromEntries([...(await unzip(zip))].map(([name, bytes]) => [name, digest(bytes)]))

const packageWithFiles = () => {
  const offeredPackage = onePrint(25)
  return {
    ...offeredPackage,
    items: [
      ...offeredPackage.items,
      packageItem({
        id: 9001,
        name: 'SDD',
        productCode: 'SingleDigDown',
        imageNodes: [imageNode({ id: 9002 })],
        textNodes: [],
      }),
      packageItem({ id: 9003, name: 'WDD', productCode: 'WholeDigDown', imageNodes: [], textNodes: [] }),
    ],
  }
}

describe.each(enginesFor(import.meta.filename))('downloads on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app, packageWithFiles())
    const { fixtures, driver, submitBody } = checkout
    const bytes = [fakeJpeg(randomBytes(200_000)), fakeJpeg(randomBytes(70_000))]
    const names = ['IMG_1.jpg', 'img_1.jpg']
    const images = [fixtures.adaImageId, await fixtures.addImage({ subjectId: fixtures.adaId })]
    for (const [index, id] of images.entries()) {
      const key = `studios/${fixtures.studioId}/images/${id}/original`
      await deps.files.put(key, bytes[index] ?? Buffer.alloc(0))
      const set = {
        original_key: key,
        byte_size: bytes[index]?.length ?? 0,
        content_hash: digest(bytes[index] ?? Buffer.alloc(0)),
        file_name: names[index] ?? '',
      }
      await deps.db.updateTable('image_lookups').set(set).where('id', '=', id).execute()
    }
    const { data } = await driver.submit(submitBody())
    const order = await driver.order(data.orderNumber)
    const linkIdOf = (kind: 'single' | 'all') =>
      order.downloads?.find((download) => download.kind === kind)?.linkId ?? ''
    const readDownload = async (linkId: string) => {
      const answer = await app.inject(`/api/customer/downloads/${linkId}`)
      return { status: answer.statusCode, ...answer.json() }
    }
    const fetchFile = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
    const cancel = () => driver.request('POST', `orders/${data.orderNumber}/cancel`, { body: {} })
    return {
      deps,
      app,
      ...checkout,
      order,
      linkIdOf,
      readDownload,
      fetchFile,
      bytes,
      images,
      cancel,
      advance: time.advance,
    }
  }

  it('an order has one link for a single image and one for all images of the subject', async () => {
    const { order, linkIdOf, readDownload, bytes, images } = await setUp()
    expect(order.downloads).toMatchObject([
      { kind: 'single', subjectName: 'Ada Lovelace' },
      { kind: 'all', subjectName: 'Ada Lovelace' },
    ])
    const single = linkIdOf('single')
    expect(single).toMatch(/^[\w-]{22}$/)
    expect(await readDownload(single)).toMatchObject({
      status: 200,
      data: {
        state: 'ready',
        kind: 'single',
        studioSlug: 'riverside',
        jobName: 'Spring Portraits',
        files: [
          {
            name: 'Ada-Lovelace-Riverside-1.jpg',
            bytes: 200_000,
            url: `/api/customer/downloads/${single}/files/${images[0]}`,
          },
        ],
      },
    })
    const allDownload = await readDownload(linkIdOf('all'))
    expect(allDownload.data.files).toMatchObject([
      { name: 'Ada-Lovelace-Riverside-1.jpg' },
      { name: 'Ada-Lovelace-Riverside-2.jpg', bytes: bytes[1]?.length },
    ])
    expect(allDownload.data.zipUrl).toBe(`/api/customer/downloads/${linkIdOf('all')}/zip`)
  })

  it('the links expire on the day that the order names, in the studio’s time zone', async () => {
    const { linkIdOf, readDownload, deps } = await setUp()
    // Late in the evening in the studio's time zone, the next day has already begun in UTC.
    const expiresAt = new Date('2027-06-02T02:00:00Z')
    await deps.db.updateTable('downloads').set({ expires_at: expiresAt }).execute()
    const { data } = await readDownload(linkIdOf('single'))
    expect(data).toMatchObject({ goodUntil: '2027-06-01', expiresAt: expiresAt.toISOString() })
  })

  it('leads to the prints of its subject while the gallery sells them', async () => {
    const { linkIdOf, readDownload, deps, fixtures } = await setUp()
    const { data } = await readDownload(linkIdOf('single'))
    expect(data.printsOf).toEqual({ jobId: fixtures.jobId, subjectId: fixtures.adaId })
    await deps.db
      .updateTable('jobs')
      .set({ gallery_closes_at: new Date('2027-04-01T00:00:00Z') })
      .execute()
    expect((await readDownload(linkIdOf('all'))).data.printsOf).toBeUndefined()
  })

  it('a shortened link is not found', async () => {
    const { linkIdOf, readDownload } = await setUp()
    expect(await readDownload(linkIdOf('single').slice(0, 9))).toMatchObject({ status: 404, problem: 'not-found' })
  })

  it('the links are in the receipt, but not in the mail log', async () => {
    const { deps, fixtures, linkIdOf } = await setUp()
    const { id: orderId } = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    const messages: Message[] = []
    await sendReceiptEmail(
      { ...deps, mail: mailLog(deps, (mail) => messages.push(mail)) },
      { studioId: fixtures.studioId, orderId },
    )
    const linkStart = `All photos of Ada Lovelace: ${deps.address()}/riverside/download/`
    expect(messages[0]?.text).toContain(`${linkStart}${linkIdOf('all')}`)
    expect(messages[0]?.html).toContain(linkIdOf('single'))
    // A link gives access to the images, so the mail log must contain none.
    const { body_text, body_html } = await deps.db.selectFrom('mail_log').selectAll().executeTakeFirstOrThrow()
    expect(body_text).toContain(`${linkStart}…`)
    for (const kind of ['all', 'single'] as const) expect(body_text + body_html).not.toContain(linkIdOf(kind))
  })

  it('downloads ordered before their images exist are mailed once when the images exist, except for a cancelled order', async () => {
    const { deps, images, cancel } = await setUp()
    const enqueued: unknown[] = []
    const enqueue: typeof deps.jobs.enqueue = async (_tx, name, payload) => void enqueued.push([name, payload])
    const enqueueEmails = () => enqueueDownloadEmails({ ...deps, jobs: { enqueue } })
    const resetNotified = () => deps.db.updateTable('downloads').set({ told_at: null }).execute()
    await enqueueEmails()
    expect(enqueued).toEqual([])
    await resetNotified()
    await deps.db.updateTable('image_lookups').set({ published_at: null }).execute()
    await enqueueEmails()
    expect(enqueued).toEqual([])
    const set = (change: object) =>
      deps.db
        .updateTable('image_lookups')
        .set(change)
        .where('id', '=', images[0] ?? 0)
        .execute()
    // A replaced image is not delivered, so no email announces it.
    await set({ published_at: deps.clock(), superseded_at: deps.clock() })
    await enqueueEmails()
    expect(enqueued).toEqual([])
    await set({ superseded_at: null })
    await enqueueEmails()
    await enqueueEmails()
    expect(enqueued).toEqual([['send-download-email', expect.objectContaining({ madeAt: deps.clock().toISOString() })]])
    const handlers = new Map<string, (job: { payload: never }) => Promise<void>>()
    const work = async (name: string, _concurrency: number, handler: (job: { payload: never }) => Promise<void>) =>
      void handlers.set(name, handler)
    await startOrderEmailWorkers({ work } as never, deps)
    const payload = (enqueued[0] as [string, never])[1]
    await handlers.get('send-download-email')?.({ payload })
    const mails = () => deps.db.selectFrom('mail_log').select('kind').execute()
    expect(await mails()).toEqual([{ kind: 'downloads' }])
    await cancel()
    await handlers.get('send-download-email')?.({ payload: { ...(payload as object), madeAt: 'later' } as never })
    expect(await mails()).toEqual([{ kind: 'downloads' }])
  })

  it('an image is delivered unchanged, also if the download is resumed', async () => {
    const { linkIdOf, readDownload, fetchFile, bytes } = await setUp()
    const { url } = (await readDownload(linkIdOf('single'))).data.files[0]
    const fullAnswer = await fetchFile(url)
    expect(fullAnswer.statusCode).toBe(200)
    expect(fullAnswer.headers).toMatchObject({
      'content-length': '200000',
      'accept-ranges': 'bytes',
      'content-disposition': `attachment; filename="Ada-Lovelace-Riverside-1.jpg"; filename*=UTF-8''Ada-Lovelace-Riverside-1.jpg`,
      'cache-control': 'private, no-store',
    })
    expect(fullAnswer.rawPayload.equals(bytes[0] as Buffer)).toBe(true)
    const tag = String(fullAnswer.headers.etag)
    const remainder = await fetchFile(url, { range: 'bytes=120000-', 'if-range': tag })
    expect(remainder.statusCode).toBe(206)
    expect(remainder.headers['content-range']).toBe('bytes 120000-199999/200000')
    expect(remainder.rawPayload.equals((bytes[0] as Buffer).subarray(120_000))).toBe(true)
    expect((await fetchFile(url, { range: 'bytes=-5' })).rawPayload.equals((bytes[0] as Buffer).subarray(-5))).toBe(
      true,
    )
    expect((await fetchFile(url, { range: 'bytes=120000-', 'if-range': '"another"' })).statusCode).toBe(200)
    const outOfRange = await fetchFile(url, { range: 'bytes=200000-' })
    expect([outOfRange.statusCode, outOfRange.headers['content-range']]).toEqual([416, 'bytes */200000'])
  })

  it('all images are delivered as a ZIP of known size that unzips, with the same bytes each time, from any offset', async () => {
    const { linkIdOf, readDownload, fetchFile, bytes } = await setUp()
    const { zipUrl } = (await readDownload(linkIdOf('all'))).data
    const fullAnswer = await fetchFile(zipUrl)
    expect(fullAnswer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(fullAnswer.rawPayload.length),
    })
    expect(String(fullAnswer.headers['content-disposition'])).toContain(
      `filename*=UTF-8''Ada%20Lovelace%20%E2%80%93%20Spring%20Portraits.zip`,
    )
    expect(await digestsOf(fullAnswer.rawPayload)).toEqual({
      'Ada-Lovelace-Riverside-1.jpg': digest(bytes[0] as Buffer),
      'Ada-Lovelace-Riverside-2.jpg': digest(bytes[1] as Buffer),
    })
    const size = fullAnswer.rawPayload.length
    for (const start of [0, 1, 63_000, Math.floor(size * 0.6), size - 40, size - 1]) {
      const remainder = await fetchFile(zipUrl, {
        range: `bytes=${start}-`,
        'if-range': String(fullAnswer.headers.etag),
      })
      expect([start, remainder.statusCode, remainder.rawPayload.equals(fullAnswer.rawPayload.subarray(start))]).toEqual(
        [start, 206, true],
      )
    }
    const partOfZip = await fetchFile(zipUrl, { range: 'bytes=100-199999' })
    expect(partOfZip.rawPayload.equals(fullAnswer.rawPayload.subarray(100, 200_000))).toBe(true)
  })

  it('images older than a ZIP can represent are packed as well', async () => {
    const { deps, linkIdOf, readDownload, fetchFile } = await setUp()
    await deps.db
      .updateTable('image_lookups')
      .set({ taken_at: new Date('1904-01-01') })
      .execute()
    const { zipUrl } = (await readDownload(linkIdOf('all'))).data
    expect(Object.keys(await digestsOf((await fetchFile(zipUrl)).rawPayload))).toHaveLength(2)
  })

  it('a download whose file is missing is interrupted, and the server keeps running', async () => {
    const { deps, app, fixtures, linkIdOf, readDownload, images } = await setUp()
    await deps.files.remove(`studios/${fixtures.studioId}/images/${images[1]}/original`)
    const { zipUrl } = (await readDownload(linkIdOf('all'))).data
    await app.listen({ port: 0, host: '127.0.0.1' })
    const [{ port } = { port: 0 }] = app.addresses() as { port: number }[]
    const read = async () => (await fetch(`http://127.0.0.1:${port}${zipUrl}`)).arrayBuffer()
    await expect(read()).rejects.toThrow()
    await deps.files.remove(`studios/${fixtures.studioId}/images/${images[0]}/original`)
    await expect(read()).rejects.toThrow()
    // A HEAD request opens no file.
    expect((await fetch(`http://127.0.0.1:${port}${zipUrl}`, { method: 'HEAD' })).status).toBe(200)
    expect((await readDownload(linkIdOf('all'))).status).toBe(200)
    await app.close()
  })

  it('downloads of a subject without images wait for them, and the ninety days begin when there are images', async () => {
    const { deps, linkIdOf, readDownload, advance, images } = await setUp()
    const link = linkIdOf('all')
    await deps.db.updateTable('image_lookups').set({ published_at: null }).execute()
    advance((downloadDays + 30) * 24 * 60 * 60_000)
    expect((await readDownload(link)).data).toMatchObject({ state: 'waiting', files: [] })
    await deps.db
      .updateTable('image_lookups')
      .set({ published_at: deps.clock() })
      .where('id', '=', images[0] ?? 0)
      .execute()
    expect((await readDownload(link)).data).toMatchObject({
      state: 'ready',
      files: [{ name: 'Ada-Lovelace-Riverside-1.jpg' }],
    })
    advance((downloadDays * 24 * 60 + 1) * 60_000)
    expect((await readDownload(link)).data).toMatchObject({ state: 'expired' })
  })

  it('downloads expire, and are renewed only with the order’s number and email address', async () => {
    const { app, order, linkIdOf, readDownload, fetchFile, images, advance } = await setUp()
    const linkId = linkIdOf('single')
    advance((downloadDays * 24 * 60 + 1) * 60_000)
    expect(await readDownload(linkId)).toMatchObject({ status: 200, data: { state: 'expired', files: [] } })
    expect((await fetchFile(`/api/customer/downloads/${linkId}/files/${images[0]}`)).statusCode).toBe(404)
    const renew = (orderNumber: string, email: string) =>
      app.inject({ method: 'POST', url: `/api/customer/downloads/${linkId}/renew`, payload: { orderNumber, email } })
    for (const [number, email] of [
      ['FP-00000000', 'grace@example.com'],
      [order.orderNumber, 'else@example.com'],
    ] as const) {
      const refused = await renew(number, email)
      expect([refused.statusCode, refused.json()]).toEqual([
        404,
        { errors: ['Could not find this order'], problem: 'not-found' },
      ])
    }
    const renewed = await renew(order.orderNumber.toLowerCase(), ' GRACE@example.com')
    expect(renewed.json().data).toMatchObject({ state: 'ready', files: [{ name: 'Ada-Lovelace-Riverside-1.jpg' }] })
    expect((await fetchFile(`/api/customer/downloads/${linkId}/files/${images[0]}`)).statusCode).toBe(200)
  })

  it('downloads are closed at once if the subject is hidden or the order is cancelled', async () => {
    const { deps, app, fixtures, linkIdOf, readDownload, fetchFile, images, cancel, order, driver } = await setUp()
    const [linkId, file] = [linkIdOf('single'), `/api/customer/downloads/${linkIdOf('single')}/files/${images[0]}`]
    const hide = (at: Date | null) =>
      deps.db.updateTable('subjects').set({ hidden_at: at }).where('id', '=', fixtures.adaId).execute()
    await hide(new Date())
    expect((await readDownload(linkId)).status).toBe(404)
    expect((await fetchFile(file)).statusCode).toBe(404)
    expect((await driver.order(order.orderNumber)).downloads).toEqual([])
    await hide(null)
    const head = await app.inject({ method: 'HEAD', url: file })
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '200000', ''])
    expect((await fetchFile(file, { range: 'bytes=200000-' })).statusCode).toBe(416)
    expect(await cancel()).toMatchObject({ status: 200, data: { downloads: [] } })
    expect((await readDownload(linkId)).status).toBe(404)
    expect((await fetchFile(file)).statusCode).toBe(404)
    expect((await fetchFile(`/api/customer/downloads/${linkIdOf('all')}/zip`)).statusCode).toBe(404)
  })

  it('the download of a single image is closed while the image is withdrawn or moved to another subject, but not if it is replaced', async () => {
    const { deps, fixtures, linkIdOf, readDownload, fetchFile, images, order, driver } = await setUp()
    const [linkId, imageId] = [linkIdOf('single'), images[0] ?? 0]
    const urls = ['files', 'thumbs'].map((part) => `/api/customer/downloads/${linkId}/${part}/${imageId}`)
    const [file = '', thumbnail = ''] = urls
    const set = (change: object) => deps.db.updateTable('image_lookups').set(change).where('id', '=', imageId).execute()
    const bobId = await fixtures.addSubject('Bob')
    for (const [closed, opened] of [
      [
        { published_at: null, withdrawn_at: deps.clock() },
        { published_at: deps.clock(), withdrawn_at: null },
      ],
      [{ subject_id: bobId }, { subject_id: fixtures.adaId }],
    ]) {
      await set(closed ?? {})
      expect((await readDownload(linkId)).status).toBe(404)
      for (const url of [file, thumbnail]) expect((await fetchFile(url)).statusCode).toBe(404)
      expect((await driver.order(order.orderNumber)).downloads).toMatchObject([{ kind: 'all' }])
      await set(opened ?? {})
      expect((await fetchFile(file)).statusCode).toBe(200)
    }
    await set({ published_at: null, superseded_at: deps.clock() })
    expect((await fetchFile(file)).statusCode).toBe(200)
    expect((await driver.order(order.orderNumber)).downloads).toMatchObject([{ kind: 'single' }, { kind: 'all' }])
  })

  it('an order whose files were downloaded cannot be cancelled', async () => {
    const { linkIdOf, fetchFile, images, cancel, deps, driver, order } = await setUp()
    const url = `/api/customer/downloads/${linkIdOf('single')}/files/${images[0]}`
    expect(await driver.order(order.orderNumber)).toMatchObject({ mayCancel: true })
    expect((await fetchFile(url, { range: 'bytes=1-' })).statusCode).toBe(206)
    expect(await driver.order(order.orderNumber)).toMatchObject({ mayCancel: false })
    expect((await cancel()).status).toBe(422)
    await fetchFile(url)
    expect(await deps.db.selectFrom('downloads').select(['kind', 'times_downloaded']).orderBy('id').execute()).toEqual([
      { kind: 'single', times_downloaded: 1 },
      { kind: 'all', times_downloaded: 0 },
    ])
    expect(await cancel()).toMatchObject({
      status: 422,
      errors: ['Photos of this were already downloaded. Ask the studio if you need to change something'],
    })
  })

  it('neither a download link nor an unknown link gives access to other images', async () => {
    const { fixtures, linkIdOf, readDownload, fetchFile } = await setUp()
    const bobId = await fixtures.addSubject('Bob')
    const otherImageId = await fixtures.addImage({ subjectId: bobId })
    expect((await fetchFile(`/api/customer/downloads/${linkIdOf('single')}/files/${otherImageId}`)).statusCode).toBe(
      404,
    )
    expect((await readDownload('A'.repeat(22))).status).toBe(404)
    for (const link of ['%00', 'x', '..%2f..']) {
      expect((await fetchFile(`/api/customer/downloads/${link}/zip`)).statusCode).toBe(404)
    }
    expect((await fetchFile(`/api/customer/downloads/${'A'.repeat(22)}/zip`)).statusCode).toBe(404)
  })
})
