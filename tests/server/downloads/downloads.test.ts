import { createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { downloadDays } from '#domain/catalogue/downloads.ts'
import { mailLog } from '#server/adapters/mail-log.ts'
import { enqueueDownloadNotices } from '#server/orders/emails/notify-downloads-ready.ts'
import { sendReceiptEmail, workOnOrderEmails } from '#server/orders/emails/order-emails.ts'
import type { Message } from '#server/ports/mail.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { fakeJpeg } from '#support/images/fake-jpeg.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem } from '../../domain/cart/cart-fixtures.ts'
import { onePrint } from '../carts/cart-fixtures.ts'
import { readyToPay } from '../payments/checkout-driver.ts'

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The entries of a ZIP: a digest by name. */
const unzip = async (bytes: Buffer): Promise<Record<string, string>> => {
  const zip = (await promisify(fromBuffer as never)(bytes, { lazyEntries: true })) as unknown as ZipFile // two callbacks too many for TypeScript
  const found: Record<string, string> = {}
  return await new Promise((resolve, reject) => {
    zip.on('error', reject).on('end', () => resolve(found))
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error)
        stream.toArray().then((chunks) => {
          found[entry.fileName] = digest(Buffer.concat(chunks))
          zip.readEntry()
        }, reject)
      })
    })
    zip.readEntry()
  })
}

