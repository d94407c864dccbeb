import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { supportMessages } from '#domain/studio/support-access.ts'
import { staffImageUrl } from '#server/images/store/staff-image-url.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createSupportFixtures } from './support-fixtures.ts'

/** The strongest difference between neighboring pixels, which is small in a blurred image. */
const sharpest = async (image: Buffer): Promise<number> => {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true })
  const differences = [...data.subarray(0, -1)].map((value, index) =>
    (index + 1) % info.width === 0 ? 0 : Math.abs(value - Number(data[index + 1])),
  )
  return differences.reduce((highest, difference) => Math.max(highest, difference), 0)
}

describe.each(enginesFor(import.meta.filename))('photos for administrators on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createSupportFixtures(database())
    const { deps, app, studioId, imageId, olive, robin } = fixtures
    const image = await deps.db
      .selectFrom('image_lookups')
      .select(['thumb_hash', 'preview_hash'])
      .where('id', '=', imageId)
      .executeTakeFirstOrThrow()
    const get = async (user: { id: number }, variant: 'thumb' | 'preview' = 'thumb', accept = 'image/webp') => {
      const hash = (variant === 'thumb' ? image.thumb_hash : image.preview_hash) ?? ''
      const url = staffImageUrl({ ...deps, user }, { studioId, imageId, variant, hash })
      const { statusCode: status, headers, rawPayload } = await app.inject({ url, headers: { accept } })
      return { status, type: headers['content-type'], bytes: rawPayload }
    }
    return { ...fixtures, get, owner: olive, administrator: robin }
  }

  it.each([
    ['thumb', 'image/webp'],
    ['thumb', 'image/jpeg'],
    ['preview', 'image/webp'],
  ] as const)('a %s as %s is blurred, at its size, unless the owner shows it', async (variant, accept) => {
    const { consent, get, owner, administrator } = await setUp()
    await consent(administrator)
    const [shown, blurred] = [await get(owner, variant, accept), await get(administrator, variant, accept)]
    expect(blurred).toMatchObject({ status: 200, type: accept })
    const sizeOf = async ({ bytes }: { bytes: Buffer }) => {
      const { width, height } = await sharp(bytes).metadata()
      return { width, height }
    }
    expect(await sizeOf(blurred)).toEqual(await sizeOf(shown))
    expect(blurred.bytes).not.toEqual(shown.bytes)
    expect(await sharpest(blurred.bytes)).toBeLessThan(0.5 * (await sharpest(shown.bytes)))
    await consent(administrator, { hasSharpPhotos: true })
    expect((await get(administrator, variant, accept)).bytes).toEqual(shown.bytes)
  })

  it('a link stops working when the access ends, and was never for another administrator', async () => {
    const { consent, own, get, administrator, kim } = await setUp()
    expect((await get(administrator)).status).toBe(404)
    await consent(administrator, { hasSharpPhotos: true })
    expect((await get(administrator)).status).toBe(200)
    expect((await get(kim)).status).toBe(404)
    await own(administrator, 'DELETE')
    expect((await get(administrator)).status).toBe(404)
  })

  it.each([
    ['GET', 'packets/1/files', 404],
    ['POST', 'image-exports/1/file', 404],
    // The form is checked only after the access.
    ['POST', 'entry/orders', 400],
  ] as const)(
    '%s %s, which gives photos of children, is refused to an administrator who may not see them',
    async (method, path, statusWithPhotos) => {
      const { deps, studioId, consent, inStudio, jobId, administrator } = await setUp()
      await given(deps).feature(studioId, 'orderEntry')
      await consent(administrator, { mayChange: true })
      const body = method === 'POST' ? {} : undefined
      expect(await inStudio(administrator, method, `jobs/${jobId}/${path}`, body)).toMatchObject({
        ...{ status: 403, problem: 'not-allowed', errors: [supportMessages.photosBlurred] },
      })
      await consent(administrator, { mayChange: true, hasSharpPhotos: true })
      expect((await inStudio(administrator, method, `jobs/${jobId}/${path}`, body)).status).toBe(statusWithPhotos)
    },
  )
})
