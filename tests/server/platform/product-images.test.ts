import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures, onePrint } from '../carts/cart-fixtures.ts'
import { jpegAt } from '../discovery/job-fixtures.ts'
import { multipartPayload } from '../images/lookups/form-data.ts'

const draft = {
  ...{ code: '11x14', name: '11×14 print', description: '', isDigital: false, widthInches: 11, heightInches: 14 },
  ...{ taxClass: 'standard', allowCrop: false, labSku: '', costCents: 500, suggestedPriceCents: 2900, tagIds: [] },
}

describe.each(enginesFor(import.meta.filename))('images of products on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const { jobs, enqueue } = recordingQueue()
    const deps = testDeps(database(), { jobs: { enqueue } })
    const app = await testApp(deps)
    const studioId = await given(deps).studio({ slug: 'summit' })
    await grantSupportAccess(deps, studioId)
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const { staffRequest: request, headersFor } = await staffClient(deps, app, studioId, { permissions })
    const upload = async (id: number, { fileName, bytes }: { fileName: string; bytes: Buffer }) => {
      const form = new FormData()
      form.append('File', new Blob([new Uint8Array(bytes)]), fileName)
      const sent = new Request('http://form.test', { method: 'PUT', body: form })
      const answer = await app.inject({
        method: 'PUT',
        url: `/api/admin/products/${id}/image`,
        payload: Buffer.from(await sent.arrayBuffer()),
        headers: { ...(await headersFor()), 'content-type': sent.headers.get('content-type') ?? '' },
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    const photo = async (minute: number) => ({ fileName: 'photo.jpg', bytes: await jpegAt(minute) })
    const open = (url: string) => app.inject({ method: 'GET', url })
    const removalOf = (url: string) => ({ folders: [], keys: [`platform/products/${url.split('/').at(-1)}.webp`] })
    const removals = () => jobs.filter(({ name }) => name === 'remove-files').map(({ payload }) => payload)
    const { data: product } = await request('POST', '/api/admin/products', draft)
    return { deps, app, request, upload, photo, open, removalOf, removals, product }
  }

  it('an image is shown to administrators and studios at a public address, without the bytes of the upload', async () => {
    const { deps, request, upload, photo, open, product } = await setUp()
    expect(product.imageUrl).toBeNull()
    const saved = await upload(product.id, await photo(1))
    const { imageUrl } = saved.data
    expect(saved).toMatchObject({ status: 200, data: { id: product.id, version: product.version } })
    expect((await request('GET', '/api/admin/products')).data).toMatchObject([{ imageUrl }])
    expect((await request('GET', 'products')).data).toMatchObject([{ code: '11x14', imageUrl }])
    const image = await open(imageUrl)
    expect(image.headers).toMatchObject({
      ...{ 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' },
      'x-content-type-options': 'nosniff',
    })
    expect(image.rawPayload.subarray(8, 12).toString()).toBe('WEBP')
    const actions = await deps.db.selectFrom('audit_log').select('action').orderBy('id').execute()
    expect(actions.map(({ action }) => action)).toEqual(['product.made', 'product.changed'])
  })

  it('a replaced or removed image is no longer served, and its file is removed', async () => {
    const { request, upload, photo, open, removalOf, removals, product } = await setUp()
    const url = `/api/admin/products/${product.id}`
    const { imageUrl: first } = (await upload(product.id, await photo(1))).data
    const { imageUrl: second } = (await upload(product.id, await photo(2))).data
    expect(second).not.toBe(first)
    expect([(await open(first)).statusCode, (await open(second)).statusCode]).toEqual([404, 200])
    expect(removals()).toEqual([removalOf(first)])
    expect((await request('DELETE', `${url}/image`)).data.imageUrl).toBeNull()
    expect((await request('DELETE', `${url}/image`)).status).toBe(200)
    expect((await open(second)).statusCode).toBe(404)
    expect(removals()).toEqual([removalOf(first), removalOf(second)])
    const saved = await request('PUT', url, { ...draft, name: 'Large print', version: product.version })
    expect(saved.data).toMatchObject({ name: 'Large print', imageUrl: null })
  })

  it('the file of a deleted product is removed; an archived product keeps its image', async () => {
    const { deps, request, upload, photo, open, removalOf, removals, product } = await setUp()
    const { imageUrl: ofDeleted } = (await upload(product.id, await photo(1))).data
    expect((await request('DELETE', `/api/admin/products/${product.id}`)).data).toEqual({ outcome: 'removed' })
    expect(removals()).toEqual([removalOf(ofDeleted)])
    const offered = await (await createCartFixtures(deps)).offer(onePrint(25))
    const body = { ...draft, code: offered.items[0]?.productCode }
    const { data: used } = await request('POST', '/api/admin/products', body)
    const { imageUrl } = (await upload(used.id, await photo(2))).data
    expect((await request('DELETE', `/api/admin/products/${used.id}`)).data).toEqual({ outcome: 'archived' })
    expect((await open(imageUrl)).statusCode).toBe(200)
    expect(removals()).toEqual([removalOf(ofDeleted)])
  })

  it('a file that is no image, an unknown product and a caller who is not signed in are refused, and store nothing', async () => {
    const { deps, app, request, upload, photo, product } = await setUp()
    const svg = await upload(product.id, {
      fileName: 'a.svg',
      bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    const message = 'This is an SVG file. Only JPEG, PNG and WebP images can be uploaded.'
    expect(svg).toMatchObject({ status: 422, fields: { File: [message] } })
    expect((await upload(999, await photo(1))).status).toBe(404)
    expect((await request('DELETE', '/api/admin/products/999/image')).status).toBe(404)
    const { payload, headers } = await multipartPayload([])
    const url = `/api/admin/products/${product.id}/image`
    expect((await app.inject({ method: 'PUT', url, payload, headers })).statusCode).toBe(401)
    expect((await request('GET', `/api/admin/products/${product.id}`)).data.imageUrl).toBeNull()
    expect(await Array.fromAsync(deps.files.list('platform/products/'))).toEqual([])
  })
})
