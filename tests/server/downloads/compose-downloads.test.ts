import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Download } from '#contract/customer/download-calls.ts'
import type { Deps } from '#server/deps.ts'
import { composeDownloads } from '#server/downloads/compose-downloads.ts'
import { type Compose, composeHere } from '#server/images/engine/compose-image.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem } from '../../domain/cart/cart-fixtures.ts'
import { add, completeLineContent, createCartFixtures, newUuid, onePrint } from '../carts/cart-fixtures.ts'
import { addFeatures } from '../carts/order-service-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '../payments/checkout-driver.ts'

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const flat = (colour: string, width = 300, height = 200): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .toBuffer()

/** A subject on a transparent background. */
const cutOut = (colour: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="100"><circle cx="40" cy="50" r="20" fill="${colour}"/></svg>`,
    ),
  )
    .png()
    .toBuffer()

let nodes = 40_000

/** One image as a file, and all images. */
const files = () => {
  nodes += 10
  const single = packageItem({
    id: nodes,
    name: 'SDD',
    productCode: 'SingleDigDown',
    imageNodes: [imageNode({ id: nodes + 1 })],
    textNodes: [],
  })
  const all = packageItem({ id: nodes + 2, name: 'WDD', productCode: 'WholeDigDown', imageNodes: [], textNodes: [] })
  return { ...onePrint(25), items: [single, all] }
}

describe.each(enginesFor(import.meta.filename))('downloads of cut-outs on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const plain = testDeps(database(), time)
    const jobs: { name: string; payload: never; id: string | undefined }[] = []
    const enqueue: Deps['jobs']['enqueue'] = async (_tx, name, payload, options) =>
      void jobs.push({ name, payload: payload as never, id: options?.id })
    const deps: Deps = { ...plain, jobs: { enqueue } }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const shop = await createCartFixtures(deps)
    await addFeatures(deps, shop, ['greenscreens', 'digitalDownloads'])
    const keep = async (imageId: number, bytes: Buffer, own: { file_name: string; has_alpha?: boolean }) => {
      const key = `studios/${shop.studioId}/images/${imageId}/original`
      await deps.files.put(key, bytes)
      const facts = { original_key: key, byte_size: bytes.length, content_hash: digest(bytes), ...own }
      await deps.db.updateTable('image_lookups').set(facts).where('id', '=', imageId).execute()
    }
    const giveBackground = async (name: string, colour: string) => {
      const { id: imageId } = await deps.db
        .insertInto('image_lookups')
        .values({
          studio_id: shop.studioId,
          job_id: shop.jobId,
          kind: 'green-screen-background',
          file_name: `${name}.jpg`,
          original_key: name,
          ...readyImage,
          published_at: new Date('2020-01-01T00:00:00Z'),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await keep(imageId, await flat(colour), { file_name: `${name}.jpg` })
      const { id } = await deps.db
        .insertInto('green_screens')
        .values({ studio_id: shop.studioId, job_id: shop.jobId, image_id: imageId, name })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, imageId }
    }
    const sky = await giveBackground('Sky', '#0000ff')
    const field = await giveBackground('Field', '#00ff00')
    const pose = shop.adaImageId
    await keep(pose, await cutOut('#ff0000'), { file_name: 'IMG_1.png', has_alpha: true })
    const other = await shop.giveImage({ subjectId: shop.adaId })
    const plainBytes = await flat('#808080')
    await keep(other, plainBytes, { file_name: 'IMG_2.jpg' })
    const made = await shop.offer(files())

    /** Orders the files once for each background, or for none. */
    const order = async (backgrounds: readonly (number | null)[]) => {
      const till = checkoutDriver(app, shop, await shop.enter())
      const lines = backgrounds.map((greenScreenBackgroundId) =>
        add(made, shop.adaId, { ...completeLineContent(made, pose), greenScreenBackgroundId }),
      )
      const { results } = await till.sync(lines)
      expect(results.map(({ status }) => status)).toEqual(lines.map(() => 'done'))
      const checkoutId = newUuid()
      await till.keep(checkoutId)
      const { totalCents } = await till.totals()
      const { data } = await till.submit({ checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents })
      const { downloads = [] } = await till.order(data.orderNumber)
      const links = (kind: 'single' | 'all') => downloads.filter((one) => one.kind === kind).map(({ linkId }) => linkId)
      return {
        singles: links('single'),
        alls: links('all'),
        cancel: () => till.ask('POST', `orders/${data.orderNumber}/cancel`, { body: {} }),
      }
    }
    const look = async (linkId = ''): Promise<Download> =>
      (await app.inject(`/api/customer/downloads/${linkId}`)).json().data
    const fetchFile = (url = '', headers: Record<string, string> = {}) => app.inject({ url, headers })
    const asked = () => jobs.filter(({ name }) => name === 'compose-downloads')
    const compose = async (by: Compose = composeHere, signal = new AbortController().signal) => {
      for (const { payload } of asked()) await composeDownloads({ deps, compose: by, signal }, payload)
    }
    const colourOf = async (url: string, left: number, top: number) => {
      const { rawPayload } = await fetchFile(url)
      const part = sharp(rawPayload).extract({ left, top, width: 1, height: 1 })
      const [red = 0, green = 0, blue = 0] = await part.raw().toBuffer()
      return [red, green, blue].map((value) => (value > 127 ? 'f' : '0')).join('')
    }
    const kept = () => deps.db.selectFrom('compositions').selectAll().execute()
    return {
      deps,
      app,
      shop,
      keep,
      sky,
      field,
      pose,
      other,
      plainBytes,
      order,
      look,
      fetchFile,
      asked,
      compose,
      colourOf,
      kept,
      advance: time.advance,
    }
  }

  it('a download is composed with the chosen background, and waits until it is made', async () => {
    const { order, look, asked, compose, colourOf, pose, sky } = await begin()
    const { singles } = await order([sky.id])
    expect(asked()).toHaveLength(1)
    expect(await look(singles[0])).toMatchObject({ state: 'waiting', making: 1, files: [] })
    await compose()
    const found = await look(singles[0])
    expect(found).toMatchObject({
      state: 'ready',
      files: [
        {
          name: 'Ada-Lovelace-Riverside-1.jpg',
          width: 80,
          height: 100,
          url: `/api/customer/downloads/${singles[0]}/files/${pose}-${sky.imageId}`,
        },
      ],
    })
    expect(found.making).toBeUndefined()
    const [{ url } = { url: '' }] = found.files
    expect([await colourOf(url, 40, 50), await colourOf(url, 2, 2), await colourOf(url, 77, 97)]).toEqual([
      'f00',
      '00f',
      '00f',
    ])
  })

  it('a composition has the same bytes each time, whole and resumed', async () => {
    const { order, look, compose, fetchFile, sky } = await begin()
    const { singles } = await order([sky.id])
    await compose()
    const [{ url, bytes } = { url: '', bytes: 0 }] = (await look(singles[0])).files
    const whole = await fetchFile(url)
    expect(whole.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
    })
    await compose()
    const again = await fetchFile(url)
    expect([again.headers.etag, again.rawPayload.equals(whole.rawPayload)]).toEqual([whole.headers.etag, true])
    const rest = await fetchFile(url, { range: 'bytes=100-', 'if-range': String(whole.headers.etag) })
    expect([rest.statusCode, rest.rawPayload.equals(whole.rawPayload.subarray(100))]).toEqual([206, true])
  })

  it('a download of all images has each on every background of the order; images without a cut-out stay unchanged', async () => {
    const { order, look, compose, fetchFile, colourOf, plainBytes, sky, field } = await begin()
    const { alls, singles } = await order([sky.id, field.id])
    await compose()
    const found = await look(alls[0])
    expect(found.files.map(({ name }) => name)).toEqual([
      'Ada-Lovelace-Riverside-1-Sky.jpg',
      'Ada-Lovelace-Riverside-1-Field.jpg',
      'Ada-Lovelace-Riverside-2.jpg',
    ])
    const [onSky, onField, plain] = found.files.map(({ url }) => url)
    expect([await colourOf(onSky ?? '', 2, 2), await colourOf(onField ?? '', 2, 2)]).toEqual(['00f', '0f0'])
    expect((await fetchFile(plain)).rawPayload.equals(plainBytes)).toBe(true)
    const zip = await fetchFile(found.zipUrl)
    expect(zip.headers['content-length']).toBe(String(zip.rawPayload.length))
    const middle = await fetchFile(found.zipUrl, { range: 'bytes=200-', 'if-range': String(zip.headers.etag) })
    expect(middle.rawPayload.equals(zip.rawPayload.subarray(200))).toBe(true)
    // A single image is composed with the background of its own package.
    expect(await Promise.all(singles.map(async (link) => (await look(link)).files.map(({ name }) => name)))).toEqual([
      ['Ada-Lovelace-Riverside-1.jpg'],
      ['Ada-Lovelace-Riverside-1.jpg'],
    ])
    expect(await colourOf((await look(singles[1])).files[0]?.url ?? '', 2, 2)).toBe('0f0')
  })

  it('a download without a background is the cut-out, and nothing is composed', async () => {
    const { order, look, asked, fetchFile, colourOf, pose } = await begin()
    const { singles, alls } = await order([null])
    expect(asked()).toEqual([])
    const found = await look(singles[0])
    expect(found).toMatchObject({
      state: 'ready',
      files: [
        { name: expect.stringMatching(/^Ada-Lovelace-Riverside-1\./), url: expect.stringContaining(`/files/${pose}`) },
      ],
    })
    expect((await look(alls[0])).files.map(({ name }) => name.replace(/\.\w+$/, ''))).toEqual([
      'Ada-Lovelace-Riverside-1',
      'Ada-Lovelace-Riverside-2',
    ])
    expect((await fetchFile(found.files[0]?.url)).headers['content-type']).toBe('image/jpeg')
    expect(await colourOf(found.files[0]?.url ?? '', 40, 50)).toBe('f00')
  })

  it('an image published or replaced since is composed when the link is viewed, at most once a minute, and the rest stays available', async () => {
    const { deps, order, look, compose, asked, keep, kept, colourOf, pose, sky, advance, fetchFile } = await begin()
    const { alls } = await order([sky.id])
    await compose()
    const before = await kept()
    await keep(pose, await cutOut('#ffff00'), { file_name: 'IMG_1.png', has_alpha: true })
    for (let again = 0; again < 2; again += 1) {
      const found = await look(alls[0])
      expect(found).toMatchObject({ state: 'ready', making: 1, files: [{ name: 'Ada-Lovelace-Riverside-2.jpg' }] })
      expect(found.zipUrl).toBeUndefined()
    }
    expect((await fetchFile(`/api/customer/downloads/${alls[0]}/zip`)).statusCode).toBe(404)
    expect(new Set(asked().map(({ id }) => id)).size).toBe(2)
    advance(60_000)
    await look(alls[0])
    expect(new Set(asked().map(({ id }) => id)).size).toBe(3)
    await compose()
    const after = await kept()
    expect(after).toHaveLength(1)
    expect((await deps.files.read(before[0]?.file_key ?? '')).outcome).toBe('missing')
    const [{ url } = { url: '' }] = (await look(alls[0])).files
    expect(await colourOf(url, 40, 50)).toBe('ff0')
  })

  it('two concurrent runs compose once, and a failed run is retried', async () => {
    const { order, look, compose, kept, fetchFile, sky } = await begin()
    const { singles } = await order([sky.id])
    const fails: Compose = async () => {
      throw new Error('the server was killed')
    }
    await expect(compose(fails)).rejects.toThrow('killed')
    await expect(compose(composeHere, AbortSignal.abort())).rejects.toThrow()
    expect(await look(singles[0])).toMatchObject({ state: 'waiting', making: 1 })
    await Promise.all([compose(), compose()])
    const [row, ...more] = await kept()
    expect(more).toEqual([])
    const [{ url } = { url: '' }] = (await look(singles[0])).files
    expect(digest((await fetchFile(url)).rawPayload)).toBe(row?.content_hash)
  })

  it('a missing original is reported to staff once, delays no other file, and is composed once it is back', async () => {
    const { deps, order, look, compose, kept, keep, pose, sky, field } = await begin()
    const { alls } = await order([sky.id, field.id])
    const errors = () => deps.db.selectFrom('order_errors').select(['stage', 'message']).execute()
    const gone = [sky.imageId, pose].map((id) => ({
      stage: 'download',
      message: `The original of picture ${id} is not here any more, and so cannot be downloaded`,
    }))
    const original = async (id: number) =>
      (await deps.db.selectFrom('image_lookups').select('original_key').where('id', '=', id).executeTakeFirstOrThrow())
        .original_key
    await deps.files.remove(await original(sky.imageId))
    await compose()
    await compose()
    expect(await errors()).toEqual([gone[0]])
    expect((await look(alls[0])).files.map(({ name }) => name)).toEqual([
      'Ada-Lovelace-Riverside-1-Field.jpg',
      'Ada-Lovelace-Riverside-2.jpg',
    ])
    await deps.files.remove(await original(pose))
    await compose()
    expect(await errors()).toEqual(gone)
    await keep(pose, await cutOut('#ff0000'), { file_name: 'IMG_1.png', has_alpha: true })
    await keep(sky.imageId, await flat('#0000ff'), { file_name: 'Sky.jpg' })
    await compose()
    expect(await kept()).toHaveLength(2)
    expect((await look(alls[0])).making).toBeUndefined()
  })

  it('nothing is composed for a cancelled order or a hidden subject', async () => {
    const { deps, order, compose, kept, sky } = await begin()
    const { cancel } = await order([sky.id])
    await cancel()
    await compose()
    await order([sky.id])
    await deps.db.updateTable('subjects').set({ hidden_at: new Date() }).execute()
    await compose()
    expect(await kept()).toEqual([])
  })

  it('each file has a thumbnail for holders of the link, and viewing it is no download', async () => {
    const { deps, order, look, compose, fetchFile, shop, other, pose, sky } = await begin()
    const thumb = await flat('#808080', 32, 20)
    const key = `studios/${shop.studioId}/images/${other}/thumb-abcdef0123456789`
    await deps.files.put(`${key}.webp`, await sharp(thumb).webp().toBuffer())
    await deps.files.put(`${key}.jpg`, thumb)
    await deps.db
      .updateTable('image_lookups')
      .set({ thumb_width: 32, thumb_height: 20 })
      .where('id', '=', other)
      .execute()
    const { alls, cancel } = await order([sky.id])
    await compose()
    const base = `/api/customer/downloads/${alls[0]}/thumbs`
    const found = await look(alls[0])
    expect(found.files.map(({ thumbnail }) => thumbnail)).toEqual([
      { url: `${base}/${pose}-${sky.imageId}`, width: 80, height: 100 },
      { url: `${base}/${other}`, width: 32, height: 20 },
    ])
    for (const { thumbnail } of found.files) {
      for (const [accept, type] of [
        ['image/avif,image/webp,*/*;q=0.8', 'image/webp'],
        ['*/*', 'image/jpeg'],
      ] as const) {
        const answer = await fetchFile(thumbnail?.url, { accept })
        expect(answer.statusCode).toBe(200)
        expect(answer.headers).toMatchObject({
          'content-type': type,
          'content-length': String(answer.rawPayload.length),
          'cache-control': 'private, no-store',
          vary: expect.stringContaining('Accept'),
        })
        expect(await sharp(answer.rawPayload).metadata()).toMatchObject({
          width: thumbnail?.width,
          height: thumbnail?.height,
        })
      }
    }
    const statuses = async (...urls: string[]) =>
      await Promise.all(urls.map(async (url) => (await fetchFile(url)).statusCode))
    const elsewhere = `/api/customer/downloads/${'A'.repeat(22)}/thumbs/${other}`
    // The cut-out itself is not delivered, and so not shown.
    expect(await statuses(`${base}/${pose}`, elsewhere, `${base}/..%2f..`)).toEqual([404, 404, 404])
    const downloaded = await deps.db
      .selectFrom('downloads')
      .select('id')
      .where('downloaded_at', 'is not', null)
      .execute()
    expect(downloaded).toEqual([])
    await cancel()
    expect(await statuses(`${base}/${other}`)).toEqual([404])
  })
})
