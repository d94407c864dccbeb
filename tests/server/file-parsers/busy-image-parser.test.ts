import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inspectionBusy } from '#server/images/inspection/image-rejection.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { signToken } from '#support/server/sign-token.ts'
import { jpegAt } from '../discovery/job-fixtures.ts'
import { multipartPayload } from '../images/lookups/form-data.ts'
import { createUploadFixtures } from '../images/uploads/upload-fixtures.ts'
import { formWith } from '../studio/studio-fixtures.ts'

type UploadRequest = {
  method: 'PUT' | 'PATCH' | 'POST'
  path: string
  payload: Buffer
  headers: Record<string, string>
}

describe.each(enginesFor(import.meta.filename))('while all image parser threads are busy, on $name', (engine) => {
  const database = freshDatabase(engine)

  /** `pool.remainingInspections` is the number of images that are inspected before all threads are busy. */
  const setUp = async () => {
    const fixtures = await createUploadFixtures(database())
    const { deps, app, studioId, jobId, organizationId } = fixtures
    const pool = { remainingInspections: Number.POSITIVE_INFINITY }
    const { inspect, makeLogo } = deps.fileParsers
    const isFree = (): boolean => {
      pool.remainingInspections -= 1
      return pool.remainingInspections >= 0
    }
    Object.assign(deps, {
      fileParsers: {
        ...deps.fileParsers,
        inspect: async (bytes: Uint8Array, owner: number) =>
          isFree() ? await inspect(bytes, owner) : { ok: false, refusal: inspectionBusy },
        makeLogo: async (bytes: Uint8Array, owner: number) =>
          isFree() ? await makeLogo(bytes, owner) : { ok: false, refusal: inspectionBusy },
      },
    })
    await given(deps).feature(studioId, 'greenscreens')
    await deps.db.updateTable('studios').set({ is_millers_verified: true }).where('id', '=', studioId).execute()
    await grantSupportAccess(deps, studioId)
    const { token } = await signToken(deps, {
      ...{ id: 1, name: 'Owner', email: 'owner@riverside.test', studioId },
      permissions: ['studio.crud', 'studio.admin.crud'],
    })
    const send = ({ method, path, payload, headers }: UploadRequest, key: string) =>
      app.inject({
        ...{ method, payload, url: `/api/studioadmin/studios/${studioId}${path}` },
        headers: { ...headers, authorization: `Bearer ${token}`, 'idempotency-key': key },
      })
    const uploads = await fixtures.upload([
      { fileName: 'a.jpg', bytes: await jpegAt(1) },
      { fileName: 'b.jpg', bytes: await jpegAt(2) },
    ])
    const [first = 0, second = 0] = uploads.map(({ imageId }) => imageId ?? 0)
    const images = `/organizations/${organizationId}/jobs/${jobId}/imagelookups`
    const listFiles = async () => {
      const keys: string[] = []
      for await (const { key } of deps.files.list('')) keys.push(key)
      return keys.toSorted()
    }
    return { ...fixtures, pool, send, images, first, second, listFiles }
  }
  type BusyFixtures = Awaited<ReturnType<typeof setUp>>

  const logo = async (): Promise<UploadRequest> => ({
    ...formWith('File', { name: 'new.jpg', bytes: await jpegAt(9) }),
    ...{ method: 'PUT', path: '/logo' },
  })
  const replacement = async ({ images, first }: BusyFixtures): Promise<UploadRequest> => ({
    ...(await multipartPayload([{ fileName: 'new.jpg', bytes: await jpegAt(9) }])),
    ...{ method: 'PATCH', path: `${images}/${first}` },
  })
  const replacements = async ({ images, first, second }: BusyFixtures): Promise<UploadRequest> => ({
    ...(await multipartPayload(
      [
        { fileName: 'old.jpg', bytes: await jpegAt(8) },
        { fileName: 'new.jpg', bytes: await jpegAt(9) },
      ],
      Object.fromEntries([first, second].map((id, n) => [`ImageMigrationSettings[${n}].ImageId`, String(id)])),
    )),
    ...{ method: 'PATCH', path: `${images}/bulk-replace` },
  })
  const background = async ({ jobId }: BusyFixtures): Promise<UploadRequest> => ({
    ...(await multipartPayload([{ fileName: 'new.jpg', bytes: await jpegAt(9) }])),
    ...{ method: 'POST', path: `/jobs/${jobId}/greenscreens` },
  })

  it.each([
    ['a logo', logo, 0],
    ['a replacement of an image', replacement, 0],
    ['the second of several files', replacements, 1],
    ['a background', background, 0],
  ])(
    'a request with %s gets a 429 response and changes nothing, and the same request succeeds later',
    async (_, createRequest, remainingInspections) => {
      const busyFixtures = await setUp()
      const { pool, send, listFiles } = busyFixtures
      const uploadRequest = await createRequest(busyFixtures)
      const key = randomUUID()
      const before = await listFiles()
      pool.remainingInspections = remainingInspections
      const answer = await send(uploadRequest, key)
      expect(answer.statusCode).toBe(429)
      expect(answer.headers['retry-after']).toBe('60')
      expect(answer.json()).toMatchObject({ errors: [`new.jpg: ${inspectionBusy.message}`], problem: 'slow-down' })
      expect(await listFiles()).toEqual(before)
      pool.remainingInspections = Number.POSITIVE_INFINITY
      expect((await send(uploadRequest, key)).statusCode).toBe(200)
      expect(await listFiles()).not.toEqual(before)
    },
  )
})
