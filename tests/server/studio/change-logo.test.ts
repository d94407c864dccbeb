import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { buildApp } from '#server/app.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testDeps } from '#support/server/test-app.ts'
import { storedWithOrientation } from '../images/image-samples.ts'
import { sampleBuild } from '../landing/sample-build.ts'
import { createStudioFixtures, formWith } from './studio-fixtures.ts'

const makeImage = (width: number, height: number, colour = '#1f6f78') =>
  sharp({ create: { width, height, channels: 4, background: colour } })

const png = (width = 1200, height = 400, colour?: string) => makeImage(width, height, colour).png().toBuffer()

describe.each(enginesFor(import.meta.filename))("a studio's logo on $name", (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await buildApp(deps, await sampleBuild())
    const studioFixtures = await createStudioFixtures(deps, app)
    const send = (bytes: Uint8Array, { name = 'logo.png', field = 'File' } = {}) =>
      studioFixtures.request('PUT', '/logo', formWith(field, { name, bytes }))
    const readStored = async () => {
      const keys: string[] = []
      for await (const { key } of deps.files.list('')) keys.push(key)
      return keys
    }
    const readCustomerStudio = async () => (await app.inject('/api/customer/studios/riverside')).json().data
    return { deps, app, studioFixtures, send, readStored, readCustomerStudio }
  }

  it('a logo is re-encoded and shown on customer pages at once', async () => {
    const { app, studioFixtures, send, readCustomerStudio } = await setUp()
    const sent = await send(await png(3000, 1000))
    expect(sent.data).toMatchObject({ logoShape: { width: 960, height: 320, wordmark: true }, version: 1 })
    expect((await readCustomerStudio()).logo).toBe(sent.data.logo)
    const image = await app.inject(sent.data.logo)
    expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(await sharp(image.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 960, height: 320 })
    expect((await app.inject('/riverside')).body).toContain(`<img src="${sent.data.logo}"`)
    expect(await studioFixtures.auditEntries()).toMatchObject([{ action: 'studio.logo-changed', byStaff: true }])
  })

  it('a new logo replaces the old one and its file', async () => {
    const { app, send, readStored, readCustomerStudio } = await setUp()
    const first = (await send(await png())).data.logo
    const second = (await send(await png(300, 300, '#b4532a'))).data.logo
    expect(second).not.toBe(first)
    expect((await readCustomerStudio()).logo).toBe(second)
    expect((await app.inject(first)).statusCode).toBe(404)
    expect((await app.inject(second)).statusCode).toBe(200)
    expect(await readStored()).toHaveLength(1)
  })

  it('sending the same logo again changes nothing', async () => {
    const { app, send, readStored } = await setUp()
    const bytes = await png()
    const [first, repeated] = [await send(bytes), await send(bytes)]
    expect(repeated.data).toEqual(first.data)
    expect((await app.inject(repeated.data.logo)).statusCode).toBe(200)
    expect(await readStored()).toHaveLength(1)
  })

  it('a logo can be removed repeatedly', async () => {
    const { app, studioFixtures, send, readStored, readCustomerStudio } = await setUp()
    const { logo } = (await send(await png())).data
    expect((await studioFixtures.request('DELETE', '/logo', { as: 'staff' })).data).toMatchObject({
      logo: null,
      logoShape: null,
    })
    expect((await studioFixtures.request('DELETE', '/logo')).data.logo).toBeNull()
    expect([(await readCustomerStudio()).logo, (await app.inject(logo)).statusCode, await readStored()]).toEqual([
      null,
      404,
      [],
    ])
    expect((await app.inject('/riverside')).body).not.toContain('<img')
    expect(await studioFixtures.auditEntries()).toHaveLength(2)
  })

  it('a logo may be JPEG or WebP, is rotated upright, and loses its metadata', async () => {
    const { app, send } = await setUp()
    const rotated = await storedWithOrientation(await png(400, 200), 6)
    expect((await sharp(rotated).metadata()).orientation).toBe(6)
    const { data } = await send(rotated, { name: 'logo.jpg' })
    expect(data.logoShape).toMatchObject({ width: 400, height: 200 })
    const { exif, orientation } = await sharp((await app.inject(data.logo)).rawPayload).metadata()
    expect([exif, orientation]).toEqual([undefined, undefined])
    expect((await send(await makeImage(90, 90).webp().toBuffer())).status).toBe(200)
  })

  it('transparency is preserved', async () => {
    const { app, send } = await setUp()
    const transparent = await makeImage(80, 80, '#00000000').png().toBuffer()
    const { data } = await send(transparent)
    expect((await sharp((await app.inject(data.logo)).rawPayload).stats()).isOpaque).toBe(false)
  })

  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
  )
  const rejectedFiles: [string, () => Promise<Uint8Array> | Uint8Array, string][] = [
    ['an SVG', () => svg, 'logo.png: This is an SVG file. Only JPEG, PNG and WebP images can be uploaded.'],
    [
      'a text file',
      () => Buffer.from('hello'),
      'logo.png: This file is not an image. Only JPEG, PNG and WebP images can be uploaded.',
    ],
    [
      'an empty file',
      () => Buffer.alloc(0),
      'logo.png: This file is not an image. Only JPEG, PNG and WebP images can be uploaded.',
    ],
    [
      'a truncated image',
      async () =>
        (
          await sharp({
            create: {
              width: 600,
              height: 600,
              channels: 3,
              background: '#123',
              noise: { type: 'gaussian', mean: 120, sigma: 40 },
            },
          })
            .png()
            .toBuffer()
        ).subarray(0, 20_000),
      'logo.png: This image is damaged or incomplete. Export or copy it again and upload the new file.',
    ],
  ]
  it.each(rejectedFiles)('%s is not accepted as a logo', async (_, bytes, message) => {
    const { send, readStored, readCustomerStudio } = await setUp()
    const refused = await send(await bytes())
    expect([refused.status, refused.errors]).toEqual([422, [message]])
    expect([(await readCustomerStudio()).logo, await readStored()]).toEqual([null, []])
  })

  it('a file that contains more than an image is refused and nothing is stored', async () => {
    const { send, readStored } = await setUp()
    const polyglot = Buffer.concat([await png(90, 90), Buffer.from('<script>alert(1)</script>')])
    const { status, problem } = await send(polyglot)
    expect([status, problem]).toEqual([422, 'refused'])
    expect(await readStored()).toEqual([])
  })

  it('a logo has at most five megabytes and must be in the form field “File”', async () => {
    const { studioFixtures, send, readStored } = await setUp()
    const large = await send(Buffer.alloc(5 * 1024 * 1024 + 1, 1))
    expect([large.status, large.problem]).toEqual([413, 'too-large'])
    const other = await send(await png(), { field: 'Picture' })
    expect([other.status, other.fields]).toEqual([400, { File: ['This field is required'] }])
    expect((await studioFixtures.request('PUT', '/logo', { payload: {} })).status).toBe(415)
    const { headers, payload } = formWith('File', { name: 'logo.png', bytes: await png() })
    const incomplete = await studioFixtures.request('PUT', '/logo', {
      headers,
      payload: payload.subarray(0, payload.length - 60),
    })
    expect([incomplete.status, incomplete.errors]).toEqual([
      400,
      ['The files arrived incomplete. Please send them again'],
    ])
    expect(await readStored()).toEqual([])
  })
})
