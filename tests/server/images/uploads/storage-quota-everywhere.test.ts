import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { keyHere } from '#server/images/engine/chroma-key.ts'
import { proposeCutOut } from '#server/images/lookups/cut-outs.ts'
import { removeFiles } from '#server/jobs/delete-job.ts'
import { engines, freshDatabase } from '#support/database/test-database.ts'
import { addFeatures } from '../../carts/order-service-fixtures.ts'
import { jpegAt } from '../../discovery/job-fixtures.ts'
import { createUploadFixtures, type TestFile } from './upload-fixtures.ts'

const verifiedBytes = 2e12
const unverifiedBytes = 20e9
const full =
  'Your studio has 2.0 TB for its pictures, of which 2.0 TB are taken. Delete pictures you no longer need, or ask us for more room'

const list = (name: string): TestFile => ({
  fileName: `${name}.csv`,
  bytes: Buffer.from(`First name,Last name\n${name},Lovelace\n`),
})
const picture = async (minute: number): Promise<TestFile> => ({
  fileName: `${minute}.jpg`,
  bytes: await jpegAt(minute),
})
const drawing = await sharp({ create: { width: 300, height: 100, channels: 4, background: '#1f6f78' } })
  .png()
  .toBuffer()
const green = await sharp(
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="250"><rect width="100%" height="100%" fill="#20b840"/><circle cx="100" cy="140" r="60" fill="#c89678"/></svg>',
  ),
)
  .jpeg()
  .toBuffer()

