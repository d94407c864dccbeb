import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { confirmSubject, getJob, getSubject, listImages } from '#contract/customer/discovery-calls.ts'
import { checkImages, openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { type CustomerClient, customerClient } from '#tests/server/discovery/customer-client.ts'
import { addImage, jpegAt, seedJobs } from '#tests/server/discovery/job-fixtures.ts'
import { cutOutPng } from '../image-samples.ts'

const webp = { accept: 'image/avif,image/webp,image/apng,*/*;q=0.8' }

describe.each(enginesFor(import.meta.filename))('images for customers on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const jobs = await seedJobs(deps)
    const { spring, ada, ben, grade } = jobs
    const publishedAt = deps.clock()
    const individualOwner = (subjectId: number) => ({ kind: 'hosted-individual', subjectId }) as const
    const createImage = (fileName: string, owner: ReturnType<typeof individualOwner>) => ({
      fileName,
      owner,
      position: 1,
      publishedAt,
    })
    const lateId = await addImage(deps, spring, createImage('IMG_0002.jpg', individualOwner(ada)), await jpegAt(2))
    const earlyId = await addImage(deps, spring, createImage('IMG_0009.jpg', individualOwner(ada)), await jpegAt(1))
    const benId = await addImage(deps, spring, createImage('IMG_0003.jpg', individualOwner(ben)), await jpegAt(3))
    const group = {
      fileName: 'Grade 3.jpg',
      owner: { kind: 'hosted-group', groupId: grade },
      position: 1,
      publishedAt,
    } as const
    const classImageId = await addImage(deps, spring, group, await jpegAt(50))
    const unpublishedId = await addImage(
      deps,
      spring,
      { ...createImage('IMG_4.jpg', individualOwner(ada)), publishedAt: null },
      await jpegAt(4),
    )
    const enter = async (code: string): Promise<CustomerClient> => {
      const customer = customerClient(app)
      await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code } })
      return customer
    }
    const customer = await enter('ADALVL')
    const list = async (customer: CustomerClient, subjectId: number, jobId = spring.jobId) =>
      await customer.request(listImages, { params: { jobId, subjectId } })
    return {
      deps,
      app,
      time,
      jobs,
      customer,
      enter,
      list,
      ids: { lateId, earlyId, benId, classImageId, unpublishedId },
    }
  }

  it('the published images of a subject and its groups are listed in the order in which they were taken', async () => {
    const { customer, list, jobs, ids } = await setUp()
    const { data } = await list(customer, jobs.ada)
    expect(data.map(({ id }: { id: number }) => id)).toEqual([ids.earlyId, ids.lateId, ids.classImageId])
    expect(data[0]).toEqual({
      id: ids.earlyId,
      type: 'hosted-individual',
      groupId: null,
      groupName: null,
      name: 'IMG_0009',
      width: 200,
      height: 250,
      hasAlpha: false,
      thumbnailUrl: expect.stringMatching(new RegExp(`^/photos/[\\w-]{22}/${ids.earlyId}/thumb-[0-9a-f]{16}$`)),
      previewUrl: expect.stringMatching(new RegExp(`^/photos/[\\w-]{22}/${ids.earlyId}/preview-[0-9a-f]{16}$`)),
    })
    expect(data[2]).toMatchObject({ type: 'hosted-group', groupId: jobs.grade, groupName: 'Grade 3', name: 'Grade 3' })
  })

  it('images are listed only with a grant', async () => {
    const { app, jobs, customer, enter, list } = await setUp()
    expect(await list(customer, jobs.ben)).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect(await list(customer, jobs.hidden)).toMatchObject({ status: 404, problem: 'not-found' })
    expect(await list(customer, jobs.stranger)).toMatchObject({ status: 404, problem: 'not-found' })
    expect(await list(await enter('SPRING'), jobs.ada)).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect(await list(await enter('RAPIDS'), jobs.ada)).toMatchObject({ status: 403, problem: 'code-needed' })
    const anonymous = customerClient(app)
    expect(await list(anonymous, jobs.ada)).toMatchObject({ status: 401, problem: 'session-unknown' })
    await anonymous.request(openSession, { body: {} })
    expect(await list(anonymous, jobs.ada)).toMatchObject({ status: 403, problem: 'code-needed' })
  })

  it('each image is served as WebP or JPEG by the Accept header, without EXIF data and with a header that forbids caching', async () => {
    const { customer, list, jobs } = await setUp()
    const [first] = (await list(customer, jobs.ada)).data
    for (const [url, headers, format] of [
      [first.thumbnailUrl, webp, 'webp'],
      [first.previewUrl, webp, 'webp'],
      [first.thumbnailUrl, {}, 'jpeg'],
      [first.previewUrl, { accept: 'image/webp;q=0, image/*' }, 'jpeg'],
    ] as const) {
      const answer = await customer.get(url, headers)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).toMatchObject({
        'content-type': `image/${format}`,
        'content-length': String(answer.rawPayload.length),
        'cache-control': 'private, no-store',
      })
      expect(answer.headers.vary).toMatch(/\bAccept\b/)
      const metadata = await sharp(answer.rawPayload).metadata()
      expect(metadata).toMatchObject({ format, width: 200, height: 250 })
      expect(metadata.exif).toBeUndefined()
    }
  })

  it('a small preview is 900 pixels, the preview itself for a smaller image, and withdrawn with it', async () => {
    const { deps, customer, list, jobs } = await setUp()
    const owner = { kind: 'hosted-individual', subjectId: jobs.ada } as const
    const image = { fileName: 'large.jpg', owner, position: 9, publishedAt: deps.clock() }
    const original = await sharp({ create: { width: 1500, height: 1000, channels: 3, background: '#c93' } })
      .jpeg()
      .toBuffer()
    const id = await addImage(deps, jobs.spring, image, original)
    const images = (await list(customer, jobs.ada)).data as { id: number; previewUrl: string }[]
    const large = images.find((listed) => listed.id === id)?.previewUrl
    const small = images.find((listed) => listed.id !== id)?.previewUrl
    for (const [url, width] of [
      [large, 1280],
      [`${large}-900`, 900],
      [`${small}-900`, 200],
    ] as const) {
      for (const headers of [webp, {}]) {
        const answer = await customer.get(url ?? '', headers)
        expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width })
      }
    }
    await deps.db.updateTable('image_lookups').set({ published_at: null }).where('id', '=', id).execute()
    const paths = [large, `${large}-900`, `${small}-900`]
    const { withdrawn } = (await customer.request(checkImages, { body: { photos: paths } })).data
    expect(new Set(withdrawn)).toEqual(new Set([large, `${large}-900`]))
    expect((await customer.get(`${large}-900`)).statusCode).toBe(404)
  })

  it('an unverified studio has no gallery and shows no images (section 4)', async () => {
    const { deps, customer, list, jobs } = await setUp()
    const params = { jobId: jobs.spring.jobId, subjectId: jobs.ada }
    const [first] = (await list(customer, jobs.ada)).data
    await deps.db.updateTable('studios').set({ is_millers_verified: false }).execute()
    expect((await list(customer, jobs.ada)).data).toEqual([])
    for (const url of [first.thumbnailUrl, first.previewUrl]) expect((await customer.get(url)).statusCode).toBe(404)
    expect((await customer.request(getSubject, { params })).data).toMatchObject({
      imageThumbnailUrl: null,
      imageCount: 0,
    })
    expect((await customer.request(getJob, { params: { ...params, studioId: jobs.studioId } })).data).toMatchObject({
      hasPublishedImages: false,
    })
    await deps.db.updateTable('studios').set({ is_millers_verified: true }).execute()
    expect((await customer.get(first.thumbnailUrl)).statusCode).toBe(200)
  })

  it('a job has published images as long as at least one of them is not replaced', async () => {
    const { deps, customer, jobs } = await setUp()
    const params = { studioId: jobs.studioId, jobId: jobs.spring.jobId }
    const hasPublishedImages = async () => (await customer.request(getJob, { params })).data.hasPublishedImages
    expect(await hasPublishedImages()).toBe(true)
    await deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).execute()
    expect(await hasPublishedImages()).toBe(false)
  })

  it('a cut-out is served with transparency', async () => {
    const { deps, customer, list, jobs } = await setUp()
    const owner = { kind: 'hosted-individual', subjectId: jobs.ada } as const
    const image = { fileName: 'cut.png', owner, position: 9, publishedAt: deps.clock() }
    const id = await addImage(deps, jobs.spring, image, await cutOutPng(100))
    const cutOut = (await list(customer, jobs.ada)).data.find((listed: { id: number }) => listed.id === id)
    expect(cutOut).toMatchObject({ hasAlpha: true, width: 100, name: 'cut' })
    expect((await sharp((await customer.get(cutOut.thumbnailUrl, webp)).rawPayload).metadata()).hasAlpha).toBe(true)
  })

  it('replacements are listed last if they are requested, and served under the same grant', async () => {
    const { deps, customer, enter, list, jobs, ids } = await setUp()
    const createReplacement = (subjectId: number | null, publishedAt: Date | null = deps.clock()) =>
      ({ fileName: 'other.jpg', owner: { kind: 'replacement', subjectId }, position: 0, publishedAt }) as const
    const replacementId = await addImage(deps, jobs.spring, createReplacement(jobs.ada), await jpegAt(5))
    const sharedId = await addImage(deps, jobs.spring, createReplacement(null), await jpegAt(6))
    await addImage(deps, jobs.spring, createReplacement(jobs.ben), await jpegAt(7))
    await addImage(deps, jobs.spring, createReplacement(jobs.ada, null), await jpegAt(8))
    const params = { jobId: jobs.spring.jobId, subjectId: jobs.ada }
    const { data } = await customer.request(listImages, { params, query: { replacements: '1' } })
    const ownImageIds = [ids.earlyId, ids.lateId, ids.classImageId]
    expect(data.map(({ id }: { id: number }) => id)).toEqual([...ownImageIds, replacementId, sharedId])
    expect(data[3]).toMatchObject({ type: 'replacement', groupId: null, name: 'other', width: 200 })
    // An older app does not know replacements.
    expect((await list(customer, jobs.ada)).data.map(({ id }: { id: number }) => id)).toEqual(ownImageIds)
    const [adaUrl, sharedUrl] = [data[3].thumbnailUrl, data[4].thumbnailUrl]
    for (const url of [adaUrl, sharedUrl]) expect((await customer.get(url)).statusCode).toBe(200)
    const ben = await enter('BENLVL')
    for (const url of [adaUrl, sharedUrl]) expect((await ben.get(url)).statusCode).toBe(404)
    const benParams = { jobId: jobs.spring.jobId, subjectId: jobs.ben }
    const images = (await ben.request(listImages, { params: benParams, query: { replacements: '1' } })).data
    const [grantId] = images.map((listed: { thumbnailUrl: string }) => listed.thumbnailUrl.split('/')[2])
    const benAt = (url: string) => ben.get(url.replace(url.split('/')[2] ?? '', grantId))
    expect((await benAt(sharedUrl)).statusCode).toBe(200)
    expect((await benAt(adaUrl)).statusCode).toBe(404)
  })

  it('every wrong URL gets the same 404', async () => {
    const { app, customer, enter, list, jobs, ids } = await setUp()
    const [first] = (await list(customer, jobs.ada)).data
    const url: string = first.thumbnailUrl
    const grantId = url.split('/')[2] ?? ''
    const ben = await enter('BENLVL')
    const [benImage] = (await list(ben, jobs.ben)).data
    const wrongUrls = [
      url.replace(/thumb-\w+/, 'thumb-0123456789abcdef'),
      url.replace(/thumb-\w+/, 'original'),
      url.replace(/thumb-\w+/, '..%2Foriginal'),
      url.replace('thumb', 'preview'),
      url.replace(grantId, 'A'.repeat(22)),
      url.replace(`/${ids.earlyId}/`, `/${ids.lateId}/`),
      url.replace(`/${ids.earlyId}/`, '/999999/'),
      url.replace(`/${ids.earlyId}/`, '/abc/'),
      benImage.thumbnailUrl,
      benImage.thumbnailUrl.replace(benImage.thumbnailUrl.split('/')[2], grantId),
    ]
    const answers = [await customerClient(app).get(url), await ben.get(url)]
    for (const address of wrongUrls) answers.push(await customer.get(address))
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ errors: ['We could not find this'], problem: 'not-found' })
    }
    expect((await customer.get(url)).statusCode).toBe(200)
  })

  it('images are refused at once when grant, subject, image, job, studio or session is withdrawn', async () => {
    const { deps, customer, list, jobs, ids } = await setUp()
    const [first] = (await list(customer, jobs.ada)).data
    const requestedAt = deps.clock()
    const { jobId } = jobs.spring
    const { db } = deps
    const withdrawals = [
      [
        () => db.updateTable('session_grants').set({ revoked_at: requestedAt }).where('kind', '=', 'subject').execute(),
        () => db.updateTable('session_grants').set({ revoked_at: null }).execute(),
      ],
      [
        () => db.updateTable('subjects').set({ hidden_at: requestedAt }).where('id', '=', jobs.ada).execute(),
        () => db.updateTable('subjects').set({ hidden_at: null }).where('id', '=', jobs.ada).execute(),
      ],
      [
        () => db.updateTable('image_lookups').set({ published_at: null }).where('id', '=', ids.earlyId).execute(),
        () =>
          db.updateTable('image_lookups').set({ published_at: requestedAt }).where('id', '=', ids.earlyId).execute(),
      ],
      [
        () => db.updateTable('jobs').set({ published_at: null }).where('id', '=', jobId).execute(),
        () => db.updateTable('jobs').set({ published_at: requestedAt }).where('id', '=', jobId).execute(),
      ],
      [
        () => db.updateTable('jobs').set({ gallery_expires_on: '2027-04-14' }).where('id', '=', jobId).execute(),
        () => db.updateTable('jobs').set({ gallery_expires_on: '2027-04-15' }).where('id', '=', jobId).execute(),
      ],
      [
        () =>
          db.updateTable('jobs').set({ gallery_opens_at: '2027-04-16T00:00:00Z' }).where('id', '=', jobId).execute(),
        () => db.updateTable('jobs').set({ gallery_opens_at: null }).where('id', '=', jobId).execute(),
      ],
      [
        () => db.updateTable('studios').set({ rspo_enabled: false }).execute(),
        () => db.updateTable('studios').set({ rspo_enabled: true }).execute(),
      ],
      [
        () => db.updateTable('customer_sessions').set({ finished_at: requestedAt }).execute(),
        () => db.updateTable('customer_sessions').set({ finished_at: null }).execute(),
      ],
    ] as const
    for (const [withdraw, restore] of withdrawals) {
      expect((await customer.get(first.thumbnailUrl)).statusCode).toBe(200)
      await withdraw()
      expect((await customer.get(first.thumbnailUrl)).statusCode).toBe(404)
      const listed = await list(customer, jobs.ada)
      expect(listed.status === 200 ? listed.data.map(({ id }: { id: number }) => id) : []).not.toContain(ids.earlyId)
      await restore()
    }
    expect((await customer.get(first.thumbnailUrl)).statusCode).toBe(200)
  })

  it('images are refused when the grant ends after 400 days', async () => {
    const { deps, customer, list, jobs, time } = await setUp()
    const [first] = (await list(customer, jobs.ada)).data
    await deps.db.updateTable('customer_sessions').set({ expires_at: '2099-01-01T00:00:00Z' }).execute()
    const day = 24 * 60 * 60 * 1000
    time.advance(399 * day)
    expect((await customer.get(first.thumbnailUrl)).statusCode).toBe(200)
    time.advance(2 * day)
    expect((await customer.get(first.thumbnailUrl)).statusCode).toBe(404)
  })

  it('a public gallery shows all subjects except hidden ones under one grant, while it is public', async () => {
    const { deps, enter, list, jobs } = await setUp()
    const { team, kai, lea } = jobs
    const publishedAt = deps.clock()
    const createImage = (subjectId: number) =>
      ({ fileName: 'i.jpg', owner: { kind: 'hosted-individual', subjectId }, position: 1, publishedAt }) as const
    for (const id of [kai, lea]) await addImage(deps, team, createImage(id), await jpegAt(id))
    const groupId = await given(deps).group(team, 'U10', [kai])
    const owner = { kind: 'hosted-group', groupId } as const
    await addImage(deps, team, { fileName: 'U10.jpg', owner, position: 1, publishedAt }, await jpegAt(55))
    const customer = await enter('RAPIDS')
    const kaiImages = (await list(customer, kai, team.jobId)).data
    expect(kaiImages.map(({ type }: { type: string }) => type)).toEqual(['hosted-individual', 'hosted-group'])
    const [leaImage] = (await list(customer, lea, team.jobId)).data
    for (const image of [...kaiImages, leaImage]) expect((await customer.get(image.thumbnailUrl)).statusCode).toBe(200)
    const replacementOwner = { kind: 'replacement', subjectId: lea } as const
    await addImage(
      deps,
      team,
      { fileName: 'other.jpg', owner: replacementOwner, position: 2, publishedAt },
      await jpegAt(56),
    )
    const params = { jobId: team.jobId, subjectId: lea }
    const replacement = (await customer.request(listImages, { params, query: { replacements: '1' } })).data[1]
    expect((await customer.get(replacement.thumbnailUrl)).statusCode).toBe(200)
    await deps.db.updateTable('subjects').set({ hidden_at: publishedAt }).where('id', '=', lea).execute()
    for (const image of [leaImage, replacement]) expect((await customer.get(image.thumbnailUrl)).statusCode).toBe(404)
    await deps.db.updateTable('jobs').set({ gallery_is_public: false }).where('id', '=', team.jobId).execute()
    expect((await customer.get(kaiImages[0].thumbnailUrl)).statusCode).toBe(404)
    const proof = createSearchToken(deps, { jobId: team.jobId, subjectId: kai })
    await customer.request(confirmSubject, { params: { jobId: team.jobId }, body: { subjectId: kai, proof } })
    const [reopened] = (await list(customer, kai, team.jobId)).data
    expect((await customer.get(reopened.thumbnailUrl)).statusCode).toBe(200)
  })
})
