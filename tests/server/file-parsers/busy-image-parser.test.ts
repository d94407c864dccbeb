import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inspectionBusy } from '#server/images/inspection/image-rejection.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { addFeature, jpegAt } from '../discovery/job-fixtures.ts'
import { multipartPayload } from '../images/lookups/form-data.ts'
import { createUploadFixtures } from '../images/uploads/upload-fixtures.ts'
import { formWith } from '../studio/studio-fixtures.ts'

type Sent = { method: 'PUT' | 'PATCH' | 'POST'; path: string; payload: Buffer; headers: Record<string, string> }

describe.each(enginesFor(import.meta.filename))('while all image parser threads are busy, on $name', (engine) => {
  const database = freshDatabase(engine)

  /** `freeFor`: how many images are inspected before the threads are busy. */
  const begin = async () => {
    const desk = await createUploadFixtures(database())
    const { deps, app, studioId, jobId, organizationId } = desk
    const pool = { freeFor: Number.POSITIVE_INFINITY }
    const { inspect, makeLogo } = deps.fileParsers
    const isFree = (): boolean => {
      pool.freeFor -= 1
      return pool.freeFor >= 0
    }
    Object.assign(deps, {
      fileParsers: {
        ...deps.fileParsers,
        inspect: async (bytes: Uint8Array, of: number) =>
          isFree() ? await inspect(bytes, of) : { ok: false, refusal: inspectionBusy },
        makeLogo: async (bytes: Uint8Array, of: number) =>
          isFree() ? await makeLogo(bytes, of) : { ok: false, refusal: inspectionBusy },
      },
    })
    await addFeature(deps, studioId, 'greenscreens')
    await deps.db.updateTable('studios').set({ is_millers_verified: true }).where('id', '=', studioId).execute()
    const { token } = await signToken(deps, {
      ...{ id: 1, name: 'Owner', email: 'owner@riverside.test', studioId },
      permissions: ['studio.crud', 'studio.admin.crud'],
    })
    const send = ({ method, path, payload, headers }: Sent, key: string) =>
      app.inject({
        ...{ method, payload, url: `/api/studioadmin/studios/${studioId}${path}` },
        headers: { ...headers, authorization: `Bearer ${token}`, 'idempotency-key': key },
      })
    const uploads = await desk.upload([
      { fileName: 'a.jpg', bytes: await jpegAt(1) },
      { fileName: 'b.jpg', bytes: await jpegAt(2) },
    ])
    const [first = 0, second = 0] = uploads.map(({ imageId }) => imageId ?? 0)
    const images = `/organizations/${organizationId}/jobs/${jobId}/imagelookups`
    const files = async () => {
      const keys: string[] = []
      for await (const { key } of deps.files.list('')) keys.push(key)
      return keys.toSorted()
    }
    return { ...desk, pool, send, images, first, second, files }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  const logo = async (): Promise<Sent> => ({
    ...formWith('File', { name: 'new.jpg', bytes: await jpegAt(9) }),
    ...{ method: 'PUT', path: '/logo' },
  })
  const replacement = async ({ images, first }: Begun): Promise<Sent> => ({
    ...(await multipartPayload([{ fileName: 'new.jpg', bytes: await jpegAt(9) }])),
    ...{ method: 'PATCH', path: `${images}/${first}` },
  })
  const replacements = async ({ images, first, second }: Begun): Promise<Sent> => ({
    ...(await multipartPayload(
      [
        { fileName: 'old.jpg', bytes: await jpegAt(8) },
        { fileName: 'new.jpg', bytes: await jpegAt(9) },
      ],
      Object.fromEntries([first, second].map((id, n) => [`ImageMigrationSettings[${n}].ImageId`, String(id)])),
    )),
    ...{ method: 'PATCH', path: `${images}/bulk-replace` },
  })
  const background = async ({ jobId }: Begun): Promise<Sent> => ({
    ...(await multipartPayload([{ fileName: 'new.jpg', bytes: await jpegAt(9) }])),
    ...{ method: 'POST', path: `/jobs/${jobId}/greenscreens` },
  })

  it.each([
    ['a logo', logo, 0],
    ['another file for a picture', replacement, 0],
    ['the second of several files', replacements, 1],
    ['a background', background, 0],
  ])('%s is answered 429 and changes nothing; the same request succeeds later', async (_, sentBy, freeFor) => {
    const begun = await begin()
    const { pool, send, files } = begun
    const sent = await sentBy(begun)
    const key = randomUUID()
    const before = await files()
    pool.freeFor = freeFor
    const answer = await send(sent, key)
    expect(answer.statusCode).toBe(429)
    expect(answer.headers['retry-after']).toBe('60')
    expect(answer.json()).toMatchObject({ errors: [`new.jpg: ${inspectionBusy.message}`], problem: 'slow-down' })
    expect(await files()).toEqual(before)
    pool.freeFor = Number.POSITIVE_INFINITY
    expect((await send(sent, key)).statusCode).toBe(200)
    expect(await files()).not.toEqual(before)
  })
})
