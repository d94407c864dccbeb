import { describe, expect, it } from 'vitest'
import { confirmSubject, getAvailability, getSubject, listPackages } from '#contract/customer/discovery-calls.ts'
import { browseSubjects, listGallerySections, searchSubjects } from '#contract/customer/find-subjects.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { defaultPageSize } from '#domain/shared/paging.ts'
import { saveFieldAnswers } from '#server/carts/store/save-field-answers.ts'
import type { Deps } from '#server/deps.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { addImage, jpegAt, seedJobs } from './job-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('searching and confirming subjects on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (code = 'SPRING') => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const jobs = await seedJobs(deps)
    const customer = customerClient(app)
    await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code } })
    const { jobId } = code === 'SPRING' ? jobs.spring : jobs.team
    const search = async (firstName: string, lastName: string) =>
      await customer.request(searchSubjects, { params: { jobId }, query: { firstName, lastName } })
    const confirm = (subjectId: number, headers = {}) => {
      const proof = createSearchToken(deps, { jobId, subjectId })
      return customer.request(confirmSubject, { params: { jobId }, body: { subjectId, proof }, headers })
    }
    const readSubject = (subjectId: number) => customer.request(getSubject, { params: { jobId, subjectId } })
    return { deps, app, time, jobs, customer, jobId, search, confirm, readSubject }
  }

  it('a search matches the first letters and the complete last name in any spelling, and shows no image', async () => {
    const { jobs, search } = await setUp()
    const proof = expect.stringMatching(/^[\w-]{22}$/)
    const ada = { id: jobs.ada, firstName: 'Ada', lastName: 'Lovelace', groupName: 'Grade 3', proof }
    for (const [first, last] of [
      ['a', 'lovelace'],
      ['ADA', 'LOVELACE'],
      ['Á', 'Lövelaçe'],
      [' ad', 'Love-lace'],
      ['Lovelace', 'Ada'],
    ] as const) {
      expect((await search(first, last)).data).toEqual([ada])
    }
    expect((await search('zoe', "o'connor")).data).toMatchObject([{ id: jobs.zoe, lastName: 'O’Connor' }])
    expect((await search('b', 'lovell')).data).toMatchObject([{ id: jobs.ben, groupName: null }])
    for (const part of ['lo', 'lov', 'love', 'lovel', 'ovell', 'vell', 'l', 'lovells']) {
      expect((await search('b', part)).data).toEqual([])
    }
    expect((await search('%', '__')).status).toBe(400)
  })

  it('a search needs a letter of the first name and a last name', async () => {
    const { search } = await setUp()
    for (const [first, last] of [
      ['', 'lovelace'],
      ['-', 'lovelace'],
      ['a', ''],
      ['a'.repeat(61), 'lovelace'],
    ] as const) {
      expect((await search(first, last)).status).toBe(400)
    }
  })

  it('the messages say what is missing in each name (section 5)', async () => {
    const { customer, jobId, search } = await setUp()
    const missing = ['This field is required']
    expect(await search(' ', ' ')).toMatchObject({
      status: 400,
      errors: ['Please fix the fields marked below'],
      fields: { firstName: missing, lastName: missing },
    })
    expect(await search('-', 'l')).toMatchObject({ fields: { firstName: ['Type at least the first letter'] } })
    expect(await customer.request(searchSubjects, { params: { jobId } })).toMatchObject({
      status: 400,
      fields: { firstName: missing, lastName: missing },
    })
  })

  it('a search finds at most twenty subjects, and none that was typed in', async () => {
    const { deps, jobs, search } = await setUp()
    const typedIn = { person_session_id: null, person_id: deps.newId(), state: 'pending' } as const
    await given(deps).subject(jobs.spring, { name: 'Alan Lomax', ...typedIn })
    expect((await search('al', 'lomax')).data).toEqual([])
    for (let n = 0; n < 21; n += 1)
      await given(deps).subject(jobs.spring, { name: `Ava Lorenz ${String.fromCharCode(97 + n).repeat(2)}` })
    const { data } = await search('a', 'lorenz')
    expect(data).toHaveLength(20)
    expect(data.map(({ lastName }: { lastName: string }) => lastName)).toEqual(
      data.map(({ lastName }: { lastName: string }) => lastName).toSorted(),
    )
  })

  it('repeated misses slow searches down, and matches do not', async () => {
    const { search, time } = await setUp()
    for (let n = 0; n < 12; n += 1) await search('a', 'lovelace')
    const startedAt = time.clock().getTime()
    await search('a', 'lovelace')
    expect(time.clock().getTime() - startedAt).toBeLessThan(500)
    for (let n = 0; n < 10; n += 1) await search('q', 'qq')
    const slowSince = time.clock().getTime()
    expect((await search('a', 'lovelace')).data).toHaveLength(1)
    expect(time.clock().getTime() - slowSince).toBeGreaterThanOrEqual(2_000)
  })

  it('a confirmed subject shows fields and images, and a repetition returns the same grant', async () => {
    const { deps, jobs, customer, jobId, confirm, readSubject } = await setUp()
    const owner = { kind: 'hosted-individual', subjectId: jobs.ada } as const
    const bytes = await jpegAt(1)
    const image = { fileName: 'IMG_1.jpg', owner, position: 1, publishedAt: deps.clock() }
    const imageId = await addImage(deps, jobs.spring, image, bytes)
    await addImage(deps, jobs.spring, { ...image, fileName: 'IMG_2.jpg', publishedAt: null }, bytes)
    expect(await readSubject(jobs.ada)).toMatchObject({ status: 403, problem: 'grant-needed' })
    const confirmed = await confirm(jobs.ada)
    expect(confirmed.data).toMatchObject({ id: jobs.ada, jobId, imageCount: 1, groupName: 'Grade 3' })
    expect(confirmed.data.imageThumbnailUrl).toMatch(
      new RegExp(`^/photos/${confirmed.data.grantId}/${imageId}/thumb-[0-9a-f]{16}$`),
    )
    expect(await readSubject(jobs.ada)).toEqual(confirmed)
    expect((await confirm(jobs.ada)).data.grantId).toBe(confirmed.data.grantId)
    const { data } = await customer.request(getAvailability, { params: { jobId } })
    expect(data.grants).toEqual([{ grantId: confirmed.data.grantId, subjectId: jobs.ada }])
  })

  it('hidden and unknown subjects and subjects of other jobs are not confirmed, and invalid input is refused', async () => {
    const { jobs, customer, jobId, confirm, readSubject } = await setUp()
    for (const id of [jobs.hidden, jobs.stranger, jobs.kai, 999_999]) {
      expect(await confirm(id)).toMatchObject({ status: 404, problem: 'not-found' })
      expect(await readSubject(id)).toMatchObject({ status: 404, problem: 'not-found' })
    }
    for (const subjectId of ['x', 0, 1.5, 1e300, 2 ** 53]) {
      expect((await customer.request(confirmSubject, { params: { jobId }, body: { subjectId } })).status).toBe(400)
    }
    for (const body of [{}, { subjectId: jobs.ada, also: 1 }]) {
      expect((await customer.request(confirmSubject, { params: { jobId }, body })).status).toBe(400)
    }
  })

  it('a subject is confirmed only with the token of its search result', async () => {
    const { deps, jobs, customer, jobId, search, readSubject } = await setUp()
    const confirm = (body: object) => customer.request(confirmSubject, { params: { jobId }, body })
    const proofOf = async (first: string, last: string) => (await search(first, last)).data[0].proof
    const [ada, zoe] = [await proofOf('a', 'lovelace'), await proofOf('z', 'oconnor')]
    const otherJobToken = createSearchToken(deps, { jobId: jobs.team.jobId, subjectId: jobs.ada })
    const otherServerToken = createSearchToken(
      { settings: { ...deps.settings, secret: 'of another server' } },
      { jobId, subjectId: 1 },
    )
    const unknownSubject = await confirm({ subjectId: 999_999 })
    for (const proof of [
      {},
      { proof: zoe },
      { proof: otherJobToken },
      { proof: otherServerToken },
      { proof: ada.slice(1) },
    ]) {
      expect(await confirm({ subjectId: jobs.ada, ...proof })).toEqual(unknownSubject)
    }
    expect(await readSubject(jobs.ada)).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect((await confirm({ subjectId: jobs.ada, proof: ada })).status).toBe(200)
    await deps.db
      .updateTable('session_grants')
      .set({ expires_at: deps.clock() })
      .where('kind', '=', 'subject')
      .execute()
    expect(await readSubject(jobs.ada)).toMatchObject({ problem: 'grant-needed' })
    expect((await confirm({ subjectId: jobs.ada })).status).toBe(200)
  })

  it('a search token is also valid in a new session of the same customer', async () => {
    const { app, jobs, jobId, search } = await setUp()
    const { proof } = (await search('a', 'lovelace')).data[0]
    const laterSession = customerClient(app)
    await laterSession.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const body = { subjectId: jobs.ada, proof }
    expect((await laterSession.request(confirmSubject, { params: { jobId }, body })).status).toBe(200)
  })

  it('confirmations without a token count as guesses', async () => {
    const { jobs, customer, jobId, time, search } = await setUp()
    const confirmWithoutToken = () =>
      customer.request(confirmSubject, { params: { jobId }, body: { subjectId: jobs.ada } })
    for (let n = 0; n < 10; n += 1) expect((await confirmWithoutToken()).status).toBe(404)
    const slowSince = time.clock().getTime()
    await search('a', 'lovelace')
    expect(time.clock().getTime() - slowSince).toBeGreaterThanOrEqual(2_000)
  })

  it('a subject opened by their own code or a public gallery is confirmed without a search', async () => {
    const { deps, app, jobs, jobId } = await setUp()
    const enter = async (code: string) => {
      const customer = customerClient(app)
      await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code } })
      return (enteredJobId: number, subjectId: number) =>
        customer.request(confirmSubject, { params: { jobId: enteredJobId }, body: { subjectId } })
    }
    expect((await (await enter('ADALVL'))(jobId, jobs.ada)).status).toBe(200)
    expect((await (await enter('ADALVL'))(jobId, jobs.zoe)).status).toBe(404)
    const team = await enter('RAPIDS')
    expect((await team(jobs.team.jobId, jobs.kai)).status).toBe(200)
    await deps.db.updateTable('jobs').set({ gallery_is_public: false }).where('id', '=', jobs.team.jobId).execute()
    expect((await team(jobs.team.jobId, jobs.lea)).status).toBe(404)
    expect((await team(jobs.team.jobId, jobs.kai)).status).toBe(200)
  })

  it('a repeated confirmation is checked again, so that a subject hidden in the meantime stays hidden', async () => {
    const { deps, jobs, confirm, readSubject } = await setUp()
    const key = { 'idempotency-key': 'the-same-tap' }
    expect((await confirm(jobs.ada, key)).status).toBe(200)
    expect((await confirm(jobs.ada, key)).status).toBe(200)
    await deps.db.updateTable('subjects').set({ hidden_at: deps.clock() }).where('id', '=', jobs.ada).execute()
    expect((await confirm(jobs.ada, key)).status).toBe(404)
    expect((await readSubject(jobs.ada)).status).toBe(404)
  })

  it('twelve subjects are opened at once, and each further subject takes two seconds', async () => {
    const { deps, jobs, confirm, time } = await setUp()
    const subjectIds = []
    for (let n = 0; n < 13; n += 1)
      subjectIds.push(await given(deps).subject(jobs.spring, { name: `Child Number${n}` }))
    const timeConfirmation = async (subjectId: number) => {
      const startedAt = time.clock().getTime()
      expect((await confirm(subjectId)).status).toBe(200)
      return time.clock().getTime() - startedAt
    }
    for (const id of subjectIds.slice(0, 12)) expect(await timeConfirmation(id)).toBeLessThan(500)
    expect(await timeConfirmation(subjectIds[12] ?? 0)).toBeGreaterThanOrEqual(2_000)
    expect(await timeConfirmation(subjectIds[0] ?? 0)).toBeLessThan(500)
    const revoked = subjectIds.slice(0, 2)
    await deps.db
      .updateTable('session_grants')
      .set({ revoked_at: deps.clock() })
      .where('subject_id', 'in', revoked)
      .execute()
    expect(await timeConfirmation(subjectIds[0] ?? 0)).toBeLessThan(500)
  })

  it('a grant lasts no longer than the gallery', async () => {
    const { deps, jobs, confirm } = await setUp()
    await deps.db
      .updateTable('jobs')
      .set({ gallery_expires_on: '2027-04-30' })
      .where('id', '=', jobs.spring.jobId)
      .execute()
    await confirm(jobs.ada)
    const grants = await deps.db.selectFrom('session_grants').selectAll().where('kind', '=', 'subject').execute()
    expect(grants.map(({ expires_at }) => expires_at?.toISOString())).toEqual(['2027-05-01T04:00:00.000Z'])
  })

  it('subjects are not shown to other sessions, nor after the job is unpublished or archived', async () => {
    const { deps, app, jobs, customer, jobId, confirm, readSubject, search } = await setUp()
    await confirm(jobs.ada)
    const anonymous = customerClient(app)
    const withoutCode = customerClient(app)
    await withoutCode.request(openSession, { body: {} })
    const withCode = customerClient(app)
    await withCode.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const input = { params: { jobId, subjectId: jobs.ada } }
    expect((await anonymous.request(getSubject, input)).status).toBe(401)
    expect(await withoutCode.request(getSubject, input)).toMatchObject({ status: 403, problem: 'code-needed' })
    expect(await withCode.request(getSubject, input)).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect(
      (await customer.request(getSubject, { params: { jobId: jobs.team.jobId, subjectId: jobs.ada } })).status,
    ).toBe(403)
    for (const withdrawn of [{ published_at: null }, { archived_at: deps.clock(), published_at: deps.clock() }]) {
      await deps.db.updateTable('jobs').set(withdrawn).where('id', '=', jobId).execute()
      for (const answer of [await readSubject(jobs.ada), await confirm(jobs.ada), await search('a', 'lovelace')]) {
        expect(answer).toMatchObject({ status: 404, problem: 'not-found' })
      }
    }
  })

  it('neither subjects nor packages of a disabled studio are shown', async () => {
    const { deps, jobs, customer, jobId, search, confirm, readSubject } = await setUp()
    await confirm(jobs.ada)
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    expect(await search('a', 'lovelace')).toMatchObject({ status: 404 })
    expect(await readSubject(jobs.ada)).toMatchObject({ status: 404 })
    expect(await confirm(jobs.zoe)).toMatchObject({ status: 404 })
    expect(await customer.request(browseSubjects, { params: { jobId } })).toMatchObject({ status: 404 })
    expect(await customer.request(listPackages, { params: { jobId } })).toMatchObject({ status: 404 })
  })

  it('a public gallery is paged by name', async () => {
    const { deps, jobs, customer, jobId, readSubject } = await setUp('RAPIDS')
    await given(deps).subject(jobs.team, { name: 'Hidden Child', hidden_at: deps.clock() })
    const browse = (query = {}) => customer.request(browseSubjects, { params: { jobId }, query })
    const firstPage = (await browse({ currentPage: 1 })).data
    expect(firstPage).toMatchObject({ currentPage: 1, pageSize: 50, totalRecords: 2 })
    expect(firstPage.resultItems.map(({ firstName }: { firstName: string }) => firstName)).toEqual(['Kai', 'Léa'])
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
      expect((await browse({ filter })).data).toMatchObject({ totalRecords: 1, resultItems: [{ id: jobs.lea }] })
    }
    expect((await browse({ currentPage: 9 })).data).toMatchObject({ totalRecords: 2, resultItems: [] })
    expect((await browse({ pageSize: 'x' })).status).toBe(400)
    expect((await readSubject(jobs.kai)).status).toBe(200)
  })

  it('a public gallery can be limited to a group, a first letter, and subjects with or without images', async () => {
    const { deps, jobs, customer, jobId } = await setUp('RAPIDS')
    const { subject, group, image } = given(deps)
    const noLastName = await subject(jobs.team, { name: 'Øyvind' })
    const other = await subject(jobs.team, { name: 'Ming 王' })
    const hidden = await subject(jobs.team, { name: 'Zed Zulu', hidden_at: deps.clock() })
    const [red, blue] = [
      await group(jobs.team, 'Red', [jobs.kai, noLastName]),
      await group(jobs.team, 'Blue', [jobs.lea]),
    ]
    await group(jobs.team, 'Only hidden', [hidden])
    await group(jobs.team, 'Empty', [])
    await group(jobs.spring, 'Of another job', [jobs.ada])
    await image(jobs.team, { subjectId: jobs.lea })
    await image(jobs.team, { subjectId: jobs.kai, isPublished: false })
    const params = { jobId }
    expect((await customer.request(listGallerySections, { params })).data).toEqual({
      total: 4,
      groups: [
        { id: red, name: 'Red' },
        { id: blue, name: 'Blue' },
      ],
      letters: ['N', 'O', 'Q', '#'],
    })
    const browse = async (query: object) => {
      const { data } = await customer.request(browseSubjects, { params, query: { currentPage: 1, ...query } })
      const ids = data.resultItems.map(({ id }: { id: number }) => id)
      expect(data.totalRecords).toBe(ids.length)
      return ids
    }
    expect(await browse({})).toEqual([noLastName, jobs.kai, jobs.lea, other])
    expect(await browse({ group: red })).toEqual([noLastName, jobs.kai])
    expect(await browse({ group: red, letter: 'n' })).toEqual([jobs.kai])
    expect(await browse({ letter: 'O' })).toEqual([noLastName])
    expect(await browse({ letter: '#' })).toEqual([other])
    expect(await browse({ letter: '%' })).toEqual([])
    expect(await browse({ images: 'with' })).toEqual([jobs.lea])
    expect(await browse({ images: 'without', filter: 'k' })).toEqual([jobs.kai])
    expect((await customer.request(browseSubjects, { params, query: { images: 'some' } })).status).toBe(400)
    const spring = { params: { jobId: jobs.spring.jobId } }
    expect((await customer.request(listGallerySections, spring)).problem).toBe('code-needed')
    await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    expect((await customer.request(listGallerySections, spring)).problem).toBe('grant-needed')
  })

  it('without paging a public gallery is listed completely, by name', async () => {
    const { deps, jobs, customer, jobId } = await setUp('RAPIDS')
    const names = Array.from({ length: defaultPageSize }, (_, index) => `Player ${String(index).padStart(3, '0')}`)
    for (const name of names) await given(deps).subject(jobs.team, { name })
    const browse = async (query = {}) => (await customer.request(browseSubjects, { params: { jobId }, query })).data
    const { resultItems, totalRecords } = await browse({ pageSize: 100 })
    expect(totalRecords).toBe(names.length + 2)
    expect(await browse()).toEqual(resultItems)
  })

  /** A family's answers to the job's questions, as an order saves them. */
  const saveAnswers = (deps: Deps, subjectId: number, answers: Record<string, string>) =>
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

  it('a public gallery shows only the studio’s own fields of a subject, and its list shows no fields', async () => {
    const { deps, jobs, customer, jobId, readSubject, confirm } = await setUp('RAPIDS')
    const kai = { studio_id: jobs.studioId, subject_id: jobs.kai }
    await deps.db
      .insertInto('subject_fields')
      .values({ ...kai, name: 'Teacher', value: 'Ms. Alvarez' })
      .execute()
    const phoneField = { studio_id: jobs.studioId, name: 'Phone', label: 'Your phone' }
    await deps.db
      .insertInto('job_fields')
      .values([jobs.spring, jobs.team].map((job) => ({ ...phoneField, job_id: job.jobId })))
      .execute()
    await saveAnswers(deps, jobs.kai, { Phone: '937-555-0142' })
    const list = await customer.request(browseSubjects, { params: { jobId } })
    const page = await customer.request(browseSubjects, { params: { jobId }, query: { filter: 'kai' } })
    expect(list.data.map(({ fields }: { fields: object[] }) => fields)).toEqual([[], []])
    expect(page.data.resultItems).toMatchObject([{ id: jobs.kai, fields: [] }])
    const readFields = async () => (await readSubject(jobs.kai)).data.fields
    expect(await readFields()).toMatchObject([{ name: 'Teacher', value: 'Ms. Alvarez' }])
    expect((await confirm(jobs.kai)).data.fields).toHaveLength(1)
    const session = await deps.db.selectFrom('customer_sessions').select('id').executeTakeFirstOrThrow()
    const typedIn = { person_id: '00000000-0000-4000-8000-000000000001', person_session_id: session.id }
    await deps.db.updateTable('subjects').set(typedIn).where('id', '=', jobs.kai).execute()
    expect(await readFields()).toMatchObject([{ name: 'Teacher' }, { name: 'Phone', value: '937-555-0142' }])
  })

  it('a public gallery shows no answer to a field that the job no longer asks for', async () => {
    const { deps, jobs, readSubject } = await setUp('RAPIDS')
    const phoneField = { studio_id: jobs.studioId, job_id: jobs.team.jobId, name: 'Phone', label: 'Your phone' }
    await deps.db.insertInto('job_fields').values(phoneField).execute()
    await saveAnswers(deps, jobs.kai, { Phone: '937-555-0142' })
    await deps.db.updateTable('job_fields').set({ name: 'Mobile' }).execute()
    expect((await readSubject(jobs.kai)).data.fields).toEqual([])
    await deps.db.deleteFrom('job_fields').execute()
    expect((await readSubject(jobs.kai)).data.fields).toEqual([])
  })

  it('a public gallery shows a studio’s value that a family repeated, but not an answer that differs', async () => {
    const { deps, jobs, readSubject } = await setUp('RAPIDS')
    const [teacher, phone] = ['Teacher', 'Phone'].map((name) => ({ studio_id: jobs.studioId, name }))
    if (!teacher || !phone) throw new Error('there are two fields')
    await deps.db
      .insertInto('job_fields')
      .values([teacher, phone].map((field) => ({ ...field, job_id: jobs.team.jobId, label: field.name })))
      .execute()
    await deps.db
      .insertInto('subject_fields')
      .values([
        { ...teacher, subject_id: jobs.kai, value: 'Ms. Alvarez' },
        { ...phone, subject_id: jobs.kai, value: '937-555-0100' },
      ])
      .execute()
    expect((await readSubject(jobs.kai)).data.fields).toHaveLength(2)
    await saveAnswers(deps, jobs.kai, { Teacher: 'Ms. Alvarez', Phone: '937-555-0142' })
    expect((await readSubject(jobs.kai)).data.fields).toMatchObject([{ name: 'Teacher', value: 'Ms. Alvarez' }])
  })

  it('a session that confirmed a subject in a private job sees the family’s answers', async () => {
    const { deps, jobs, confirm } = await setUp()
    const phoneField = { studio_id: jobs.studioId, job_id: jobs.spring.jobId, name: 'Phone', label: 'Your phone' }
    await deps.db.insertInto('job_fields').values(phoneField).execute()
    await saveAnswers(deps, jobs.ada, { Phone: '937-555-0142' })
    expect((await confirm(jobs.ada)).data.fields).toMatchObject([{ name: 'Teacher' }, { name: 'Phone' }])
  })

  it('a public gallery is shown only to sessions that entered its code, as long as it is public', async () => {
    const { deps, jobs, customer, jobId, readSubject } = await setUp('RAPIDS')
    const spring = customerClient(await testApp(deps))
    await spring.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const privateJob = await spring.request(browseSubjects, { params: { jobId: jobs.spring.jobId } })
    expect(privateJob).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect((await spring.request(browseSubjects, { params: { jobId } })).problem).toBe('code-needed')
    await deps.db.updateTable('jobs').set({ gallery_is_public: false }).where('id', '=', jobId).execute()
    expect((await customer.request(browseSubjects, { params: { jobId } })).problem).toBe('grant-needed')
    expect((await readSubject(jobs.kai)).problem).toBe('grant-needed')
    expect((await customer.request(getAvailability, { params: { jobId } })).data.grants).toEqual([])
  })
})
