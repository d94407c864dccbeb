import { describe, expect, it } from 'vitest'
import { confirmSubject, getAvailability, getSubject, listPackages } from '#contract/customer/discovery-calls.ts'
import { browseSubjects, searchSubjects } from '#contract/customer/find-subjects.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { defaultPageSize } from '#domain/shared/paging.ts'
import { saveFieldAnswers } from '#server/carts/store/save-field-answers.ts'
import type { Deps } from '#server/deps.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { addImage, addSubject, jpegAt, seedJobs } from './job-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('searching and confirming subjects on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (code = 'SPRING') => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const event = await seedJobs(deps)
    const parent = customerClient(app)
    await parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code } })
    const { jobId } = code === 'SPRING' ? event.spring : event.team
    const search = async (firstName: string, lastName: string) =>
      await parent.ask(searchSubjects, { params: { jobId }, query: { firstName, lastName } })
    const confirm = (subjectId: number, headers = {}) => {
      const proof = createSearchToken(deps, { jobId, subjectId })
      return parent.ask(confirmSubject, { params: { jobId }, body: { subjectId, proof }, headers })
    }
    const look = (subjectId: number) => parent.ask(getSubject, { params: { jobId, subjectId } })
    return { deps, app, time, event, parent, jobId, search, confirm, look }
  }

  it('a search matches one letter and a whole word of the last name, folded, and shows no image', async () => {
    const { event, search } = await begin()
    const proof = expect.stringMatching(/^[\w-]{22}$/)
    const ada = { id: event.ada, firstName: 'Ada', lastName: 'Lovelace', groupName: 'Grade 3', proof }
    for (const [first, last] of [
      ['a', 'lovelace'],
      ['ADA', 'LOVELACE'],
      ['Á', 'Lövelaçe'],
      [' ad', 'Love-lace'],
      ['Lovelace', 'Ada'],
    ] as const) {
      expect((await search(first, last)).data).toEqual([ada])
    }
    expect((await search('zoe', "o'connor")).data).toMatchObject([{ id: event.zoe, lastName: 'O’Connor' }])
    expect((await search('b', 'lovell')).data).toMatchObject([{ id: event.ben, groupName: null }])
    for (const part of ['lo', 'lov', 'love', 'lovel', 'ovell', 'vell', 'l', 'lovells']) {
      expect((await search('b', part)).data).toEqual([])
    }
    expect((await search('%', '__')).status).toBe(400)
  })

  it('a search needs a letter of the first name, and a last name unless the first is whole', async () => {
    const { search } = await begin()
    for (const [first, last] of [
      ['', 'lovelace'],
      ['-', 'lovelace'],
      ['a', ''],
      ['a'.repeat(61), 'lovelace'],
    ] as const) {
      expect((await search(first, last)).status).toBe(400)
    }
  })

  it('the message names what each name lacks (section 5)', async () => {
    const { parent, jobId, search } = await begin()
    const missing = ['This field is required']
    expect(await search(' ', ' ')).toMatchObject({
      status: 400,
      errors: ['Please fix the fields marked below'],
      fields: { firstName: missing, lastName: missing },
    })
    expect(await search('-', 'l')).toMatchObject({ fields: { firstName: ['Type at least the first letter'] } })
    expect(await parent.ask(searchSubjects, { params: { jobId } })).toMatchObject({
      status: 400,
      fields: { firstName: missing, lastName: missing },
    })
  })

  it('a search finds at most twenty, and never a hidden, typed-in or other job’s subject', async () => {
    const { deps, event, search } = await begin()
    const session = { person_session_id: null, person_id: deps.newId(), state: 'pending' }
    await addSubject(deps, event.spring, { name: 'Alan Lomax', ...session })
    expect((await search('al', 'lomax')).data).toEqual([])
    for (let n = 0; n < 21; n += 1)
      await addSubject(deps, event.spring, { name: `Ava Lorenz ${String.fromCharCode(97 + n).repeat(2)}` })
    const { data } = await search('a', 'lorenz')
    expect(data).toHaveLength(20)
    expect(data.map(({ lastName }: { lastName: string }) => lastName)).toEqual(
      data.map(({ lastName }: { lastName: string }) => lastName).toSorted(),
    )
  })

  it('repeated misses slow a search, matches do not', async () => {
    const { search, time } = await begin()
    for (let n = 0; n < 12; n += 1) await search('a', 'lovelace')
    const before = time.clock().getTime()
    await search('a', 'lovelace')
    expect(time.clock().getTime() - before).toBeLessThan(500)
    for (let n = 0; n < 10; n += 1) await search('q', 'qq')
    const slow = time.clock().getTime()
    expect((await search('a', 'lovelace')).data).toHaveLength(1)
    expect(time.clock().getTime() - slow).toBeGreaterThanOrEqual(2_000)
  })

  it('a confirmed subject shows fields and images, and a repetition returns the same grant', async () => {
    const { deps, event, parent, jobId, confirm, look } = await begin()
    const owner = { kind: 'hosted-individual', subjectId: event.ada } as const
    const bytes = await jpegAt(1)
    const image = { fileName: 'IMG_1.jpg', owner, position: 1, publishedAt: deps.clock() }
    const imageId = await addImage(deps, event.spring, image, bytes)
    await addImage(deps, event.spring, { ...image, fileName: 'IMG_2.jpg', publishedAt: null }, bytes)
    expect(await look(event.ada)).toMatchObject({ status: 403, problem: 'grant-needed' })
    const confirmed = await confirm(event.ada)
    expect(confirmed.data).toMatchObject({ id: event.ada, jobId, imageCount: 1, groupName: 'Grade 3' })
    expect(confirmed.data.imageThumbnailUrl).toMatch(
      new RegExp(`^/photos/${confirmed.data.grantId}/${imageId}/thumb-[0-9a-f]{16}$`),
    )
    expect(await look(event.ada)).toEqual(confirmed)
    expect((await confirm(event.ada)).data.grantId).toBe(confirmed.data.grantId)
    const { data } = await parent.ask(getAvailability, { params: { jobId } })
    expect(data.grants).toEqual([{ grantId: confirmed.data.grantId, subjectId: event.ada }])
  })

  it('a hidden or unknown subject or one of another job is not confirmed, and invalid input is refused', async () => {
    const { event, parent, jobId, confirm, look } = await begin()
    for (const id of [event.hidden, event.stranger, event.kai, 999_999]) {
      expect(await confirm(id)).toMatchObject({ status: 404, problem: 'not-found' })
      expect(await look(id)).toMatchObject({ status: 404, problem: 'not-found' })
    }
    for (const subjectId of ['x', 0, 1.5, 1e300, 2 ** 53]) {
      expect((await parent.ask(confirmSubject, { params: { jobId }, body: { subjectId } })).status).toBe(400)
    }
    for (const body of [{}, { subjectId: event.ada, also: 1 }]) {
      expect((await parent.ask(confirmSubject, { params: { jobId }, body })).status).toBe(400)
    }
  })

  it('a subject found by search is confirmed, and counting ids opens none', async () => {
    const { deps, event, parent, jobId, search, look } = await begin()
    const confirm = (body: object) => parent.ask(confirmSubject, { params: { jobId }, body })
    const proofOf = async (first: string, last: string) => (await search(first, last)).data[0].proof
    const [ada, zoe] = [await proofOf('a', 'lovelace'), await proofOf('z', 'oconnor')]
    const elsewhere = createSearchToken(deps, { jobId: event.team.jobId, subjectId: event.ada })
    const foreign = createSearchToken(
      { settings: { ...deps.settings, secret: 'of another server' } },
      { jobId, subjectId: 1 },
    )
    const nowhere = await confirm({ subjectId: 999_999 })
    for (const proof of [{}, { proof: zoe }, { proof: elsewhere }, { proof: foreign }, { proof: ada.slice(1) }]) {
      expect(await confirm({ subjectId: event.ada, ...proof })).toEqual(nowhere)
    }
    expect(await look(event.ada)).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect((await confirm({ subjectId: event.ada, proof: ada })).status).toBe(200)
    await deps.db
      .updateTable('session_grants')
      .set({ expires_at: deps.clock() })
      .where('kind', '=', 'subject')
      .execute()
    expect(await look(event.ada)).toMatchObject({ problem: 'grant-needed' })
    expect((await confirm({ subjectId: event.ada })).status).toBe(200)
  })

  it('a search token is valid in another session, as after the server deleted the first', async () => {
    const { app, event, jobId, search } = await begin()
    const { proof } = (await search('a', 'lovelace')).data[0]
    const later = customerClient(app)
    await later.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const body = { subjectId: event.ada, proof }
    expect((await later.ask(confirmSubject, { params: { jobId }, body })).status).toBe(200)
  })

  it('confirmations without a token count as guesses', async () => {
    const { event, parent, jobId, time, search } = await begin()
    const blind = () => parent.ask(confirmSubject, { params: { jobId }, body: { subjectId: event.ada } })
    for (let n = 0; n < 10; n += 1) expect((await blind()).status).toBe(404)
    const slow = time.clock().getTime()
    await search('a', 'lovelace')
    expect(time.clock().getTime() - slow).toBeGreaterThanOrEqual(2_000)
  })

  it('a subject shown by their own code or a public gallery is confirmed without a search', async () => {
    const { deps, app, event, jobId } = await begin()
    const enter = async (code: string) => {
      const parent = customerClient(app)
      await parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code } })
      return (of: number, subjectId: number) =>
        parent.ask(confirmSubject, { params: { jobId: of }, body: { subjectId } })
    }
    expect((await (await enter('ADALVL'))(jobId, event.ada)).status).toBe(200)
    expect((await (await enter('ADALVL'))(jobId, event.zoe)).status).toBe(404)
    const team = await enter('RAPIDS')
    expect((await team(event.team.jobId, event.kai)).status).toBe(200)
    await deps.db.updateTable('jobs').set({ gallery_is_public: false }).where('id', '=', event.team.jobId).execute()
    expect((await team(event.team.jobId, event.lea)).status).toBe(404)
    expect((await team(event.team.jobId, event.kai)).status).toBe(200)
  })

  it('a repeated confirmation is evaluated again, so that a subject hidden since stays hidden', async () => {
    const { deps, event, confirm, look } = await begin()
    const key = { 'idempotency-key': 'the-same-tap' }
    expect((await confirm(event.ada, key)).status).toBe(200)
    expect((await confirm(event.ada, key)).status).toBe(200)
    await deps.db.updateTable('subjects').set({ hidden_at: deps.clock() }).where('id', '=', event.ada).execute()
    expect((await confirm(event.ada, key)).status).toBe(404)
    expect((await look(event.ada)).status).toBe(404)
  })

  it('a dozen subjects are opened at once, and each further one takes two seconds', async () => {
    const { deps, event, confirm, time } = await begin()
    const people = []
    for (let n = 0; n < 13; n += 1) people.push(await addSubject(deps, event.spring, { name: `Child Number${n}` }))
    const spent = async (subjectId: number) => {
      const before = time.clock().getTime()
      expect((await confirm(subjectId)).status).toBe(200)
      return time.clock().getTime() - before
    }
    for (const id of people.slice(0, 12)) expect(await spent(id)).toBeLessThan(500)
    expect(await spent(people[12] ?? 0)).toBeGreaterThanOrEqual(2_000)
    expect(await spent(people[0] ?? 0)).toBeLessThan(500)
    const revoked = people.slice(0, 2)
    await deps.db
      .updateTable('session_grants')
      .set({ revoked_at: deps.clock() })
      .where('subject_id', 'in', revoked)
      .execute()
    expect(await spent(people[0] ?? 0)).toBeLessThan(500)
  })

  it('a grant lasts no longer than the gallery', async () => {
    const { deps, event, confirm } = await begin()
    await deps.db
      .updateTable('jobs')
      .set({ gallery_expires_on: '2027-04-30' })
      .where('id', '=', event.spring.jobId)
      .execute()
    await confirm(event.ada)
    const grants = await deps.db.selectFrom('session_grants').selectAll().where('kind', '=', 'subject').execute()
    expect(grants.map(({ expires_at }) => expires_at?.toISOString())).toEqual(['2027-05-01T04:00:00.000Z'])
  })

  it('subjects are shown to no other session, nor after the job is withdrawn', async () => {
    const { deps, app, event, parent, jobId, confirm, look, search } = await begin()
    await confirm(event.ada)
    const nobody = customerClient(app)
    const withoutCode = customerClient(app)
    await withoutCode.ask(openSession, { body: {} })
    const withCode = customerClient(app)
    await withCode.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const asked = { params: { jobId, subjectId: event.ada } }
    expect((await nobody.ask(getSubject, asked)).status).toBe(401)
    expect(await withoutCode.ask(getSubject, asked)).toMatchObject({ status: 403, problem: 'code-needed' })
    expect(await withCode.ask(getSubject, asked)).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect((await parent.ask(getSubject, { params: { jobId: event.team.jobId, subjectId: event.ada } })).status).toBe(
      403,
    )
    for (const withdrawn of [{ published_at: null }, { archived_at: deps.clock(), published_at: deps.clock() }]) {
      await deps.db.updateTable('jobs').set(withdrawn).where('id', '=', jobId).execute()
      for (const answer of [await look(event.ada), await confirm(event.ada), await search('a', 'lovelace')]) {
        expect(answer).toMatchObject({ status: 404, problem: 'not-found' })
      }
    }
  })

  it('subjects of a disabled studio are not shown, not even their names', async () => {
    const { deps, event, parent, jobId, search, confirm, look } = await begin()
    await confirm(event.ada)
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    expect(await search('a', 'lovelace')).toMatchObject({ status: 404 })
    expect(await look(event.ada)).toMatchObject({ status: 404 })
    expect(await confirm(event.zoe)).toMatchObject({ status: 404 })
    expect(await parent.ask(browseSubjects, { params: { jobId } })).toMatchObject({ status: 404 })
    expect(await parent.ask(listPackages, { params: { jobId } })).toMatchObject({ status: 404 })
  })

  it('a public gallery is paged by name', async () => {
    const { deps, event, parent, jobId, look } = await begin('RAPIDS')
    await addSubject(deps, event.team, { name: 'Hidden Child', hidden_at: deps.clock() })
    const browse = (query = {}) => parent.ask(browseSubjects, { params: { jobId }, query })
    const all = (await browse({ currentPage: 1 })).data
    expect(all).toMatchObject({ currentPage: 1, pageSize: 50, totalRecords: 2 })
    expect(all.resultItems.map(({ firstName }: { firstName: string }) => firstName)).toEqual(['Kai', 'Léa'])
    expect((await browse({ pageSize: 1, currentPage: 2 })).data).toMatchObject({
      currentPage: 2,
      totalRecords: 2,
      resultItems: [{ firstName: 'Léa' }],
    })
    expect((await browse({ filter: '#' })).data).toEqual({
      resultItems: [],
      currentPage: 1,
      pageSize: 50,
      totalRecords: 0,
    })
    for (const filter of ['lea', 'QUI', 'léaq']) {
      expect((await browse({ filter })).data).toMatchObject({ totalRecords: 1, resultItems: [{ id: event.lea }] })
    }
    expect((await browse({ currentPage: 9 })).data).toMatchObject({ totalRecords: 2, resultItems: [] })
    expect((await browse({ pageSize: 'x' })).status).toBe(400)
    expect((await look(event.kai)).status).toBe(200)
  })

  it('a public gallery is listed whole, by name, without a page', async () => {
    const { deps, event, parent, jobId } = await begin('RAPIDS')
    const names = Array.from({ length: defaultPageSize }, (_, at) => `Player ${String(at).padStart(3, '0')}`)
    for (const name of names) await addSubject(deps, event.team, { name })
    const browse = async (query = {}) => (await parent.ask(browseSubjects, { params: { jobId }, query })).data
    const { resultItems, totalRecords } = await browse({ pageSize: 100 })
    expect(totalRecords).toBe(names.length + 2)
    expect(await browse()).toEqual(resultItems)
  })

  /** A family's answers to the job's questions, as an order saves them. */
  const answer = (deps: Deps, subjectId: number, answers: Record<string, string>) =>
    deps.db.transaction().execute(async (tx) => {
      const { studio_id: studioId } = await tx
        .selectFrom('subjects')
        .select('studio_id')
        .where('id', '=', subjectId)
        .executeTakeFirstOrThrow()
      const dataFields = Object.entries(answers).map(([name, value]) => ({
        ...{ subjectId, name, value, templateId: null, optionId: null },
      }))
      await saveFieldAnswers(tx, { studioId, subjectId, dataFields })
    })

  it('a public gallery shows only the studio’s own fields of a subject, and its list none', async () => {
    const { deps, event, parent, jobId, look, confirm } = await begin('RAPIDS')
    const kai = { studio_id: event.studioId, subject_id: event.kai }
    await deps.db
      .insertInto('subject_fields')
      .values({ ...kai, name: 'Teacher', value: 'Ms. Alvarez' })
      .execute()
    const asked = { studio_id: event.studioId, name: 'Phone', label: 'Your phone' }
    await deps.db
      .insertInto('job_fields')
      .values([event.spring, event.team].map((job) => ({ ...asked, job_id: job.jobId })))
      .execute()
    await answer(deps, event.kai, { Phone: '937-555-0142' })
    const list = await parent.ask(browseSubjects, { params: { jobId } })
    const page = await parent.ask(browseSubjects, { params: { jobId }, query: { filter: 'kai' } })
    expect(list.data.map(({ fields }: { fields: object[] }) => fields)).toEqual([[], []])
    expect(page.data.resultItems).toMatchObject([{ id: event.kai, fields: [] }])
    const known = async () => (await look(event.kai)).data.fields
    expect(await known()).toMatchObject([{ name: 'Teacher', value: 'Ms. Alvarez' }])
    expect((await confirm(event.kai)).data.fields).toHaveLength(1)
    const session = await deps.db.selectFrom('customer_sessions').select('id').executeTakeFirstOrThrow()
    const typed = { person_id: '00000000-0000-4000-8000-000000000001', person_session_id: session.id }
    await deps.db.updateTable('subjects').set(typed).where('id', '=', event.kai).execute()
    expect(await known()).toMatchObject([{ name: 'Teacher' }, { name: 'Phone', value: '937-555-0142' }])
  })

  it('a public gallery shows no answer to a question that is no longer asked', async () => {
    const { deps, event, look } = await begin('RAPIDS')
    const asked = { studio_id: event.studioId, job_id: event.team.jobId, name: 'Phone', label: 'Your phone' }
    await deps.db.insertInto('job_fields').values(asked).execute()
    await answer(deps, event.kai, { Phone: '937-555-0142' })
    await deps.db.updateTable('job_fields').set({ name: 'Mobile' }).execute()
    expect((await look(event.kai)).data.fields).toEqual([])
    await deps.db.deleteFrom('job_fields').execute()
    expect((await look(event.kai)).data.fields).toEqual([])
  })

  it('a public gallery shows a studio’s value that a family repeated, not what they answered differently', async () => {
    const { deps, event, look } = await begin('RAPIDS')
    const [teacher, phone] = ['Teacher', 'Phone'].map((name) => ({ studio_id: event.studioId, name }))
    if (!teacher || !phone) throw new Error('two were named')
    await deps.db
      .insertInto('job_fields')
      .values([teacher, phone].map((field) => ({ ...field, job_id: event.team.jobId, label: field.name })))
      .execute()
    await deps.db
      .insertInto('subject_fields')
      .values([
        { ...teacher, subject_id: event.kai, value: 'Ms. Alvarez' },
        { ...phone, subject_id: event.kai, value: '937-555-0100' },
      ])
      .execute()
    expect((await look(event.kai)).data.fields).toHaveLength(2)
    await answer(deps, event.kai, { Teacher: 'Ms. Alvarez', Phone: '937-555-0142' })
    expect((await look(event.kai)).data.fields).toMatchObject([{ name: 'Teacher', value: 'Ms. Alvarez' }])
  })

  it('a session that confirmed a subject in a private job sees the answers about them', async () => {
    const { deps, event, confirm } = await begin()
    const asked = { studio_id: event.studioId, job_id: event.spring.jobId, name: 'Phone', label: 'Your phone' }
    await deps.db.insertInto('job_fields').values(asked).execute()
    await answer(deps, event.ada, { Phone: '937-555-0142' })
    expect((await confirm(event.ada)).data.fields).toMatchObject([{ name: 'Teacher' }, { name: 'Phone' }])
  })

  it('a public gallery is shown to sessions that entered its code, as long as it is public', async () => {
    const { deps, event, parent, jobId, look } = await begin('RAPIDS')
    const spring = customerClient(await testApp(deps))
    await spring.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const own = await spring.ask(browseSubjects, { params: { jobId: event.spring.jobId } })
    expect(own).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect((await spring.ask(browseSubjects, { params: { jobId } })).problem).toBe('code-needed')
    await deps.db.updateTable('jobs').set({ gallery_is_public: false }).where('id', '=', jobId).execute()
    expect((await parent.ask(browseSubjects, { params: { jobId } })).problem).toBe('grant-needed')
    expect((await look(event.kai)).problem).toBe('grant-needed')
    expect((await parent.ask(getAvailability, { params: { jobId } })).data.grants).toEqual([])
  })
})
