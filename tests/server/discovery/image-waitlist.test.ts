import { describe, expect, it } from 'vitest'
import { enqueueWaitlistEmails, purgeNotifiedWaitlist, sendWaitlistEmail } from '#server/discovery/notify-waitlist.ts'
import { setImagesPublished } from '#server/images/lookups/move-images.ts'
import { hideSubjects, showSubjects } from '#server/subjects/subject-visibility.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { type CustomerSession, createCartFixtures } from '../carts/cart-fixtures.ts'
import { collectWaitlistMail } from './waitlist-mail.ts'

const day = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('the waitlist for a subject’s first image on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const { deps, dueKeys, sendDueMail } = collectWaitlistMail(testDeps(database(), time))
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const { studioId, jobId } = fixtures
    const { id, staffRequest } = await staffClient(deps, app, studioId)
    const user = { id, name: 'Staff', email: '', permissions: [], studioId }
    const staff = { user, staffRequest }
    const graceId = await fixtures.addSubject('Grace')
    const setJob = (columns: object) => deps.db.updateTable('jobs').set(columns).where('id', '=', jobId).execute()
    const setImage = (imageId: number, columns: object) =>
      deps.db.updateTable('image_lookups').set(columns).where('id', '=', imageId).execute()
    const request = async (session: Partial<CustomerSession>, subjectId: number, email = 'anne@example.com') => {
      const url = `/api/customer/jobs/${jobId}/subjects/${subjectId}/notify-me`
      const answer = await app.inject({ method: 'POST', url, payload: { email }, headers: session.headers ?? {} })
      return { status: answer.statusCode, problem: answer.json().problem }
    }
    const readMails = () =>
      deps.db.selectFrom('mail_log').select(['kind', 'to_email', 'subject', 'body_text']).orderBy('id').execute()
    const readWaitlist = () => deps.db.selectFrom('notify_me').select(['email', 'subject_id']).orderBy('id').execute()
    const subjects = { studioId, subjectIds: [graceId] }
    const hide = () => deps.db.transaction().execute((tx) => hideSubjects(tx, deps, subjects))
    const show = () => deps.db.transaction().execute((tx) => showSubjects(tx, subjects))
    return {
      deps,
      ...time,
      fixtures,
      staff,
      graceId,
      setJob,
      setImage,
      request,
      readMails,
      sendDueMail,
      readWaitlist,
      hide,
      show,
      dueKeys,
    }
  }

  it('one email is sent when an individual image of the subject is published, and it names only the job', async () => {
    const { deps, fixtures, staff, graceId, request, sendDueMail, readMails } = await setUp()
    const session = await fixtures.enter([graceId])
    const imageId = await fixtures.addImage({ subjectId: graceId, isPublished: false })
    for (const email of [' Anne@Example.com ', 'anne@example.com'])
      expect(await request(session, graceId, email)).toMatchObject({ status: 200 })
    await sendDueMail()
    expect(await readMails()).toEqual([])
    await setImagesPublished(deps, {
      job: fixtures.job,
      user: staff.user,
      input: { imageIds: [imageId], published: true },
    })
    await sendDueMail()
    await sendDueMail()
    const [mail, ...otherMails] = await readMails()
    expect(otherMails).toEqual([])
    expect(mail).toMatchObject({ kind: 'photos-published', to_email: 'anne@example.com' })
    expect(mail?.subject).toBe('New photos: Spring Portraits')
    expect(mail?.body_text).toMatch(new RegExp(`\n\nhttps://fieldproof.test/riverside/${fixtures.jobId}$`))
    expect(`${mail?.subject} ${mail?.body_text}`).not.toMatch(/Grace|Lovelace/)
    await fixtures.addImage({ subjectId: graceId })
    await sendDueMail()
    expect(await readMails()).toHaveLength(1)
  })

  it.each<[string, object, { isGroup?: true; isOtherSubject?: true }]>([
    ['of a group', { state: 'ready' }, { isGroup: true }],
    ['of another subject', { state: 'ready' }, { isOtherSubject: true }],
    ['that is not published', { published_at: null }, {}],
    ['that is still being processed', { state: 'processing' }, {}],
    ['that another image has replaced', { superseded_at: new Date('2026-01-01') }, {}],
  ])('no email is sent for an image %s', async (_, columns, ownership) => {
    const { deps, fixtures, graceId, setImage, request, sendDueMail, readMails } = await setUp()
    expect(await request(await fixtures.enter([graceId]), graceId)).toMatchObject({ status: 200 })
    const groupId = await given(deps).group(fixtures, 'Class 3', [graceId])
    const owner = ownership.isGroup ? { groupId } : { subjectId: ownership.isOtherSubject ? fixtures.adaId : graceId }
    await setImage(await fixtures.addImage(owner), columns)
    await sendDueMail()
    expect(await readMails()).toEqual([])
  })

  it('an address is accepted only from a session that may see the subject', async () => {
    const { fixtures, graceId, request, readWaitlist } = await setUp()
    expect(await request({}, graceId)).toMatchObject({ status: 401, problem: 'session-unknown' })
    expect(await request(await fixtures.enter([fixtures.adaId]), graceId)).toMatchObject({
      status: 403,
      problem: 'grant-needed',
    })
    expect(await request(await fixtures.enter([graceId]), 999_999)).toMatchObject({ status: 404, problem: 'not-found' })
    expect(await request(await fixtures.enter([graceId]), graceId, 'anne@')).toMatchObject({ status: 422 })
    expect(await readWaitlist()).toEqual([])
  })

  it('no email is sent for a hidden subject until the studio shows the subject again', async () => {
    const { fixtures, graceId, request, hide, show, sendDueMail, readMails, readWaitlist } = await setUp()
    const session = await fixtures.enter([graceId])
    await request(session, graceId)
    await hide()
    await fixtures.addImage({ subjectId: graceId })
    await sendDueMail()
    expect(await readMails()).toEqual([])
    expect(await request(session, graceId, 'bo@example.com')).toMatchObject({ status: 404 })
    expect(await readWaitlist()).toHaveLength(1)
    await show()
    await sendDueMail()
    expect(await readMails()).toHaveLength(1)
  })

  it('an email that was due when the subject was hidden is not sent', async () => {
    const { deps, fixtures, graceId, request, hide, readMails, dueKeys } = await setUp()
    expect(await request(await fixtures.enter([graceId]), graceId)).toMatchObject({ status: 200 })
    await fixtures.addImage({ subjectId: graceId })
    await enqueueWaitlistEmails(deps)
    await hide()
    for (const key of dueKeys) await sendWaitlistEmail(deps, key)
    expect(dueKeys).toHaveLength(1)
    expect(await readMails()).toEqual([])
  })

  it.each([
    ['archived', { archived_at: new Date('2026-01-01') }],
    ['not published', { published_at: null }],
    ['closed to orders', { gallery_closes_at: new Date('2026-01-01'), prepay_enabled: false }],
    ['after its expiry date', { gallery_expires_on: '2026-01-01' }],
  ])('no email is sent while the job is %s', async (_, columns) => {
    const { fixtures, graceId, setJob, request, sendDueMail, readMails } = await setUp()
    expect(await request(await fixtures.enter([graceId]), graceId)).toMatchObject({ status: 200 })
    await setJob(columns)
    await fixtures.addImage({ subjectId: graceId })
    await sendDueMail()
    expect(await readMails()).toEqual([])
  })

  it('an address that waits for several subjects and the job gets one email for each', async () => {
    const { deps, fixtures, graceId, request, sendDueMail, readMails, readWaitlist } = await setUp()
    const linusId = await fixtures.addSubject('Linus')
    const session = await fixtures.enter([graceId, linusId])
    await request(session, graceId)
    await request(session, linusId)
    const jobEntry = {
      studio_id: fixtures.studioId,
      job_id: fixtures.jobId,
      email: 'anne@example.com',
      order_method: null,
    }
    await deps.db.insertInto('notify_me').values(jobEntry).execute()
    expect(await readWaitlist()).toHaveLength(3)
    await fixtures.addImage({ subjectId: linusId })
    await sendDueMail()
    expect((await readMails()).map(({ kind }) => kind).sort()).toEqual(['event-opened', 'photos-published'])
    await fixtures.addImage({ subjectId: graceId })
    await sendDueMail()
    expect(await readMails()).toHaveLength(3)
  })

  it('an address that joins again after the images were withdrawn gets another email', async () => {
    const { fixtures, graceId, setImage, request, sendDueMail, readMails } = await setUp()
    const session = await fixtures.enter([graceId])
    await request(session, graceId)
    const imageId = await fixtures.addImage({ subjectId: graceId })
    await sendDueMail()
    await request(session, graceId)
    await sendDueMail()
    expect(await readMails()).toHaveLength(1)
    await setImage(imageId, { published_at: null })
    await request(session, graceId)
    await sendDueMail()
    expect(await readMails()).toHaveLength(1)
    await setImage(imageId, { published_at: new Date('2020-01-01') })
    await sendDueMail()
    expect(await readMails()).toHaveLength(2)
  })

  it('the address is deleted with the subject’s data, and thirty days after the email', async () => {
    const { deps, staff, fixtures, graceId, advance, request, sendDueMail, readWaitlist } = await setUp()
    const linusId = await fixtures.addSubject('Linus')
    const session = await fixtures.enter([graceId, linusId])
    await request(session, graceId)
    await request(session, linusId)
    const eraseRequest = { ids: [linusId], typed: 'Linus Lovelace' }
    expect(await staff.staffRequest('POST', `jobs/${fixtures.jobId}/subjects/erase`, eraseRequest)).toMatchObject({
      status: 200,
    })
    expect(await readWaitlist()).toEqual([{ email: 'anne@example.com', subject_id: graceId }])
    await fixtures.addImage({ subjectId: graceId })
    await sendDueMail()
    advance(30 * day - 1)
    await purgeNotifiedWaitlist(deps)
    expect(await readWaitlist()).toHaveLength(1)
    advance(1)
    await purgeNotifiedWaitlist(deps)
    expect(await readWaitlist()).toEqual([])
  })

  it('addresses are rate-limited as on the job’s waitlist', async () => {
    const { fixtures, graceId, request } = await setUp()
    const session = await fixtures.enter([graceId])
    const answers = await Promise.all(
      Array.from({ length: 70 }, (_, n) => request(session, graceId, `a${n}@example.com`)),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(60)
    expect(await request(session, graceId, 'one-more@example.com')).toMatchObject({ status: 429 })
  })
})
