import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { startRenderThreads } from '#server/images/engine/render-threads.ts'
import { createRenderer, type RenderVariants } from '#server/images/engine/render-variants.ts'
import { nameMark } from '#server/images/engine/watermark.ts'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { makeVariantsOf, startVariantWorkers } from '#server/images/serving/make-variants.ts'
import { readWholeFile, storeOriginal } from '#server/images/store/image-files.ts'
import { ingestImage, type NewImage } from '#server/images/store/ingest-image.ts'
import { variantKey } from '#server/images/store/variant-files.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { queues } from '#server/queue/queues.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { testDeps } from '#support/server/test-app.ts'
import { jpegAt, seedJobs } from '#tests/server/discovery/job-fixtures.ts'

const render = createRenderer()

const keysUnder = async ({ files }: Deps, folder: string): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of files.list(folder)) keys.push(key)
  return keys.sort()
}

describe.each(enginesFor(import.meta.filename))('the variants job on $name', (engine) => {
  const database = freshDatabase(engine)

  const upload = async (deps: Deps, { stored }: { stored?: Uint8Array } = {}) => {
    const { spring, ada } = await seedJobs(deps)
    const bytes = await jpegAt(1)
    const inspection = await inspect(bytes)
    if (!inspection.ok) throw new Error(inspection.refusal.message)
    const folder = `studios/${spring.studioId}/images/${deps.newId()}`
    const original = await storeOriginal(deps.files, { folder, bytes, image: inspection.image })
    if (stored) await deps.files.put(original.originalKey, stored)
    const owner = { kind: 'hosted-individual', subjectId: ada } as const
    const image: NewImage = { fileName: 'IMG_1.jpg', owner, position: 1, publishedAt: null }
    const imageId = await deps.db
      .transaction()
      .execute((tx) => ingestImage(tx, deps.jobs, { job: spring, image, original }))
    const read = () =>
      deps.db.selectFrom('image_lookups').selectAll().where('id', '=', imageId).executeTakeFirstOrThrow()
    return { image: { studioId: spring.studioId, imageId }, read, original, folder }
  }

  it('an uploaded image becomes ready when the job has made its variants', async () => {
    const jobs = await startBackgroundJobs({ database: database(), log: silentLog, queues, pollSeconds: 0.5 })
    const threads = startRenderThreads(silentLog)
    try {
      const deps = testDeps(database(), { jobs })
      const { read, original } = await upload(deps)
      const before = await read()
      expect(before).toMatchObject({
        state: 'processing',
        width: 200,
        height: 250,
        taken_at: new Date('2027-04-01T13:01:00Z'),
      })
      await startVariantWorkers(jobs, deps, threads.render)
      await expect.poll(async () => (await read()).state, { timeout: 20_000 }).toBe('ready')
      const image = await read()
      expect(image).toMatchObject({ thumb_width: 200, preview_height: 250, byte_size: original.byteSize })
      for (const variant of ['thumb', 'preview'] as const) {
        const hash = (variant === 'thumb' ? image.thumb_hash : image.preview_hash) ?? ''
        const storedFile = await readWholeFile(
          deps.files,
          variantKey(original.originalKey, { variant, hash, format: 'webp' }),
        )
        expect(storedFile?.byteLength).toBe(variant === 'thumb' ? image.thumb_bytes : image.preview_bytes)
        expect(
          await readWholeFile(deps.files, variantKey(original.originalKey, { variant, hash, format: 'jpeg' })),
        ).toBeDefined()
      }
    } finally {
      await jobs.stop()
      await threads.stop()
    }
  })

  it('the job can be retried, also after an interruption between storing files and updating the row', async () => {
    const deps = testDeps(database())
    const { image, read, folder } = await upload(deps)
    await makeVariantsOf(deps, image, { render })
    const first = await read()
    const files = async () => await keysUnder(deps, `${folder}/`)
    const storedFiles = await files()
    expect(storedFiles).toHaveLength(5)
    // Simulates a crash after the files were stored and before the row was updated.
    await deps.db.updateTable('image_lookups').set({ state: 'processing' }).execute()
    await Promise.all([makeVariantsOf(deps, image, { render }), makeVariantsOf(deps, image, { render })])
    expect(await read()).toMatchObject({
      state: 'ready',
      thumb_hash: first.thumb_hash,
      preview_hash: first.preview_hash,
    })
    await makeVariantsOf(deps, image, { render })
    expect(await files()).toEqual(storedFiles)
    expect(await deps.db.selectFrom('processing_log').select('state').execute()).toEqual([
      { state: 'done' },
      { state: 'done' },
    ])
  })

  it('previous variants are removed when the bytes change', async () => {
    const deps = testDeps(database())
    const { image, read, original, folder } = await upload(deps)
    await makeVariantsOf(deps, image, { render })
    const firstRow = await read()
    await deps.files.put(original.originalKey, await jpegAt(2))
    await deps.db.updateTable('image_lookups').set({ state: 'processing' }).execute()
    await makeVariantsOf(deps, image, { render })
    expect((await read()).thumb_hash).not.toBe(firstRow.thumb_hash)
    expect(await keysUnder(deps, `${folder}/`)).toHaveLength(5)
  })

  it('an image damaged in the store is refused with the reason', async () => {
    const deps = testDeps(database())
    const { image, read } = await upload(deps, { stored: (await jpegAt(1)).subarray(0, 400) })
    await makeVariantsOf(deps, image, { render })
    expect(await read()).toMatchObject({
      state: 'refused',
      refusal: expect.stringContaining('damaged'),
      thumb_hash: null,
    })
    expect(await deps.db.selectFrom('processing_log').select(['state', 'message']).execute()).toMatchObject([
      { state: 'refused', message: expect.stringContaining('damaged') },
    ])
  })

  it('the job fails and is retried while the original is unavailable', async () => {
    const deps = testDeps(database())
    const { image, read, original } = await upload(deps)
    await deps.files.remove(original.originalKey)
    await expect(makeVariantsOf(deps, image, { render })).rejects.toThrow('not in the store')
    expect((await read()).state).toBe('processing')
  })

  it('an image whose original has been missing for a day is refused with the reason', async () => {
    const deps = testDeps(database())
    const { image, read, original } = await upload(deps)
    await deps.files.remove(original.originalKey)
    await deps.db
      .updateTable('image_lookups')
      .set({ created_at: sql`now() - interval '25 hours'` })
      .where('id', '=', image.imageId)
      .execute()
    await makeVariantsOf(deps, image, { render })
    const message = 'The file of this image is lost. Upload it again.'
    expect(await read()).toMatchObject({ state: 'refused', refusal: message })
    const log = await deps.db.selectFrom('processing_log').select(['state', 'message']).execute()
    expect(log).toMatchObject([{ state: 'refused', message }])
  })

  it('nothing is left of an image that was deleted while it was rendered', async () => {
    const deps = testDeps(database())
    const { image, original, folder } = await upload(deps)
    const deletingRender: RenderVariants = async (...args) => {
      const variants = await render(...args)
      await deps.db.deleteFrom('image_lookups').execute()
      await deps.files.remove(original.originalKey)
      return variants
    }
    await makeVariantsOf(deps, image, { render: deletingRender })
    expect(await keysUnder(deps, `${folder}/`)).toEqual([])
  })

  it('files of a concurrent attempt are removed unless the row refers to them', async () => {
    const deps = testDeps(database())
    const { image, read, folder } = await upload(deps)
    const secondRender: RenderVariants = async (...args) => {
      await makeVariantsOf(deps, image, { render })
      const [bytes, , signal] = args
      return await render(bytes, nameMark('Another mark'), signal)
    }
    await makeVariantsOf(deps, image, { render: secondRender })
    const { thumb_hash, preview_hash } = await read()
    const hashes = [thumb_hash, preview_hash].map((hash) => hash?.slice(0, 12))
    const storedKeys = await keysUnder(deps, `${folder}/`)
    expect(storedKeys).toHaveLength(5)
    for (const hash of hashes) expect(storedKeys.filter((key) => key.includes(hash ?? ''))).not.toHaveLength(0)
  })

  it('the job for a deleted image does nothing', async () => {
    const deps = testDeps(database())
    const { image } = await upload(deps)
    await deps.db.deleteFrom('image_lookups').execute()
    await expect(makeVariantsOf(deps, image, { render })).resolves.toBeUndefined()
  })
})
