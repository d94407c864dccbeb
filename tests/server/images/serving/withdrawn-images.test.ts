import { describe, expect, it } from 'vitest'
import { getAvailability, getStudio, getSubject, listImages, listPackages } from '#contract/customer/discovery-calls.ts'
import { browseSubjects } from '#contract/customer/find-subjects.ts'
import { checkImages, openSession } from '#contract/customer/session-calls.ts'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { changeGallery } from '#server/jobs/change-gallery-settings.ts'
import { hideSubjects, showSubjects } from '#server/subjects/subject-visibility.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { type CustomerClient, customerClient } from '#tests/server/discovery/customer-client.ts'
import { addImage, jpegAt, seedJobs } from '#tests/server/discovery/job-fixtures.ts'

type Job = { studioId: number; jobId: number }

const day = 24 * 60 * 60 * 1000

const dayAfter = ({ clock }: Pick<Deps, 'clock'>, days: number): string =>
  new Date(clock().getTime() + days * day).toISOString().slice(0, 10)

/** An owner of the studio, as in the owner’s token. */
const ownerOf = async (deps: Deps, studioId: number): Promise<User> => {
  const { id, name, email } = await given(deps).user(studioId, { role: 'owner', name: 'Grace' })
  return { id, name, email, permissions: ['studio.crud'], studioId }
}

