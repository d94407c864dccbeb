import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { removeFiles } from '#server/jobs/delete-job.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { given } from '#support/server/given.ts'
import { createTestSession } from '#support/server/test-app.ts'
import { addOrder } from '../discovery/job-fixtures.ts'
import { createStudioJobFixtures } from './studio-job-fixtures.ts'

const notFound = { status: 404, errors: ['We could not find this'] }
const day = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))("a studio's jobs on $name", (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createStudioJobFixtures(database())

  it('a new job belongs to an organization, is unpublished and has a code without characters that look alike', async () => {
    const { staffRequest, organizationId, studioId, deps, listAuditActions } = await setUp()
    const created = await staffRequest('POST', 'jobs', {
      organizationId,
      name: '  Spring portraits ',
      prepay: true,
      gallery: true,
      eventDate: '2027-05-10',
    })
    expect(created.data).toMatchObject({
      name: 'Spring portraits',
      organizationId,
      organizationName: 'riverside school',
      eventDate: '2027-05-10',
      state: 'draft',
      version: { major: 3, minor: 0 },
      settingsVersion: 1,
      rspoJob: true,
      importedData: false,
      availability: {
        published: false,
        archived: false,
        prepay: { available: false, opens: null, closes: null },
        gallery: { available: false, opens: null, closes: null },
      },
      prepaySettings: { importedData: false },
      gallerySettings: { enableYearBookPoseSelection: false, isYearBookPoseSelectionExpired: false },
      packageSetId: null,
      timeZone: 'America/New_York',
      hasOrders: false,
    })
    expect(created.data.code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/)
    expect(created.data.parentPath).toBe(`/riverside/code/${created.data.code}`)
    expect((await staffRequest('GET', `jobs/${created.data.id}`)).data).toEqual(created.data)
    const links = await deps.db.selectFrom('job_links').selectAll().execute()
    expect(links).toEqual([{ job_id: created.data.id, studio_id: studioId }])
    const studios = await deps.db.selectFrom('studios').select(['slug', 'has_rspo_jobs']).orderBy('id').execute()
    expect(studios.map((studio) => studio.has_rspo_jobs)).toEqual([true, false])
    expect(await listAuditActions()).toEqual(['job.made by Rosa'])
  })

  it('an invalid job is refused with every wrong field and leaves no rows', async () => {
    const { staffRequest, organizationId, summit, deps, createJob } = await setUp()
    const first = await createJob({ code: 'spring-27' })
    expect(first.code).toBe('SPRING27')
    const draft = { organizationId, name: 'Fall', prepay: true, gallery: false }
    const createInvalid = async (overrides: object) => {
      const { status, errors, fields } = await staffRequest('POST', 'jobs', { ...draft, ...overrides })
      return { status, errors, fields }
    }
    const formErrors = { status: 422, errors: ['Please fix the fields marked below'] }
    const codeErrors = { code: ['A code has 4 to 12 letters and digits'] }
    expect(await createInvalid({ code: 'ABC' })).toEqual({ ...formErrors, fields: codeErrors })
    expect(await createInvalid({ code: 'ABCDEFGHIJKLM' })).toEqual({ ...formErrors, fields: codeErrors })
    expect(await createInvalid({ code: 'Spring 27' })).toEqual({
      ...formErrors,
      fields: { code: ['Another event or person of this studio has this code. Choose another one'] },
    })
    expect(await createInvalid({ name: ' ', eventDate: '2027-02-30', organizationId: summit.organizationId })).toEqual({
      ...formErrors,
      fields: {
        name: ['This field is required'],
        eventDate: ['There is no such day'],
        organizationId: ['Choose an organization that is not archived'],
      },
    })
    expect(await deps.db.selectFrom('jobs').select('name').execute()).toEqual([{ name: 'Spring' }])
    expect(await deps.db.selectFrom('access_codes').select('code').execute()).toEqual([{ code: 'SPRING27' }])
  })

  it('a job of an unverified studio takes preorders and cannot have a gallery', async () => {
    const { staffRequest, createJob, addRequiredParts, organizationId, studioId, deps } = await setUp()
    const { id } = await createJob()
    const { id: published } = await createJob({ name: 'Ready', prepay: true })
    await addRequiredParts(published)
    await deps.db.updateTable('studios').set({ is_millers_verified: false }).where('id', '=', studioId).execute()
    const message = 'A gallery needs a verified studio. Until then parents order before the picture day'
    const draft = { organizationId, name: 'Fall', prepay: true, gallery: true }
    expect(await staffRequest('POST', 'jobs', draft)).toMatchObject({ status: 422, fields: { gallery: [message] } })
    expect((await staffRequest('POST', 'jobs', { ...draft, gallery: false })).status).toBe(200)
    const { data: copy } = await staffRequest('POST', `jobs/${id}/duplicate`, { name: 'Next spring' })
    const methods = deps.db.selectFrom('jobs').select(['prepay_enabled', 'gallery_enabled'])
    expect(await methods.where('id', '=', copy.id).executeTakeFirst()).toEqual({
      ...{ prepay_enabled: true, gallery_enabled: false },
    })
    const changed = await staffRequest('PATCH', `jobs/${copy.id}/settings/gallery`, { version: 1, enabled: true })
    expect(changed.status).toBe(403)
    const refused = await staffRequest('POST', `jobs/${published}/publish`, { version: 1 })
    expect(refused.errors).toContain(message)
    await deps.db.updateTable('studios').set({ is_millers_verified: true }).where('id', '=', studioId).execute()
    const allowed = await staffRequest('POST', `jobs/${published}/publish`, { version: 1 })
    expect(allowed.errors ?? []).not.toContain(message)
  })

  it('jobs of another studio are not found', async () => {
    const { staffRequest, createJob, summit } = await setUp()
    const { id, settingsVersion: version } = await createJob()
    const otherStudioCaller = { callerStudioId: summit.studioId }
    const base = `/api/studioadmin/studios/${summit.studioId}`
    for (const [method, path, body] of [
      ['GET', `jobs/${id}`, undefined],
      ['GET', `jobs/${id}/overview`, undefined],
      ['POST', `jobs/${id}/publish`, { version }],
      ['POST', `jobs/${id}/duplicate`, { name: 'Mine' }],
      ['DELETE', `jobs/${id}`, undefined],
    ] as const)
      expect([path, await staffRequest(method, `${base}/${path}`, body, otherStudioCaller)]).toMatchObject([
        path,
        notFound,
      ])
    expect(await staffRequest('GET', `organizations/${summit.organizationId}/jobs`)).toMatchObject(notFound)
  })

  describe('job lists', () => {
    const insertJobs = async ({ deps, studioId, organizationId }: Awaited<ReturnType<typeof setUp>>, count: number) => {
      await sql`
        insert into jobs (studio_id, organization_id, name, event_date, prepay_enabled, gallery_enabled, rspo_job)
        select ${studioId}, ${organizationId}, 'Event ' || lpad(n::text, 4, '0'), date '2027-01-01' + n, n % 2 = 0, n % 3 = 0, true
          from generate_series(1, ${count}::int) n`.execute(deps.db)
    }

    it.each([
      [50, [50]],
      [51, [50, 1]],
      [101, [50, 50, 1]],
    ])('%d jobs in pages of %j are listed without duplicates or gaps', async (count, pages) => {
      const fixtures = await setUp()
      await insertJobs(fixtures, count)
      const listedNames: string[] = []
      for (const [index, length] of pages.entries()) {
        const { data } = await fixtures.staffRequest('GET', `jobs?currentPage=${index + 1}&sort=name`)
        expect(data).toMatchObject({ currentPage: index + 1, pageSize: 50, totalRecords: count })
        expect(data.resultItems).toHaveLength(length)
        listedNames.push(...data.resultItems.map(({ name }: { name: string }) => name))
      }
      expect(listedNames).toEqual(Array.from({ length: count }, (_, n) => `Event ${String(n + 1).padStart(4, '0')}`))
      const after = await fixtures.staffRequest('GET', `jobs?currentPage=${pages.length + 1}`)
      expect(after.data).toMatchObject({ resultItems: [], totalRecords: count })
      expect((await fixtures.staffRequest('GET', 'jobs')).data).toHaveLength(count)
    })

    it('jobs are filtered by order method, organization and state, searched by name and code, and sorted', async () => {
      const fixtures = await setUp()
      const { staffRequest, createJob, deps, studioId, organizationId } = fixtures
      const clubId = await given(deps).organization(studioId, { name: 'Rapids Club', type: 'sport' })
      await createJob({ name: 'Spring 100%', eventDate: '2027-03-01', code: 'SPRING' })
      await createJob({ name: 'Fall', prepay: true, gallery: false, eventDate: '2027-09-01' })
      const media = await createJob({ name: 'Media day', organizationId: clubId, prepay: true })
      await deps.db.updateTable('jobs').set({ archived_at: deps.clock() }).where('id', '=', media.id).execute()
      const names = async (path: string) => {
        const { data } = await staffRequest('GET', path)
        return (data.resultItems ?? data).map(({ name }: { name: string }) => name)
      }
      expect(await names('jobs')).toEqual(['Fall', 'Spring 100%', 'Media day'])
      expect(await names('jobs?prepay=1')).toEqual(['Fall', 'Media day'])
      expect(await names('jobs?prepay=0')).toEqual(['Spring 100%'])
      expect(await names('jobs?galleries=1&prepay=1')).toEqual(['Media day'])
      expect(await names('jobs?galleries=0')).toEqual(['Fall'])
      expect(await names('jobs?state=archived')).toEqual(['Media day'])
      expect(await names('jobs?state=draft&sort=name')).toEqual(['Fall', 'Spring 100%'])
      expect(await names('jobs?sort=-name')).toEqual(['Spring 100%', 'Media day', 'Fall'])
      expect(await names('jobs?sort=organization')).toEqual(['Media day', 'Fall', 'Spring 100%'])
      expect(await names('jobs?sort=-organization&state=draft&filter=a&currentPage=1')).toEqual(['Fall'])
      expect(await names('jobs?sort=organization&filter=rapids&currentPage=1')).toEqual(['Media day'])
      expect(await names('jobs?filter=100%25')).toEqual(['Spring 100%'])
      expect(await names('jobs?filter=rapids')).toEqual(['Media day'])
      expect(await names('jobs?filter=spring')).toEqual(['Spring 100%'])
      expect(await names('jobs?filter=__')).toEqual([])
      expect(await names(`organizations/${clubId}/jobs`)).toEqual(['Media day'])
      expect(await names(`organizations/${organizationId}/jobs?prepay=1&currentPage=1`)).toEqual(['Fall'])
      expect((await staffRequest('GET', 'jobs?prepay=2')).status).toBe(400)
    })

    it('list rows count subjects, subjects with images, and orders that are not cancelled', async () => {
      const { staffRequest, createJob, addRequiredParts, deps, studioId } = await setUp()
      const { id } = await createJob()
      await addRequiredParts(id)
      const { id: ada } = await deps.db.selectFrom('subjects').select('id').executeTakeFirstOrThrow()
      const job = { studioId, jobId: id }
      await given(deps).subject(job, { name: 'Bo Diaz' })
      await given(deps).subject(job, { name: 'Bo Diaz', state: 'pending', person_id: deps.newId() })
      for (const owner of [{ subjectId: ada }, { subjectId: ada }, {}])
        await given(deps).image(job, { ...owner, isPublished: false })
      const cents = { packages_cents: 2500, total_cents: 2500 }
      await addOrder(deps, job, { ...cents, order_number: 'FP-00000001', state: 'placed' })
      await addOrder(deps, job, { ...cents, order_number: 'FP-00000002', state: 'cancelled' })
      const { data } = await staffRequest('GET', 'jobs')
      expect(data).toMatchObject([{ id, subjects: 2, withImages: 1, orders: 1, state: 'draft', gallery: true }])
      expect((await staffRequest('GET', `jobs/${id}/overview`)).data).toMatchObject({
        progress: { subjects: 2, withImages: 1, ordered: 0, images: 3, unmatchedImages: 1 },
        orders: { total: 1, totalCents: 2500, placed: 1, batched: 0, awaitingPoses: 0 },
      })
      expect((await staffRequest('GET', 'home')).data).toMatchObject({
        states: { draft: 1, upcoming: 0, open: 0, closed: 0, archived: 0 },
        unmatchedImages: 1,
        toMatch: [{ jobId: id, name: 'Spring', count: 1 }],
        placed: 1,
        awaitingPoses: 0,
        batchesReady: 0,
        waiting: [{ jobId: id, name: 'Spring', placed: 1, awaitingPoses: 0, batchesReady: 0 }],
        recent: [{ id, subjects: 2 }],
        hasOrganization: true,
      })
    })
  })

  it('a job can be published only if no required part is missing', async () => {
    const { staffRequest, createJob, addRequiredParts, listAuditActions } = await setUp()
    const { id, settingsVersion } = await createJob()
    const refused = await staffRequest('POST', `jobs/${id}/publish`, { version: settingsVersion })
    expect(refused).toMatchObject({
      status: 422,
      errors: ['Choose a package set for this event', 'There is no one to order for yet. Add people, or import a list'],
    })
    const checks = async (): Promise<string[]> => {
      const { data: overview } = await staffRequest('GET', `jobs/${id}/overview`)
      return overview.checks.map(({ weight, link }: Record<string, string>) => `${weight} ${link}`)
    }
    const missing = ['should settings/general', 'must packages', 'must subjects', 'should subjects']
    await database().db.updateTable('studios').set({ is_millers_verified: false }).execute()
    expect(await checks()).toEqual(missing.toSpliced(1, 0, 'must settings/gallery'))
    await database().db.updateTable('studios').set({ is_millers_verified: true }).execute()
    expect(await checks()).toEqual(missing.toSpliced(1, 0, 'should settings/gallery'))
    await addRequiredParts(id)
    const published = await staffRequest('POST', `jobs/${id}/publish`, { version: settingsVersion })
    expect(published.data).toMatchObject({
      state: 'open',
      settingsVersion: settingsVersion + 1,
      availability: { published: true, gallery: { available: true } },
    })
    expect(await staffRequest('POST', `jobs/${id}/unpublish`, { version: settingsVersion })).toMatchObject({
      status: 409,
    })
    const unpublished = await staffRequest('POST', `jobs/${id}/unpublish`, { version: settingsVersion + 1 })
    expect(unpublished.data).toMatchObject({ state: 'draft', availability: { published: false } })
    expect(await listAuditActions()).toEqual(['job.made by Rosa', 'job.published by Rosa', 'job.unpublished by Rosa'])
  })

  it('a job opens and closes by its dates', async () => {
    const { staffRequest, createJob, addRequiredParts, advance } = await setUp()
    const { id } = await createJob()
    await addRequiredParts(id)
    const dates = { opensAt: '2027-04-16T10:00:00.000Z', closesAt: '2027-04-17T10:00:00.000Z' }
    const { data: settings } = await staffRequest('PATCH', `jobs/${id}/settings/gallery`, { version: 1, ...dates })
    await staffRequest('POST', `jobs/${id}/publish`, { version: settings.version })
    const state = async () => [
      (await staffRequest('GET', `jobs/${id}`)).data.state,
      (await staffRequest('GET', 'jobs')).data[0].state,
    ]
    expect(await state()).toEqual(['upcoming', 'upcoming'])
    advance(day)
    expect(await state()).toEqual(['open', 'open'])
    advance(day)
    expect(await state()).toEqual(['closed', 'closed'])
    expect((await staffRequest('GET', 'jobs?state=closed')).data).toHaveLength(1)
  })

  it('an archived job cannot be published until it is restored', async () => {
    const { staffRequest, createJob, listAuditActions } = await setUp()
    const { id } = await createJob()
    const archived = await staffRequest('POST', `jobs/${id}/archive`, { version: 1 })
    expect(archived.data).toMatchObject({ state: 'archived', settingsVersion: 2 })
    expect(await staffRequest('POST', `jobs/${id}/publish`, { version: 2 })).toMatchObject({
      status: 422,
      errors: ['This event is archived. Restore it first'],
    })
    expect((await staffRequest('POST', `jobs/${id}/restore`, { version: 2 })).data).toMatchObject({ state: 'draft' })
    expect(await listAuditActions()).toEqual(['job.made by Rosa', 'job.archived by Rosa', 'job.restored by Rosa'])
  })

  it('a job is deleted with its data unless it is published or has orders', async () => {
    const { staffRequest, createJob, addRequiredParts, deps, studioId, jobs, listAuditActions } = await setUp()
    const { id, settingsVersion: version } = await createJob()
    await addRequiredParts(id)
    const folder = `studios/${studioId}/images/one`
    for (const name of ['original', 'thumb.jpeg']) await deps.files.put(`${folder}/${name}`, Buffer.from(name))
    await deps.files.put(`studios/${studioId}/images/other/original`, Buffer.from('kept'))
    const image = {
      ...readyImage,
      file_name: 'one.jpg',
      original_key: 'one',
      studio_id: studioId,
      job_id: id,
      kind: 'hosted-individual' as const,
    }
    await deps.db
      .insertInto('image_lookups')
      .values({ ...image, original_key: `${folder}/original` })
      .execute()
    const background = `studios/${studioId}/jobs/${id}/backgrounds/park`
    for (const name of ['original', 'thumb-1.webp']) await deps.files.put(`${background}/${name}`, Buffer.from(name))
    const park = { ...image, file_name: 'park.jpg', kind: 'green-screen-background' as const }
    const { id: imageId } = await deps.db
      .insertInto('image_lookups')
      .values({ ...park, original_key: `${background}/original` })
      .returning('id')
      .executeTakeFirstOrThrow()
    await deps.db
      .insertInto('green_screens')
      .values({ studio_id: studioId, job_id: id, image_id: imageId, name: 'Park' })
      .execute()
    // An upload in progress, with a part that was written but not counted when the server died.
    for (const name of ['counted', 'lost']) await deps.files.put(`uploads/${studioId}/slow/${name}`, Buffer.from(name))
    const parts = JSON.stringify([{ key: `uploads/${studioId}/slow/counted`, size: 7 }])
    await deps.db
      .insertInto('uploads')
      .values({
        ...{ studio_id: studioId, job_id: id, upload_key: 'slow', purpose: 'image', file_name: 'two.jpg' },
        ...{ byte_size: 100, received_bytes: 7, parts },
      })
      .execute()
    const { id: sessionId } = await createTestSession(deps)
    await deps.db
      .insertInto('carts')
      .values({ studio_id: studioId, job_id: id, session_id: sessionId, order_method: 'gallery' })
      .execute()
    const recordedResponse = {
      owner: 'user:1',
      method: 'POST',
      body_hash: 'x',
      state: 'recorded',
      status: 200,
    } as const
    const response = JSON.stringify({ data: { firstName: 'Ada' } })
    const recordedFor = (job: number) => ({
      ...recordedResponse,
      key: `of ${job}`,
      path: `/api/studioadmin/studios/${studioId}/jobs/${job}/subjects`,
      response,
    })
    await deps.db
      .insertInto('idempotency_keys')
      .values([
        recordedFor(id),
        recordedFor(id + 1),
        { ...recordedFor(id), key: 'session', owner: `session:${sessionId}`, path: `/api/customer/jobs/${id}/carts` },
      ])
      .execute()
    await staffRequest('POST', `jobs/${id}/publish`, { version })
    const deleteJob = () => staffRequest('DELETE', `jobs/${id}`)
    expect(await deleteJob()).toMatchObject({
      status: 422,
      errors: ['Parents can see this event. Take it offline first'],
    })
    await staffRequest('POST', `jobs/${id}/unpublish`, { version: version + 1 })
    expect(await deleteJob()).toMatchObject({ status: 200, data: {} })
    for (const table of ['jobs', 'job_links', 'access_codes', 'subjects', 'image_lookups', 'carts'] as const)
      expect([table, await deps.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
    const remainingKeys = await deps.db.selectFrom('idempotency_keys').select('key').where('status', '=', 200).execute()
    expect(remainingKeys).toEqual([{ key: `of ${id + 1}` }])
    expect((await listAuditActions()).at(-1)).toBe('job.deleted by Rosa')
    const removals = jobs.filter(({ name }) => name === 'remove-files')
    expect(removals.map(({ payload }) => payload)).toEqual([
      { folders: [`${folder}/`, `${background}/`, `uploads/${studioId}/slow/`], keys: [] },
    ])
    for (const { payload } of removals) await removeFiles(deps, payload)
    const remainingFiles = await Array.fromAsync(deps.files.list(''))
    expect(remainingFiles.map(({ key }) => key)).toEqual([`studios/${studioId}/images/other/original`])
  })

  it('a job with an order cannot be deleted', async () => {
    const { staffRequest, createJob, deps, studioId } = await setUp()
    const { id } = await createJob()
    await addOrder(deps, { studioId, jobId: id }, { state: 'cancelled' })
    expect((await staffRequest('GET', `jobs/${id}`)).data.hasOrders).toBe(true)
    expect(await staffRequest('DELETE', `jobs/${id}`)).toMatchObject({
      status: 422,
      errors: ['This event has orders. Archive it instead: its orders stay'],
    })
  })

  it("a duplicate has the job's settings, fields, services, set and workflow with moved dates, and no subjects", async () => {
    const { staffRequest, createJob, addRequiredParts, deps } = await setUp()
    const { id } = await createJob({ eventDate: '2027-03-10', prepay: true })
    const setId = await addRequiredParts(id)
    const { id: orderServiceId } = await deps.db
      .insertInto('order_services')
      .values({ kind: 'retouch', name: 'Basic', level: 'basic', price_cents: 800 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: workflowId } = await deps.db
      .insertInto('workflows')
      .values({ name: 'School', steps: JSON.stringify([{ name: 'Picture day', dueDays: 0 }]) })
      .returning('id')
      .executeTakeFirstOrThrow()
    // Preorders open at ten in the morning in New York, before the clock change.
    const patches = [
      ['general', { description: 'Bring a smile', orderBy: '2027-04-10' }],
      [
        'preorder',
        {
          ...{ opensAt: '2027-03-01T15:00:00.000Z', shipsBatch: true },
          ...{ batchClosesOn: '2027-03-12', freeShippingUntil: '2027-03-05' },
        },
      ],
      ['gallery', { expiresOn: '2027-05-01', isPublic: true }],
      ['standard', { allowRetouch: true, services: [{ orderServiceId, price: 9.5, enabled: true }] }],
    ] as const
    for (const [index, [tab, body]] of patches.entries())
      expect((await staffRequest('PATCH', `jobs/${id}/settings/${tab}`, { version: index + 1, ...body })).status).toBe(
        200,
      )
    const grade = {
      name: 'Grade',
      label: 'Grade',
      inputType: 'text',
      required: true,
      hasOptions: false,
      options: [],
      templateId: null,
    }
    await staffRequest('PUT', `jobs/${id}/settings/prefields`, { version: 5, fields: [grade] })
    await staffRequest('PUT', `jobs/${id}/workflow`, { version: 0, workflowId })
    await staffRequest('PATCH', `jobs/${id}/workflow`, { version: 1, step: 0, done: true })

    const { data: copy } = await staffRequest('POST', `jobs/${id}/duplicate`, {
      name: 'Next spring',
      eventDate: '2027-03-20',
    })
    expect(copy).toMatchObject({ name: 'Next spring', state: 'draft', eventDate: '2027-03-20', packageSetId: setId })
    const { data: originalJob } = await staffRequest('GET', `jobs/${id}`)
    expect(copy.code).not.toBe(originalJob.code)
    const { data: settings } = await staffRequest('GET', `jobs/${copy.id}/settings`)
    expect(settings).toMatchObject({
      general: { description: 'Bring a smile', orderBy: '2027-04-20' },
      preorder: {
        ...{ enabled: true, opensAt: '2027-03-11T15:00:00.000Z', closesAt: null },
        ...{ batchClosesOn: '2027-03-22', freeShippingUntil: '2027-03-15' },
      },
      gallery: { expiresOn: '2027-05-11', isPublic: true },
      standard: { allowRetouch: true, services: [{ orderServiceId, price: 9.5, usualPrice: 8, enabled: true }] },
      prefields: [{ name: 'Grade', required: true }],
    })
    expect((await staffRequest('GET', `jobs/${copy.id}/workflow`)).data).toMatchObject({
      workflowId,
      steps: [{ name: 'Picture day', done: false, dueOn: '2027-03-20' }],
    })
    expect((await staffRequest('GET', `jobs/${copy.id}/overview`)).data.progress).toMatchObject({
      subjects: 0,
      images: 0,
    })

    const { data: summerCopy } = await staffRequest('POST', `jobs/${id}/duplicate`, {
      name: 'Summer',
      eventDate: '2027-06-10',
    })
    const summer = await staffRequest('GET', `jobs/${summerCopy.id}/settings`)
    // The local time is the same and the UTC time differs.
    expect(summer.data.preorder.opensAt).toBe('2027-06-01T14:00:00.000Z')
    const { data: undated } = await staffRequest('POST', `jobs/${id}/duplicate`, { name: 'Some day' })
    const { data: undatedSettings } = await staffRequest('GET', `jobs/${undated.id}/settings`)
    expect([
      undatedSettings.general.orderBy,
      undatedSettings.preorder.opensAt,
      undatedSettings.gallery.expiresOn,
    ]).toEqual([null, null, null])
  })
})
