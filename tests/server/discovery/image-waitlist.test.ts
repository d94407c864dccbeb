import { describe, expect, it } from 'vitest'
import { enqueueWaitlistEmails, purgeNotifiedWaitlist, sendWaitlistEmail } from '#server/discovery/notify-waitlist.ts'
import { setImagesPublished } from '#server/images/lookups/move-images.ts'
import { hideSubjects, showSubjects } from '#server/subjects/subject-visibility.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures, type Parent } from '../carts/cart-fixtures.ts'
import { holdWaitingMail } from './waitlist-mail.ts'

const day = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('the waitlist for a subject’s first image on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const { deps, toMail, mailDue } = holdWaitingMail(testDeps(database(), time))
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const { studioId, jobId } = shop
    const { id, tell } = await staffClient(deps, app, studioId)
    const user = { id, name: 'Staff', email: '', permissions: [], studioId }
    const staff = { user, tell }
    const graceId = await shop.giveSubject('Grace')
    const setJob = (columns: object) => deps.db.updateTable('jobs').set(columns).where('id', '=', jobId).execute()
    const setImage = (imageId: number, columns: object) =>
      deps.db.updateTable('image_lookups').set(columns).where('id', '=', imageId).execute()
    const ask = async (parent: Partial<Parent>, subjectId: number, email = 'anne@example.com') => {
      const url = `/api/customer/jobs/${jobId}/subjects/${subjectId}/notify-me`
      const answer = await app.inject({ method: 'POST', url, payload: { email }, headers: parent.headers ?? {} })
      return { status: answer.statusCode, problem: answer.json().problem }
    }
    const mails = () =>
      deps.db.selectFrom('mail_log').select(['kind', 'to_email', 'subject', 'body_text']).orderBy('id').execute()
    const waiting = () => deps.db.selectFrom('notify_me').select(['email', 'subject_id']).orderBy('id').execute()
    const people = { studioId, subjectIds: [graceId] }
    const hide = () => deps.db.transaction().execute((tx) => hideSubjects(tx, deps, people))
    const show = () => deps.db.transaction().execute((tx) => showSubjects(tx, people))
    return { deps, ...time, shop, staff, graceId, setJob, setImage, ask, mails, mailDue, waiting, hide, show, toMail }
  }

  it('one e-mail is sent when an image of the subject’s own is published, and it names only the job', async () => {
    const { deps, shop, staff, graceId, ask, mailDue, mails } = await begin()
    const parent = await shop.enter([graceId])
    const imageId = await shop.giveImage({ subjectId: graceId, published: false })
    for (const email of [' Anne@Example.com ', 'anne@example.com'])
      expect(await ask(parent, graceId, email)).toMatchObject({ status: 200 })
    await mailDue()
    expect(await mails()).toEqual([])
    await setImagesPublished(deps, {
      job: shop.job,
      user: staff.user,
      input: { imageIds: [imageId], published: true },
    })
    await mailDue()
    await mailDue()
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ kind: 'photos-published', to_email: 'anne@example.com' })
    expect(mail?.subject).toBe('New photos: Spring Portraits')
    expect(mail?.body_text).toMatch(new RegExp(`\n\nhttps://fieldproof.test/riverside/${shop.jobId}$`))
    expect(`${mail?.subject} ${mail?.body_text}`).not.toMatch(/Grace|Lovelace/)
    await shop.giveImage({ subjectId: graceId })
    await mailDue()
    expect(await mails()).toHaveLength(1)
  })

  it.each<[string, object, { group?: true; other?: true }]>([
    ['of a group', { state: 'ready' }, { group: true }],
    ['of another child', { state: 'ready' }, { other: true }],
    ['that is not published', { published_at: null }, {}],
    ['that is still being processed', { state: 'processing' }, {}],
    ['that another photo replaced', { superseded_at: new Date('2026-01-01') }, {}],
  ])('does not mail for a photo %s', async (_, columns, whose) => {
    const { deps, shop, graceId, setImage, ask, mailDue, mails } = await begin()
    expect(await ask(await shop.enter([graceId]), graceId)).toMatchObject({ status: 200 })
    const group = { studio_id: shop.studioId, job_id: shop.jobId, name: 'Class 3' }
    const { id: groupId } = await deps.db.insertInto('groups').values(group).returning('id').executeTakeFirstOrThrow()
    await deps.db
      .insertInto('subject_groups')
      .values({ studio_id: shop.studioId, subject_id: graceId, group_id: groupId })
      .execute()
    const owner = whose.group ? { groupId } : { subjectId: whose.other ? shop.adaId : graceId }
    await setImage(await shop.giveImage(owner), columns)
    await mailDue()
    expect(await mails()).toEqual([])
  })

  it('an address is accepted only from a session that may see the subject', async () => {
    const { shop, graceId, ask, waiting } = await begin()
    expect(await ask({}, graceId)).toMatchObject({ status: 401, problem: 'session-unknown' })
    expect(await ask(await shop.enter([shop.adaId]), graceId)).toMatchObject({ status: 403, problem: 'grant-needed' })
    expect(await ask(await shop.enter([graceId]), 999_999)).toMatchObject({ status: 404, problem: 'not-found' })
    expect(await ask(await shop.enter([graceId]), graceId, 'anne@')).toMatchObject({ status: 422 })
    expect(await waiting()).toEqual([])
  })

  it('no e-mail is sent for a hidden subject, and one once the studio shows them again', async () => {
    const { shop, graceId, ask, hide, show, mailDue, mails, waiting } = await begin()
    const parent = await shop.enter([graceId])
    await ask(parent, graceId)
    await hide()
    await shop.giveImage({ subjectId: graceId })
    await mailDue()
    expect(await mails()).toEqual([])
    expect(await ask(parent, graceId, 'bo@example.com')).toMatchObject({ status: 404 })
    expect(await waiting()).toHaveLength(1)
    await show()
    await mailDue()
    expect(await mails()).toHaveLength(1)
  })

  it('an e-mail that was due when the subject was hidden is not sent', async () => {
    const { deps, shop, graceId, ask, hide, mails, toMail } = await begin()
    expect(await ask(await shop.enter([graceId]), graceId)).toMatchObject({ status: 200 })
    await shop.giveImage({ subjectId: graceId })
    await enqueueWaitlistEmails(deps)
    await hide()
    for (const key of toMail) await sendWaitlistEmail(deps, key)
    expect(toMail).toHaveLength(1)
    expect(await mails()).toEqual([])
  })

  it.each([
    ['archived', { archived_at: new Date('2026-01-01') }],
    ['not published', { published_at: null }],
    ['closed to orders', { gallery_closes_at: new Date('2026-01-01'), prepay_enabled: false }],
    ['over', { gallery_expires_on: '2026-01-01' }],
  ])('no e-mail is sent while the job is %s', async (_, columns) => {
    const { shop, graceId, setJob, ask, mailDue, mails } = await begin()
    expect(await ask(await shop.enter([graceId]), graceId)).toMatchObject({ status: 200 })
    await setJob(columns)
    await shop.giveImage({ subjectId: graceId })
    await mailDue()
    expect(await mails()).toEqual([])
  })

  it('an e-mail is sent for each subject, and for the job, that an address waits for', async () => {
    const { deps, shop, graceId, ask, mailDue, mails, waiting } = await begin()
    const linusId = await shop.giveSubject('Linus')
    const parent = await shop.enter([graceId, linusId])
    await ask(parent, graceId)
    await ask(parent, linusId)
    const event = { studio_id: shop.studioId, job_id: shop.jobId, email: 'anne@example.com', order_method: null }
    await deps.db.insertInto('notify_me').values(event).execute()
    expect(await waiting()).toHaveLength(3)
    await shop.giveImage({ subjectId: linusId })
    await mailDue()
    expect((await mails()).map(({ kind }) => kind).sort()).toEqual(['event-opened', 'photos-published'])
    await shop.giveImage({ subjectId: graceId })
    await mailDue()
    expect(await mails()).toHaveLength(3)
  })

  it('an address that asks again after the images were withdrawn gets another e-mail', async () => {
    const { shop, graceId, setImage, ask, mailDue, mails } = await begin()
    const parent = await shop.enter([graceId])
    await ask(parent, graceId)
    const imageId = await shop.giveImage({ subjectId: graceId })
    await mailDue()
    await ask(parent, graceId)
    await mailDue()
    expect(await mails()).toHaveLength(1)
    await setImage(imageId, { published_at: null })
    await ask(parent, graceId)
    await mailDue()
    expect(await mails()).toHaveLength(1)
    await setImage(imageId, { published_at: new Date('2020-01-01') })
    await mailDue()
    expect(await mails()).toHaveLength(2)
  })

  it('the address is deleted with the subject’s data, and thirty days after the e-mail', async () => {
    const { deps, staff, shop, graceId, advance, ask, mailDue, waiting } = await begin()
    const linusId = await shop.giveSubject('Linus')
    const parent = await shop.enter([graceId, linusId])
    await ask(parent, graceId)
    await ask(parent, linusId)
    const erasing = { ids: [linusId], typed: 'Linus Lovelace' }
    expect(await staff.tell('POST', `jobs/${shop.jobId}/subjects/erase`, erasing)).toMatchObject({ status: 200 })
    expect(await waiting()).toEqual([{ email: 'anne@example.com', subject_id: graceId }])
    await shop.giveImage({ subjectId: graceId })
    await mailDue()
    advance(30 * day - 1)
    await purgeNotifiedWaitlist(deps)
    expect(await waiting()).toHaveLength(1)
    advance(1)
    await purgeNotifiedWaitlist(deps)
    expect(await waiting()).toEqual([])
  })

  it('addresses are rate-limited as on the job’s waitlist', async () => {
    const { shop, graceId, ask } = await begin()
    const parent = await shop.enter([graceId])
    const many = await Promise.all(Array.from({ length: 70 }, (_, n) => ask(parent, graceId, `a${n}@example.com`)))
    expect(many.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(60)
    expect(await ask(parent, graceId, 'one-more@example.com')).toMatchObject({ status: 429 })
  })
})
