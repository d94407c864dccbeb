import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Download } from '#contract/customer/download-calls.ts'
import type { Deps } from '#server/deps.ts'
import { composeDownloads } from '#server/downloads/compose-downloads.ts'
import { type Compose, composeImage } from '#server/images/engine/compose-image.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem } from '#tests/domain/cart/cart-fixtures.ts'
import { addLine, completeLineContent, createCartFixtures, newUuid, onePrint } from '../carts/cart-fixtures.ts'
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

/** A package of one image as a file and all images as files. */
const files = () => {
  nodes += 10
  const single = packageItem({
    id: nodes,
    name: 'SDD',
    productCode: 'SingleDigDown',
    imageNodes: [imageNode({ id: nodes + 1 })],
    textNodes: [],
  })
  const allFiles = packageItem({
    id: nodes + 2,
    name: 'WDD',
    productCode: 'WholeDigDown',
    imageNodes: [],
    textNodes: [],
  })
  return { ...onePrint(25), items: [single, allFiles] }
}

describe.each(enginesFor(import.meta.filename))('downloads of cut-outs on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const defaultDeps = testDeps(database(), time)
    const jobs: { name: string; payload: never; id: string | undefined }[] = []
    const enqueue: Deps['jobs']['enqueue'] = async (_tx, name, payload, options) =>
      void jobs.push({ name, payload: payload as never, id: options?.id })
    const deps: Deps = { ...defaultDeps, jobs: { enqueue } }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const fixtures = await createCartFixtures(deps)
    await addFeatures(deps, fixtures, ['greenscreens', 'digitalDownloads'])
    const storeOriginal = async (
      imageId: number,
      bytes: Buffer,
      overrides: { file_name: string; has_alpha?: boolean },
    ) => {
      const key = `studios/${fixtures.studioId}/images/${imageId}/original`
      await deps.files.put(key, bytes)
      const columns = { original_key: key, byte_size: bytes.length, content_hash: digest(bytes), ...overrides }
      await deps.db.updateTable('image_lookups').set(columns).where('id', '=', imageId).execute()
    }
    const addBackground = async (name: string, colour: string) => {
      const { id: imageId } = await deps.db
        .insertInto('image_lookups')
        .values({
          studio_id: fixtures.studioId,
          job_id: fixtures.jobId,
          kind: 'green-screen-background',
          file_name: `${name}.jpg`,
          original_key: name,
          ...readyImage,
          published_at: new Date('2020-01-01T00:00:00Z'),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await storeOriginal(imageId, await flat(colour), { file_name: `${name}.jpg` })
      const { id } = await deps.db
        .insertInto('green_screens')
        .values({ studio_id: fixtures.studioId, job_id: fixtures.jobId, image_id: imageId, name })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, imageId }
    }
    const sky = await addBackground('Sky', '#0000ff')
    const field = await addBackground('Field', '#00ff00')
    const poseId = fixtures.adaImageId
    await storeOriginal(poseId, await cutOut('#ff0000'), { file_name: 'IMG_1.png', has_alpha: true })
    const otherImageId = await fixtures.addImage({ subjectId: fixtures.adaId })
    const plainBytes = await flat('#808080')
    await storeOriginal(otherImageId, plainBytes, { file_name: 'IMG_2.jpg' })
    const offeredPackage = await fixtures.offer(files())

    /** Orders the files once for each background, or for none. */
    const order = async (backgrounds: readonly (number | null)[]) => {
      const driver = checkoutDriver(app, fixtures, await fixtures.enter())
      const lines = backgrounds.map((greenScreenBackgroundId) =>
        addLine(offeredPackage, fixtures.adaId, {
          ...completeLineContent(offeredPackage, poseId),
          greenScreenBackgroundId,
        }),
      )
      const { results } = await driver.sync(lines)
      expect(results.map(({ status }) => status)).toEqual(lines.map(() => 'done'))
      const checkoutId = newUuid()
      await driver.saveDetails(checkoutId)
      const { totalCents } = await driver.totals()
      const { data } = await driver.submit({ checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents })
      const { downloads = [] } = await driver.order(data.orderNumber)
      const links = (kind: 'single' | 'all') =>
        downloads.filter((download) => download.kind === kind).map(({ linkId }) => linkId)
      return {
        singles: links('single'),
        alls: links('all'),
        cancel: () => driver.request('POST', `orders/${data.orderNumber}/cancel`, { body: {} }),
      }
    }
    const readDownload = async (linkId = ''): Promise<Download> =>
      (await app.inject(`/api/customer/downloads/${linkId}`)).json().data
    const fetchFile = (url = '', headers: Record<string, string> = {}) => app.inject({ url, headers })
    const composeJobs = () => jobs.filter(({ name }) => name === 'compose-downloads')
    const compose = async (composeFile: Compose = composeImage, signal = new AbortController().signal) => {
      for (const { payload } of composeJobs()) await composeDownloads({ deps, compose: composeFile, signal }, payload)
    }
    const readColour = async (url: string, left: number, top: number) => {
      const { rawPayload } = await fetchFile(url)
      const pixel = sharp(rawPayload).extract({ left, top, width: 1, height: 1 })
      const [red = 0, green = 0, blue = 0] = await pixel.raw().toBuffer()
      return [red, green, blue].map((value) => (value > 127 ? 'f' : '0')).join('')
    }
    const readCompositions = () => deps.db.selectFrom('compositions').selectAll().execute()
    return {
      deps,
      app,
      fixtures,
      storeOriginal,
      sky,
      field,
      poseId,
      otherImageId,
      plainBytes,
      order,
      readDownload,
      fetchFile,
      composeJobs,
      compose,
      readColour,
      readCompositions,
      advance: time.advance,
    }
  }

  it('a download is composed with the chosen background, and waits until it is composed', async () => {
    const { order, readDownload, composeJobs, compose, readColour, poseId, sky } = await setUp()
    const { singles } = await order([sky.id])
    expect(composeJobs()).toHaveLength(1)
    expect(await readDownload(singles[0])).toMatchObject({ state: 'waiting', missingCount: 1, files: [] })
    await compose()
    const download = await readDownload(singles[0])
    expect(download).toMatchObject({
      state: 'ready',
      files: [
        {
          name: 'Ada-Lovelace-Riverside-1.jpg',
          width: 80,
          height: 100,
          url: `/api/customer/downloads/${singles[0]}/files/${poseId}-${sky.imageId}`,
        },
      ],
    })
    expect(download.missingCount).toBeUndefined()
    const [{ url } = { url: '' }] = download.files
    expect([await readColour(url, 40, 50), await readColour(url, 2, 2), await readColour(url, 77, 97)]).toEqual([
      'f00',
      '00f',
      '00f',
    ])
  })

  it('a composition has the same bytes each time, also if its download is resumed', async () => {
    const { order, readDownload, compose, fetchFile, sky } = await setUp()
    const { singles } = await order([sky.id])
    await compose()
    const [{ url, bytes } = { url: '', bytes: 0 }] = (await readDownload(singles[0])).files
    const fullAnswer = await fetchFile(url)
    expect(fullAnswer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
    })
    await compose()
    const secondAnswer = await fetchFile(url)
    expect([secondAnswer.headers.etag, secondAnswer.rawPayload.equals(fullAnswer.rawPayload)]).toEqual([
      fullAnswer.headers.etag,
      true,
    ])
    const remainder = await fetchFile(url, { range: 'bytes=100-', 'if-range': String(fullAnswer.headers.etag) })
    expect([remainder.statusCode, remainder.rawPayload.equals(fullAnswer.rawPayload.subarray(100))]).toEqual([
      206,
      true,
    ])
  })

  it('a download of all images contains each cut-out on every background of the order, and other images unchanged', async () => {
    const { order, readDownload, compose, fetchFile, readColour, plainBytes, sky, field } = await setUp()
    const { alls, singles } = await order([sky.id, field.id])
    await compose()
    const download = await readDownload(alls[0])
    expect(download.files.map(({ name }) => name)).toEqual([
      'Ada-Lovelace-Riverside-1-Sky.jpg',
      'Ada-Lovelace-Riverside-1-Field.jpg',
      'Ada-Lovelace-Riverside-2.jpg',
    ])
    const [onSky, onField, unchanged] = download.files.map(({ url }) => url)
    expect([await readColour(onSky ?? '', 2, 2), await readColour(onField ?? '', 2, 2)]).toEqual(['00f', '0f0'])
    expect((await fetchFile(unchanged)).rawPayload.equals(plainBytes)).toBe(true)
    const zip = await fetchFile(download.zipUrl)
    expect(zip.headers['content-length']).toBe(String(zip.rawPayload.length))
    const resumedZip = await fetchFile(download.zipUrl, { range: 'bytes=200-', 'if-range': String(zip.headers.etag) })
    expect(resumedZip.rawPayload.equals(zip.rawPayload.subarray(200))).toBe(true)
    // A single image is composed with the background of its own package.
    expect(
      await Promise.all(singles.map(async (link) => (await readDownload(link)).files.map(({ name }) => name))),
    ).toEqual([['Ada-Lovelace-Riverside-1.jpg'], ['Ada-Lovelace-Riverside-1.jpg']])
    expect(await readColour((await readDownload(singles[1])).files[0]?.url ?? '', 2, 2)).toBe('0f0')
  })

  it('a download without a background is the cut-out, and nothing is composed', async () => {
    const { order, readDownload, composeJobs, fetchFile, readColour, poseId } = await setUp()
    const { singles, alls } = await order([null])
    expect(composeJobs()).toEqual([])
    const download = await readDownload(singles[0])
    expect(download).toMatchObject({
      state: 'ready',
      files: [
        {
          name: expect.stringMatching(/^Ada-Lovelace-Riverside-1\./),
          url: expect.stringContaining(`/files/${poseId}`),
        },
      ],
    })
    expect((await readDownload(alls[0])).files.map(({ name }) => name.replace(/\.\w+$/, ''))).toEqual([
      'Ada-Lovelace-Riverside-1',
      'Ada-Lovelace-Riverside-2',
    ])
    expect((await fetchFile(download.files[0]?.url)).headers['content-type']).toBe('image/jpeg')
    expect(await readColour(download.files[0]?.url ?? '', 40, 50)).toBe('f00')
  })

  it('an image replaced in the meantime is composed when the link is viewed, at most once a minute, and the rest stays available', async () => {
    const {
      deps,
      order,
      readDownload,
      compose,
      composeJobs,
      storeOriginal,
      readCompositions,
      readColour,
      poseId,
      sky,
      advance,
      fetchFile,
    } = await setUp()
    const { alls } = await order([sky.id])
    await compose()
    const before = await readCompositions()
    await storeOriginal(poseId, await cutOut('#ffff00'), { file_name: 'IMG_1.png', has_alpha: true })
    for (let view = 0; view < 2; view += 1) {
      const download = await readDownload(alls[0])
      expect(download).toMatchObject({
        state: 'ready',
        missingCount: 1,
        files: [{ name: 'Ada-Lovelace-Riverside-2.jpg' }],
      })
      expect(download.zipUrl).toBeUndefined()
    }
    expect((await fetchFile(`/api/customer/downloads/${alls[0]}/zip`)).statusCode).toBe(404)
    expect(new Set(composeJobs().map(({ id }) => id)).size).toBe(2)
    advance(60_000)
    await readDownload(alls[0])
    expect(new Set(composeJobs().map(({ id }) => id)).size).toBe(3)
    await compose()
    const after = await readCompositions()
    expect(after).toHaveLength(1)
    expect((await deps.files.read(before[0]?.file_key ?? '')).outcome).toBe('missing')
    const [{ url } = { url: '' }] = (await readDownload(alls[0])).files
    expect(await readColour(url, 40, 50)).toBe('ff0')
  })

  it('two concurrent runs compose a file once, and a failed run is retried', async () => {
    const { order, readDownload, compose, readCompositions, fetchFile, sky } = await setUp()
    const { singles } = await order([sky.id])
    const failingCompose: Compose = async () => {
      throw new Error('the server was killed')
    }
    await expect(compose(failingCompose)).rejects.toThrow('killed')
    await expect(compose(composeImage, AbortSignal.abort())).rejects.toThrow()
    expect(await readDownload(singles[0])).toMatchObject({ state: 'waiting', missingCount: 1 })
    await Promise.all([compose(), compose()])
    const [row, ...otherRows] = await readCompositions()
    expect(otherRows).toEqual([])
    const [{ url } = { url: '' }] = (await readDownload(singles[0])).files
    expect(digest((await fetchFile(url)).rawPayload)).toBe(row?.content_hash)
  })

  it('a missing original is reported to staff once, delays no other file, and is composed when it exists again', async () => {
    const { deps, order, readDownload, compose, readCompositions, storeOriginal, poseId, sky, field } = await setUp()
    const { alls } = await order([sky.id, field.id])
    const errors = () => deps.db.selectFrom('order_errors').select(['stage', 'message']).execute()
    const missingErrors = [sky.imageId, poseId].map((id) => ({
      stage: 'download',
      message: `The original of image ${id} is missing and can’t be downloaded`,
    }))
    const readOriginalKey = async (id: number) =>
      (await deps.db.selectFrom('image_lookups').select('original_key').where('id', '=', id).executeTakeFirstOrThrow())
        .original_key
    await deps.files.remove(await readOriginalKey(sky.imageId))
    await compose()
    await compose()
    expect(await errors()).toEqual([missingErrors[0]])
    expect((await readDownload(alls[0])).files.map(({ name }) => name)).toEqual([
      'Ada-Lovelace-Riverside-1-Field.jpg',
      'Ada-Lovelace-Riverside-2.jpg',
    ])
    await deps.files.remove(await readOriginalKey(poseId))
    await compose()
    expect(await errors()).toEqual(missingErrors)
    await storeOriginal(poseId, await cutOut('#ff0000'), { file_name: 'IMG_1.png', has_alpha: true })
    await storeOriginal(sky.imageId, await flat('#0000ff'), { file_name: 'Sky.jpg' })
    await compose()
    expect(await readCompositions()).toHaveLength(2)
    expect((await readDownload(alls[0])).missingCount).toBeUndefined()
  })

  it('nothing is composed for a cancelled order or a hidden subject', async () => {
    const { deps, order, compose, readCompositions, sky } = await setUp()
    const { cancel } = await order([sky.id])
    await cancel()
    await compose()
    await order([sky.id])
    await deps.db.updateTable('subjects').set({ hidden_at: new Date() }).execute()
    await compose()
    expect(await readCompositions()).toEqual([])
  })

  it('each file has a thumbnail under the link, and viewing it does not count as a download', async () => {
    const { deps, order, readDownload, compose, fetchFile, fixtures, otherImageId, poseId, sky } = await setUp()
    const thumb = await flat('#808080', 32, 20)
    const key = `studios/${fixtures.studioId}/images/${otherImageId}/thumb-abcdef0123456789`
    await deps.files.put(`${key}.webp`, await sharp(thumb).webp().toBuffer())
    await deps.files.put(`${key}.jpg`, thumb)
    await deps.db
      .updateTable('image_lookups')
      .set({ thumb_width: 32, thumb_height: 20 })
      .where('id', '=', otherImageId)
      .execute()
    const { alls, cancel } = await order([sky.id])
    await compose()
    const base = `/api/customer/downloads/${alls[0]}/thumbs`
    const download = await readDownload(alls[0])
    expect(download.files.map(({ thumbnail }) => thumbnail)).toEqual([
      { url: `${base}/${poseId}-${sky.imageId}`, width: 80, height: 100 },
      { url: `${base}/${otherImageId}`, width: 32, height: 20 },
    ])
    for (const { thumbnail } of download.files) {
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
    const unknownLink = `/api/customer/downloads/${'A'.repeat(22)}/thumbs/${otherImageId}`
    // The cut-out itself is not delivered, so it has no thumbnail.
    expect(await statuses(`${base}/${poseId}`, unknownLink, `${base}/..%2f..`)).toEqual([404, 404, 404])
    const downloaded = await deps.db
      .selectFrom('downloads')
      .select('id')
      .where('downloaded_at', 'is not', null)
      .execute()
    expect(downloaded).toEqual([])
    await cancel()
    expect(await statuses(`${base}/${otherImageId}`)).toEqual([404])
  })
})
