import { describe, expect, it } from 'vitest'
import { checkImages } from '#contract/customer/check-images.ts'
import { getAvailability, getStudio, getSubject, listImages, listPackages } from '#contract/customer/discovery-calls.ts'
import { browseSubjects } from '#contract/customer/find-subjects.ts'
import { openSession } from '#contract/customer/session-calls.ts'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { changeGallery } from '#server/jobs/change-gallery-settings.ts'
import { hideSubjects, showSubjects } from '#server/subjects/subject-visibility.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { type CustomerClient, customerClient } from '../../discovery/customer-client.ts'
import { addGroup, addImage, jpegAt, seedJobs } from '../../discovery/job-fixtures.ts'

type Job = { studioId: number; jobId: number }

const day = 24 * 60 * 60 * 1000

const dayAfter = ({ clock }: Pick<Deps, 'clock'>, days: number): string =>
  new Date(clock().getTime() + days * day).toISOString().slice(0, 10)

/** An owner of the studio, as in their token. */
const ownerOf = async ({ db }: Deps, studioId: number): Promise<User> => {
  const { id, name, email } = await db
    .insertInto('users')
    .values({ email: 'owner@riverside.test', name: 'Grace', role: 'owner', studio_id: studioId, password_hash: '' })
    .returning(['id', 'name', 'email'])
    .executeTakeFirstOrThrow()
  return { id, name, email, permissions: ['studio.crud'], studioId }
}

