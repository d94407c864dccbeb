import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { readWholeFile } from '#server/images/store/image-files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import {
  add,
  cartClient,
  completeLineContent,
  createCartFixtures,
  onePrint,
  statuses,
} from '../../carts/cart-fixtures.ts'
import { addFeatures } from '../../carts/order-service-fixtures.ts'

const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#274' } })
  .jpeg()
  .toBuffer()

/** A form with one file, as a browser sends it. */
const formOf = (fileName: string, bytes: Buffer) => {
  const boundary = '----field'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="File"; filename="${fileName}"\r\ncontent-type: image/jpeg\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

describe.each(enginesFor(import.meta.filename))('staff’s backgrounds on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...testDeps(database()), jobs: { enqueue } }
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    await addFeatures(deps, shop, ['greenscreens'])
    await deps.db.updateTable('studios').set({ is_millers_verified: true }).execute()
    const staff = await staffClient(deps, app, shop.studioId)
    const path = `jobs/${shop.jobId}/greenscreens`
    const upload = async (fileName: string, bytes = picture) => {
      const { payload, type } = formOf(fileName, bytes)
      const url = `/api/studioadmin/studios/${shop.studioId}/${path}`
      const answer = await app.inject({ method: 'POST', url, headers: { ...staff.headers, ...type }, payload })
      return { status: answer.statusCode, ...answer.json() }
    }
    const finish = () => deps.db.updateTable('image_lookups').set(readyImage).execute()
    return { deps, app, shop, jobs, path, upload, finish, tell: staff.tell }
  }

  it('backgrounds are uploaded, rendered, named and sorted', async () => {
    const { shop, deps, jobs, path, upload, finish, tell } = await begin()
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
    expect(jobs).toEqual([{ name: 'make-variants', payload: { studioId: shop.studioId, imageId: sky.imageId } }])
    const { data: field } = await upload('field.jpg')
    await finish()
    const named = await tell('PUT', `${path}/${sky.id}`, { name: ' Sky ', isEnabled: false, version: 1 })
    expect(named.data).toMatchObject({ name: 'Sky', isEnabled: false, version: 2, state: 'ready' })
    expect(named.data.thumbnailUrl).toMatch(/^\/photos\/staff\/\d+\/\d+\/thumb-/)
    expect((await tell('PUT', `${path}/${sky.id}`, { name: 'Sky', isEnabled: true, version: 1 })).status).toBe(409)
    const ordered = await tell('PUT', `jobs/${shop.jobId}/greenscreens-order`, { ids: [field.id, sky.id] })
    expect(ordered.data.map(({ name }: { name: string }) => name)).toEqual(['field', 'Sky'])
    expect((await tell('GET', `${path}?filter=sk`)).data).toMatchObject({ totalRecords: 1 })
    const trail = await deps.db.selectFrom('audit_log').select('action').orderBy('id').execute()
    expect(trail.map(({ action }) => action)).toEqual([
      'green-screen.made',
      'green-screen.made',
      'green-screen.changed',
    ])
  })

  it('an unusable image or too large a file is refused as a background', async () => {
    const { path, upload, tell } = await begin()
    expect(await upload('note.jpg', Buffer.from('no picture'))).toMatchObject({
      status: 422,
      errors: ['note.jpg: This file is not a picture. Only JPEG, PNG and WebP pictures can be uploaded.'],
    })
    expect(await upload('half.jpg', picture.subarray(0, 200))).toMatchObject({ status: 422 })
    expect(await upload('large.jpg', Buffer.concat([picture, Buffer.alloc(41 * 1024 * 1024)]))).toMatchObject({
      status: 413,
    })
    expect((await tell('POST', path, {})).status).toBe(415)
    expect((await tell('GET', path)).data).toEqual([])
  })

  it('a chosen background stays, and one without a choice is deleted with its files', async () => {
    const { deps, app, shop, path, upload, finish, tell } = await begin()
    const { data: sky } = await upload('sky.jpg')
    const { data: field } = await upload('field.jpg')
    await finish()
    const made = await shop.offer(onePrint(25))
    const phone = cartClient(app, shop, await shop.enter())
    const line = add(made, shop.adaId, {
      ...completeLineContent(made, shop.adaImageId),
      greenScreenBackgroundId: sky.id,
    })
    expect(statuses((await phone.sync([line])).results)).toEqual(['done'])
    expect((await tell('GET', path)).data).toMatchObject([{ cartCount: 1, orderCount: 0 }, { cartCount: 0 }])
    expect(await tell('DELETE', `${path}/${sky.id}`)).toMatchObject({
      status: 422,
      errors: ['Customers have chosen this background. Switch it off, so that nobody else does'],
    })
    const { original_key: key } = await deps.db
      .selectFrom('image_lookups')
      .select('original_key')
      .where('id', '=', field.imageId)
      .executeTakeFirstOrThrow()
    expect(await readWholeFile(deps.files, key)).toEqual(picture)
    expect((await tell('DELETE', `${path}/${field.id}`)).status).toBe(200)
    expect(await readWholeFile(deps.files, key)).toBeUndefined()
    expect((await tell('GET', path)).data).toMatchObject([{ name: 'sky' }])
  })

  it('backgrounds need the feature and a verified studio', async () => {
    const { deps, path, upload, tell } = await begin()
    await deps.db.updateTable('studios').set({ is_millers_verified: false }).execute()
    const unverified = {
      status: 403,
      errors: ['This studio needs to be verified by the partner to access this feature'],
    }
    expect(await tell('GET', path)).toMatchObject(unverified)
    expect(await upload('sky.jpg')).toMatchObject(unverified)
    await deps.db.deleteFrom('studio_features').execute()
    expect(await tell('GET', path)).toMatchObject({
      status: 403,
      errors: ['Green screens are not switched on for this studio'],
    })
  })
})
