import { afterAll, describe, expect, it } from 'vitest'
import { composeHere } from '#server/images/engine/compose-image.ts'
import { startRenderThreads } from '#server/images/engine/render-threads.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { silentLog } from '#support/database/test-database.ts'
import { jpegAt } from '../../discovery/job-fixtures.ts'

describe('rendering in threads', () => {
  const threads = startRenderThreads(silentLog)
  afterAll(threads.stop)

  it('a thread renders what this thread renders, several at once, each with its own watermark', async () => {
    const here = createRenderer()
    const asked = await Promise.all(
      [1, 2, 3, 4, 5].map(async (minute) => ({ original: await jpegAt(minute), name: `Studio ${minute}` })),
    )
    const made = await Promise.all(asked.map(({ original, name }) => threads.render(original, name)))
    for (const [index, { original, name }] of asked.entries()) {
      const expected = await here(original, name)
      if (!expected.ok) throw new Error(expected.refusal.message)
      expect(made[index]).toMatchObject({
        ok: true,
        thumb: { hash: expected.thumb.hash, width: 200, height: 250 },
        preview: { hash: expected.preview.hash },
      })
    }
  })

  it('a refused image is answered with the reason, and the next is rendered', async () => {
    const original = await jpegAt(1)
    expect(await threads.render(original.subarray(0, 400), 'Riverside')).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining('damaged') },
    })
    expect(await threads.render(original, 'Riverside')).toMatchObject({ ok: true })
  })

  it('an aborted image is dropped, and the next is rendered', async () => {
    const original = await jpegAt(1)
    const telling = new AbortController()
    const given = threads.render(original, 'Riverside', telling.signal)
    telling.abort()
    await expect(given).rejects.toThrow('aborted')
    expect(await threads.render(original, 'Riverside')).toMatchObject({ ok: true })
  })

  it('a thread composes images as this thread does', async () => {
    const job = { image: await jpegAt(1), background: await jpegAt(2) }
    const [there, here] = [await threads.compose(job), await composeHere(job)]
    expect(Buffer.from(there.jpeg).equals(Buffer.from(here.jpeg))).toBe(true)
    expect(there).toMatchObject({ width: 200, height: 250, thumb: { hash: here.thumb.hash } })
  })

  it('the caller’s bytes stay usable', async () => {
    const original = await jpegAt(1)
    const before = Buffer.from(original)
    await threads.render(original, 'Riverside')
    expect(original.equals(before)).toBe(true)
  })
})