describe.each(enginesFor(import.meta.filename))('withdrawn images on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const event = await seedJobs(deps)
    const { spring, team, ada, kai, lea } = event
    const photo = async (
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
    const own = (subjectId: number) => ({ kind: 'hosted-individual', subjectId }) as const
    const squad = await addGroup(deps, team, 'U12', [kai, lea])
    const ids = {
      ada: await photo(spring, own(ada), 1),
      adaToo: await photo(spring, own(ada), 2),
      kai: await photo(team, own(kai), 3),
      lea: await photo(team, own(lea), 4),
      squad: await photo(team, { kind: 'hosted-group', groupId: squad }, 5),
    }
    const enter = async (...codes: string[]): Promise<CustomerClient> => {
      const parent = customerClient(app)
      for (const code of codes) await parent.get(`/api/customer/studios/riverside/jobs?code=${code}`)
      return parent
    }
    const parent = await enter('ADALVL', 'RAPIDS')
    const within = (work: (tx: Transaction) => Promise<unknown>) => deps.db.transaction().execute(work)
    /** What a device has of these three subjects, by image. */
    const photosOf = async (who: CustomerClient): Promise<Map<number, string[]>> => {
      const found = new Map<number, string[]>()
      for (const [{ jobId }, subjectId] of [
        [spring, ada],
        [team, kai],
        [team, lea],
      ] as const) {
        const { data } = await who.ask(listImages, { params: { jobId, subjectId } })
        for (const { id, thumbnailUrl, previewUrl } of data) found.set(id, [thumbnailUrl, previewUrl])
      }
      return found
    }
    const state = async () => (await parent.send('POST', openSession.path)).headers[imagesHeader]
    const withdrawn = async (photos: string[], who = parent): Promise<string[]> =>
      (await who.ask(checkImages, { body: { photos } })).data.withdrawn.toSorted()
    return { deps, event, ids, parent, enter, within, photosOf, state, withdrawn, advance: time.advance }
  }

  it('every response to a customer has another images version when a subject of a public gallery is hidden, failed responses too', async () => {
    const { deps, event, parent, within } = await begin()
    const { team, kai, studioId } = event
    const calls: [AnyCall, object, number][] = [
      [openSession, {}, 200],
      [getStudio, { slug: 'riverside' }, 200],
      [getAvailability, team, 200],
      [listPackages, team, 200],
      [browseSubjects, team, 200],
      [getSubject, { ...team, subjectId: event.lea }, 200],
      [listImages, { ...event.spring, subjectId: event.ben }, 403],
      [listImages, { ...team, subjectId: 999 }, 404],
    ]
    const states = async () => {
      const found = []
      for (const [call, params, status] of calls) {
        const answer = await parent.send(call.method, pathOf(call, params, {}))
        expect(answer.statusCode).toBe(status)
        found.push(answer.headers[imagesHeader])
      }
      return found
    }
    const before = await states()
    expect(before[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(before).toEqual(calls.map(() => before[0]))
    expect(await states()).toEqual(before)
    await within((tx) => hideSubjects(tx, deps, { studioId, subjectIds: [kai] }))
    const after = await states()
    expect(after).toEqual(calls.map(() => after[0]))
    expect(after[0]).not.toBe(before[0])
  })

  it('a refused image has the version, too, and a shown one needs no further query', async () => {
    const { deps, ids, parent, photosOf, state } = await begin()
    const [thumbnail = ''] = (await photosOf(parent)).get(ids.kai) ?? []
    expect((await parent.get(thumbnail)).headers[imagesHeader]).toBeUndefined()
    await deps.db.updateTable('image_lookups').set({ published_at: null }).where('id', '=', ids.kai).execute()
    const refused = await parent.get(thumbnail)
    expect(refused.statusCode).toBe(404)
    expect(refused.headers[imagesHeader]).toBe(await state())
  })

  it('a response without a session has no version', async () => {
    const { enter } = await begin()
    const nobody = await enter()
    expect((await nobody.send('GET', '/api/customer/studios/riverside')).headers[imagesHeader]).toBeUndefined()
    expect((await nobody.ask(checkImages, { body: { photos: ['/photos/a/1/thumb-00000000'] } })).status).toBe(401)
  })

  type Begun = Awaited<ReturnType<typeof begin>>
  const update = ({ deps }: Begun, id: number, change: object) =>
    deps.db.updateTable('image_lookups').set(change).where('id', '=', id).execute()
  const hide = (subject: 'ada' | 'kai') => (one: Begun) =>
    one.within((tx) => hideSubjects(tx, one.deps, { studioId: one.event.studioId, subjectIds: [one.event[subject]] }))
  const withdrawals: [string, (one: Begun) => Promise<unknown>, (keyof Begun['ids'])[]][] = [
    ['a child of a public gallery is hidden', hide('kai'), ['kai']],
    ['a child with a grant of their own is hidden', hide('ada'), ['ada', 'adaToo']],
    ['one image is published no more', (one) => update(one, one.ids.ada, { published_at: null, version: 2 }), ['ada']],
    [
      'an image is replaced by another',
      (one) => update(one, one.ids.ada, { superseded_at: one.deps.clock() }),
      ['ada'],
    ],
    [
      'an image gets other bytes',
      (one) => update(one, one.ids.lea, { state: 'processing', thumb_hash: null, preview_hash: null }),
      ['lea'],
    ],
    ['an image is moved to another child', (one) => update(one, one.ids.ada, { subject_id: one.event.ben }), ['ada']],
    [
      'an image is deleted',
      (one) => one.deps.db.deleteFrom('image_lookups').where('id', '=', one.ids.squad).execute(),
      ['squad'],
    ],
    [
      'a family’s data is deleted',
      (one) =>
        one.within(async (tx) => {
          await tx
            .deleteFrom('grant_links')
            .where(
              'grant_id',
              'in',
              tx.selectFrom('session_grants').select('grant_id').where('subject_id', '=', one.event.ada),
            )
            .execute()
          await tx.deleteFrom('subjects').where('id', '=', one.event.ada).execute()
        }),
      ['ada', 'adaToo'],
    ],
    [
      'the studio may show photos only to who paid for them',
      (one) => one.deps.db.updateTable('studios').set({ is_millers_verified: false }).execute(),
      ['ada', 'adaToo', 'kai', 'lea', 'squad'],
    ],
    [
      'a gallery is public no more',
      (one) =>
        one.deps.db
          .updateTable('jobs')
          .set({ gallery_is_public: false })
          .where('id', '=', one.event.team.jobId)
          .execute(),
      ['kai', 'lea', 'squad'],
    ],
  ]

  it.each(withdrawals)(
    'when %s, the version changes and exactly those images are withdrawn',
    async (_, withdraw, gone) => {
      const begun = await begin()
      const { ids, parent, enter, photosOf, state, withdrawn } = begun
      const photos = await photosOf(parent)
      const all = [...photos.values()].flat()
      expect(await withdrawn(all)).toEqual([])
      const before = await state()
      await withdraw(begun)
      expect(await state()).not.toBe(before)
      expect(await withdrawn(all)).toEqual(gone.flatMap((name) => photos.get(ids[name]) ?? []).toSorted())
      const stranger = await enter('BENLVL')
      const others = all.filter((path) => !(gone.includes('ada') && path.includes(`/${ids.ada}/`)))
      if (!gone.includes('adaToo')) expect(await withdrawn(others, stranger)).toEqual([])
    },
  )

  it.each<[string, (one: Begun) => Promise<unknown>, (one: Begun) => Promise<unknown>]>([
    [
      'a withdrawn image is published again',
      (one) => update(one, one.ids.ada, { published_at: null, withdrawn_at: one.deps.clock() }),
      (one) => update(one, one.ids.ada, { published_at: one.deps.clock(), withdrawn_at: null }),
    ],
    [
      'a hidden child is shown again',
      (one) =>
        one.deps.db
          .updateTable('subjects')
          .set({ hidden_at: one.deps.clock() })
          .where('id', '=', one.event.kai)
          .execute(),
      (one) => one.deps.db.updateTable('subjects').set({ hidden_at: null }).where('id', '=', one.event.kai).execute(),
    ],
  ])('when %s, the state changes, so that devices read their carts again', async (_, withdraw, restore) => {
    const begun = await begin()
    await withdraw(begun)
    const before = await begun.state()
    await restore(begun)
    expect(await begun.state()).not.toBe(before)
  })

  it('the version stays the same while images are added, and images shown again are not withdrawn', async () => {
    const { deps, event, ids, parent, within, photosOf, state, withdrawn } = await begin()
    const photos = await photosOf(parent)
    const before = await state()
    await deps.db.updateTable('image_lookups').set({ position: 7, version: 3 }).where('id', '=', ids.kai).execute()
    await deps.db.updateTable('subjects').set({ version: 5 }).where('id', '=', event.kai).execute()
    expect(await state()).toBe(before)
    const people = { studioId: event.studioId, subjectIds: [event.kai] }
    await within((tx) => hideSubjects(tx, deps, people))
    await within((tx) => showSubjects(tx, people))
    expect(await withdrawn(photos.get(ids.kai) ?? [])).toEqual([])
  })

  it('a gallery whose last day is moved into the past withdraws its images', async () => {
    const { deps, event, ids, parent, photosOf, state, withdrawn } = await begin()
    const photos = await photosOf(parent)
    const before = await state()
    const user = await ownerOf(deps, event.studioId)
    await changeGallery(deps, { job: event.spring, user }, { expiresOn: dayAfter(deps, -2) })
    expect(await state()).not.toBe(before)
    const gone = [ids.ada, ids.adaToo].flatMap((id) => photos.get(id) ?? [])
    expect(await withdrawn([...photos.values()].flat())).toEqual(gone.toSorted())
  })

  it.each([
    ['before it is over', 1],
    ['after it was over', 4],
  ])(
    'a gallery whose last day is moved to a later one %s stays open for those who had confirmed their subject',
    async (_, days) => {
      const { deps, event, enter, advance } = await begin()
      const { spring, ada } = event
      const user = await ownerOf(deps, event.studioId)
      const lastDay = (expiresOn: string | null) => changeGallery(deps, { job: spring, user }, { expiresOn })
      await lastDay(dayAfter(deps, 2))
      const family = await enter('ADALVL')
      const images = () => family.send('GET', pathOf(listImages, { ...spring, subjectId: ada }, {}))
      advance(days * day)
      await lastDay(dayAfter(deps, 10))
      advance(5 * day)
      const shown = await images()
      expect([shown.statusCode, shown.json().data?.length]).toEqual([200, 2])
      await lastDay(null)
      advance(30 * day)
      expect((await images()).statusCode).toBe(200)
    },
  )

  it('a closed job withdraws nothing', async () => {
    const { deps, event, parent, photosOf, withdrawn } = await begin()
    const all = [...(await photosOf(parent)).values()].flat()
    const ofTeam = deps.db.updateTable('jobs').where('id', '=', event.team.jobId)
    await ofTeam.set({ gallery_enabled: false }).execute()
    await deps.db.updateTable('jobs').set({ published_at: null }).where('id', '=', event.spring.jobId).execute()
    expect(await withdrawn(all)).toEqual([])
  })
})
