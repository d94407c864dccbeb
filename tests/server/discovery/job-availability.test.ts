import { describe, expect, it } from 'vitest'
import { getAvailability, getJob, getJobPreferences, lookUpJob } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { addFeature, addImage, addJob, addOrder, jpegAt, seedJobs } from './job-fixtures.ts'

const closed = { available: false, opens: null, closes: null }

describe.each(enginesFor(import.meta.filename))('availability of a job on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock('2027-04-15T10:00:00.000Z')
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const event = await seedJobs(deps)
    const available = async (own: Record<string, unknown>) => {
      const code = deps.newId().slice(0, 8).toUpperCase()
      const { jobId } = await addJob(deps, { studioId: event.studioId, code, published_at: deps.clock() })
      const parent = customerClient(app)
      const before = time.clock().getTime()
      await parent.ask(redeemCode, redeem(code))
      // Redeeming a code advances the clock; availability is checked at the exact instant.
      time.advance(before - time.clock().getTime())
      const change = { gallery_enabled: true, ...own }
      await deps.db.updateTable('jobs').set(change).where('id', '=', jobId).execute()
      return (await parent.ask(getAvailability, { params: { jobId } })).data
    }
    return { deps, app, time, event, available }
  }
  const redeem = (code: string) => ({ params: { slug: 'riverside' }, query: { code } })

  it('a job is open, not begun, or over by its instants', async () => {
    const { available } = await begin()
    expect(await available({})).toMatchObject({
      prepay: closed,
      gallery: { available: true, opens: null, closes: null },
    })
    const hours = { gallery_opens_at: '2027-04-15T10:00:00Z', gallery_closes_at: '2027-04-15T10:00:01Z' }
    const open = { available: true, opens: '2027-04-15T10:00:00.000Z', closes: '2027-04-15T10:00:01.000Z' }
    expect(await available(hours)).toMatchObject({ gallery: open })
    expect((await available({ ...hours, gallery_opens_at: '2027-04-15T10:00:00.001Z' })).gallery.available).toBe(false)
    expect((await available({ gallery_closes_at: '2027-04-15T10:00:00Z' })).gallery.available).toBe(false)
    const prepay = { gallery_enabled: false, prepay_enabled: true, prepay_closes_at: '2027-04-20T00:00:00Z' }
    expect(await available(prepay)).toMatchObject({
      gallery: closed,
      prepay: { available: true, opens: null, closes: '2027-04-20T00:00:00.000Z' },
    })
  })

  it('its days end in the studio’s time zone', async () => {
    const { deps, available, time } = await begin()
    await deps.db.updateTable('studios').set({ time_zone: 'America/Los_Angeles' }).execute()
    const day = { order_by: '2027-04-15' }
    expect((await available(day)).gallery).toMatchObject({ available: true, closes: '2027-04-16T07:00:00.000Z' })
    const both = { order_by: '2027-04-20', gallery_expires_on: '2027-04-15' }
    expect((await available(both)).gallery.closes).toBe('2027-04-16T07:00:00.000Z')
    const instant = { order_by: '2027-04-01', gallery_closes_at: '2027-05-01T00:00:00Z' }
    expect((await available(instant)).gallery).toMatchObject({ available: true, closes: '2027-05-01T00:00:00.000Z' })
    time.advance(Date.parse('2027-04-16T06:59:59Z') - time.clock().getTime())
    expect((await available(day)).gallery.available).toBe(true)
    time.advance(1_000)
    expect((await available(day)).gallery.available).toBe(false)
  })

  it('a job that is unpublished, published later, or archived is not available, with the reason', async () => {
    const { available } = await begin()
    const shut = { gallery: { available: false } }
    expect(await available({ published_at: null })).toMatchObject({ published: false, archived: false, ...shut })
    expect(await available({ published_at: '2027-04-16T00:00:00Z' })).toMatchObject({ published: false, ...shut })
    const archived = { archived_at: '2027-04-01T00:00:00Z' }
    expect(await available(archived)).toMatchObject({ published: true, archived: true, ...shut })
  })

  it('a job of an older platform can be viewed and takes no orders', async () => {
    const { available } = await begin()
    const both = { prepay_enabled: true, gallery_enabled: true }
    expect(await available({ ...both, version_major: 2, version_minor: 9 })).toMatchObject({
      published: true,
      archived: false,
      prepay: closed,
      gallery: closed,
    })
    const now = await available({ ...both, version_major: 3, version_minor: 0 })
    expect([now.prepay.available, now.gallery.available]).toEqual([true, true])
  })

  it('a stranger learns neither its name nor its hours, only whether it is open', async () => {
    const { deps, app, event } = await begin()
    const hours = { gallery_opens_at: '2027-05-01T00:00:00Z', gallery_closes_at: '2027-06-01T00:00:00Z' }
    const { jobId } = event.spring
    const params = { jobId }
    const stranger = customerClient(app)
    const parent = customerClient(app)
    await parent.ask(redeemCode, redeem('SPRING'))
    expect((await stranger.ask(getAvailability, { params })).data).toMatchObject({
      jobName: '',
      published: true,
      archived: false,
      gallery: { available: true, opens: null, closes: null },
      codeGiven: false,
    })
    await deps.db.updateTable('jobs').set(hours).where('id', '=', jobId).execute()
    expect((await stranger.ask(getAvailability, { params })).data).toMatchObject({ jobName: '', gallery: closed })
    const known = (await parent.ask(getAvailability, { params })).data
    expect(known).toMatchObject({ gallery: { opens: '2027-05-01T00:00:00.000Z', closes: '2027-06-01T00:00:00.000Z' } })
    expect(known.jobName).not.toBe('')
  })

  it('an unknown job is not found', async () => {
    const { app } = await begin()
    const anybody = customerClient(app)
    expect(await anybody.ask(getAvailability, { params: { jobId: 999 } })).toMatchObject({ status: 404 })
    expect(await anybody.ask(getAvailability, { params: { jobId: 'abc' } })).toMatchObject({ status: 400 })
    await anybody.ask(openSession, { body: {} })
    expect(await anybody.ask(lookUpJob, { params: { jobId: 999 } })).toMatchObject({
      status: 404,
      problem: 'not-found',
    })
  })

  it('a session that entered the code reads the job by both paths', async () => {
    const { deps, app, event } = await begin()
    const { jobId, studioId } = event.spring
    await deps.db
      .updateTable('jobs')
      .set({ event_date: '2027-04-01', order_by: '2027-05-01', enable_year_book_pose_selection: true })
      .where('id', '=', jobId)
      .execute()
    const parent = customerClient(app)
    await parent.ask(redeemCode, redeem('SPRING'))
    const withoutFeature = (await parent.ask(lookUpJob, { params: { jobId } })).data
    expect(withoutFeature.gallerySettings.enableYearBookPoseSelection).toBe(false)
    await addFeature(deps, studioId, 'yearbookPose')
    const found = await parent.ask(lookUpJob, { params: { jobId } })
    expect(found.data).toEqual({
      id: jobId,
      studioId,
      studioWebUrl: 'riverside',
      name: 'Event SPRING',
      organizationName: '',
      organizationType: 'school',
      eventDate: '2027-04-01',
      orderBy: '2027-05-01',
      galleryExpires: null,
      version: { major: 3, minor: 0 },
      rspoJob: false,
      importedData: false,
      publicGallery: false,
      ownCodeOnly: false,
      takesCards: true,
      hasPublishedImages: false,
      prepaySettings: { importedData: false },
      gallerySettings: { enableYearBookPoseSelection: true, isYearBookPoseSelectionExpired: false },
      checkoutContact: null,
    })
    expect(await parent.ask(getJob, { params: { jobId, studioId } })).toEqual(found)
    const wrong = { jobId, studioId: event.other.studioId }
    expect(await parent.ask(getJob, { params: wrong })).toMatchObject({ status: 404 })
    expect(await parent.ask(getJobPreferences, { params: wrong })).toMatchObject({ status: 404 })
    expect((await parent.ask(getJobPreferences, { params: { jobId, studioId } })).data).toEqual({
      namesOnThumbnails: true,
      pricesBeforePose: true,
      orderByCountdown: true,
      contact: true,
    })
  })

  it('it shows when its images are published and its yearbook is done', async () => {
    const { deps, app, event } = await begin()
    const { jobId } = event.spring
    const owner = { kind: 'hosted-individual', subjectId: event.ada } as const
    await addImage(
      deps,
      event.spring,
      { fileName: 'a.jpg', owner, position: 1, publishedAt: deps.clock() },
      await jpegAt(1),
    )
    await deps.db.updateTable('jobs').set({ year_book_pose_expires_at: deps.clock() }).where('id', '=', jobId).execute()
    const parent = customerClient(app)
    await parent.ask(redeemCode, redeem('SPRING'))
    expect((await parent.ask(lookUpJob, { params: { jobId } })).data).toMatchObject({
      hasPublishedImages: true,
      gallerySettings: { isYearBookPoseSelectionExpired: true },
    })
  })

  it('no other session reads it', async () => {
    const { app, event } = await begin()
    const { jobId, studioId } = event.spring
    const nobody = customerClient(app)
    const withoutCode = customerClient(app)
    await withoutCode.ask(openSession, { body: {} })
    const elsewhere = customerClient(app)
    await elsewhere.ask(redeemCode, redeem('RAPIDS'))
    for (const call of [lookUpJob, getJob, getJobPreferences]) {
      const asked = { params: { jobId, studioId } }
      expect(await nobody.ask(call, asked)).toMatchObject({ status: 401, problem: 'session-unknown' })
      expect(await withoutCode.ask(call, asked)).toMatchObject({ status: 403, problem: 'code-needed' })
      expect(await elsewhere.ask(call, asked)).toMatchObject({ status: 403, problem: 'code-needed' })
    }
  })

  it('a session that found an order in it reads it, until the job is withdrawn', async () => {
    const { deps, app, event } = await begin()
    const { jobId } = event.spring
    const parent = customerClient(app)
    await parent.ask(openSession, { body: {} })
    const [session] = await deps.db.selectFrom('customer_sessions').select('id').execute()
    const orderId = await addOrder(deps, event.spring)
    const grant = { session_id: session?.id ?? 0, studio_id: event.studioId, job_id: jobId, kind: 'order' } as const
    await deps.db
      .insertInto('session_grants')
      .values({ ...grant, order_id: orderId, grant_id: 'one-order-and-no-more-than-that' })
      .execute()
    expect((await parent.ask(lookUpJob, { params: { jobId } })).status).toBe(200)
    await deps.db.updateTable('session_grants').set({ revoked_at: deps.clock() }).execute()
    expect((await parent.ask(lookUpJob, { params: { jobId } })).status).toBe(403)
  })

  it('an entered code is remembered for 400 days', async () => {
    const { deps, app, event, time } = await begin()
    await deps.db.updateTable('customer_sessions').set({ expires_at: '2099-01-01T00:00:00Z' }).execute()
    const parent = customerClient(app)
    await parent.ask(redeemCode, redeem('SPRING'))
    await deps.db.updateTable('customer_sessions').set({ expires_at: '2099-01-01T00:00:00Z' }).execute()
    const given = async () =>
      (await parent.ask(getAvailability, { params: { jobId: event.spring.jobId } })).data.codeGiven
    time.advance(399 * 24 * 60 * 60 * 1000)
    expect(await given()).toBe(true)
    time.advance(2 * 24 * 60 * 60 * 1000)
    expect(await given()).toBe(false)
  })
})
