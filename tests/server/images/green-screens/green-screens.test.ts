import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { readWholeFile } from '#server/images/store/image-files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import {
  addLine,
  cartClient,
  completeLineContent,
  createCartFixtures,
  onePrint,
  statuses,
} from '#tests/server/carts/cart-fixtures.ts'
import { addFeatures } from '#tests/server/carts/order-service-fixtures.ts'

const imageBytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#274' } })
  .jpeg()
  .toBuffer()

/** A form with one file, as a browser sends it. */
const createForm = (fileName: string, bytes: Buffer) => {
  const boundary = '----field'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="File"; filename="${fileName}"\r\ncontent-type: image/jpeg\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

describe.each(enginesFor(import.meta.filename))('staff’s backgrounds on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...testDeps(database()), jobs: { enqueue } }
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    await addFeatures(deps, fixtures, ['greenscreens'])
    await deps.db.updateTable('studios').set({ is_millers_verified: true }).execute()
    const staff = await staffClient(deps, app, fixtures.studioId)
    const path = `jobs/${fixtures.jobId}/greenscreens`
    const upload = async (fileName: string, bytes = imageBytes) => {
      const { payload, type } = createForm(fileName, bytes)
      const url = `/api/studioadmin/studios/${fixtures.studioId}/${path}`
      const answer = await app.inject({
        method: 'POST',
        url,
        headers: { ...(await staff.headersFor()), ...type },
        payload,
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    const markReady = () => deps.db.updateTable('image_lookups').set(readyImage).execute()
    return { deps, app, fixtures, jobs, path, upload, markReady, staffRequest: staff.staffRequest }
  }

  it('backgrounds are uploaded, queued for rendering, named and sorted', async () => {
    const { fixtures, deps, jobs, path, upload, markReady, staffRequest } = await setUp()
    const { data: sky } = await upload('blue_sky-2.jpg')
    expect(sky).toMatchObject({
      name: 'blue sky 2',
      fileName: 'blue_sky-2.jpg',
      state: 'processing',
      width: 60,
      height: 40,
      isEnabled: true,
      thumbnailUrl: null,
    })
    expect(jobs).toEqual([{ name: 'make-variants', payload: { studioId: fixtures.studioId, imageId: sky.imageId } }])
    const { data: field } = await upload('field.jpg')
    await markReady()
    const renamed = await staffRequest('PUT', `${path}/${sky.id}`, { name: ' Sky ', isEnabled: false, version: 1 })
    expect(renamed.data).toMatchObject({ name: 'Sky', isEnabled: false, version: 2, state: 'ready' })
    expect(renamed.data.thumbnailUrl).toMatch(/^\/photos\/staff\/\d+\/\d+\/thumb-/)
    expect((await staffRequest('PUT', `${path}/${sky.id}`, { name: 'Sky', isEnabled: true, version: 1 })).status).toBe(
      409,
    )
    const ordered = await staffRequest('PUT', `jobs/${fixtures.jobId}/greenscreens-order`, { ids: [field.id, sky.id] })
    expect(ordered.data.map(({ name }: { name: string }) => name)).toEqual(['field', 'Sky'])
    expect((await staffRequest('GET', `${path}?filter=sk`)).data).toMatchObject({ totalRecords: 1 })
    const auditEntries = await deps.db.selectFrom('audit_log').select('action').orderBy('id').execute()
    expect(auditEntries.map(({ action }) => action)).toEqual([
      'green-screen.made',
      'green-screen.made',
      'green-screen.changed',
    ])
  })

  it('an unusable image or a file that is too large is refused as a background', async () => {
    const { path, upload, staffRequest } = await setUp()
    expect(await upload('note.jpg', Buffer.from('no image'))).toMatchObject({
      status: 422,
      errors: ['note.jpg: This file is not an image. Only JPEG, PNG and WebP images can be uploaded.'],
    })
    expect(await upload('half.jpg', imageBytes.subarray(0, 200))).toMatchObject({ status: 422 })
    expect(await upload('large.jpg', Buffer.concat([imageBytes, Buffer.alloc(41 * 1024 * 1024)]))).toMatchObject({
      status: 413,
    })
    expect((await staffRequest('POST', path, {})).status).toBe(415)
    expect((await staffRequest('GET', path)).data).toEqual([])
  })

  it('a background that was chosen cannot be deleted, and any other is deleted with its file', async () => {
    const { deps, app, fixtures, path, upload, markReady, staffRequest } = await setUp()
    const { data: sky } = await upload('sky.jpg')
    const { data: field } = await upload('field.jpg')
    await markReady()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const client = cartClient(app, fixtures, await fixtures.enter())
    const line = addLine(offeredPackage, fixtures.adaId, {
      ...completeLineContent(offeredPackage, fixtures.adaImageId),
      greenScreenBackgroundId: sky.id,
    })
    expect(statuses((await client.sync([line])).results)).toEqual(['done'])
    expect((await staffRequest('GET', path)).data).toMatchObject([{ cartCount: 1, orderCount: 0 }, { cartCount: 0 }])
    expect(await staffRequest('DELETE', `${path}/${sky.id}`)).toMatchObject({
      status: 422,
      errors: ['Customers have chosen this background. Switch it off instead, so that no one else can'],
    })
    const { original_key: key } = await deps.db
      .selectFrom('image_lookups')
      .select('original_key')
      .where('id', '=', field.imageId)
      .executeTakeFirstOrThrow()
    expect(await readWholeFile(deps.files, key)).toEqual(imageBytes)
    expect((await staffRequest('DELETE', `${path}/${field.id}`)).status).toBe(200)
    expect(await readWholeFile(deps.files, key)).toBeUndefined()
    expect((await staffRequest('GET', path)).data).toMatchObject([{ name: 'sky' }])
  })

  it('backgrounds need the feature and a verified studio', async () => {
    const { deps, path, upload, staffRequest } = await setUp()
    await deps.db.updateTable('studios').set({ is_millers_verified: false }).execute()
    const unverified = {
      status: 403,
      errors: ['This studio needs to be verified by the partner to access this feature'],
    }
    expect(await staffRequest('GET', path)).toMatchObject(unverified)
    expect(await upload('sky.jpg')).toMatchObject(unverified)
    await deps.db.deleteFrom('studio_features').execute()
    expect(await staffRequest('GET', path)).toMatchObject({
      status: 403,
      errors: ['Green screens are not switched on for this studio'],
    })
  })
})
