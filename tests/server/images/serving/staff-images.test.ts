import { describe, expect, it } from 'vitest'
import { type StaffImage, staffImageUrl } from '#server/images/store/staff-image-url.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { addImage, jpegAt, seedJobs } from '#tests/server/discovery/job-fixtures.ts'

const minute = 60_000

describe.each(enginesFor(import.meta.filename))('images for staff on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const { spring, ada } = await seedJobs(deps)
    const owner = { kind: 'hosted-individual', subjectId: ada } as const
    // The image is not published, because staff see images before customers.
    const image = { fileName: 'IMG_1.jpg', owner, position: 1, publishedAt: null }
    const imageId = await addImage(deps, spring, image, await jpegAt(1))
    const hashes = await deps.db
      .selectFrom('image_lookups')
      .select(['thumb_hash', 'preview_hash'])
      .where('id', '=', imageId)
      .executeTakeFirstOrThrow()
    const createStaffImage = (variant: 'thumb' | 'preview'): StaffImage => ({
      studioId: spring.studioId,
      imageId,
      variant,
      hash: (variant === 'thumb' ? hashes.thumb_hash : hashes.preview_hash) ?? '',
    })
    const user = await staffClient(deps, app, spring.studioId)
    const urlOf = (staffImage: StaffImage) => staffImageUrl({ ...deps, user }, staffImage)
    const change = (values: object) => deps.db.updateTable('users').set(values).where('id', '=', user.id).execute()
    const get = async (url: string) => (await app.inject({ url, headers: { accept: 'image/webp' } })).statusCode
    const images = { thumb: createStaffImage('thumb'), preview: createStaffImage('preview') }
    return { deps, app, time, spring, ...images, urlOf, change, get }
  }

  it('staff get both variants of an unpublished image, with a header that forbids caching', async () => {
    const { app, thumb, preview, urlOf, get } = await setUp()
    const answer = await app.inject({ url: urlOf(thumb), headers: { accept: 'image/webp' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, no-store' })
    expect(answer.rawPayload.length).toBeGreaterThan(100)
    expect(await get(urlOf(preview))).toBe(200)
  })

  it('a URL is valid for ten to fifteen minutes, and stays the same for five', async () => {
    const { time, thumb, urlOf, get } = await setUp()
    // The test's clock is at a full hour, when URLs change.
    const url = urlOf(thumb)
    time.advance(5 * minute - 1000)
    expect(urlOf(thumb)).toBe(url)
    time.advance(1000)
    expect(urlOf(thumb)).not.toBe(url)
    time.advance(10 * minute - 1000)
    expect(await get(url)).toBe(200)
    time.advance(1000)
    expect(await get(url)).toBe(404)
  })

  it('an invented or changed URL is refused', async () => {
    const { time, thumb, preview, urlOf, get } = await setUp()
    const url = urlOf(thumb)
    const [path = '', query = ''] = url.split('?')
    const laterSeconds = String(Math.floor(time.clock().getTime() / 1000) + 20 * 60)
    const wrongUrls = [
      path,
      `${path}?until=${laterSeconds}`,
      `${path}?${query.replace(/until=\d+/, `until=${laterSeconds}`)}`,
      `${path}?${query.replace(/seal=./, 'seal=')}`,
      `${path}?${query}&${query}`,
      `${path}?${query.replace(/by=\d+&/, '')}`,
      `${path}?${query.replace(/by=/, 'by=1')}`,
      `${url.replace(thumb.hash, preview.hash)}`,
      url.replace(`thumb-${thumb.hash}`, `preview-${preview.hash}`),
      url.replace(`/${thumb.imageId}/`, `/${thumb.imageId + 1}/`),
      url.replace(`/staff/${thumb.studioId}/`, `/staff/${thumb.studioId + 1}/`),
    ]
    for (const wrongUrl of wrongUrls) expect([wrongUrl, await get(wrongUrl)]).toEqual([wrongUrl, 404])
    const otherStudioImage = { ...thumb, studioId: thumb.studioId + 1 }
    expect(await get(urlOf(otherStudioImage))).toBe(404)
    expect(await get(url)).toBe(200)
  })

  it.each([
    ['was disabled', async () => ({ disabled_at: new Date() })],
    [
      'works for another studio',
      async (addOtherStudio: () => Promise<number>) => ({ studio_id: await addOtherStudio() }),
    ],
  ])('a URL stops working at once for a user who %s', async (_, createChange) => {
    const { deps, thumb, urlOf, change, get } = await setUp()
    const url = urlOf(thumb)
    expect(await get(url)).toBe(200)
    const addOtherStudio = () => given(deps).studio({ slug: 'elsewhere' })
    await change(await createChange(addOtherStudio))
    expect(await get(url)).toBe(404)
  })

  it('images of a disabled studio are shown to administrators with access, and no longer to its staff', async () => {
    const { deps, thumb, urlOf, change, get } = await setUp()
    const url = urlOf(thumb)
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).where('id', '=', thumb.studioId).execute()
    expect(await get(url)).toBe(404)
    await change({ role: 'administrator', studio_id: null })
    expect(await get(url)).toBe(404)
    await grantSupportAccess(deps, thumb.studioId)
    expect(await get(url)).toBe(200)
  })
})
