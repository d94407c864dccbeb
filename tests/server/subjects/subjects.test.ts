import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { Db } from '#server/database/database.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { customerClient } from '../discovery/customer-client.ts'
import { addImage, addOrder, jpegAt } from '../discovery/job-fixtures.ts'
import { createSubjectFixtures, type SubjectFixtures } from './subject-fixtures.ts'

const walkUp = {
  ...{ key: '00000000-0000-4000-8000-00000000001a', at: '2027-04-15T10:00:00.000Z', station: '1', groupName: '' },
  ...{ firstName: 'Mary', lastName: 'Somerville' },
}

/** Waits until a transaction waits for a lock. */
const waitForLock = (db: Db) =>
  vi.waitFor(async () => {
    const lockWaits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    expect((await lockWaits.execute(db)).rows).toHaveLength(1)
  })

describe.each(enginesFor(import.meta.filename))('subjects of a job on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createSubjectFixtures(database())

  const addGradeField = async ({ deps, studioId, spring }: Awaited<ReturnType<typeof setUp>>) => {
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
    const subjectFixtures = await setUp()
    const { staffRequest, subjectsUrl, readSubject, grade } = subjectFixtures
    await addGradeField(subjectFixtures)
    const created = await staffRequest('POST', `${subjectsUrl}?returnData=true`, {
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
    expect(created).toMatchObject({
      status: 200,
      data: {
        firstName: 'Mary Ann',
        lastName: 'O’Neill',
        reference: 'S-17',
        jobId: subjectFixtures.spring.jobId,
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
    expect(created.data.code.qr).toMatch(/^<svg /)
    expect(await readSubject(created.data.id)).toEqual(created.data)
  })

  it('a subject without a name, with taken values or with an invalid option is refused by field', async () => {
    const subjectFixtures = await setUp()
    const { staffRequest, subjectsUrl, listNames } = subjectFixtures
    await addGradeField(subjectFixtures)
    await staffRequest('POST', subjectsUrl, { firstName: 'Mary', lastName: '', reference: 'S-17' })
    expect(
      await staffRequest('POST', subjectsUrl, {
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
        reference: ['Someone else in this job has this reference'],
        code: ['This code is taken'],
        'fields.GRADE': ['This value must be one of 3, 4'],
      },
    })
    expect(await staffRequest('POST', subjectsUrl, { firstName: 'A', lastName: 'B', code: 'no!' })).toMatchObject({
      status: 422,
      fields: { code: ['A code has 4 to 12 letters and digits'] },
    })
    expect(await listNames('filter=')).toHaveLength(5)
  })

  it('many subjects are created at once, and returned on request', async () => {
    const { staffRequest, subjectsUrl, listNames } = await setUp()
    const subjects = Array.from({ length: 120 }, (_, n) => ({
      firstName: `Child${n}`,
      lastName: 'Zander',
      reference: `Z${n}`,
      groups: [n % 2 === 0 ? 'Grade 3' : 'Bees'],
      fields: [{ name: 'Bus', value: `B${n % 5}` }],
    }))
    expect((await staffRequest('POST', `${subjectsUrl}/bulk`, { subjects })).data).toEqual({ count: 120 })
    expect(await listNames('filter=zander')).toHaveLength(50)
    const bulk = await staffRequest('POST', `${subjectsUrl}/bulk?returnData=true`, {
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

  it('either all subjects of a request are created or none, with errors by index', async () => {
    const { staffRequest, subjectsUrl, listNames } = await setUp()
    const subjects = [
      { firstName: 'One', lastName: 'Young', reference: 'Y', code: 'YOUNG' },
      { firstName: '', lastName: '' },
      { firstName: 'Three', lastName: 'Young', reference: 'Y', code: 'young' },
      { firstName: 'Four', lastName: 'Young', code: 'ADALVL' },
    ]
    expect(await staffRequest('POST', `${subjectsUrl}/bulk`, { subjects })).toMatchObject({
      status: 422,
      fields: {
        '1.firstName': ['Type a first or a last name'],
        '2.reference': ['This is listed twice'],
        '2.code': ['This is listed twice'],
        '3.code': ['This code is taken'],
      },
    })
    expect(await listNames('filter=young')).toEqual([])
    const groups = await staffRequest('GET', 'groups')
    expect(groups.data.map(({ name }: { name: string }) => name)).toEqual(['Grade 3'])
  })

  it('a repeated request creates subjects once', async () => {
    const { staffRequest, subjectsUrl, listNames } = await setUp()
    const send = () =>
      staffRequest(
        'POST',
        `${subjectsUrl}/bulk`,
        { subjects: [{ firstName: 'Una', lastName: 'Young' }] },
        { idempotencyKey: 'once-and-no-more' },
      )
    const answers = await Promise.all([send(), send()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([200, 409])])
    expect((await send()).data).toEqual({ count: 1 })
    expect(await listNames('filter=una')).toEqual(['Una Young'])
  })

  it('subjects are not found under another organization or studio', async () => {
    const { staffRequest, subjectsUrl, organizationId, other, stranger, team, kai } = await setUp()
    const subject = { firstName: 'Una', lastName: 'Young' }
    const wrongUrl = subjectsUrl.replace(`organizations/${organizationId}`, `organizations/${organizationId + 1}`)
    expect(await staffRequest('POST', wrongUrl, subject)).toMatchObject({ status: 404 })
    expect(await staffRequest('POST', subjectsUrl.replace(/jobs\/\d+/, `jobs/${team.jobId}`), subject)).toMatchObject({
      status: 404,
    })
    expect(await staffRequest('GET', `subjects/${stranger}`)).toMatchObject({ status: 404 })
    expect(await staffRequest('GET', `subjects/${kai}`)).toMatchObject({ status: 404 })
    expect(await staffRequest('GET', 'subjects', undefined, { callerStudioId: other.studioId })).toMatchObject({
      status: 404,
    })
    expect(await staffRequest('GET', 'subjects', undefined, { permissions: ['studio.users.crud'] })).toMatchObject({
      status: 403,
    })
  })

  it('subjects are found by any words of their details in any order, without accents', async () => {
    const { staffRequest, listNames, subjectsUrl } = await setUp()
    await staffRequest('POST', subjectsUrl, {
      firstName: 'Ángel',
      lastName: 'Nuñez-Ørsted',
      reference: 'R/42-b',
      groups: ['Klasse 4ü · Mr. Okafor'],
      fields: [{ name: 'Bus', value: 'Strøm B-7' }],
      code: 'ANGEL4',
    })
    const expected = ['Ángel Nuñez-Ørsted']
    const queries = [
      ...['angel', 'ANGEL nunez', 'nunez angel', 'orsted', 'nuñez-ørsted', 'r/42', 'okafor angel', '4u klasse'],
      ...['strom', 'b7', 'angel4', '%C3%A1ng 42-B'],
    ]
    for (const query of queries) expect([query, await listNames(`filter=${query}`)]).toEqual([query, expected])
    for (const query of ['angel lovelace', '_', '%25', 'strom b8', '·']) {
      expect([query, await listNames(`filter=${encodeURIComponent(decodeURIComponent(query))}`)]).toEqual([query, []])
    }
    expect(await listNames('filter=o’con')).toEqual(['Zoë O’Connor'])
    expect(await listNames('filter=alvarez')).toEqual(['Ada Lovelace'])
  })

  it('subjects are no longer found by details that were removed', async () => {
    const { staffRequest, listNames, ada, grade } = await setUp()
    expect(await listNames('filter=grade')).toEqual(['Ada Lovelace', 'Zoë O’Connor'])
    const group = (await staffRequest('GET', `groups/${grade}`)).data
    await staffRequest('PUT', `groups/${grade}`, { version: group.version, name: 'Owls' })
    expect([await listNames('filter=grade'), await listNames('filter=owls')]).toEqual([
      [],
      ['Ada Lovelace', 'Zoë O’Connor'],
    ])
    await staffRequest('PATCH', `subjects/${ada}`, { version: 1, code: null, fields: [], groupIds: [] })
    for (const removed of ['owls ada', 'alvarez', 'adalvl']) expect(await listNames(`filter=${removed}`)).toEqual([])
  })

  it('subjects are filtered by group, images, visibility, orders and attendance', async () => {
    const { deps, listNames, spring, ada, ben, grade, studioId } = await setUp()
    const owner = { kind: 'hosted-individual', subjectId: ada } as const
    await addImage(deps, spring, { fileName: 'a.jpg', owner, position: 1, publishedAt: null }, await jpegAt(1))
    const checkIn = { studio_id: studioId, job_id: spring.jobId, checked_in_at: deps.clock() }
    const keys = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
    await deps.db
      .insertInto('check_ins')
      .values([
        { ...checkIn, subject_id: ben, check_in_key: keys[0] ?? '' },
        { ...checkIn, subject_id: ada, check_in_key: keys[1] ?? '', undone_at: deps.clock() },
      ])
      .execute()
    expect(await listNames(`groupId=${grade}`)).toEqual(['Ada Lovelace', 'Zoë O’Connor'])
    expect(await listNames('images=with')).toEqual(['Ada Lovelace'])
    expect(await listNames('images=without')).toEqual(['Ben Lovell', 'Alma Lowe', 'Zoë O’Connor'])
    expect(await listNames('visibility=hidden')).toEqual(['Alma Lowe'])
    expect(await listNames('visibility=shown&attendance=checked-in')).toEqual(['Ben Lovell'])
    expect(await listNames('attendance=not-checked-in')).toEqual(['Ada Lovelace', 'Alma Lowe', 'Zoë O’Connor'])
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
    expect(await listNames('attendance=absent')).toEqual(['Ada Lovelace'])
    expect(await listNames('orders=ordered')).toEqual([])
    expect(await listNames('orders=not-ordered&filter=love')).toEqual(['Ada Lovelace', 'Ben Lovell'])
  })

  it("group images do not count as a subject's images, and cancelled orders do not count as orders", async () => {
    const { deps, listNames, spring, ada, ben, zoe, grade, studioId } = await setUp()
    const image = async (fileName: string, owner: Parameters<typeof addImage>[2]['owner']) =>
      await addImage(deps, spring, { fileName, owner, position: 1, publishedAt: null }, await jpegAt(1))
    await image('class.jpg', { kind: 'hosted-group', groupId: grade })
    await image('nobody.jpg', { kind: 'hosted-individual', subjectId: null })
    await image('instead.jpg', { kind: 'replacement', subjectId: ben })
    await image('zoe.jpg', { kind: 'hosted-individual', subjectId: zoe })
    expect(await listNames('images=with')).toEqual(['Zoë O’Connor'])
    expect(await listNames('images=without')).toEqual(['Ada Lovelace', 'Ben Lovell', 'Alma Lowe'])

    const { id: order_service_id } = await deps.db
      .insertInto('order_services')
      .values({ kind: 'service', name: 'Gift box', price_cents: 300, position: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const placeOrder = async (
      number: string,
      state: 'placed' | 'cancelled',
      subjectIds: readonly (number | null)[],
    ) => {
      const order_id = await addOrder(deps, spring, { order_number: number, state })
      const row = { studio_id: studioId, order_id, kind: 'service' as const, order_service_id, name: 'Gift box' }
      const price = { quantity: 1, unit_cents: 0, amount_cents: 0, snapshot: '{}' }
      await deps.db
        .insertInto('order_lines')
        .values(subjectIds.map((subject_id, position) => ({ ...row, ...price, position, subject_id })))
        .execute()
    }
    await placeOrder('FP-00000001', 'cancelled', [ada])
    await placeOrder('FP-00000002', 'placed', [null, ben, ben])
    expect(await listNames('orders=ordered')).toEqual(['Ben Lovell'])
    expect(await listNames('orders=not-ordered')).toEqual(['Ada Lovelace', 'Alma Lowe', 'Zoë O’Connor'])
    await placeOrder('FP-00000003', 'placed', [ada])
    expect(await listNames('orders=ordered')).toEqual(['Ada Lovelace', 'Ben Lovell'])
    expect(await listNames('orders=ordered&images=with')).toEqual([])
  })

  it('sorting is stable across pages', async () => {
    const { deps, listNames, spring, ben, staffRequest } = await setUp()
    await given(deps).group(spring, 'Bees', [ben])
    await staffRequest('PATCH', `subjects/${ben}`, { version: 1, reference: 'B1' })
    const byName = ['Ada Lovelace', 'Ben Lovell', 'Alma Lowe', 'Zoë O’Connor']
    expect(await listNames('sort=name')).toEqual(byName)
    expect(await listNames('sort=-name')).toEqual(byName.toReversed())
    expect(await listNames('sort=newest')).toEqual(['Alma Lowe', 'Ben Lovell', 'Zoë O’Connor', 'Ada Lovelace'])
    expect(await listNames('sort=group')).toEqual(['Ben Lovell', 'Ada Lovelace', 'Zoë O’Connor', 'Alma Lowe'])
    expect((await listNames('sort=reference'))[0]).toBe('Ben Lovell')
    expect(await listNames('sort=nonsense; drop table subjects')).toEqual(byName)
  })

  it('subjects are sorted by their first group, also after it is renamed or they leave it', async () => {
    const { deps, listNames, spring, ben, ada, grade, staffRequest } = await setUp()
    const beesId = await given(deps).group(spring, 'Bees', [ben])
    await given(deps).group(spring, 'Élan', [ben])
    expect((await listNames('sort=group'))[0]).toBe('Ben Lovell')
    const group = (await staffRequest('GET', `groups/${grade}`)).data
    await staffRequest('PUT', `groups/${grade}`, { version: group.version, name: 'Ants' })
    expect(await listNames('sort=group')).toEqual(['Ada Lovelace', 'Zoë O’Connor', 'Ben Lovell', 'Alma Lowe'])
    await staffRequest('PATCH', `subjects/${ada}`, { version: 1, groupIds: [] })
    await staffRequest('DELETE', `groups/${beesId}`)
    expect(await listNames('sort=group')).toEqual(['Zoë O’Connor', 'Ben Lovell', 'Ada Lovelace', 'Alma Lowe'])
    expect(await listNames('sort=-group')).toEqual(['Ben Lovell', 'Zoë O’Connor', 'Ada Lovelace', 'Alma Lowe'])
  })

  it.each([50, 51, 101])('%s subjects in pages of fifty are each listed once', async (count) => {
    const { staffRequest, team } = await setUp()
    const base = `/api/studioadmin/studios/${team.studioId}/jobs/${team.jobId}/subjects`
    // Two subjects exist already.
    const subjects = Array.from({ length: count - 2 }, (_, n) => ({ firstName: `P${n % 7}`, lastName: 'Same' }))
    await staffRequest('POST', `${base}/bulk`, { subjects })
    const ids: number[] = []
    const pages = Math.ceil(count / 50)
    for (let page = 1; page <= pages; page += 1) {
      const { data } = await staffRequest('GET', `${base}?currentPage=${page}`)
      expect(data).toMatchObject({ currentPage: page, pageSize: 50, totalRecords: count })
      ids.push(...data.resultItems.map(({ id }: { id: number }) => id))
    }
    expect([ids.length, new Set(ids).size]).toEqual([count, count])
    expect((await staffRequest('GET', `${base}?currentPage=${pages + 1}`)).data.resultItems).toEqual([])
    expect((await staffRequest('GET', base)).data).toHaveLength(count)
  })

  it('subjects that a customer typed in are not listed before an order', async () => {
    const { deps, listNames, spring, staffRequest } = await setUp()
    const personId = '00000000-0000-4000-8000-000000000009'
    const typedId = await given(deps).subject(spring, { name: 'Pia Pending', state: 'pending', person_id: personId })
    expect(await listNames('filter=pia')).toEqual([])
    expect(await staffRequest('GET', `subjects/${typedId}`)).toMatchObject({ status: 404 })
    expect(await staffRequest('PATCH', `subjects/${typedId}`, { version: 1, firstName: 'P' })).toMatchObject({
      status: 404,
    })
    const edit = { subjects: { ids: [typedId] }, edit: { do: 'hide' } }
    expect((await staffRequest('POST', 'subjects/edits', edit)).data).toEqual({ count: 0, editId: null })
  })

  it("a subject is shown with its own and its groups' images at staff URLs", async () => {
    const { deps, app, readSubject, staffRequest, ada, grade, spring } = await setUp()
    const adaOwner = { kind: 'hosted-individual', subjectId: ada } as const
    const firstId = await addImage(
      deps,
      spring,
      { fileName: 'a.jpg', owner: adaOwner, position: 1, publishedAt: null },
      await jpegAt(1),
    )
    const nextId = await addImage(
      deps,
      spring,
      { fileName: 'b.jpg', owner: adaOwner, position: 2, publishedAt: deps.clock() },
      await jpegAt(2),
    )
    const group = { kind: 'hosted-group', groupId: grade } as const
    const groupImageId = await addImage(
      deps,
      spring,
      { fileName: 'Class.jpg', owner: group, position: 1, publishedAt: null },
      await jpegAt(3),
    )
    const { images, imageThumbnailUrl } = await readSubject(ada)
    expect(images).toMatchObject([
      { id: firstId, type: 'hosted-individual', name: 'a', isPublished: false, isPrimary: false, state: 'ready' },
      { id: nextId, name: 'b', isPublished: true },
      { id: groupImageId, type: 'hosted-group', groupName: 'Grade 3' },
    ])
    expect(imageThumbnailUrl).toBe(images[0].thumbnailUrl)
    for (const { thumbnailUrl, previewUrl } of images) {
      expect((await app.inject(thumbnailUrl)).statusCode).toBe(200)
      expect((await app.inject(previewUrl)).statusCode).toBe(200)
    }
    const changed = await staffRequest('PATCH', `subjects/${ada}`, { version: 1, primaryImageId: nextId })
    expect(changed.data.imageThumbnailUrl).toBe(images[1].thumbnailUrl)
    const [row] = (await staffRequest('GET', 'subjects?filter=ada')).data.resultItems
    expect(row).toMatchObject({ imageCount: 2, imageThumbnailUrl: images[1].thumbnailUrl, code: 'ADALVL' })
    const foreignImage = await staffRequest('PATCH', `subjects/${ada}`, { version: 2, primaryImageId: groupImageId })
    expect(foreignImage).toMatchObject({ status: 422, fields: { primaryImageId: ['This image is no longer there'] } })
  })

  it('a change updates the given fields, and the second of two clients gets a conflict', async () => {
    const { staffRequest, readSubject, ada, grade, listNames } = await setUp()
    const change = await staffRequest('PATCH', `subjects/${ada}`, {
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
    expect(await listNames('filter=adelaide')).toEqual(['Adélaïde Lovelace'])
    const outdated = await staffRequest('PATCH', `subjects/${ada}`, { version: 1, lastName: 'Byron' })
    expect(outdated).toMatchObject({ status: 409, problem: 'conflict' })
    expect(await readSubject(ada)).toEqual(change.data)
    expect(await staffRequest('PATCH', `subjects/${ada}`, { version: 2, groupIds: [999_999] })).toMatchObject({
      status: 422,
    })
    expect(await staffRequest('PATCH', `subjects/${ada}`, { version: 2, firstName: '', lastName: ' ' })).toMatchObject({
      status: 422,
      fields: { firstName: ['Type a first or a last name'] },
    })
    // A subject's own code and reference are not taken.
    expect(await staffRequest('PATCH', `subjects/${ada}`, { version: 2, code: 'ada-lvl' })).toMatchObject({
      status: 200,
      data: { code: { code: 'ADALVL' } },
    })
  })

  const codeRequests = (
    code: string,
  ): [string, (subjectFixtures: SubjectFixtures) => Promise<{ status: number; fields?: unknown }>][] => [
    [
      'changed',
      ({ staffRequest, ada }) => staffRequest('PATCH', `subjects/${ada}`, { version: 1, lastName: 'King', code }),
    ],
    [
      'created',
      ({ staffRequest, subjectsUrl }) =>
        staffRequest('POST', subjectsUrl, { firstName: 'Mary', lastName: 'Somerville', code }),
    ],
    ['added at the shoot', ({ staffRequest }) => staffRequest('POST', 'shoot/walk-ups', { ...walkUp, code })],
  ]
  it.each(codeRequests('SAME11'))(
    'subjects that are %s with a code that is taken concurrently are refused and unchanged',
    async (_, act) => {
      const subjectFixtures = await setUp()
      const { deps, studioId, spring, ada, zoe, readSubject, listNames } = subjectFixtures
      const before = await listNames('')
      const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const lockingTransaction = deps.db.transaction().execute(async (tx) => {
        const row = { studio_id: studioId, job_id: spring.jobId, subject_id: zoe, code: 'SAME11' }
        await tx.insertInto('access_codes').values(row).execute()
        locked.resolve()
        await release.promise
      })
      await locked.promise
      const answer = act(subjectFixtures)
      // On the embedded engine transactions run one after the other, so this one starts when the other has ended.
      if (engine.name === 'postgres') await waitForLock(deps.db)
      release.resolve()
      await lockingTransaction
      expect(await answer).toMatchObject({
        status: 422,
        fields: { code: [expect.stringMatching(/taken|someone else/)] },
      })
      expect((await readSubject(ada)).code.code).toBe('ADALVL')
      expect(await listNames('')).toEqual(before)
    },
  )

  it('a hidden subject disappears from devices at their next request, and its code no longer works', async () => {
    const { app, staffRequest, ada, spring, deps } = await setUp()
    const customer = customerClient(app)
    const redeem = () => customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'ADALVL' } })
    expect((await redeem()).data.subject).toMatchObject({ firstName: 'Ada' })
    const grants = async () =>
      (await customer.get(`/api/customer/jobs/${spring.jobId}/availability`)).json().data.grants
    expect(await grants()).toHaveLength(1)
    await staffRequest('PATCH', `subjects/${ada}`, { version: 1, isHidden: true })
    expect(await grants()).toEqual([])
    expect((await customer.get(`/api/customer/jobs/${spring.jobId}/subjects/${ada}`)).statusCode).toBe(404)
    expect((await redeem()).status).toBe(404)
    // A subject that is shown again has to be confirmed again.
    await staffRequest('PATCH', `subjects/${ada}`, { version: 2, isHidden: false })
    expect(await grants()).toEqual([])
    expect((await redeem()).status).toBe(200)
    expect(await grants()).toHaveLength(1)
    const auditEntries = await deps.db.selectFrom('audit_log').select(['action', 'entity_id']).orderBy('id').execute()
    expect(auditEntries).toEqual([
      { action: 'subject.hidden', entity_id: String(ada) },
      { action: 'subject.shown', entity_id: String(ada) },
    ])
  })
})
