import { describe, expect, it } from 'vitest'
import { getAvailability, getJob, getJobPreferences, lookUpJob } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { addImage, addOrder, jpegAt, seedJobs } from './job-fixtures.ts'

const closedMethod = { available: false, opens: null, closes: null }

describe.each(enginesFor(import.meta.filename))('availability of a job on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock('2027-04-15T10:00:00.000Z')
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const jobs = await seedJobs(deps)
    const readAvailability = async (overrides: Record<string, unknown>) => {
      const code = deps.newId().slice(0, 8).toUpperCase()
      const { jobId } = await given(deps).job(jobs.studioId, { code, published_at: deps.clock() })
      const customer = customerClient(app)
      const startedAt = time.clock().getTime()
      await customer.request(redeemCode, redeem(code))
      // Redeeming a code advances the clock; availability is checked at the exact instant.
      time.advance(startedAt - time.clock().getTime())
      const change = { gallery_enabled: true, ...overrides }
      await deps.db.updateTable('jobs').set(change).where('id', '=', jobId).execute()
      return (await customer.request(getAvailability, { params: { jobId } })).data
    }
    return { deps, app, time, jobs, readAvailability }
  }
  const redeem = (code: string) => ({ params: { slug: 'riverside' }, query: { code } })

  it('the opening and closing instants decide whether a job is open', async () => {
    const { readAvailability } = await setUp()
    expect(await readAvailability({})).toMatchObject({
      prepay: closedMethod,
      gallery: { available: true, opens: null, closes: null },
    })
    const hours = { gallery_opens_at: '2027-04-15T10:00:00Z', gallery_closes_at: '2027-04-15T10:00:01Z' }
    const openGallery = { available: true, opens: '2027-04-15T10:00:00.000Z', closes: '2027-04-15T10:00:01.000Z' }
    expect(await readAvailability(hours)).toMatchObject({ gallery: openGallery })
    expect((await readAvailability({ ...hours, gallery_opens_at: '2027-04-15T10:00:00.001Z' })).gallery.available).toBe(
      false,
    )
    expect((await readAvailability({ gallery_closes_at: '2027-04-15T10:00:00Z' })).gallery.available).toBe(false)
    const prepay = { gallery_enabled: false, prepay_enabled: true, prepay_closes_at: '2027-04-20T00:00:00Z' }
    expect(await readAvailability(prepay)).toMatchObject({
      gallery: closedMethod,
      prepay: { available: true, opens: null, closes: '2027-04-20T00:00:00.000Z' },
    })
  })

  it('the days of a job end in the studio’s time zone', async () => {
    const { deps, readAvailability, time } = await setUp()
    await deps.db.updateTable('studios').set({ time_zone: 'America/Los_Angeles' }).execute()
    const day = { order_by: '2027-04-15' }
    expect((await readAvailability(day)).gallery).toMatchObject({ available: true, closes: '2027-04-16T07:00:00.000Z' })
    const bothMethods = { order_by: '2027-04-20', gallery_expires_on: '2027-04-15' }
    expect((await readAvailability(bothMethods)).gallery.closes).toBe('2027-04-16T07:00:00.000Z')
    const instant = { order_by: '2027-04-01', gallery_closes_at: '2027-05-01T00:00:00Z' }
    expect((await readAvailability(instant)).gallery).toMatchObject({
      available: true,
      closes: '2027-05-01T00:00:00.000Z',
    })
    time.advance(Date.parse('2027-04-16T06:59:59Z') - time.clock().getTime())
    expect((await readAvailability(day)).gallery.available).toBe(true)
    time.advance(1_000)
    expect((await readAvailability(day)).gallery.available).toBe(false)
  })

  it('a job that is unpublished, published later, or archived is not available, with the reason', async () => {
    const { readAvailability } = await setUp()
    const unavailable = { gallery: { available: false } }
    expect(await readAvailability({ published_at: null })).toMatchObject({
      published: false,
      archived: false,
      ...unavailable,
    })
    expect(await readAvailability({ published_at: '2027-04-16T00:00:00Z' })).toMatchObject({
      published: false,
      ...unavailable,
    })
    const archived = { archived_at: '2027-04-01T00:00:00Z' }
    expect(await readAvailability(archived)).toMatchObject({ published: true, archived: true, ...unavailable })
  })

  it('a job of an older version of the platform can be viewed and accepts no orders', async () => {
    const { readAvailability } = await setUp()
    const bothMethods = { prepay_enabled: true, gallery_enabled: true }
    expect(await readAvailability({ ...bothMethods, version_major: 2, version_minor: 9 })).toMatchObject({
      published: true,
      archived: false,
      prepay: closedMethod,
      gallery: closedMethod,
    })
    const availability = await readAvailability({ ...bothMethods, version_major: 3, version_minor: 0 })
    expect([availability.prepay.available, availability.gallery.available]).toEqual([true, true])
  })

  it('a session without the code sees neither the name nor the hours of a job, only whether it is open', async () => {
    const { deps, app, jobs } = await setUp()
    const hours = { gallery_opens_at: '2027-05-01T00:00:00Z', gallery_closes_at: '2027-06-01T00:00:00Z' }
    const { jobId } = jobs.spring
    const params = { jobId }
    const stranger = customerClient(app)
    const customer = customerClient(app)
    await customer.request(redeemCode, redeem('SPRING'))
    expect((await stranger.request(getAvailability, { params })).data).toMatchObject({
      jobName: '',
      published: true,
      archived: false,
      gallery: { available: true, opens: null, closes: null },
      codeGiven: false,
    })
    await deps.db.updateTable('jobs').set(hours).where('id', '=', jobId).execute()
    expect((await stranger.request(getAvailability, { params })).data).toMatchObject({
      jobName: '',
      gallery: closedMethod,
    })
    const customerView = (await customer.request(getAvailability, { params })).data
    expect(customerView).toMatchObject({
      gallery: { opens: '2027-05-01T00:00:00.000Z', closes: '2027-06-01T00:00:00.000Z' },
    })
    expect(customerView.jobName).not.toBe('')
  })

  it('an unknown job is not found', async () => {
    const { app } = await setUp()
    const anyCustomer = customerClient(app)
    expect(await anyCustomer.request(getAvailability, { params: { jobId: 999 } })).toMatchObject({ status: 404 })
    expect(await anyCustomer.request(getAvailability, { params: { jobId: 'abc' } })).toMatchObject({ status: 400 })
    await anyCustomer.request(openSession, { body: {} })
    expect(await anyCustomer.request(lookUpJob, { params: { jobId: 999 } })).toMatchObject({
      status: 404,
      problem: 'not-found',
    })
  })

  it('a session that entered the code reads the job by both paths', async () => {
    const { deps, app, jobs } = await setUp()
    const { jobId, studioId } = jobs.spring
    await deps.db
      .updateTable('jobs')
      .set({ event_date: '2027-04-01', order_by: '2027-05-01', enable_year_book_pose_selection: true })
      .where('id', '=', jobId)
      .execute()
    const customer = customerClient(app)
    await customer.request(redeemCode, redeem('SPRING'))
    const withoutFeature = (await customer.request(lookUpJob, { params: { jobId } })).data
    expect(withoutFeature.gallerySettings.enableYearBookPoseSelection).toBe(false)
    await given(deps).feature(studioId, 'yearbookPose')
    const lookedUp = await customer.request(lookUpJob, { params: { jobId } })
    expect(lookedUp.data).toEqual({
      id: jobId,
      studioId,
      studioWebUrl: 'riverside',
      name: 'Event SPRING',
      organizationName: '',
      organizationType: 'school',
      eventDate: '2027-04-01',
      orderBy: '2027-05-01',
      orderNotes: [],
      galleryExpires: null,
      version: { major: 3, minor: 0 },
      rspoJob: false,
      importedData: false,
      publicGallery: false,
      ownCodeOnly: false,
      acceptsCards: true,
      hasPublishedImages: false,
      prepaySettings: { importedData: false },
      gallerySettings: {
        enableYearBookPoseSelection: true,
        isYearBookPoseSelectionExpired: false,
        yearBookPoseDeadline: null,
      },
      checkoutContact: null,
    })
    expect(await customer.request(getJob, { params: { jobId, studioId } })).toEqual(lookedUp)
    const wrongParams = { jobId, studioId: jobs.other.studioId }
    expect(await customer.request(getJob, { params: wrongParams })).toMatchObject({ status: 404 })
    expect(await customer.request(getJobPreferences, { params: wrongParams })).toMatchObject({ status: 404 })
    expect((await customer.request(getJobPreferences, { params: { jobId, studioId } })).data).toEqual({
      namesOnThumbnails: true,
      pricesBeforePose: true,
      orderByCountdown: true,
      contact: true,
    })
  })

  it('a job shows whether it has published images and whether yearbook choices have expired', async () => {
    const { deps, app, jobs } = await setUp()
    const { jobId } = jobs.spring
    const owner = { kind: 'hosted-individual', subjectId: jobs.ada } as const
    await addImage(
      deps,
      jobs.spring,
      { fileName: 'a.jpg', owner, position: 1, publishedAt: deps.clock() },
      await jpegAt(1),
    )
    await deps.db.updateTable('jobs').set({ year_book_pose_expires_at: deps.clock() }).where('id', '=', jobId).execute()
    const customer = customerClient(app)
    await customer.request(redeemCode, redeem('SPRING'))
    expect((await customer.request(lookUpJob, { params: { jobId } })).data).toMatchObject({
      hasPublishedImages: true,
      gallerySettings: { isYearBookPoseSelectionExpired: true, yearBookPoseDeadline: '04/15/2027, 6:00 AM' },
    })
  })

  it('a job is not shown to sessions without its code', async () => {
    const { app, jobs } = await setUp()
    const { jobId, studioId } = jobs.spring
    const anonymous = customerClient(app)
    const withoutCode = customerClient(app)
    await withoutCode.request(openSession, { body: {} })
    const otherJobCustomer = customerClient(app)
    await otherJobCustomer.request(redeemCode, redeem('RAPIDS'))
    for (const call of [lookUpJob, getJob, getJobPreferences]) {
      const input = { params: { jobId, studioId } }
      expect(await anonymous.request(call, input)).toMatchObject({ status: 401, problem: 'session-unknown' })
      expect(await withoutCode.request(call, input)).toMatchObject({ status: 403, problem: 'code-needed' })
      expect(await otherJobCustomer.request(call, input)).toMatchObject({ status: 403, problem: 'code-needed' })
    }
  })

  it('a session with a grant for an order reads the order’s job until the grant is revoked', async () => {
    const { deps, app, jobs } = await setUp()
    const { jobId } = jobs.spring
    const customer = customerClient(app)
    await customer.request(openSession, { body: {} })
    const [session] = await deps.db.selectFrom('customer_sessions').select('id').execute()
    const orderId = await addOrder(deps, jobs.spring)
    const grant = { session_id: session?.id ?? 0, studio_id: jobs.studioId, job_id: jobId, kind: 'order' } as const
    await deps.db
      .insertInto('session_grants')
      .values({ ...grant, order_id: orderId, grant_id: 'one-order-and-no-more-than-that' })
      .execute()
    expect((await customer.request(lookUpJob, { params: { jobId } })).status).toBe(200)
    await deps.db.updateTable('session_grants').set({ revoked_at: deps.clock() }).execute()
    expect((await customer.request(lookUpJob, { params: { jobId } })).status).toBe(403)
  })

  it('an entered code is remembered for 400 days', async () => {
    const { deps, app, jobs, time } = await setUp()
    await deps.db.updateTable('customer_sessions').set({ expires_at: '2099-01-01T00:00:00Z' }).execute()
    const customer = customerClient(app)
    await customer.request(redeemCode, redeem('SPRING'))
    await deps.db.updateTable('customer_sessions').set({ expires_at: '2099-01-01T00:00:00Z' }).execute()
    const isCodeGiven = async () =>
      (await customer.request(getAvailability, { params: { jobId: jobs.spring.jobId } })).data.codeGiven
    time.advance(399 * 24 * 60 * 60 * 1000)
    expect(await isCodeGiven()).toBe(true)
    time.advance(2 * 24 * 60 * 60 * 1000)
    expect(await isCodeGiven()).toBe(false)
  })
})
