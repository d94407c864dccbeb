import { afterAll, describe, expect, it } from 'vitest'
import { centredCrop } from '#domain/printing/crop.ts'
import { composeImage } from '#server/images/engine/compose-image.ts'
import { startRenderThreads } from '#server/images/engine/render-threads.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { nameMark } from '#server/images/engine/watermark.ts'
import { cropImage } from '#server/images/print/crop-image.ts'
import { silentLog } from '#support/database/test-database.ts'
import { jpegAt } from '#tests/server/discovery/job-fixtures.ts'

describe('rendering in threads', () => {
  const threads = startRenderThreads(silentLog)
  afterAll(threads.stop)

  it('threads render several images at once, with the same result as the main thread and each with its own watermark', async () => {
    const local = createRenderer()
    const jobs = await Promise.all(
      [1, 2, 3, 4, 5].map(async (minute) => ({ original: await jpegAt(minute), mark: nameMark(`Studio ${minute}`) })),
    )
    const results = await Promise.all(jobs.map(({ original, mark }) => threads.render(original, mark)))
    for (const [index, { original, mark }] of jobs.entries()) {
      const expected = await local(original, mark)
      if (!expected.ok) throw new Error(expected.refusal.message)
      expect(results[index]).toMatchObject({
        ok: true,
        thumb: { hash: expected.thumb.hash, width: 200, height: 250 },
        preview: { hash: expected.preview.hash },
      })
    }
  })

  it('a refused image is answered with the reason, and the next is rendered', async () => {
    const original = await jpegAt(1)
    expect(await threads.render(original.subarray(0, 400), nameMark('Riverside'))).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining('damaged') },
    })
    expect(await threads.render(original, nameMark('Riverside'))).toMatchObject({ ok: true })
  })

  it('an aborted image is dropped, and the next is rendered', async () => {
    const original = await jpegAt(1)
    const abortController = new AbortController()
    const rendering = threads.render(original, nameMark('Riverside'), abortController.signal)
    abortController.abort()
    await expect(rendering).rejects.toThrow('aborted')
    expect(await threads.render(original, nameMark('Riverside'))).toMatchObject({ ok: true })
  })

  it('a thread composes images with the same result as the main thread', async () => {
    const job = { image: await jpegAt(1), background: await jpegAt(2) }
    const [fromThread, local] = [await threads.compose(job), await composeImage(job)]
    expect(Buffer.from(fromThread.jpeg).equals(Buffer.from(local.jpeg))).toBe(true)
    expect(fromThread).toMatchObject({ width: 200, height: 250, thumb: { hash: local.thumb.hash } })
  })

  it('a thread crops images with the same result as the main thread, and takes the bytes unless they share their memory', async () => {
    const image = { width: 800, height: 1000 }
    const original = await jpegAt(1)
    const job = { image, crop: centredCrop(image, 0.8, 0), rotation: 0, width: 160, height: 200, quality: 90 }
    const expected = Buffer.from(await cropImage({ ...job, source: original }))
    const own = Uint8Array.from(original)
    const shared = new Uint8Array(original.byteLength + 1).subarray(1)
    shared.set(original)
    for (const source of [own, shared]) {
      const cropped = await threads.cropImage({ ...job, source })
      expect(Buffer.from(cropped).equals(expected)).toBe(true)
    }
    expect(own.byteLength).toBe(0)
    expect(shared.byteLength).toBe(original.byteLength)
  })

  it('the caller’s bytes stay usable after rendering', async () => {
    const original = await jpegAt(1)
    const before = Buffer.from(original)
    await threads.render(original, nameMark('Riverside'))
    expect(original.equals(before)).toBe(true)
  })
})