describe.each(engines)('the storage quota for every kind of file on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async ({ most = verifiedBytes }: { most?: number } = {}) => {
    const desk = await createUploadFixtures(database())
    const { deps, studioId, jobId, organizationId, ask, at } = desk
    const { db, files } = deps
    await addFeatures(deps, desk, ['dataImport', 'greenscreens'])
    await db
      .updateTable('studios')
      .set({ is_millers_verified: most === verifiedBytes })
      .execute()
    // The shop's own images have no files.
    await db.updateTable('image_lookups').set({ byte_size: 0 }).execute()
    const studio = `/api/studioadmin/studios/${studioId}`
    const images = `${studio}/organizations/${organizationId}/jobs/${jobId}/imagelookups`
    const send = async (
      method: 'POST' | 'PUT' | 'PATCH',
      url: string,
      { file, fields = {} }: { file: TestFile; fields?: Record<string, string> },
    ) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('File', new File([new Uint8Array(file.bytes)], file.fileName))
      const headers = { authorization: `Bearer ${await desk.tokenOf()}` }
      const answer = await desk.app.inject({ method, url, headers, payload: form })
      return { status: answer.statusCode, ...answer.json() }
    }
    const announce = (byteSize: number, fileName = 'next.jpg') =>
      ask('POST', at('uploads'), {
        payload: { files: [{ fileName, byteSize, fingerprint: `fingerprint-${fileName}` }] },
      })
    const ways = {
      announce,
      sendList: (name: string) => send('POST', at('imports'), { file: list(name) }),
      sendBackground: (file: TestFile) => send('POST', at('greenscreens'), { file }),
      sendLogo: () => send('PUT', `${studio}/logo`, { file: { fileName: 'logo.png', bytes: drawing } }),
      replace: (id: number, file: TestFile) => send('PATCH', `${images}/${id}`, { file }),
      bulkReplace: (id: number, file: TestFile) =>
        send('PATCH', `${images}/bulk-replace`, {
          file,
          fields: { 'ImageMigrationSettings[0].ImageId': String(id) },
        }),
    }

    /** The files in the store without small images, by key. */
    const stored = async () => {
      const kept = await Array.fromAsync(files.list('studios/'))
      return kept.filter(({ key }) => !/\/(thumb|preview)-/.test(key)).toSorted((a, b) => (a.key < b.key ? -1 : 1))
    }
    const storedBytes = async () => (await stored()).reduce((sum, { size }) => sum + size, 0)
    /** Announces a file that leaves this many bytes free. */
    const leave = async (bytes: number) => {
      await db.deleteFrom('uploads').where('upload_key', '=', 'filler').execute()
      const byte_size = most - (await storedBytes()) - bytes
      const upload = { studio_id: studioId, job_id: jobId, upload_key: 'filler', file_name: 'filler.jpg', byte_size }
      await db
        .insertInto('uploads')
        .values({ ...upload, purpose: 'image', state: 'receiving' })
        .execute()
    }
    const expectLeft = async (bytes: number) => {
      expect((await announce(bytes + 1, 'more.jpg')).status, 'one byte more').toBe(422)
      if (bytes === 0) return
      const { status, data } = await announce(bytes, 'rest.jpg')
      expect(status).toBe(200)
      expect((await ask('DELETE', at(`uploads/${data[0].id}`))).status).toBe(200)
    }
    const rows = async () =>
      Promise.all(
        (['image_lookups', 'green_screens', 'imports', 'uploads', 'audit_log'] as const).map(async (table) => {
          const { count } = await db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('count'))
            .executeTakeFirstOrThrow()
          return `${count} ${table}`
        }),
      )
    /** With one byte missing it is refused and nothing is stored; with enough space it is accepted and counts from then on. */
    const expectTakes = async (
      { needs, left = 0 }: { needs: number; left?: number },
      way: () => Promise<{ status: number; errors?: string[] }>,
    ) => {
      await leave(needs - 1)
      const before = [await stored(), await rows()]
      expect(await way()).toMatchObject({ status: 422, errors: [full] })
      expect([await stored(), await rows()]).toEqual(before)
      await leave(needs)
      expect((await way()).status).toBe(200)
      await expectLeft(left)
    }
    const uploaded = async (file: TestFile) => (await desk.upload([file]))[0]?.imageId ?? 0
    return { ...desk, db, ...ways, stored, leave, expectLeft, rows, expectTakes, uploaded }
  }

  it('an announced upload counts', async () => {
    const { expectTakes, announce } = await begin()
    await expectTakes({ needs: 300 }, () => announce(300))
  })

  it('a list of subjects counts until it is imported', async () => {
    const { expectTakes, sendList, db, expectLeft, ask, at, jobs } = await begin()
    const needs = list('Ada').bytes.length
    await expectTakes({ needs }, () => sendList('Ada'))
    const { id, version } = await db.selectFrom('imports').select(['id', 'version']).executeTakeFirstOrThrow()
    await db.updateTable('imports').set({ state: 'done' }).where('id', '=', id).execute()
    await expectLeft(needs)
    await db.updateTable('imports').set({ state: 'mapping' }).where('id', '=', id).execute()
    expect([version, jobs]).toEqual([1, []])
    expect((await ask('DELETE', at(`imports/${id}`))).status).toBe(200)
    await expectLeft(needs)
  })

  it('a background counts', async () => {
    const { expectTakes, sendBackground } = await begin()
    const file = await picture(1)
    await expectTakes({ needs: file.bytes.length }, () => sendBackground(file))
  })

  it('a logo counts together with the one it replaces', async () => {
    const { expectTakes, sendLogo, leave, expectLeft, stored, ask, studioId } = await begin()
    await leave(1e6)
    expect((await sendLogo()).status).toBe(200)
    const [{ size } = { size: 0 }] = await stored()
    expect((await ask('DELETE', `/api/studioadmin/studios/${studioId}/logo`)).status).toBe(200)
    await expectTakes({ needs: size }, () => sendLogo())
    // The same logo again needs no more space.
    expect((await sendLogo()).status).toBe(200)
    await expectLeft(0)
  })

  it('a replacement counts as far as it is larger', async () => {
    const { expectTakes, replace, uploaded, leave, expectLeft, jobs, deps } = await begin()
    const [small, large] = [await picture(1), { fileName: 'large.jpg', bytes: green }]
    const larger = large.bytes.length - small.bytes.length
    expect(larger).toBeGreaterThan(0)
    const id = await uploaded(small)
    await expectTakes({ needs: larger }, () => replace(id, large))
    for (const { name, payload } of jobs.splice(0)) if (name === 'remove-files') await removeFiles(deps, payload)
    // More is stored than allowed, for example after a changed setting.
    await leave(-1)
    expect((await replace(id, small)).status).toBe(200)
    await expectLeft(larger - 1)
  })

  it('each of several replacements counts by itself', async () => {
    const { bulkReplace, uploaded, leave, expectLeft, stored, rows } = await begin()
    const [former, next] = [await picture(1), await picture(2)]
    const id = await uploaded(former)
    await leave(next.bytes.length - 1)
    const before = [await stored(), await rows()]
    expect(await bulkReplace(id, next)).toMatchObject({
      status: 200,
      data: [{ imageId: id, newImageId: null, problem: full }],
    })
    expect([await stored(), await rows()]).toEqual(before)
    await leave(next.bytes.length)
    expect(await bulkReplace(id, next)).toMatchObject({ status: 200, data: [{ problem: null }] })
    await expectLeft(former.bytes.length)
  })

  it('a cut-out counts; without space there is none, and the log says why', async () => {
    const { uploaded, leave, expectLeft, stored, deps, db, studioId, ask, organizationId, jobId } = await begin()
    const imageId = await uploaded({ fileName: 'green.jpg', bytes: green })
    const image = () => db.selectFrom('image_lookups').selectAll().where('id', '=', imageId).executeTakeFirstOrThrow()
    const propose = () => proposeCutOut(deps, { studioId, imageId }, { keyGreen: keyHere })
    const decide = async (decision: 'accept' | 'reject') => {
      const path = `organizations/${organizationId}/jobs/${jobId}/imagelookups/${imageId}/cut-out`
      const payload = { version: (await image()).version, decision }
      return (await ask('POST', `/api/studioadmin/studios/${studioId}/${path}`, { payload })).status
    }
    const before = await Array.fromAsync(deps.files.list(''))
    await leave(1)
    await propose()
    expect(await image()).toMatchObject({ cut_out_state: 'none', cut_out_key: null, version: 1 })
    expect(await Array.fromAsync(deps.files.list(''))).toEqual(before)
    const log = db.selectFrom('processing_log').select(['step', 'state', 'message', 'image_id'])
    expect(await log.where('step', '=', 'cut-out').execute()).toEqual([
      { step: 'cut-out', state: 'refused', message: full, image_id: imageId },
    ])

    await leave(1e6)
    await propose()
    const size = (await stored()).find(({ key }) => key.includes('cut-out'))?.size ?? 0
    await expectLeft(1e6 - size)
    expect(await decide('accept')).toBe(200)
    await expectLeft(1e6 - size)
    expect(await decide('reject')).toBe(200)
    await expectLeft(1e6)
  })

  it('the quota is small before the lab has verified the studio, and large after', async () => {
    const { announce, db, leave, sendList } = await begin({ most: unverifiedBytes })
    await leave(10)
    const small =
      'Your studio has 20 GB for its pictures, of which 20 GB are taken. Delete pictures you no longer need, or have your studio verified for more room'
    expect(await announce(11)).toMatchObject({ status: 422, errors: [small] })
    expect(await sendList('Ada')).toMatchObject({ status: 422, errors: [small] })
    await db.updateTable('studios').set({ is_millers_verified: true }).execute()
    expect((await announce(11)).status).toBe(200)
    expect((await sendList('Ada')).status).toBe(200)
  })

  it('the last space is given once to concurrent requests', async () => {
    const { announce, sendList, sendBackground, leave, expectLeft, stored } = await begin()
    const needs = list('Ada').bytes.length
    await leave(2 * needs)
    const lists = await Promise.all(Array.from({ length: 6 }, () => sendList('Ada')))
    expect(lists.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422, 422, 422])
    await expectLeft(0)
    expect(await stored()).toHaveLength(2)

    const file = await picture(1)
    const size = file.bytes.length
    await leave(size)
    const mixed = await Promise.all([announce(size, 'a.jpg'), sendBackground(file), announce(size, 'b.jpg')])
    expect(mixed.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  })
})
