import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { confirmSubject, getJob, getSubject, listImages } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { type CustomerClient, customerClient } from '../../discovery/customer-client.ts'
import { addGroup, addImage, jpegAt, seedJobs } from '../../discovery/job-fixtures.ts'
import { cutOutPng } from '../image-samples.ts'

const webp = { accept: 'image/avif,image/webp,image/apng,*/*;q=0.8' }

describe.each(enginesFor(import.meta.filename))('images for customers on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const event = await seedJobs(deps)
    const { spring, ada, ben, grade } = event
    const publishedAt = deps.clock()
    const own = (subjectId: number) => ({ kind: 'hosted-individual', subjectId }) as const
    const image = (fileName: string, owner: ReturnType<typeof own>) => ({ fileName, owner, position: 1, publishedAt })
    const late = await addImage(deps, spring, image('IMG_0002.jpg', own(ada)), await jpegAt(2))
    const early = await addImage(deps, spring, image('IMG_0009.jpg', own(ada)), await jpegAt(1))
    const bens = await addImage(deps, spring, image('IMG_0003.jpg', own(ben)), await jpegAt(3))
    const group = {
      fileName: 'Grade 3.jpg',
      owner: { kind: 'hosted-group', groupId: grade },
      position: 1,
      publishedAt,
    } as const
    const classPicture = await addImage(deps, spring, group, await jpegAt(50))
    const unpublished = await addImage(
      deps,
      spring,
      { ...image('IMG_4.jpg', own(ada)), publishedAt: null },
      await jpegAt(4),
    )
    const enter = async (code: string): Promise<CustomerClient> => {
      const parent = customerClient(app)
      await parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code } })
      return parent
    }
    const parent = await enter('ADALVL')
    const list = async (who: CustomerClient, subjectId: number, jobId = spring.jobId) =>
      await who.ask(listImages, { params: { jobId, subjectId } })
    return { deps, app, time, event, parent, enter, list, ids: { late, early, bens, classPicture, unpublished } }
  }

  it('a subject’s published images and their groups’ are listed in order of shooting', async () => {
    const { parent, list, event, ids } = await begin()
    const { data } = await list(parent, event.ada)
    expect(data.map(({ id }: { id: number }) => id)).toEqual([ids.early, ids.late, ids.classPicture])
    expect(data[0]).toEqual({
      id: ids.early,
      type: 'hosted-individual',
      groupId: null,
      groupName: null,
      name: 'IMG_0009',
      width: 200,
      height: 250,
      hasAlpha: false,
      thumbnailUrl: expect.stringMatching(new RegExp(`^/photos/[\\w-]{22}/${ids.early}/thumb-[0-9a-f]{16}$`)),
      previewUrl: expect.stringMatching(new RegExp(`^/photos/[\\w-]{22}/${ids.early}/preview-[0-9a-f]{16}$`)),
    })
    expect(data[2]).toMatchObject({ type: 'hosted-group', groupId: event.grade, groupName: 'Grade 3', name: 'Grade 3' })
  })

  it('images are listed only with a grant', async () => {
    const { app, event, parent, enter, list } = await begin()
    expect(await list(parent, event.ben)).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect(await list(parent, event.hidden)).toMatchObject({ status: 404, problem: 'not-found' })
    expect(await list(parent, event.stranger)).toMatchObject({ status: 404, problem: 'not-found' })
    expect(await list(await enter('SPRING'), event.ada)).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect(await list(await enter('RAPIDS'), event.ada)).toMatchObject({ status: 403, problem: 'code-needed' })
    const nobody = customerClient(app)
    expect(await list(nobody, event.ada)).toMatchObject({ status: 401, problem: 'session-unknown' })
    await nobody.ask(openSession, { body: {} })
    expect(await list(nobody, event.ada)).toMatchObject({ status: 403, problem: 'code-needed' })
  })

  it('each image is served in both formats, correct and never cached by proxies', async () => {
    const { parent, list, event } = await begin()
    const [first] = (await list(parent, event.ada)).data
    for (const [url, headers, format] of [
      [first.thumbnailUrl, webp, 'webp'],
      [first.previewUrl, webp, 'webp'],
      [first.thumbnailUrl, {}, 'jpeg'],
      [first.previewUrl, { accept: 'image/webp;q=0, image/*' }, 'jpeg'],
    ] as const) {
      const answer = await parent.get(url, headers)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).toMatchObject({
        'content-type': `image/${format}`,
        'content-length': String(answer.rawPayload.length),
        'cache-control': 'private, no-store',
      })
      expect(answer.headers.vary).toMatch(/\bAccept\b/)
      const seen = await sharp(answer.rawPayload).metadata()
      expect(seen).toMatchObject({ format, width: 200, height: 250 })
      expect(seen.exif).toBeUndefined()
    }
  })

  it('an unverified studio has no gallery and shows no images (decisions, section 4)', async () => {
    const { deps, parent, list, event } = await begin()
    const params = { jobId: event.spring.jobId, subjectId: event.ada }
    const [first] = (await list(parent, event.ada)).data
    await deps.db.updateTable('studios').set({ is_millers_verified: false }).execute()
    expect((await list(parent, event.ada)).data).toEqual([])
    for (const url of [first.thumbnailUrl, first.previewUrl]) expect((await parent.get(url)).statusCode).toBe(404)
    expect((await parent.ask(getSubject, { params })).data).toMatchObject({ imageThumbnailUrl: null, imageCount: 0 })
    expect((await parent.ask(getJob, { params: { ...params, studioId: event.studioId } })).data).toMatchObject({
      hasPublishedImages: false,
    })
    await deps.db.updateTable('studios').set({ is_millers_verified: true }).execute()
    expect((await parent.get(first.thumbnailUrl)).statusCode).toBe(200)
  })

  it('a job has published images while one of them is not replaced', async () => {
    const { deps, parent, event } = await begin()
    const params = { studioId: event.studioId, jobId: event.spring.jobId }
    const isPhotographed = async () => (await parent.ask(getJob, { params })).data.hasPublishedImages
    expect(await isPhotographed()).toBe(true)
    await deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).execute()
    expect(await isPhotographed()).toBe(false)
  })

  it('a cut-out is served with transparency', async () => {
    const { deps, parent, list, event } = await begin()
    const owner = { kind: 'hosted-individual', subjectId: event.ada } as const
    const image = { fileName: 'cut.png', owner, position: 9, publishedAt: deps.clock() }
    const id = await addImage(deps, event.spring, image, await cutOutPng(100))
    const found = (await list(parent, event.ada)).data.find((one: { id: number }) => one.id === id)
    expect(found).toMatchObject({ hasAlpha: true, width: 100, name: 'cut' })
    expect((await sharp((await parent.get(found.thumbnailUrl, webp)).rawPayload).metadata()).hasAlpha).toBe(true)
  })

  it('replacements are listed last, on request, and served under the same grant', async () => {
    const { deps, parent, enter, list, event, ids } = await begin()
    const of = (subjectId: number | null, publishedAt: Date | null = deps.clock()) =>
      ({ fileName: 'other.jpg', owner: { kind: 'replacement', subjectId }, position: 0, publishedAt }) as const
    const own = await addImage(deps, event.spring, of(event.ada), await jpegAt(5))
    const everybodys = await addImage(deps, event.spring, of(null), await jpegAt(6))
    await addImage(deps, event.spring, of(event.ben), await jpegAt(7))
    await addImage(deps, event.spring, of(event.ada, null), await jpegAt(8))
    const params = { jobId: event.spring.jobId, subjectId: event.ada }
    const { data } = await parent.ask(listImages, { params, query: { replacements: '1' } })
    const theirs = [ids.early, ids.late, ids.classPicture]
    expect(data.map(({ id }: { id: number }) => id)).toEqual([...theirs, own, everybodys])
    expect(data[3]).toMatchObject({ type: 'replacement', groupId: null, name: 'other', width: 200 })
    // An older app does not know replacements.
    expect((await list(parent, event.ada)).data.map(({ id }: { id: number }) => id)).toEqual(theirs)
    const [ada, all] = [data[3].thumbnailUrl, data[4].thumbnailUrl]
    for (const url of [ada, all]) expect((await parent.get(url)).statusCode).toBe(200)
    const ben = await enter('BENLVL')
    for (const url of [ada, all]) expect((await ben.get(url)).statusCode).toBe(404)
    const bens = { jobId: event.spring.jobId, subjectId: event.ben }
    const seen = (await ben.ask(listImages, { params: bens, query: { replacements: '1' } })).data
    const [grantId] = seen.map((one: { thumbnailUrl: string }) => one.thumbnailUrl.split('/')[2])
    const benAt = (url: string) => ben.get(url.replace(url.split('/')[2] ?? '', grantId))
    expect((await benAt(all)).statusCode).toBe(200)
    expect((await benAt(ada)).statusCode).toBe(404)
  })

  it('every wrong URL gets the same 404', async () => {
    const { app, parent, enter, list, event, ids } = await begin()
    const [first] = (await list(parent, event.ada)).data
    const url: string = first.thumbnailUrl
    const grantId = url.split('/')[2] ?? ''
    const ben = await enter('BENLVL')
    const [bens] = (await list(ben, event.ben)).data
    const wrong = [
      url.replace(/thumb-\w+/, 'thumb-0123456789abcdef'),
      url.replace(/thumb-\w+/, 'original'),
      url.replace(/thumb-\w+/, '..%2Foriginal'),
      url.replace('thumb', 'preview'),
      url.replace(grantId, 'A'.repeat(22)),
      url.replace(`/${ids.early}/`, `/${ids.late}/`),
      url.replace(`/${ids.early}/`, '/999999/'),
      url.replace(`/${ids.early}/`, '/abc/'),
      bens.thumbnailUrl,
      bens.thumbnailUrl.replace(bens.thumbnailUrl.split('/')[2], grantId),
    ]
    const answers = [await customerClient(app).get(url), await ben.get(url)]
    for (const address of wrong) answers.push(await parent.get(address))
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ errors: ['We could not find this'], problem: 'not-found' })
    }
    expect((await parent.get(url)).statusCode).toBe(200)
  })

  it('images close at once when grant, subject, image, job, studio or session is withdrawn', async () => {
    const { deps, parent, list, event, ids } = await begin()
    const [first] = (await list(parent, event.ada)).data
    const now = deps.clock()
    const { jobId } = event.spring
    const { db } = deps
    const doors = [
      [
        () => db.updateTable('session_grants').set({ revoked_at: now }).where('kind', '=', 'subject').execute(),
        () => db.updateTable('session_grants').set({ revoked_at: null }).execute(),
      ],
      [
        () => db.updateTable('subjects').set({ hidden_at: now }).where('id', '=', event.ada).execute(),
        () => db.updateTable('subjects').set({ hidden_at: null }).where('id', '=', event.ada).execute(),
      ],
      [
        () => db.updateTable('image_lookups').set({ published_at: null }).where('id', '=', ids.early).execute(),
        () => db.updateTable('image_lookups').set({ published_at: now }).where('id', '=', ids.early).execute(),
      ],
      [
        () => db.updateTable('jobs').set({ published_at: null }).where('id', '=', jobId).execute(),
        () => db.updateTable('jobs').set({ published_at: now }).where('id', '=', jobId).execute(),
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
        () => db.updateTable('customer_sessions').set({ finished_at: now }).execute(),
        () => db.updateTable('customer_sessions').set({ finished_at: null }).execute(),
      ],
    ] as const
    for (const [close, open] of doors) {
      expect((await parent.get(first.thumbnailUrl)).statusCode).toBe(200)
      await close()
      expect((await parent.get(first.thumbnailUrl)).statusCode).toBe(404)
      const listed = await list(parent, event.ada)
      expect(listed.status === 200 ? listed.data.map(({ id }: { id: number }) => id) : []).not.toContain(ids.early)
      await open()
    }
    expect((await parent.get(first.thumbnailUrl)).statusCode).toBe(200)
  })

  it('images close when the grant ends with its gallery, or after 400 days', async () => {
    const { deps, parent, list, event, time } = await begin()
    const [first] = (await list(parent, event.ada)).data
    await deps.db.updateTable('customer_sessions').set({ expires_at: '2099-01-01T00:00:00Z' }).execute()
    const day = 24 * 60 * 60 * 1000
    time.advance(399 * day)
    expect((await parent.get(first.thumbnailUrl)).statusCode).toBe(200)
    time.advance(2 * day)
    expect((await parent.get(first.thumbnailUrl)).statusCode).toBe(404)
  })

  it('a public gallery shows all subjects but hidden ones, under one grant, while it is public', async () => {
    const { deps, enter, list, event } = await begin()
    const { team, kai, lea } = event
    const publishedAt = deps.clock()
    const image = (subjectId: number) =>
      ({ fileName: 'i.jpg', owner: { kind: 'hosted-individual', subjectId }, position: 1, publishedAt }) as const
    for (const id of [kai, lea]) await addImage(deps, team, image(id), await jpegAt(id))
    const groupId = await addGroup(deps, team, 'U10', [kai])
    const owner = { kind: 'hosted-group', groupId } as const
    await addImage(deps, team, { fileName: 'U10.jpg', owner, position: 1, publishedAt }, await jpegAt(55))
    const parent = await enter('RAPIDS')
    const kais = (await list(parent, kai, team.jobId)).data
    expect(kais.map(({ type }: { type: string }) => type)).toEqual(['hosted-individual', 'hosted-group'])
    const [leas] = (await list(parent, lea, team.jobId)).data
    for (const one of [...kais, leas]) expect((await parent.get(one.thumbnailUrl)).statusCode).toBe(200)
    const stands = { kind: 'replacement', subjectId: lea } as const
    await addImage(deps, team, { fileName: 'other.jpg', owner: stands, position: 2, publishedAt }, await jpegAt(56))
    const params = { jobId: team.jobId, subjectId: lea }
    const other = (await parent.ask(listImages, { params, query: { replacements: '1' } })).data[1]
    expect((await parent.get(other.thumbnailUrl)).statusCode).toBe(200)
    await deps.db.updateTable('subjects').set({ hidden_at: publishedAt }).where('id', '=', lea).execute()
    for (const one of [leas, other]) expect((await parent.get(one.thumbnailUrl)).statusCode).toBe(404)
    await deps.db.updateTable('jobs').set({ gallery_is_public: false }).where('id', '=', team.jobId).execute()
    expect((await parent.get(kais[0].thumbnailUrl)).statusCode).toBe(404)
    const proof = createSearchToken(deps, { jobId: team.jobId, subjectId: kai })
    await parent.ask(confirmSubject, { params: { jobId: team.jobId }, body: { subjectId: kai, proof } })
    const [again] = (await list(parent, kai, team.jobId)).data
    expect((await parent.get(again.thumbnailUrl)).statusCode).toBe(200)
  })
})
