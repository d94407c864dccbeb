import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { listImages } from '#contract/customer/paged-lists.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { Deps } from '#server/deps.ts'
import { createRenderer, type RenderVariants } from '#server/images/engine/render-variants.ts'
import { makeVariantsOf } from '#server/images/serving/make-variants.ts'
import { requeueStalledPreviewRuns, startPreviewRuns } from '#server/images/serving/preview-run-workers.ts'
import { remakePreviews } from '#server/images/serving/remake-previews.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from '#tests/server/discovery/customer-client.ts'
import { addImage, seedJobs } from '#tests/server/discovery/job-fixtures.ts'

const url = '/api/admin/watermarks'
const text = {
  ...{ name: 'Proof', kind: 'text', text: 'PROOF', imageHash: null, opacityPercent: 80, placement: 'tile' },
  ...{ studioId: null, isDefault: true },
}
const render = createRenderer()
const side = 400

const photo = (minute: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r: 60 + minute, g: 90, b: 120 } } })
    .jpeg()
    .toBuffer()

/** A red square of 100 pixels in the middle of a transparent image. */
const square = (): Promise<Buffer> =>
  sharp({ create: { width: 200, height: 200, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite([{ input: { create: { width: 100, height: 100, channels: 3, background: { r: 255, g: 0, b: 0 } } } }])
    .png()
    .toBuffer()

const distance = (color: readonly number[], expected: readonly number[]): number =>
  Math.max(...expected.map((value, index) => Math.abs(value - (color[index] ?? 0))))

const keysUnder = async ({ files }: Deps, folder: string): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of files.list(folder)) keys.push(key)
  return keys
}

describe.each(enginesFor(import.meta.filename))('watermarks on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  /** Three published images of Ada, a parent who sees them, and an administrator. */
  const setUp = async () => {
    const time = manualClock()
    const queue = recordingQueue()
    const deps = testDeps(database(), { ...time, jobs: queue })
    const app = await testApp(deps)
    const { spring, ada, studioId } = await seedJobs(deps)
    const add = async (position: number) => {
      const image = {
        ...{ fileName: `${position}.jpg`, position, publishedAt: deps.clock() },
        owner: { kind: 'hosted-individual', subjectId: ada },
      } as const
      return await addImage(deps, spring, image, await photo(position))
    }
    const imageIds = [await add(1), await add(2), await add(3)]
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const { staffRequest: request, headersFor } = await staffClient(deps, app, studioId, { permissions })
    const parent = customerClient(app)
    await parent.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'ADALVL' } })
    const previewUrls = async (): Promise<string[]> => {
      const { data } = await parent.request(listImages, { params: { jobId: spring.jobId, subjectId: ada } })
      return data.map(({ previewUrl }: { previewUrl: string }) => previewUrl)
    }
    const pixels = async (previewUrl: string) => {
      const response = await parent.get(previewUrl)
      expect(response.statusCode).toBe(200)
      return await sharp(response.rawPayload).raw().toBuffer()
    }
    const rowsOf = () =>
      deps.db.selectFrom('image_lookups').selectAll().where('id', 'in', imageIds).orderBy('id').execute()
    /** Runs the background jobs that the last changes enqueued. */
    const remake = async (signal?: AbortSignal, renderOne: RenderVariants = render) => {
      await startPreviewRuns(deps, { studioId: null })
      await remakePreviews(deps, { studioId }, { render: renderOne, ...(signal && { signal }) })
    }
    const upload = async (bytes: Buffer) => {
      const form = new FormData()
      form.append('File', new Blob([new Uint8Array(bytes)]), 'mark.png')
      const sent = new Request('http://form.test', { method: 'POST', body: form })
      const headers = { ...(await headersFor()), 'content-type': sent.headers.get('content-type') ?? '' }
      const payload = Buffer.from(await sent.arrayBuffer())
      const answer = await app.inject({ method: 'POST', url: '/api/admin/watermark-images', payload, headers })
      return { status: answer.statusCode, ...answer.json() }
    }
    const runOf = async () =>
      (await request('GET', '/api/admin/preview-runs')).data.find(
        (run: { studioId: number }) => run.studioId === studioId,
      )
    return {
      ...{ deps, parent, time, queue, request, upload, studioId, spring, imageIds },
      previewUrls,
      pixels,
      rowsOf,
      remake,
      runOf,
    }
  }

  const differingShare = (before: Buffer, after: Buffer): number =>
    before.reduce((count, value, index) => count + (Math.abs(value - (after[index] ?? 0)) > 12 ? 1 : 0), 0) /
    before.length

  it('a new default changes the previews that parents see, and earlier addresses show them too', async () => {
    const { queue, request, previewUrls, pixels, remake, deps, rowsOf, runOf } = await setUp()
    const before = await previewUrls()
    const named = await pixels(before[0] ?? '')
    await request('POST', url, text)
    expect(queue.jobs).toContainEqual({ name: 'start-preview-runs', payload: { studioId: null } })
    // Until the new preview exists, the address and what it shows stay the same.
    expect(await previewUrls()).toEqual(before)
    expect(await pixels(before[0] ?? '')).toEqual(named)
    await remake()
    const after = await previewUrls()
    expect(new Set([...before, ...after]).size).toBe(6)
    const marked = await pixels(after[0] ?? '')
    expect(differingShare(named, marked)).toBeGreaterThan(0.02)
    expect(await pixels(before[0] ?? '')).toEqual(marked)
    expect(await runOf()).toMatchObject({ state: 'done', total: 3, done: 3, failed: 0, finishedAt: expect.any(String) })
    for (const { original_key } of await rowsOf())
      expect(await keysUnder(deps, original_key.replace('original', ''))).toHaveLength(5)
  })

  it('a changed preview does not withdraw the images that devices keep, and a replaced image does', async () => {
    const { deps, request, remake, spring, imageIds, previewUrls, parent } = await setUp()
    const version = async () =>
      (
        await deps.db
          .selectFrom('jobs')
          .select('photos_version')
          .where('id', '=', spring.jobId)
          .executeTakeFirstOrThrow()
      ).photos_version
    const [before, [oldUrl = '']] = [await version(), await previewUrls()]
    await request('POST', url, text)
    await remake()
    expect(await version()).toBe(before)
    const { original_key } = await deps.db
      .selectFrom('image_lookups')
      .select('original_key')
      .where('id', '=', imageIds[0] ?? 0)
      .executeTakeFirstOrThrow()
    await deps.files.put(original_key, await photo(40))
    await deps.db
      .updateTable('image_lookups')
      .set({ state: 'processing' })
      .where('id', '=', imageIds[0] ?? 0)
      .execute()
    await makeVariantsOf(deps, { studioId: spring.studioId, imageId: imageIds[0] ?? 0 }, { render })
    expect(await version()).not.toBe(before)
    expect((await parent.get(oldUrl)).statusCode).toBe(404)
  })

  it('an image in the middle is drawn at its opacity over the middle alone', async () => {
    const { request, upload, remake, previewUrls, pixels } = await setUp()
    const { imageHash } = (await upload(await square())).data
    const draft = { ...text, kind: 'image', text: '', imageHash, opacityPercent: 50, placement: 'center' }
    expect(await request('POST', url, draft)).toMatchObject({ status: 200 })
    await remake()
    const marked = await pixels((await previewUrls())[0] ?? '')
    const at = (x: number, y: number) => [...marked.subarray((y * side + x) * 3, (y * side + x) * 3 + 3)]
    expect(distance(at(side / 2, side / 2), [158, 45, 60])).toBeLessThan(12)
    expect(distance(at(8, 8), [61, 90, 120])).toBeLessThan(12)
  })

  it('the watermark of a job precedes the default of its studio, and that precedes the default of all studios', async () => {
    const { deps, request, remake, rowsOf, studioId, spring } = await setUp()
    const marks = async () => [...new Set((await rowsOf()).map(({ preview_mark }) => preview_mark))]
    const platform = await request('POST', url, text)
    await remake()
    const [ofPlatform] = await marks()
    await request('POST', url, { ...text, name: 'Riverside', text: 'RIVERSIDE', studioId })
    expect((await request('GET', `${url}/${platform.data.id}`)).data.isDefault).toBe(true)
    await remake()
    const [ofStudio] = await marks()
    const { data: chosen } = await request('POST', url, { ...text, name: 'Own', text: 'OWN', isDefault: false })
    await deps.db.updateTable('jobs').set({ watermark_id: chosen.id }).where('id', '=', spring.jobId).execute()
    await remake()
    const [ofJob] = await marks()
    expect(new Set([ofPlatform, ofStudio, ofJob]).size).toBe(3)
    const second = await request('POST', url, { ...text, name: 'Second', text: 'SECOND' })
    expect(second.data.isDefault).toBe(true)
    expect((await request('GET', `${url}/${platform.data.id}`)).data.isDefault).toBe(false)
    await remake()
    expect(await marks()).toEqual([ofJob])
  })

  it('a run that was killed in a step continues, makes each preview once, and a deleted default restores the name', async () => {
    const { deps, request, remake, rowsOf, runOf, studioId } = await setUp()
    const named = (await rowsOf()).map(({ preview_hash }) => preview_hash)
    const { data } = await request('POST', url, text)
    let count = 0
    const dyingRender: RenderVariants = async (...args) => {
      count += 1
      if (count === 2) throw new Error('the server was killed')
      return await render(...args)
    }
    await expect(remake(undefined, dyingRender)).rejects.toThrow('killed')
    expect(await runOf()).toMatchObject({ state: 'running', done: 0 })
    const made = (await rowsOf()).filter(({ preview_hash }) => !named.includes(preview_hash))
    let repeated = 0
    const countingRender: RenderVariants = async (...args) => {
      repeated += 1
      return await render(...args)
    }
    await remakePreviews(deps, { studioId }, { render: countingRender })
    expect(made.length + repeated).toBe(3)
    expect(await runOf()).toMatchObject({ state: 'done' })
    expect((await rowsOf()).filter(({ preview_hash }) => named.includes(preview_hash))).toEqual([])
    expect((await request('DELETE', `${url}/${data.id}`)).data).toEqual({ outcome: 'removed' })
    await remake()
    expect((await rowsOf()).map(({ preview_hash }) => preview_hash)).toEqual(named)
  })

  it('a cancelled run keeps the previews, and continues when it is started again', async () => {
    const { deps, request, rowsOf, runOf, studioId, queue } = await setUp()
    const named = (await rowsOf()).map(({ preview_hash }) => preview_hash)
    await request('POST', url, text)
    await startPreviewRuns(deps, { studioId: null })
    const cancelled = await request('POST', `/api/admin/preview-runs/${studioId}/cancel`)
    expect(cancelled.data).toMatchObject([{ studioId, state: 'cancelled', total: 3, done: 0 }])
    await remakePreviews(deps, { studioId }, { render })
    expect((await rowsOf()).map(({ preview_hash }) => preview_hash)).toEqual(named)
    await request('POST', `/api/admin/preview-runs/${studioId}/start`)
    expect(queue.jobs.at(-1)).toEqual({ name: 'remake-previews', payload: { studioId } })
    await remakePreviews(deps, { studioId }, { render })
    expect(await runOf()).toMatchObject({ state: 'done', done: 3 })
  })

  it('an image without its file is counted as failed and keeps its preview; a stalled run is enqueued again', async () => {
    const { deps, time, request, rowsOf, runOf, remake, queue, studioId } = await setUp()
    const [lost] = await rowsOf()
    await deps.files.remove(lost?.original_key ?? '')
    await request('POST', url, text)
    await startPreviewRuns(deps, { studioId: null })
    time.advance(3 * 60 * 60 * 1000)
    queue.jobs.length = 0
    await requeueStalledPreviewRuns(deps)
    expect(queue.jobs).toEqual([{ name: 'remake-previews', payload: { studioId } }])
    await remake()
    expect(await runOf()).toMatchObject({ state: 'done', total: 3, done: 3, failed: 1 })
    expect((await rowsOf())[0]?.preview_hash).toBe(lost?.preview_hash)
  })

  it('an image whose watermark changed while it was rendered gets the new one', async () => {
    const { deps, request, imageIds, rowsOf, studioId } = await setUp()
    const imageId = imageIds[0] ?? 0
    await deps.db.updateTable('image_lookups').set({ state: 'processing' }).where('id', '=', imageId).execute()
    let isFirst = true
    const slowRender: RenderVariants = async (...args) => {
      if (isFirst) await request('POST', url, text)
      isFirst = false
      return await render(...args)
    }
    await makeVariantsOf(deps, { studioId, imageId }, { render: slowRender })
    const [row, other] = await rowsOf()
    expect(row?.state).toBe('ready')
    expect(row?.preview_mark).not.toBe(other?.preview_mark)
  })

  it('the sample has a light and a dark photo with the watermark; opaque and broken images are refused', async () => {
    const { request, upload } = await setUp()
    const sampleOf = async (query: string) => (await request('GET', `/api/admin/watermark-sample?${query}`)).data
    const faint = await sampleOf('text=PROOF&opacityPercent=5&placement=tile')
    const strong = await sampleOf('text=PROOF&opacityPercent=90&placement=tile')
    const decode = (dataUrl: string) =>
      sharp(Buffer.from(dataUrl.split(',')[1] ?? '', 'base64'))
        .raw()
        .toBuffer()
    for (const shade of ['light', 'dark'])
      expect(differingShare(await decode(faint[shade]), await decode(strong[shade]))).toBeGreaterThan(0.01)
    expect(await upload(await photo(1))).toMatchObject({
      ...{ status: 422, errors: ['This image has no transparent part. Export it as a PNG without a background'] },
    })
    expect(await upload((await square()).subarray(0, 60))).toMatchObject({ status: 422 })
    const unknown = { ...text, kind: 'image', imageHash: '0'.repeat(24) }
    expect(await request('POST', url, unknown)).toMatchObject({
      status: 422,
      fields: { imageHash: ['Upload an image'] },
    })
    const stranger = { ...text, studioId: 999 }
    expect(await request('POST', url, stranger)).toMatchObject({
      status: 422,
      fields: { studioId: [expect.any(String)] },
    })
  })
})