const digital = () => {
  const made = onePrint(25)
  return {
    ...made,
    items: [
      ...made.items,
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

  const begin = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app, digital())
    const { shop, till, paying } = ready
    const bytes = [fakeJpeg(randomBytes(200_000)), fakeJpeg(randomBytes(70_000))]
    const names = ['IMG_1.jpg', 'img_1.jpg']
    const images = [shop.adaImageId, await shop.giveImage({ subjectId: shop.adaId })]
    for (const [at, id] of images.entries()) {
      const key = `studios/${shop.studioId}/images/${id}/original`
      await deps.files.put(key, bytes[at] ?? Buffer.alloc(0))
      const set = {
        original_key: key,
        byte_size: bytes[at]?.length ?? 0,
        content_hash: digest(bytes[at] ?? Buffer.alloc(0)),
        file_name: names[at] ?? '',
      }
      await deps.db.updateTable('image_lookups').set(set).where('id', '=', id).execute()
    }
    const { data } = await till.submit(paying())
    const order = await till.order(data.orderNumber)
    const linkOf = (kind: 'single' | 'all') => order.downloads?.find((one) => one.kind === kind)?.linkId ?? ''
    const look = async (linkId: string) => {
      const answer = await app.inject(`/api/customer/downloads/${linkId}`)
      return { status: answer.statusCode, ...answer.json() }
    }
    const fetchFile = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
    const cancel = () => till.ask('POST', `orders/${data.orderNumber}/cancel`, { body: {} })
    return { deps, app, ...ready, order, linkOf, look, fetchFile, bytes, images, cancel, advance: time.advance }
  }

  it('an order has one link for a single image and one for all images of the subject', async () => {
    const { order, linkOf, look, bytes, images } = await begin()
    expect(order.downloads).toMatchObject([
      { kind: 'single', personName: 'Ada Lovelace' },
      { kind: 'all', personName: 'Ada Lovelace' },
    ])
    const single = linkOf('single')
    expect(single).toMatch(/^[\w-]{22}$/)
    expect(await look(single)).toMatchObject({
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
    const all = await look(linkOf('all'))
    expect(all.data.files).toMatchObject([
      { name: 'Ada-Lovelace-Riverside-1.jpg' },
      { name: 'Ada-Lovelace-Riverside-2.jpg', bytes: bytes[1]?.length },
    ])
    expect(all.data.zipUrl).toBe(`/api/customer/downloads/${linkOf('all')}/zip`)
  })

  it('the links expire on the day that the order names, in the studio’s time zone', async () => {
    const { linkOf, look, deps } = await begin()
    // Late in the evening at the studio is the next day already in UTC.
    const late = new Date('2027-06-02T02:00:00Z')
    await deps.db.updateTable('downloads').set({ expires_at: late }).execute()
    const { data } = await look(linkOf('single'))
    expect(data).toMatchObject({ goodUntil: '2027-06-01', expiresAt: late.toISOString() })
  })

  it('a shortened link is not found', async () => {
    const { linkOf, look } = await begin()
    expect(await look(linkOf('single').slice(0, 9))).toMatchObject({ status: 404, problem: 'not-found' })
  })

  it('the links are in the receipt', async () => {
    const { deps, shop, linkOf } = await begin()
    const { id: orderId } = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    const sent: Message[] = []
    await sendReceiptEmail(
      { ...deps, mail: mailLog(deps, (mail) => sent.push(mail)) },
      { studioId: shop.studioId, orderId },
    )
    const where = `All pictures of Ada Lovelace: ${deps.address()}/riverside/download/`
    expect(sent[0]?.text).toContain(`${where}${linkOf('all')}`)
    expect(sent[0]?.html).toContain(linkOf('single'))
    // A link gives access to the images, so the mail log must contain none.
    const { body_text, body_html } = await deps.db.selectFrom('mail_log').selectAll().executeTakeFirstOrThrow()
    expect(body_text).toContain(`${where}…`)
    for (const kind of ['all', 'single'] as const) expect(body_text + body_html).not.toContain(linkOf(kind))
  })

  it('downloads ordered before there were images are mailed once there are, once, and not for a cancelled order', async () => {
    const { deps, images, cancel } = await begin()
    const found: unknown[] = []
    const enqueue: typeof deps.jobs.enqueue = async (_tx, name, payload) => void found.push([name, payload])
    const look = () => enqueueDownloadNotices({ ...deps, jobs: { enqueue } })
    const untold = () => deps.db.updateTable('downloads').set({ told_at: null }).execute()
    await look()
    expect(found).toEqual([])
    await untold()
    await deps.db.updateTable('image_lookups').set({ published_at: null }).execute()
    await look()
    expect(found).toEqual([])
    const set = (change: object) =>
      deps.db
        .updateTable('image_lookups')
        .set(change)
        .where('id', '=', images[0] ?? 0)
        .execute()
    // A replaced image is not delivered, so no e-mail announces it.
    await set({ published_at: deps.clock(), superseded_at: deps.clock() })
    await look()
    expect(found).toEqual([])
    await set({ superseded_at: null })
    await look()
    await look()
    expect(found).toEqual([['send-downloads-email', expect.objectContaining({ madeAt: deps.clock().toISOString() })]])
    const told = new Map<string, (job: { payload: never }) => Promise<void>>()
    const work = async (name: string, _most: number, does: (job: { payload: never }) => Promise<void>) =>
      void told.set(name, does)
    await workOnOrderEmails({ work } as never, deps)
    const payload = (found[0] as [string, never])[1]
    await told.get('send-downloads-email')?.({ payload })
    const mails = () => deps.db.selectFrom('mail_log').select('kind').execute()
    expect(await mails()).toEqual([{ kind: 'downloads' }])
    await cancel()
    await told.get('send-downloads-email')?.({ payload: { ...(payload as object), madeAt: 'later' } as never })
    expect(await mails()).toEqual([{ kind: 'downloads' }])
  })

  it('an image is delivered byte for byte, whole and resumed', async () => {
    const { linkOf, look, fetchFile, bytes } = await begin()
    const { url } = (await look(linkOf('single'))).data.files[0]
    const whole = await fetchFile(url)
    expect(whole.statusCode).toBe(200)
    expect(whole.headers).toMatchObject({
      'content-length': '200000',
      'accept-ranges': 'bytes',
      'content-disposition': `attachment; filename="Ada-Lovelace-Riverside-1.jpg"; filename*=UTF-8''Ada-Lovelace-Riverside-1.jpg`,
      'cache-control': 'private, no-store',
    })
    expect(whole.rawPayload.equals(bytes[0] as Buffer)).toBe(true)
    const tag = String(whole.headers.etag)
    const rest = await fetchFile(url, { range: 'bytes=120000-', 'if-range': tag })
    expect(rest.statusCode).toBe(206)
    expect(rest.headers['content-range']).toBe('bytes 120000-199999/200000')
    expect(rest.rawPayload.equals((bytes[0] as Buffer).subarray(120_000))).toBe(true)
    expect((await fetchFile(url, { range: 'bytes=-5' })).rawPayload.equals((bytes[0] as Buffer).subarray(-5))).toBe(
      true,
    )
    expect((await fetchFile(url, { range: 'bytes=120000-', 'if-range': '"another"' })).statusCode).toBe(200)
    const beyond = await fetchFile(url, { range: 'bytes=200000-' })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, 'bytes */200000'])
  })

  it('all images are delivered as a ZIP of known size that unzips, with the same bytes each time, from any offset', async () => {
    const { linkOf, look, fetchFile, bytes } = await begin()
    const { zipUrl } = (await look(linkOf('all'))).data
    const whole = await fetchFile(zipUrl)
    expect(whole.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(whole.rawPayload.length),
    })
    expect(String(whole.headers['content-disposition'])).toContain(
      `filename*=UTF-8''Ada%20Lovelace%20%E2%80%93%20Spring%20Portraits.zip`,
    )
    expect(await unzip(whole.rawPayload)).toEqual({
      'Ada-Lovelace-Riverside-1.jpg': digest(bytes[0] as Buffer),
      'Ada-Lovelace-Riverside-2.jpg': digest(bytes[1] as Buffer),
    })
    const size = whole.rawPayload.length
    for (const start of [0, 1, 63_000, Math.floor(size * 0.6), size - 40, size - 1]) {
      const rest = await fetchFile(zipUrl, { range: `bytes=${start}-`, 'if-range': String(whole.headers.etag) })
      expect([start, rest.statusCode, rest.rawPayload.equals(whole.rawPayload.subarray(start))]).toEqual([
        start,
        206,
        true,
      ])
    }
    const middle = await fetchFile(zipUrl, { range: 'bytes=100-199999' })
    expect(middle.rawPayload.equals(whole.rawPayload.subarray(100, 200_000))).toBe(true)
  })

  it('images older than a ZIP can represent are packed as well', async () => {
    const { deps, linkOf, look, fetchFile } = await begin()
    await deps.db
      .updateTable('image_lookups')
      .set({ taken_at: new Date('1904-01-01') })
      .execute()
    const { zipUrl } = (await look(linkOf('all'))).data
    expect(Object.keys(await unzip((await fetchFile(zipUrl)).rawPayload))).toHaveLength(2)
  })

  it('a download whose file is missing breaks off, and nothing else does', async () => {
    const { deps, app, shop, linkOf, look, images } = await begin()
    await deps.files.remove(`studios/${shop.studioId}/images/${images[1]}/original`)
    const { zipUrl } = (await look(linkOf('all'))).data
    await app.listen({ port: 0, host: '127.0.0.1' })
    const [{ port } = { port: 0 }] = app.addresses() as { port: number }[]
    const read = async () => (await fetch(`http://127.0.0.1:${port}${zipUrl}`)).arrayBuffer()
    await expect(read()).rejects.toThrow()
    await deps.files.remove(`studios/${shop.studioId}/images/${images[0]}/original`)
    await expect(read()).rejects.toThrow()
    // A HEAD request opens no file.
    expect((await fetch(`http://127.0.0.1:${port}${zipUrl}`, { method: 'HEAD' })).status).toBe(200)
    expect((await look(linkOf('all'))).status).toBe(200)
    await app.close()
  })

  it('downloads of a subject without images wait for them, and their ninety days begin with the images', async () => {
    const { deps, linkOf, look, advance, images } = await begin()
    const link = linkOf('all')
    await deps.db.updateTable('image_lookups').set({ published_at: null }).execute()
    advance((downloadDays + 30) * 24 * 60 * 60_000)
    expect((await look(link)).data).toMatchObject({ state: 'waiting', files: [] })
    await deps.db
      .updateTable('image_lookups')
      .set({ published_at: deps.clock() })
      .where('id', '=', images[0] ?? 0)
      .execute()
    expect((await look(link)).data).toMatchObject({ state: 'ready', files: [{ name: 'Ada-Lovelace-Riverside-1.jpg' }] })
    advance((downloadDays * 24 * 60 + 1) * 60_000)
    expect((await look(link)).data).toMatchObject({ state: 'expired' })
  })

  it('downloads expire, and are renewed only by the order’s number and e-mail', async () => {
    const { app, order, linkOf, look, fetchFile, images, advance } = await begin()
    const linkId = linkOf('single')
    advance((downloadDays * 24 * 60 + 1) * 60_000)
    expect(await look(linkId)).toMatchObject({ status: 200, data: { state: 'expired', files: [] } })
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

  it('downloads are closed at once where the subject is hidden or the order cancelled', async () => {
    const { deps, app, shop, linkOf, look, fetchFile, images, cancel, order, till } = await begin()
    const [linkId, file] = [linkOf('single'), `/api/customer/downloads/${linkOf('single')}/files/${images[0]}`]
    const hide = (at: Date | null) =>
      deps.db.updateTable('subjects').set({ hidden_at: at }).where('id', '=', shop.adaId).execute()
    await hide(new Date())
    expect((await look(linkId)).status).toBe(404)
    expect((await fetchFile(file)).statusCode).toBe(404)
    expect((await till.order(order.orderNumber)).downloads).toEqual([])
    await hide(null)
    const head = await app.inject({ method: 'HEAD', url: file })
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '200000', ''])
    expect((await fetchFile(file, { range: 'bytes=200000-' })).statusCode).toBe(416)
    expect(await cancel()).toMatchObject({ status: 200, data: { downloads: [] } })
    expect((await look(linkId)).status).toBe(404)
    expect((await fetchFile(file)).statusCode).toBe(404)
    expect((await fetchFile(`/api/customer/downloads/${linkOf('all')}/zip`)).statusCode).toBe(404)
  })

  it('a single image’s download is closed while the image is withdrawn or moved to another subject, and not where it is replaced', async () => {
    const { deps, shop, linkOf, look, fetchFile, images, order, till } = await begin()
    const [linkId, imageId] = [linkOf('single'), images[0] ?? 0]
    const addresses = ['files', 'thumbs'].map((part) => `/api/customer/downloads/${linkId}/${part}/${imageId}`)
    const [file = '', thumbnail = ''] = addresses
    const set = (change: object) => deps.db.updateTable('image_lookups').set(change).where('id', '=', imageId).execute()
    const bobsId = await shop.giveSubject('Bob')
    for (const [closed, opened] of [
      [
        { published_at: null, withdrawn_at: deps.clock() },
        { published_at: deps.clock(), withdrawn_at: null },
      ],
      [{ subject_id: bobsId }, { subject_id: shop.adaId }],
    ]) {
      await set(closed ?? {})
      expect((await look(linkId)).status).toBe(404)
      for (const address of [file, thumbnail]) expect((await fetchFile(address)).statusCode).toBe(404)
      expect((await till.order(order.orderNumber)).downloads).toMatchObject([{ kind: 'all' }])
      await set(opened ?? {})
      expect((await fetchFile(file)).statusCode).toBe(200)
    }
    await set({ published_at: null, superseded_at: deps.clock() })
    expect((await fetchFile(file)).statusCode).toBe(200)
    expect((await till.order(order.orderNumber)).downloads).toMatchObject([{ kind: 'single' }, { kind: 'all' }])
  })

  it('an order whose bytes were sent cannot be cancelled', async () => {
    const { linkOf, fetchFile, images, cancel, deps, till, order } = await begin()
    const url = `/api/customer/downloads/${linkOf('single')}/files/${images[0]}`
    expect(await till.order(order.orderNumber)).toMatchObject({ mayCancel: true })
    expect((await fetchFile(url, { range: 'bytes=1-' })).statusCode).toBe(206)
    expect(await till.order(order.orderNumber)).toMatchObject({ mayCancel: false })
    expect((await cancel()).status).toBe(422)
    await fetchFile(url)
    expect(await deps.db.selectFrom('downloads').select(['kind', 'times_downloaded']).orderBy('id').execute()).toEqual([
      { kind: 'single', times_downloaded: 1 },
      { kind: 'all', times_downloaded: 0 },
    ])
    expect(await cancel()).toMatchObject({
      status: 422,
      errors: ['Pictures of this were downloaded already. Ask the studio if something has to be changed'],
    })
  })

  it('downloads give no access to other images, nor does an unknown link', async () => {
    const { shop, linkOf, look, fetchFile } = await begin()
    const bobs = await shop.giveSubject('Bob')
    const other = await shop.giveImage({ subjectId: bobs })
    expect((await fetchFile(`/api/customer/downloads/${linkOf('single')}/files/${other}`)).statusCode).toBe(404)
    expect((await look('A'.repeat(22))).status).toBe(404)
    for (const link of ['%00', 'x', '..%2f..']) {
      expect((await fetchFile(`/api/customer/downloads/${link}/zip`)).statusCode).toBe(404)
    }
    expect((await fetchFile(`/api/customer/downloads/${'A'.repeat(22)}/zip`)).statusCode).toBe(404)
  })
})
