import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { Db } from '#server/database/database.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { customerClient } from '../discovery/customer-client.ts'
import { addGroup, addImage, addOrder, addSubject, jpegAt } from '../discovery/job-fixtures.ts'
import { createSubjectFixtures, type SubjectFixtures } from './subject-fixtures.ts'

const walker = {
  ...{ key: '00000000-0000-4000-8000-00000000001a', at: '2027-04-15T10:00:00.000Z', station: '1', groupName: '' },
  ...{ firstName: 'Mary', lastName: 'Somerville' },
}

/** Waits until a transaction waits for a lock. */
const waitForLock = (db: Db) =>
  vi.waitFor(async () => {
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    expect((await waiting.execute(db)).rows).toHaveLength(1)
  })

describe.each(enginesFor(import.meta.filename))('subjects of a job on $name', (engine) => {
  const database = freshDatabase(engine)
  const begin = () => createSubjectFixtures(database())

  const askForGrade = async ({ deps, studioId, spring }: Awaited<ReturnType<typeof begin>>) => {
    const options = JSON.stringify([
      { id: 1, value: '3' },
      { id: 2, value: '4' },
    ])
    const field = {
      studio_id: studioId,
      job_id: spring.jobId,
      name: 'Grade',
      label: 'Grade',
      has_options: true,
      options,
    }
    await deps.db.insertInto('job_fields').values(field).execute()
  }

  it('a subject is created with groups, fields and a code by the specified route', async () => {
    const school = await begin()
    const { tell, v3, one, grade } = school
    await askForGrade(school)
    const made = await tell('POST', `${v3}?returnData=true`, {
      firstName: ' Mary  Ann ',
      lastName: 'O’Neill~',
      reference: ' S-17 ',
      code: 'mary-17',
      groups: ['grade 3', 'Chess'],
      fields: [
        { name: 'grade', value: ' 4 ' },
        { name: 'Bus', value: 'B2' },
      ],
    })
    expect(made).toMatchObject({
      status: 200,
      data: {
        firstName: 'Mary Ann',
        lastName: 'O’Neill',
        reference: 'S-17',
        jobId: school.spring.jobId,
        imageThumbnailUrl: null,
        groups: [{ id: grade, name: 'Grade 3' }, { name: 'Chess' }],
        fields: [
          { id: expect.any(Number), name: 'Grade', value: '4', hasOptions: true, templateId: null, optionId: 2 },
          { id: expect.any(Number), name: 'Bus', value: 'B2', hasOptions: false, templateId: null, optionId: null },
        ],
        code: { code: 'MARY17', address: 'https://fieldproof.test/riverside/code/MARY17' },
        knownFields: [{ name: 'Grade', label: 'Grade', options: ['3', '4'] }],
        images: [],
        orders: [],
        isHidden: false,
        version: 1,
      },
    })
    expect(made.data.code.qr).toMatch(/^<svg /)
    expect(await one(made.data.id)).toEqual(made.data)
  })

  it('a subject without a name, with taken values or with an invalid option is refused by field', async () => {
    const school = await begin()
    const { tell, v3, names } = school
    await askForGrade(school)
    await tell('POST', v3, { firstName: 'Mary', lastName: '', reference: 'S-17' })
    expect(
      await tell('POST', v3, {
        firstName: ' ',
        lastName: '',
        reference: 'S-17',
        code: 'BENLVL',
        fields: [{ name: 'GRADE', value: '12' }],
      }),
    ).toMatchObject({
      status: 422,
      errors: ['Please fix the fields marked below'],
      fields: {
        firstName: ['Type a first or a last name'],
        reference: ['Somebody else of this job has this reference'],
        code: ['This code is taken'],
        'fields.GRADE': ['This value must be one of 3, 4'],
      },
    })
    expect(await tell('POST', v3, { firstName: 'A', lastName: 'B', code: 'no!' })).toMatchObject({
      status: 422,
      fields: { code: ['A code has 4 to 12 letters and digits'] },
    })
    expect(await names('filter=')).toHaveLength(5)
  })

  it('many subjects are created at once, and returned on request', async () => {
    const { tell, v3, names } = await begin()
    const subjects = Array.from({ length: 120 }, (_, n) => ({
      firstName: `Child${n}`,
      lastName: 'Zander',
      reference: `Z${n}`,
      groups: [n % 2 === 0 ? 'Grade 3' : 'Bees'],
      fields: [{ name: 'Bus', value: `B${n % 5}` }],
    }))
    expect((await tell('POST', `${v3}/bulk`, { subjects })).data).toEqual({ count: 120 })
    expect(await names('filter=zander')).toHaveLength(50)
    const bulk = await tell('POST', `${v3}/bulk?returnData=true`, {
      subjects: [
        { firstName: 'One', lastName: 'Young', code: 'OWN1' },
        { firstName: 'Two', lastName: 'Young' },
      ],
      codes: 'new',
    })
    expect(bulk.data).toMatchObject({
      count: 2,
      subjects: [
        { firstName: 'One', lastName: 'Young', code: 'OWN1', version: 1 },
        { firstName: 'Two', lastName: 'Young', code: expect.stringMatching(/^[A-HJKMNP-Z2-9]{8}$/) },
      ],
    })
  })

  it('many subjects are created all or none, with errors by index', async () => {
    const { tell, v3, names } = await begin()
    const subjects = [
      { firstName: 'One', lastName: 'Young', reference: 'Y', code: 'YOUNG' },
      { firstName: '', lastName: '' },
      { firstName: 'Three', lastName: 'Young', reference: 'Y', code: 'young' },
      { firstName: 'Four', lastName: 'Young', code: 'ADALVL' },
    ]
    expect(await tell('POST', `${v3}/bulk`, { subjects })).toMatchObject({
      status: 422,
      fields: {
        '1.firstName': ['Type a first or a last name'],
        '2.reference': ['This is there twice'],
        '2.code': ['This is there twice'],
        '3.code': ['This code is taken'],
      },
    })
    expect(await names('filter=young')).toEqual([])
    const groups = await tell('GET', 'groups')
    expect(groups.data.map(({ name }: { name: string }) => name)).toEqual(['Grade 3'])
  })

  it('a repeated request creates subjects once', async () => {
    const { tell, v3, names } = await begin()
    const send = () =>
      tell('POST', `${v3}/bulk`, { subjects: [{ firstName: 'Una', lastName: 'Young' }] }, { key: 'once-and-no-more' })
    const both = await Promise.all([send(), send()])
    expect(both.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([200, 409])])
    expect((await send()).data).toEqual({ count: 1 })
    expect(await names('filter=una')).toEqual(['Una Young'])
  })

  it('subjects are not found under another organization or studio', async () => {
    const { tell, v3, organizationId, other, stranger, team, kai } = await begin()
    const person = { firstName: 'Una', lastName: 'Young' }
    const astray = v3.replace(`organizations/${organizationId}`, `organizations/${organizationId + 1}`)
    expect(await tell('POST', astray, person)).toMatchObject({ status: 404 })
    expect(await tell('POST', v3.replace(/jobs\/\d+/, `jobs/${team.jobId}`), person)).toMatchObject({ status: 404 })
    expect(await tell('GET', `subjects/${stranger}`)).toMatchObject({ status: 404 })
    expect(await tell('GET', `subjects/${kai}`)).toMatchObject({ status: 404 })
    expect(await tell('GET', 'subjects', undefined, { studioId: other.studioId })).toMatchObject({ status: 404 })
    expect(await tell('GET', 'subjects', undefined, { permissions: ['studio.users.crud'] })).toMatchObject({
      status: 403,
    })
  })

  it('subjects are found by any words of their details in any order, without accents', async () => {
    const { tell, names, v3 } = await begin()
    await tell('POST', v3, {
      firstName: 'Ángel',
      lastName: 'Nuñez-Ørsted',
      reference: 'R/42-b',
      groups: ['Klasse 4ü · Mr. Okafor'],
      fields: [{ name: 'Bus', value: 'Strøm B-7' }],
      code: 'ANGEL4',
    })
    const found = ['Ángel Nuñez-Ørsted']
    const questions = [
      ...['angel', 'ANGEL nunez', 'nunez angel', 'orsted', 'nuñez-ørsted', 'r/42', 'okafor angel', '4u klasse'],
      ...['strom', 'b7', 'angel4', '%C3%A1ng 42-B'],
    ]
    for (const question of questions) expect([question, await names(`filter=${question}`)]).toEqual([question, found])
    for (const question of ['angel lovelace', '_', '%25', 'strom b8', '·']) {
      expect([question, await names(`filter=${encodeURIComponent(decodeURIComponent(question))}`)]).toEqual([
        question,
        [],
      ])
    }
    expect(await names('filter=o’con')).toEqual(['Zoë O’Connor'])
    expect(await names('filter=alvarez')).toEqual(['Ada Lovelace'])
  })

  it('subjects are no longer found by details that were removed', async () => {
    const { tell, names, ada, grade } = await begin()
    expect(await names('filter=grade')).toEqual(['Ada Lovelace', 'Zoë O’Connor'])
    const group = (await tell('GET', `groups/${grade}`)).data
    await tell('PUT', `groups/${grade}`, { version: group.version, name: 'Owls' })
    expect([await names('filter=grade'), await names('filter=owls')]).toEqual([[], ['Ada Lovelace', 'Zoë O’Connor']])
    await tell('PATCH', `subjects/${ada}`, { version: 1, code: null, fields: [], groupIds: [] })
    for (const gone of ['owls ada', 'alvarez', 'adalvl']) expect(await names(`filter=${gone}`)).toEqual([])
  })

  it('subjects are filtered by group, images, visibility, orders and attendance', async () => {
    const { deps, names, spring, ada, ben, grade, studioId } = await begin()
    const owner = { kind: 'hosted-individual', subjectId: ada } as const
    await addImage(deps, spring, { fileName: 'a.jpg', owner, position: 1, publishedAt: null }, await jpegAt(1))
    const check = { studio_id: studioId, job_id: spring.jobId, checked_in_at: deps.clock() }
    const keys = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
    await deps.db
      .insertInto('check_ins')
      .values([
        { ...check, subject_id: ben, check_in_key: keys[0] ?? '' },
        { ...check, subject_id: ada, check_in_key: keys[1] ?? '', undone_at: deps.clock() },
      ])
      .execute()
    expect(await names(`groupId=${grade}`)).toEqual(['Ada Lovelace', 'Zoë O’Connor'])
    expect(await names('images=with')).toEqual(['Ada Lovelace'])
    expect(await names('images=without')).toEqual(['Ben Lovell', 'Alma Lowe', 'Zoë O’Connor'])
    expect(await names('visibility=hidden')).toEqual(['Alma Lowe'])
    expect(await names('visibility=shown&attendance=checked-in')).toEqual(['Ben Lovell'])
    expect(await names('attendance=not-checked-in')).toEqual(['Ada Lovelace', 'Alma Lowe', 'Zoë O’Connor'])
    const earlier = new Date(deps.clock().getTime() - 60_000)
    const mark = { studio_id: studioId, job_id: spring.jobId, kind: 'absent' as const, marked_at: earlier }
    await deps.db
      .insertInto('shoot_marks')
      .values([
        { ...mark, subject_id: ada, mark_key: keys[0] ?? '' },
        { ...mark, subject_id: ben, mark_key: keys[1] ?? '' },
      ])
      .execute()
    // Ben came after all.
    expect(await names('attendance=absent')).toEqual(['Ada Lovelace'])
    expect(await names('orders=ordered')).toEqual([])
    expect(await names('orders=not-ordered&filter=love')).toEqual(['Ada Lovelace', 'Ben Lovell'])
  })

  it("group images do not count as a subject's images, and cancelled orders do not count as orders", async () => {
    const { deps, names, spring, ada, ben, zoe, grade, studioId } = await begin()
    const image = async (fileName: string, owner: Parameters<typeof addImage>[2]['owner']) =>
      await addImage(deps, spring, { fileName, owner, position: 1, publishedAt: null }, await jpegAt(1))
    await image('class.jpg', { kind: 'hosted-group', groupId: grade })
    await image('nobody.jpg', { kind: 'hosted-individual', subjectId: null })
    await image('instead.jpg', { kind: 'replacement', subjectId: ben })
    await image('zoe.jpg', { kind: 'hosted-individual', subjectId: zoe })
    expect(await names('images=with')).toEqual(['Zoë O’Connor'])
    expect(await names('images=without')).toEqual(['Ada Lovelace', 'Ben Lovell', 'Alma Lowe'])

    const { id: order_service_id } = await deps.db
      .insertInto('order_services')
      .values({ kind: 'service', name: 'Gift box', price_cents: 300, position: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const orderOf = async (number: string, state: 'placed' | 'cancelled', people: readonly (number | null)[]) => {
      const order_id = await addOrder(deps, spring, { order_number: number, state })
      const line = { studio_id: studioId, order_id, kind: 'service' as const, order_service_id, name: 'Gift box' }
      const price = { quantity: 1, unit_cents: 0, amount_cents: 0, snapshot: '{}' }
      await deps.db
        .insertInto('order_lines')
        .values(people.map((subject_id, position) => ({ ...line, ...price, position, subject_id })))
        .execute()
    }
    await orderOf('FP-00000001', 'cancelled', [ada])
    await orderOf('FP-00000002', 'placed', [null, ben, ben])
    expect(await names('orders=ordered')).toEqual(['Ben Lovell'])
    expect(await names('orders=not-ordered')).toEqual(['Ada Lovelace', 'Alma Lowe', 'Zoë O’Connor'])
    await orderOf('FP-00000003', 'placed', [ada])
    expect(await names('orders=ordered')).toEqual(['Ada Lovelace', 'Ben Lovell'])
    expect(await names('orders=ordered&images=with')).toEqual([])
  })

  it('sorting is stable across pages', async () => {
    const { deps, names, spring, ben, tell } = await begin()
    await addGroup(deps, spring, 'Bees', [ben])
    await tell('PATCH', `subjects/${ben}`, { version: 1, reference: 'B1' })
    const byName = ['Ada Lovelace', 'Ben Lovell', 'Alma Lowe', 'Zoë O’Connor']
    expect(await names('sort=name')).toEqual(byName)
    expect(await names('sort=-name')).toEqual(byName.toReversed())
    expect(await names('sort=newest')).toEqual(['Alma Lowe', 'Ben Lovell', 'Zoë O’Connor', 'Ada Lovelace'])
    expect(await names('sort=group')).toEqual(['Ben Lovell', 'Ada Lovelace', 'Zoë O’Connor', 'Alma Lowe'])
    expect((await names('sort=reference'))[0]).toBe('Ben Lovell')
    expect(await names('sort=nonsense; drop table subjects')).toEqual(byName)
  })

  it('subjects are sorted by their first group, also after it is renamed or they leave it', async () => {
    const { deps, names, spring, ben, ada, grade, tell } = await begin()
    const bees = await addGroup(deps, spring, 'Bees', [ben])
    await addGroup(deps, spring, 'Élan', [ben])
    expect((await names('sort=group'))[0]).toBe('Ben Lovell')
    const group = (await tell('GET', `groups/${grade}`)).data
    await tell('PUT', `groups/${grade}`, { version: group.version, name: 'Ants' })
    expect(await names('sort=group')).toEqual(['Ada Lovelace', 'Zoë O’Connor', 'Ben Lovell', 'Alma Lowe'])
    await tell('PATCH', `subjects/${ada}`, { version: 1, groupIds: [] })
    await tell('DELETE', `groups/${bees}`)
    expect(await names('sort=group')).toEqual(['Zoë O’Connor', 'Ben Lovell', 'Ada Lovelace', 'Alma Lowe'])
    expect(await names('sort=-group')).toEqual(['Ben Lovell', 'Zoë O’Connor', 'Ada Lovelace', 'Alma Lowe'])
  })

  it.each([50, 51, 101])('pages of %s contain each subject once', async (count) => {
    const { tell, team } = await begin()
    const base = `/api/studioadmin/studios/${team.studioId}/jobs/${team.jobId}/subjects`
    // Two subjects exist already.
    const subjects = Array.from({ length: count - 2 }, (_, n) => ({ firstName: `P${n % 7}`, lastName: 'Same' }))
    await tell('POST', `${base}/bulk`, { subjects })
    const seen: number[] = []
    const pages = Math.ceil(count / 50)
    for (let page = 1; page <= pages; page += 1) {
      const { data } = await tell('GET', `${base}?currentPage=${page}`)
      expect(data).toMatchObject({ currentPage: page, pageSize: 50, totalRecords: count })
      seen.push(...data.resultItems.map(({ id }: { id: number }) => id))
    }
    expect([seen.length, new Set(seen).size]).toEqual([count, count])
    expect((await tell('GET', `${base}?currentPage=${pages + 1}`)).data.resultItems).toEqual([])
    expect((await tell('GET', base)).data).toHaveLength(count)
  })

  it('subjects that a customer typed in are not listed before an order', async () => {
    const { deps, names, spring, tell } = await begin()
    const personId = '00000000-0000-4000-8000-000000000009'
    const typed = await addSubject(deps, spring, { name: 'Pia Pending', state: 'pending', person_id: personId })
    expect(await names('filter=pia')).toEqual([])
    expect(await tell('GET', `subjects/${typed}`)).toMatchObject({ status: 404 })
    expect(await tell('PATCH', `subjects/${typed}`, { version: 1, firstName: 'P' })).toMatchObject({ status: 404 })
    const edit = { whom: { ids: [typed] }, edit: { do: 'hide' } }
    expect((await tell('POST', 'subjects/edits', edit)).data).toEqual({ count: 0, editId: null })
  })

  it("a subject is shown with its own and its groups' images at staff URLs", async () => {
    const { deps, app, one, tell, ada, grade, spring } = await begin()
    const own = { kind: 'hosted-individual', subjectId: ada } as const
    const first = await addImage(
      deps,
      spring,
      { fileName: 'a.jpg', owner: own, position: 1, publishedAt: null },
      await jpegAt(1),
    )
    const next = await addImage(
      deps,
      spring,
      { fileName: 'b.jpg', owner: own, position: 2, publishedAt: deps.clock() },
      await jpegAt(2),
    )
    const group = { kind: 'hosted-group', groupId: grade } as const
    const all = await addImage(
      deps,
      spring,
      { fileName: 'Class.jpg', owner: group, position: 1, publishedAt: null },
      await jpegAt(3),
    )
    const { images, imageThumbnailUrl } = await one(ada)
    expect(images).toMatchObject([
      { id: first, type: 'hosted-individual', name: 'a', isPublished: false, isPrimary: false, state: 'ready' },
      { id: next, name: 'b', isPublished: true },
      { id: all, type: 'hosted-group', groupName: 'Grade 3' },
    ])
    expect(imageThumbnailUrl).toBe(images[0].thumbnailUrl)
    for (const { thumbnailUrl, previewUrl } of images) {
      expect((await app.inject(thumbnailUrl)).statusCode).toBe(200)
      expect((await app.inject(previewUrl)).statusCode).toBe(200)
    }
    const changed = await tell('PATCH', `subjects/${ada}`, { version: 1, primaryImageId: next })
    expect(changed.data.imageThumbnailUrl).toBe(images[1].thumbnailUrl)
    const [line] = (await tell('GET', 'subjects?filter=ada')).data.resultItems
    expect(line).toMatchObject({ imageCount: 2, imageThumbnailUrl: images[1].thumbnailUrl, code: 'ADALVL' })
    const notHers = await tell('PATCH', `subjects/${ada}`, { version: 2, primaryImageId: all })
    expect(notHers).toMatchObject({ status: 422, fields: { primaryImageId: ['This picture is not there any more'] } })
  })

  it('a change updates the given fields, and the second of two clients gets a conflict', async () => {
    const { tell, one, ada, grade, names } = await begin()
    const change = await tell('PATCH', `subjects/${ada}`, {
      version: 1,
      firstName: 'Adélaïde',
      fields: [
        { name: 'Teacher', value: 'Mr. Okafor' },
        { name: 'Bus', value: '' },
      ],
    })
    expect(change).toMatchObject({
      status: 200,
      data: { firstName: 'Adélaïde', lastName: 'Lovelace', version: 2, groups: [{ id: grade }] },
    })
    expect(change.data.fields).toMatchObject([{ name: 'Teacher', value: 'Mr. Okafor' }])
    expect(await names('filter=adelaide')).toEqual(['Adélaïde Lovelace'])
    const late = await tell('PATCH', `subjects/${ada}`, { version: 1, lastName: 'Byron' })
    expect(late).toMatchObject({ status: 409, problem: 'conflict' })
    expect(await one(ada)).toEqual(change.data)
    expect(await tell('PATCH', `subjects/${ada}`, { version: 2, groupIds: [999_999] })).toMatchObject({ status: 422 })
    expect(await tell('PATCH', `subjects/${ada}`, { version: 2, firstName: '', lastName: ' ' })).toMatchObject({
      status: 422,
      fields: { firstName: ['Type a first or a last name'] },
    })
    // A subject's own code and reference are not taken.
    expect(await tell('PATCH', `subjects/${ada}`, { version: 2, code: 'ada-lvl' })).toMatchObject({
      status: 200,
      data: { code: { code: 'ADALVL' } },
    })
  })

  const askingFor = (
    code: string,
  ): [string, (school: SubjectFixtures) => Promise<{ status: number; fields?: unknown }>][] => [
    ['changed', ({ tell, ada }) => tell('PATCH', `subjects/${ada}`, { version: 1, lastName: 'King', code })],
    ['made', ({ tell, v3 }) => tell('POST', v3, { firstName: 'Mary', lastName: 'Somerville', code })],
    ['put on the list on the day', ({ tell }) => tell('POST', 'shoot/walk-ups', { ...walker, code })],
  ]
  it.each(askingFor('SAME11'))(
    'subjects that are %s with a code that is taken concurrently are refused and unchanged',
    async (_, act) => {
      const school = await begin()
      const { deps, studioId, spring, ada, zoe, one, names } = school
      const before = await names('')
      const [taken, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const other = deps.db.transaction().execute(async (tx) => {
        const row = { studio_id: studioId, job_id: spring.jobId, subject_id: zoe, code: 'SAME11' }
        await tx.insertInto('access_codes').values(row).execute()
        taken.resolve()
        await mayEnd.promise
      })
      await taken.promise
      const answer = act(school)
      // On the embedded engine transactions take turns: this one starts when the other has ended.
      if (engine.name === 'postgres') await waitForLock(deps.db)
      mayEnd.resolve()
      await other
      expect(await answer).toMatchObject({
        status: 422,
        fields: { code: [expect.stringMatching(/taken|somebody else’s/)] },
      })
      expect((await one(ada)).code.code).toBe('ADALVL')
      expect(await names('')).toEqual(before)
    },
  )

  it('a hidden subject disappears from devices at their next contact, and its code opens nothing', async () => {
    const { app, tell, ada, spring, deps } = await begin()
    const parent = customerClient(app)
    const give = () => parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'ADALVL' } })
    expect((await give()).data.subject).toMatchObject({ firstName: 'Ada' })
    const grants = async () => (await parent.get(`/api/customer/jobs/${spring.jobId}/availability`)).json().data.grants
    expect(await grants()).toHaveLength(1)
    await tell('PATCH', `subjects/${ada}`, { version: 1, isHidden: true })
    expect(await grants()).toEqual([])
    expect((await parent.get(`/api/customer/jobs/${spring.jobId}/subjects/${ada}`)).statusCode).toBe(404)
    expect((await give()).status).toBe(404)
    // A subject that is shown again has to be confirmed again.
    await tell('PATCH', `subjects/${ada}`, { version: 2, isHidden: false })
    expect(await grants()).toEqual([])
    expect((await give()).status).toBe(200)
    expect(await grants()).toHaveLength(1)
    const trail = await deps.db.selectFrom('audit_log').select(['action', 'entity_id']).orderBy('id').execute()
    expect(trail).toEqual([
      { action: 'subject.hidden', entity_id: String(ada) },
      { action: 'subject.shown', entity_id: String(ada) },
    ])
  })
})