describe.each(enginesFor(import.meta.filename))('withdrawn images on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const jobs = await seedJobs(deps)
    const { spring, team, ada, kai, lea } = jobs
    const addPhoto = async (
      job: Job,
      owner: { kind: 'hosted-individual'; subjectId: number } | { kind: 'hosted-group'; groupId: number },
      minute: number,
    ) =>
      await addImage(
        deps,
        job,
        { fileName: `IMG_${minute}.jpg`, owner, position: minute, publishedAt: deps.clock() },
        await jpegAt(minute),
      )
    const individualOwner = (subjectId: number) => ({ kind: 'hosted-individual', subjectId }) as const
    const squadId = await given(deps).group(team, 'U12', [kai, lea])
    const ids = {
      ada: await addPhoto(spring, individualOwner(ada), 1),
      secondAda: await addPhoto(spring, individualOwner(ada), 2),
      kai: await addPhoto(team, individualOwner(kai), 3),
      lea: await addPhoto(team, individualOwner(lea), 4),
      squad: await addPhoto(team, { kind: 'hosted-group', groupId: squadId }, 5),
    }
    const enter = async (...codes: string[]): Promise<CustomerClient> => {
      const customer = customerClient(app)
      for (const code of codes) await customer.get(`/api/customer/studios/riverside/jobs?code=${code}`)
      return customer
    }
    const customer = await enter('ADALVL', 'RAPIDS')
    const inTransaction = (work: (tx: Transaction) => Promise<unknown>) => deps.db.transaction().execute(work)
    /** The image URLs of three subjects that a device has, by image id. */
    const listPhotos = async (customer: CustomerClient): Promise<Map<number, string[]>> => {
      const urlsById = new Map<number, string[]>()
      for (const [{ jobId }, subjectId] of [
        [spring, ada],
        [team, kai],
        [team, lea],
      ] as const) {
        const { data } = await customer.request(listImages, { params: { jobId, subjectId } })
        for (const { id, thumbnailUrl, previewUrl } of data) urlsById.set(id, [thumbnailUrl, previewUrl])
      }
      return urlsById
    }
    const readVersion = async () => (await customer.send('POST', openSession.path)).headers[imagesHeader]
    const listWithdrawn = async (photos: string[], client = customer): Promise<string[]> =>
      (await client.request(checkImages, { body: { photos } })).data.withdrawn.toSorted()
    return {
      deps,
      jobs,
      ids,
      customer,
      enter,
      inTransaction,
      listPhotos,
      readVersion,
      listWithdrawn,
      advance: time.advance,
    }
  }

  it('when a subject of a public gallery is hidden, every response to a customer has another images version, including failures', async () => {
    const { deps, jobs, customer, inTransaction } = await setUp()
    const { team, kai, studioId } = jobs
    const calls: [AnyCall, object, number][] = [
      [openSession, {}, 200],
      [getStudio, { slug: 'riverside' }, 200],
      [getAvailability, team, 200],
      [listPackages, team, 200],
      [browseSubjects, team, 200],
      [getSubject, { ...team, subjectId: jobs.lea }, 200],
      [listImages, { ...jobs.spring, subjectId: jobs.ben }, 403],
      [listImages, { ...team, subjectId: 999 }, 404],
    ]
    const readVersions = async () => {
      const versions = []
      for (const [call, params, status] of calls) {
        const answer = await customer.send(call.method, pathOf(call, params, {}))
        expect(answer.statusCode).toBe(status)
        versions.push(answer.headers[imagesHeader])
      }
      return versions
    }
    const before = await readVersions()
    expect(before[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(before).toEqual(calls.map(() => before[0]))
    expect(await readVersions()).toEqual(before)
    await inTransaction((tx) => hideSubjects(tx, deps, { studioId, subjectIds: [kai] }))
    const after = await readVersions()
    expect(after).toEqual(calls.map(() => after[0]))
    expect(after[0]).not.toBe(before[0])
  })

  it('the response to a refused image has the images version, and a served image has none', async () => {
    const { deps, ids, customer, listPhotos, readVersion } = await setUp()
    const [thumbnail = ''] = (await listPhotos(customer)).get(ids.kai) ?? []
    expect((await customer.get(thumbnail)).headers[imagesHeader]).toBeUndefined()
    await deps.db.updateTable('image_lookups').set({ published_at: null }).where('id', '=', ids.kai).execute()
    const refused = await customer.get(thumbnail)
    expect(refused.statusCode).toBe(404)
    expect(refused.headers[imagesHeader]).toBe(await readVersion())
  })

  it('a response without a session has no version', async () => {
    const { enter } = await setUp()
    const anonymous = await enter()
    expect((await anonymous.send('GET', '/api/customer/studios/riverside')).headers[imagesHeader]).toBeUndefined()
    expect((await anonymous.request(checkImages, { body: { photos: ['/photos/a/1/thumb-00000000'] } })).status).toBe(
      401,
    )
  })

  type WithdrawalFixtures = Awaited<ReturnType<typeof setUp>>
  const update = ({ deps }: WithdrawalFixtures, id: number, change: object) =>
    deps.db.updateTable('image_lookups').set(change).where('id', '=', id).execute()
  const hide = (subject: 'ada' | 'kai') => (fixtures: WithdrawalFixtures) =>
    fixtures.inTransaction((tx) =>
      hideSubjects(tx, fixtures.deps, { studioId: fixtures.jobs.studioId, subjectIds: [fixtures.jobs[subject]] }),
    )
  const withdrawals: [
    string,
    (fixtures: WithdrawalFixtures) => Promise<unknown>,
    (keyof WithdrawalFixtures['ids'])[],
  ][] = [
    ['a subject of a public gallery is hidden', hide('kai'), ['kai']],
    ['a subject with its own grant is hidden', hide('ada'), ['ada', 'secondAda']],
    [
      'an image is no longer published',
      (fixtures) => update(fixtures, fixtures.ids.ada, { published_at: null, version: 2 }),
      ['ada'],
    ],
    [
      'an image is replaced by another',
      (fixtures) => update(fixtures, fixtures.ids.ada, { superseded_at: fixtures.deps.clock() }),
      ['ada'],
    ],
    [
      'an image gets other bytes',
      (fixtures) => update(fixtures, fixtures.ids.lea, { state: 'processing', thumb_hash: null, preview_hash: null }),
      ['lea'],
    ],
    [
      'an image is moved to another subject',
      (fixtures) => update(fixtures, fixtures.ids.ada, { subject_id: fixtures.jobs.ben }),
      ['ada'],
    ],
    [
      'an image is deleted',
      (fixtures) => fixtures.deps.db.deleteFrom('image_lookups').where('id', '=', fixtures.ids.squad).execute(),
      ['squad'],
    ],
    [
      'a family’s data is deleted',
      (fixtures) =>
        fixtures.inTransaction(async (tx) => {
          await tx
            .deleteFrom('grant_links')
            .where(
              'grant_id',
              'in',
              tx.selectFrom('session_grants').select('grant_id').where('subject_id', '=', fixtures.jobs.ada),
            )
            .execute()
          await tx.deleteFrom('subjects').where('id', '=', fixtures.jobs.ada).execute()
        }),
      ['ada', 'secondAda'],
    ],
    [
      'the studio is no longer verified',
      (fixtures) => fixtures.deps.db.updateTable('studios').set({ is_millers_verified: false }).execute(),
      ['ada', 'secondAda', 'kai', 'lea', 'squad'],
    ],
    [
      'a gallery is no longer public',
      (fixtures) =>
        fixtures.deps.db
          .updateTable('jobs')
          .set({ gallery_is_public: false })
          .where('id', '=', fixtures.jobs.team.jobId)
          .execute(),
      ['kai', 'lea', 'squad'],
    ],
  ]

  it.each(withdrawals)(
    'when %s, the version changes and exactly the affected images are withdrawn',
    async (_, withdraw, withdrawnNames) => {
      const fixtures = await setUp()
      const { ids, customer, enter, listPhotos, readVersion, listWithdrawn } = fixtures
      const photos = await listPhotos(customer)
      const allPhotos = [...photos.values()].flat()
      expect(await listWithdrawn(allPhotos)).toEqual([])
      const before = await readVersion()
      await withdraw(fixtures)
      expect(await readVersion()).not.toBe(before)
      expect(await listWithdrawn(allPhotos)).toEqual(
        withdrawnNames.flatMap((name) => photos.get(ids[name]) ?? []).toSorted(),
      )
      const stranger = await enter('BENLVL')
      const otherPhotos = allPhotos.filter((path) => !(withdrawnNames.includes('ada') && path.includes(`/${ids.ada}/`)))
      if (!withdrawnNames.includes('secondAda')) expect(await listWithdrawn(otherPhotos, stranger)).toEqual([])
    },
  )

  it.each<
    [string, (fixtures: WithdrawalFixtures) => Promise<unknown>, (fixtures: WithdrawalFixtures) => Promise<unknown>]
  >([
    [
      'a withdrawn image is published again',
      (fixtures) => update(fixtures, fixtures.ids.ada, { published_at: null, withdrawn_at: fixtures.deps.clock() }),
      (fixtures) => update(fixtures, fixtures.ids.ada, { published_at: fixtures.deps.clock(), withdrawn_at: null }),
    ],
    [
      'a hidden subject is shown again',
      (fixtures) =>
        fixtures.deps.db
          .updateTable('subjects')
          .set({ hidden_at: fixtures.deps.clock() })
          .where('id', '=', fixtures.jobs.kai)
          .execute(),
      (fixtures) =>
        fixtures.deps.db.updateTable('subjects').set({ hidden_at: null }).where('id', '=', fixtures.jobs.kai).execute(),
    ],
  ])('when %s, the version changes, so that devices reload their carts', async (_, withdraw, restore) => {
    const fixtures = await setUp()
    await withdraw(fixtures)
    const before = await fixtures.readVersion()
    await restore(fixtures)
    expect(await fixtures.readVersion()).not.toBe(before)
  })

  it('the version stays the same when other data of images and subjects changes, and images of a subject that is shown again are not withdrawn', async () => {
    const { deps, jobs, ids, customer, inTransaction, listPhotos, readVersion, listWithdrawn } = await setUp()
    const photos = await listPhotos(customer)
    const before = await readVersion()
    await deps.db.updateTable('image_lookups').set({ position: 7, version: 3 }).where('id', '=', ids.kai).execute()
    await deps.db.updateTable('subjects').set({ version: 5 }).where('id', '=', jobs.kai).execute()
    expect(await readVersion()).toBe(before)
    const subjects = { studioId: jobs.studioId, subjectIds: [jobs.kai] }
    await inTransaction((tx) => hideSubjects(tx, deps, subjects))
    await inTransaction((tx) => showSubjects(tx, subjects))
    expect(await listWithdrawn(photos.get(ids.kai) ?? [])).toEqual([])
  })

  it('a gallery whose last day is moved into the past withdraws its images', async () => {
    const { deps, jobs, ids, customer, listPhotos, readVersion, listWithdrawn } = await setUp()
    const photos = await listPhotos(customer)
    const before = await readVersion()
    const user = await ownerOf(deps, jobs.studioId)
    await changeGallery(deps, { job: jobs.spring, user }, { expiresOn: dayAfter(deps, -2) })
    expect(await readVersion()).not.toBe(before)
    const withdrawnNames = [ids.ada, ids.secondAda].flatMap((id) => photos.get(id) ?? [])
    expect(await listWithdrawn([...photos.values()].flat())).toEqual(withdrawnNames.toSorted())
  })

  it.each([
    ['before it has passed', 1],
    ['after it has passed', 4],
  ])(
    'a gallery whose last day is postponed %s stays open for sessions that confirmed their subject',
    async (_, days) => {
      const { deps, jobs, enter, advance } = await setUp()
      const { spring, ada } = jobs
      const user = await ownerOf(deps, jobs.studioId)
      const setLastDay = (expiresOn: string | null) => changeGallery(deps, { job: spring, user }, { expiresOn })
      await setLastDay(dayAfter(deps, 2))
      const family = await enter('ADALVL')
      const images = () => family.send('GET', pathOf(listImages, { ...spring, subjectId: ada }, {}))
      advance(days * day)
      await setLastDay(dayAfter(deps, 10))
      advance(5 * day)
      const shownImages = await images()
      expect([shownImages.statusCode, shownImages.json().data?.length]).toEqual([200, 2])
      await setLastDay(null)
      advance(30 * day)
      expect((await images()).statusCode).toBe(200)
    },
  )

  it('closing or unpublishing a job withdraws no images', async () => {
    const { deps, jobs, customer, listPhotos, listWithdrawn } = await setUp()
    const allPhotos = [...(await listPhotos(customer)).values()].flat()
    const teamUpdate = deps.db.updateTable('jobs').where('id', '=', jobs.team.jobId)
    await teamUpdate.set({ gallery_enabled: false }).execute()
    await deps.db.updateTable('jobs').set({ published_at: null }).where('id', '=', jobs.spring.jobId).execute()
    expect(await listWithdrawn(allPhotos)).toEqual([])
  })
})
