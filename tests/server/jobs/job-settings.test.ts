import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createStudioJobFixtures } from './studio-job-fixtures.ts'

const formErrors = { status: 422, errors: ['Please fix the fields marked below'] }
const conflict = {
  status: 409,
  errors: ['Someone changed this in the meantime. Check the latest version and try again'],
}

describe.each(enginesFor(import.meta.filename))('job settings on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async (overrides: object = {}) => {
    const fixtures = await createStudioJobFixtures(database())
    const job = await fixtures.createJob(overrides)
    const settingsPath = `jobs/${job.id}/settings`
    const read = async () => (await fixtures.staffRequest('GET', settingsPath)).data
    const patch = async (tab: string, body: object) => {
      const { version } = await read()
      return await fixtures.staffRequest('PATCH', `${settingsPath}/${tab}`, { version, ...body })
    }
    const replaceFields = async (fields: object[]) => {
      const { version } = await read()
      return await fixtures.staffRequest('PUT', `${settingsPath}/prefields`, { version, fields })
    }
    return { ...fixtures, job, settingsPath, read, patch, replaceFields }
  }

  it('a new job has default settings', async () => {
    const { read, job, organizationId } = await setUp()
    expect(await read()).toEqual({
      version: 1,
      timeZone: 'America/New_York',
      general: {
        name: 'Spring',
        description: '',
        eventDate: null,
        orderBy: null,
        lateBasisPoints: null,
        lateCents: null,
        organizationId,
        code: job.code,
        ownCodeOnly: false,
        contact: null,
        preferences: { namesOnThumbnails: true, pricesBeforePose: true, orderByCountdown: true, contact: true },
      },
      standard: {
        allowRetouch: false,
        allowNameOnAllPrints: false,
        allowNameOnWallets: false,
        imageLevelService: false,
        services: [],
      },
      preorder: {
        enabled: false,
        opensAt: null,
        closesAt: null,
        importedData: false,
        shipsHome: true,
        shipsBatch: false,
        batchClosesOn: null,
        freeShippingUntil: null,
        deliveryDaysFrom: null,
        deliveryDaysTo: null,
        handedOutOn: null,
      },
      prefields: [],
      gallery: {
        enabled: true,
        isPublic: false,
        opensAt: null,
        closesAt: null,
        expiresOn: null,
        importedData: false,
        enableYearBookPoseSelection: false,
        yearBookPoseExpiresAt: null,
        isYearBookPoseSelectionExpired: false,
        watermarkId: null,
      },
      watermarks: [],
      templates: [],
    })
  })

  it('a change updates the given settings and preserves the rest', async () => {
    const { patch, read } = await setUp()
    const contact = { firstName: 'Grace', lastName: 'Hopper', email: ' grace@school.test ', phone: '937-555-0142' }
    const preferences = { namesOnThumbnails: false, pricesBeforePose: true, orderByCountdown: false, contact: true }
    await patch('general', { name: ' Fall ', eventDate: '2027-05-10', code: 'fall 27', contact, preferences })
    await patch('general', { orderBy: '2027-06-30' })
    const { version, general } = await read()
    expect(version).toBe(3)
    expect(general).toMatchObject({
      name: 'Fall',
      eventDate: '2027-05-10',
      orderBy: '2027-06-30',
      code: 'FALL27',
      contact: { ...contact, email: 'grace@school.test' },
      preferences,
    })
    const emptyContact = { firstName: '', lastName: ' ', email: '', phone: '' }
    await patch('general', { contact: emptyContact, eventDate: null })
    expect((await read()).general).toMatchObject({ contact: null, eventDate: null, orderBy: '2027-06-30' })
  })

  it('a job is opened by personal codes only or has a public gallery, but not both', async () => {
    const { patch, read } = await setUp()
    expect(await patch('general', { ownCodeOnly: true })).toMatchObject({ status: 200 })
    expect((await read()).general.ownCodeOnly).toBe(true)
    expect(await patch('gallery', { isPublic: true })).toMatchObject({
      status: 422,
      fields: { isPublic: [expect.any(String)] },
    })
    await patch('general', { ownCodeOnly: false })
    expect(await patch('gallery', { isPublic: true })).toMatchObject({ status: 200 })
    expect(await patch('general', { ownCodeOnly: true })).toMatchObject({
      status: 422,
      fields: { ownCodeOnly: [expect.any(String)] },
    })
    expect((await read()).general.ownCodeOnly).toBe(false)
  })

  it('an invalid setting is reported by field and nothing is changed', async () => {
    const { patch, read, summit, staffRequest, createJob } = await setUp()
    const before = await read()
    const other = await createJob({ code: 'TAKEN' })
    const contact = { firstName: 'Grace', lastName: '', email: 'grace', phone: '12' }
    expect(
      await patch('general', {
        name: ' ',
        eventDate: '2027-02-30',
        organizationId: summit.organizationId,
        contact,
        code: 'NEWCODE',
      }),
    ).toMatchObject({
      ...formErrors,
      fields: {
        name: ['This field is required'],
        eventDate: ['There is no such day'],
        organizationId: ['Choose an organization that is not archived'],
        'contact.email': ['This value is not a valid email address'],
        'contact.phone': ['This value is not a valid phone number'],
      },
    })
    expect(await patch('general', { name: 'Other', code: other.code })).toMatchObject({
      ...formErrors,
      fields: { code: ['Another event or person of this studio has this code. Choose another one'] },
    })
    const reversedTimes = { opensAt: '2027-05-02T10:00:00.000Z', closesAt: '2027-05-01T10:00:00.000Z' }
    const closingFields = { closesAt: ['This must be after the opening time'] }
    expect(await patch('preorder', reversedTimes)).toMatchObject({ ...formErrors, fields: closingFields })
    expect(await patch('gallery', reversedTimes)).toMatchObject({ ...formErrors, fields: closingFields })
    expect(await patch('gallery', { opensAt: '2027-02-31T10:00:00.000Z', expiresOn: '2027-13-01' })).toMatchObject({
      ...formErrors,
      fields: { opensAt: ['Enter a valid date and time'], expiresOn: ['There is no such day'] },
    })
    expect(await patch('gallery', { watermarkId: 999 })).toMatchObject({
      ...formErrors,
      fields: { watermarkId: ['This watermark is not there any more'] },
    })
    expect(await patch('standard', { services: [{ orderServiceId: 999, price: 5, enabled: true }] })).toMatchObject({
      status: 422,
      errors: ['One of these services is not offered any more. Check the latest list'],
    })
    expect((await patch('standard', { services: [{ orderServiceId: 1, price: 5.005, enabled: true }] })).status).toBe(
      400,
    )
    expect(await read()).toEqual(before)
    expect((await staffRequest('GET', `jobs/${other.id}`)).data.code).toBe('TAKEN')
  })

  it('one end of a time span is validated against the other, stored end', async () => {
    const { patch } = await setUp()
    await patch('preorder', { opensAt: '2027-05-02T10:00:00.000Z' })
    const { status, fields } = await patch('preorder', { closesAt: '2027-05-02T10:00:00.000Z' })
    expect([status, fields]).toEqual([422, { closesAt: ['This must be after the opening time'] }])
    expect((await patch('preorder', { opensAt: null, closesAt: '2027-05-02T10:00:00.000Z' })).status).toBe(200)
  })

  it("dates are stored in the studio's time zone and last to the end of the day across clock changes", async () => {
    const { patch, deps } = await setUp()
    const { data } = await patch('preorder', { batchClosesOn: '2027-03-14', shipsBatch: true })
    expect(data.preorder).toMatchObject({ batchClosesOn: '2027-03-14', shipsBatch: true })
    const { batch_closes_at: closesAt } = await deps.db
      .selectFrom('jobs')
      .select('batch_closes_at')
      .executeTakeFirstOrThrow()
    expect(closesAt?.toISOString()).toBe('2027-03-15T04:00:00.000Z')
  })

  it('the settings say whether the deadline of the image choice has passed', async () => {
    const { patch, advance, read } = await setUp()
    await patch('gallery', { enableYearBookPoseSelection: true, yearBookPoseExpiresAt: '2027-04-15T11:00:00.000Z' })
    expect((await read()).gallery).toMatchObject({ isYearBookPoseSelectionExpired: false })
    advance(60 * 60_000)
    expect((await read()).gallery).toMatchObject({ isYearBookPoseSelectionExpired: true })
  })

  it("a job offers the platform's services at its own prices, and archived services stay with jobs that have them", async () => {
    const { patch, read, deps } = await setUp()
    const services = await deps.db
      .insertInto('order_services')
      .values([
        { kind: 'retouch', name: 'Basic', level: 'basic', price_cents: 800, position: 1 },
        { kind: 'personalization', name: 'Name and year', price_cents: 1000, position: 2 },
      ])
      .returning('id')
      .execute()
    const [basic, personal] = services.map(({ id }) => id)
    expect((await read()).standard.services).toMatchObject([
      { id: null, orderServiceId: basic, kind: 'retouch', level: 'basic', price: 8, usualPrice: 8, enabled: false },
      { id: null, orderServiceId: personal, price: 10, enabled: false },
    ])
    const flags = { allowRetouch: true, allowNameOnWallets: true }
    await patch('standard', { ...flags, services: [{ orderServiceId: basic, price: 9.99, enabled: true }] })
    await deps.db.updateTable('order_services').set({ archived_at: deps.clock() }).execute()
    expect((await read()).standard).toMatchObject({
      ...flags,
      allowNameOnAllPrints: false,
      services: [{ id: expect.any(Number), orderServiceId: basic, price: 9.99, usualPrice: 8, enabled: true }],
    })
    await patch('standard', { services: [{ orderServiceId: basic, price: 9.99, enabled: false }] })
    expect((await read()).standard).toMatchObject({ allowRetouch: true, services: [{ enabled: false }] })
    const offered = await deps.db.selectFrom('job_order_services').select('updated_at').executeTakeFirst()
    expect(offered).toEqual({ updated_at: deps.clock() })
  })

  it('the second of two clients gets a conflict and changes nothing', async () => {
    const { staffRequest, settingsPath, read, deps } = await setUp()
    const bodies = [
      ['PATCH', 'general', { name: 'Mine' }],
      ['PATCH', 'standard', { allowRetouch: true }],
      ['PATCH', 'preorder', { shipsHome: false }],
      ['PATCH', 'gallery', { isPublic: true }],
      ['PUT', 'prefields', { fields: [] }],
    ] as const
    expect(await staffRequest('PATCH', `${settingsPath}/general`, { version: 1, name: 'Theirs' })).toMatchObject({
      status: 200,
    })
    for (const [method, tab, body] of bodies)
      expect([tab, await staffRequest(method, `${settingsPath}/${tab}`, { version: 1, ...body })]).toMatchObject([
        tab,
        conflict,
      ])
    expect((await read()).general.name).toBe('Theirs')
    expect((await read()).version).toBe(2)
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        staffRequest('PATCH', `${settingsPath}/general`, { version: 2, description: `Tablet ${n}` }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await deps.db.selectFrom('jobs').select('version').execute()).toEqual([{ version: 3 }])
  })

  it('a job of a legacy platform is read-only', async () => {
    const { patch, read, deps, job, staffRequest } = await setUp()
    await deps.db.updateTable('jobs').set({ version_major: 2 }).execute()
    const refused = {
      status: 422,
      errors: ['This event was made on an older platform. You can view it, but not change it'],
    }
    expect(await patch('general', { name: 'Mine' })).toMatchObject(refused)
    expect(await staffRequest('POST', `jobs/${job.id}/duplicate`, { name: 'Mine' })).toMatchObject(refused)
    expect((await read()).general.name).toBe('Spring')
    expect((await staffRequest('GET', `jobs/${job.id}`)).data).toMatchObject({
      version: { major: 2 },
      parentPath: null,
    })
  })

  describe('fields about a subject', () => {
    const grade = {
      name: ' Grade ',
      label: '',
      inputType: 'text',
      required: true,
      hasOptions: true,
      options: [
        { id: 0, value: ' K ' },
        { id: 0, value: '1' },
      ],
      templateId: null,
    } as const
    const notes = { ...grade, name: 'Notes', label: 'Anything else', inputType: 'textarea', hasOptions: false } as const

    it('fields can be reordered, keep their ids, and can be removed', async () => {
      const { replaceFields, read } = await setUp()
      const first = await replaceFields([grade, notes])
      expect(first.data.prefields).toEqual([
        {
          ...{
            id: expect.any(Number),
            name: 'Grade',
            label: 'Grade',
            inputType: 'text',
            required: true,
            templateId: null,
          },
          hasOptions: true,
          options: [
            { id: 1, value: 'K' },
            { id: 2, value: '1' },
          ],
        },
        expect.objectContaining({ name: 'Notes', label: 'Anything else', hasOptions: false, options: [] }),
      ])
      const [gradeField, notesField] = first.data.prefields
      const reordered = { ...gradeField, options: [...gradeField.options.toReversed(), { id: 0, value: '2' }] }
      const second = await replaceFields([
        { ...notesField, name: 'Grade' },
        { ...reordered, name: 'Notes' },
      ])
      expect(second.data.prefields).toMatchObject([
        { id: notesField.id, name: 'Grade', inputType: 'textarea' },
        {
          id: gradeField.id,
          name: 'Notes',
          options: [
            { id: 2, value: '1' },
            { id: 1, value: 'K' },
            { id: 3, value: '2' },
          ],
        },
      ])
      await replaceFields([second.data.prefields[1]])
      expect((await read()).prefields).toMatchObject([{ id: gradeField.id }])
    })

    it('errors are reported by field', async () => {
      const { replaceFields, read } = await setUp()
      const duplicateName = { ...grade, name: 'grade', options: [] }
      const duplicateOptions = { ...grade, name: 'Team', options: [grade.options[0], { id: 4, value: 'k' }] }
      expect(await replaceFields([grade, duplicateName, duplicateOptions, { ...notes, name: '  ' }])).toMatchObject({
        ...formErrors,
        fields: {
          'fields.0.name': ['Two fields have this name'],
          'fields.1.name': ['Two fields have this name'],
          'fields.1.options': ['Requires at least 1 item'],
          'fields.2.options': ['Two options are the same'],
          'fields.3.name': ['This field is required'],
        },
      })
      expect(await replaceFields([{ ...notes, id: 4711 }])).toMatchObject({
        status: 422,
        errors: ['One of these fields is not there any more. Check the latest list'],
      })
      expect((await read()).prefields).toEqual([])
    })

    it("fields are created from the platform's templates", async () => {
      const { replaceFields, read, deps } = await setUp()
      const { id } = await deps.db
        .insertInto('defined_fields')
        .values({ name: 'Teacher', label: 'Teacher' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const [template] = (await read()).templates
      expect(template).toMatchObject({ id, templateId: id, name: 'Teacher', inputType: 'text', required: false })
      const { id: _, ...draft } = template
      expect((await replaceFields([draft])).data.prefields).toMatchObject([{ name: 'Teacher', templateId: id }])
    })
  })
})
