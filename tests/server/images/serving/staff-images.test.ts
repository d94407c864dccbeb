import { describe, expect, it } from 'vitest'
import { staffImageUrl as addressFor, type StaffImage } from '#server/images/store/staff-image-url.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { addImage, jpegAt, seedJobs } from '../../discovery/job-fixtures.ts'

const minute = 60_000

describe.each(enginesFor(import.meta.filename))('images for staff on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const { spring, ada } = await seedJobs(deps)
    const owner = { kind: 'hosted-individual', subjectId: ada } as const
    // Not published: staff see it before customers.
    const image = { fileName: 'IMG_1.jpg', owner, position: 1, publishedAt: null }
    const imageId = await addImage(deps, spring, image, await jpegAt(1))
    const hashes = await deps.db
      .selectFrom('image_lookups')
      .select(['thumb_hash', 'preview_hash'])
      .where('id', '=', imageId)
      .executeTakeFirstOrThrow()
    const pictureOf = (variant: 'thumb' | 'preview'): StaffImage => ({
      studioId: spring.studioId,
      imageId,
      variant,
      hash: (variant === 'thumb' ? hashes.thumb_hash : hashes.preview_hash) ?? '',
    })
    const user = await staffClient(deps, app, spring.studioId)
    const staffAddress = (picture: StaffImage) => addressFor({ ...deps, user }, picture)
    const change = (set: object) => deps.db.updateTable('users').set(set).where('id', '=', user.id).execute()
    const get = async (url: string) => (await app.inject({ url, headers: { accept: 'image/webp' } })).statusCode
    const pictures = { thumb: pictureOf('thumb'), preview: pictureOf('preview') }
    return { deps, app, time, spring, ...pictures, staffAddress, change, get }
  }

  it('staff get the same bytes, never cached by proxies', async () => {
    const { app, thumb, preview, staffAddress, get } = await begin()
    const answer = await app.inject({ url: staffAddress(thumb), headers: { accept: 'image/webp' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, no-store' })
    expect(answer.rawPayload.length).toBeGreaterThan(100)
    expect(await get(staffAddress(preview))).toBe(200)
  })

  it('a URL is valid for ten to fifteen minutes, and stays the same for five', async () => {
    const { time, thumb, staffAddress, get } = await begin()
    // The test's clock is at a full hour, where a URL is new.
    const address = staffAddress(thumb)
    time.advance(5 * minute - 1000)
    expect(staffAddress(thumb)).toBe(address)
    time.advance(1000)
    expect(staffAddress(thumb)).not.toBe(address)
    time.advance(10 * minute - 1000)
    expect(await get(address)).toBe(200)
    time.advance(1000)
    expect(await get(address)).toBe(404)
  })

  it('an invented or changed URL is refused', async () => {
    const { time, thumb, preview, staffAddress, get } = await begin()
    const address = staffAddress(thumb)
    const [path = '', query = ''] = address.split('?')
    const later = String(Math.floor(time.clock().getTime() / 1000) + 20 * 60)
    const wrong = [
      path,
      `${path}?until=${later}`,
      `${path}?${query.replace(/until=\d+/, `until=${later}`)}`,
      `${path}?${query.replace(/seal=./, 'seal=')}`,
      `${path}?${query}&${query}`,
      `${path}?${query.replace(/by=\d+&/, '')}`,
      `${path}?${query.replace(/by=/, 'by=1')}`,
      `${address.replace(thumb.hash, preview.hash)}`,
      address.replace(`thumb-${thumb.hash}`, `preview-${preview.hash}`),
      address.replace(`/${thumb.imageId}/`, `/${thumb.imageId + 1}/`),
      address.replace(`/staff/${thumb.studioId}/`, `/staff/${thumb.studioId + 1}/`),
    ]
    for (const url of wrong) expect([url, await get(url)]).toEqual([url, 404])
    const abroad = { ...thumb, studioId: thumb.studioId + 1 }
    expect(await get(staffAddress(abroad))).toBe(404)
    expect(await get(address)).toBe(200)
  })

  it.each([
    ['was disabled', async () => ({ disabled_at: new Date() })],
    ['works for another studio', async (elsewhere: () => Promise<number>) => ({ studio_id: await elsewhere() })],
  ])('a URL stops working at once for a user who %s', async (_, changeOf) => {
    const { deps, thumb, staffAddress, change, get } = await begin()
    const address = staffAddress(thumb)
    expect(await get(address)).toBe(200)
    const elsewhere = async () => {
      const values = { slug: 'elsewhere', name: 'Elsewhere' }
      return (await deps.db.insertInto('studios').values(values).returning('id').executeTakeFirstOrThrow()).id
    }
    await change(await changeOf(elsewhere))
    expect(await get(address)).toBe(404)
  })

  it('images of a disabled studio are shown to administrators, and no longer to its staff', async () => {
    const { deps, thumb, staffAddress, change, get } = await begin()
    const address = staffAddress(thumb)
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).where('id', '=', thumb.studioId).execute()
    expect(await get(address)).toBe(404)
    await change({ role: 'administrator', studio_id: null })
    expect(await get(address)).toBe(200)
  })
})
