import { describe, expect, it } from 'vitest'
import { enqueueWaitlistEmails, purgeNotifiedWaitlist, sendWaitlistEmail } from '#server/discovery/notify-waitlist.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures } from '../carts/cart-fixtures.ts'
import { collectWaitlistMail } from './waitlist-mail.ts'

describe.each(enginesFor(import.meta.filename))('the waitlist of a job on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const { deps, dueKeys, sendDueMail } = collectWaitlistMail(testDeps(database(), time))
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const updateJob = (columns: object) =>
      deps.db.updateTable('jobs').set(columns).where('id', '=', fixtures.jobId).execute()
    await updateJob({ prepay_enabled: false, gallery_opens_at: new Date(deps.clock().getTime() + 60_000) })
    const request = async (body: object, jobId = fixtures.jobId, remoteAddress = '198.51.100.1') => {
      const url = `/api/customer/jobs/${jobId}/notify-me`
      const answer = await app.inject({ method: 'POST', url, payload: body, remoteAddress })
      return { status: answer.statusCode, ...answer.json() }
    }
    const readMails = () =>
      deps.db.selectFrom('mail_log').select(['kind', 'to_email', 'subject']).orderBy('to_email').execute()
    return { deps, ...time, fixtures, updateJob, request, readMails, dueKeys, sendDueMail }
  }

  it('an address is saved once, and mailed once when orders can be placed', async () => {
    const { sendDueMail, advance, request, readMails } = await setUp()
    expect(await request({ email: ' Ada@Example.com ' })).toMatchObject({ status: 200, data: {} })
    expect(await request({ email: 'ada@example.com' })).toMatchObject({ status: 200, data: {} })
    await sendDueMail()
    expect(await readMails()).toEqual([])
    advance(61_000)
    await sendDueMail()
    await sendDueMail()
    expect(await readMails()).toEqual([
      { kind: 'event-opened', to_email: 'ada@example.com', subject: 'Spring Portraits is open' },
    ])
  })

  it('a notified address may join again while the job is closed', async () => {
    const { deps, sendDueMail, advance, request, updateJob, readMails } = await setUp()
    await request({ email: 'ada@example.com' })
    advance(61_000)
    await sendDueMail()
    await request({ email: 'ada@example.com' })
    await sendDueMail()
    expect(await readMails()).toHaveLength(1)
    await updateJob({ gallery_opens_at: new Date(deps.clock().getTime() + 60_000) })
    for (const _ of [1, 2]) expect(await request({ email: 'ada@example.com' })).toMatchObject({ status: 200 })
    await sendDueMail()
    expect(await readMails()).toHaveLength(1)
    advance(61_000)
    await sendDueMail()
    await sendDueMail()
    expect(await readMails()).toHaveLength(2)
  })

  it('an address is deleted thirty days after its email, and addresses that still wait stay', async () => {
    const { deps, sendDueMail, advance, request } = await setUp()
    await request({ email: 'ada@example.com' })
    await request({ email: 'bo@example.com', orderMethod: 'prepay' })
    advance(61_000)
    await sendDueMail()
    const countAddresses = async () =>
      (await deps.db.selectFrom('notify_me').select('email').orderBy('email').execute()).length
    advance(30 * 24 * 60 * 60 * 1000 - 1)
    await purgeNotifiedWaitlist(deps)
    expect(await countAddresses()).toBe(2)
    advance(1)
    await purgeNotifiedWaitlist(deps)
    expect(await deps.db.selectFrom('notify_me').select('email').execute()).toEqual([{ email: 'bo@example.com' }])
  })

  it('an address is mailed for the order method that it waits for', async () => {
    const { sendDueMail, advance, updateJob, request, readMails } = await setUp()
    await request({ email: 'ada@example.com', orderMethod: 'prepay' })
    advance(61_000)
    await sendDueMail()
    expect(await readMails()).toEqual([])
    await updateJob({ prepay_enabled: true })
    await sendDueMail()
    expect(await readMails()).toHaveLength(1)
  })

  it('each address is mailed by its own background job, even behind many addresses that wait for another order method', async () => {
    const { deps, fixtures, updateJob, request, dueKeys, sendDueMail } = await setUp()
    const { studioId, jobId } = fixtures
    const waitingRows = Array.from({ length: 501 }, (_, n) => ({
      studio_id: studioId,
      job_id: jobId,
      email: `a${n}@x.test`,
    }))
    await deps.db
      .insertInto('notify_me')
      .values(waitingRows.map((row) => ({ ...row, order_method: 'gallery' })))
      .execute()
    await request({ email: 'ada@example.com', orderMethod: 'prepay' })
    await request({ email: 'bo@example.com', orderMethod: 'prepay' })
    await updateJob({ prepay_enabled: true })
    await enqueueWaitlistEmails(deps)
    expect(dueKeys).toHaveLength(2)
    const [firstKey] = dueKeys
    if (!firstKey) throw new Error('no email is due')
    for (const _ of [1, 2]) await sendWaitlistEmail(deps, firstKey)
    await enqueueWaitlistEmails(deps)
    expect(dueKeys).toHaveLength(2)
    expect(await deps.db.selectFrom('mail_log').select('to_email').execute()).toEqual([{ to_email: 'ada@example.com' }])
    await sendDueMail()
    expect(await deps.db.selectFrom('mail_log').select('to_email').execute()).toHaveLength(2)
  })

  it('a job’s name with special characters appears unchanged in the email', async () => {
    const { deps, fixtures, advance, updateJob, request, sendDueMail } = await setUp()
    await updateJob({ name: 'Ann’s "Best" & <b>' })
    await request({ email: 'ada@example.com' })
    advance(61_000)
    await sendDueMail()
    const [mail] = await deps.db.selectFrom('mail_log').select(['subject', 'body_html', 'body_text']).execute()
    expect(mail?.body_text).toMatch(new RegExp(`\n\nhttps://fieldproof.test/riverside/${fixtures.jobId}$`))
    expect(mail?.subject).toBe('Ann’s "Best" & <b> is open')
    expect(mail?.body_html).toContain('order for Ann’s &quot;Best&quot; &amp; &lt;b&gt; by')
  })

  it.each([
    ['a request with an invalid address', { email: 'ada@' }, 422],
    ['a request without an address', {}, 400],
    ['a request with unknown fields', { email: 'ada@example.com', name: 'Ada' }, 400],
  ])('%s is refused', async (_, body, status) => {
    const { request } = await setUp()
    expect(await request(body)).toMatchObject({ status })
  })

  it('an unknown job is refused, and the waitlist cannot be flooded with addresses', async () => {
    const { request } = await setUp()
    expect(await request({ email: 'ada@example.com' }, 999_999)).toMatchObject({ status: 404 })
    const answers = await Promise.all(Array.from({ length: 70 }, (_, n) => request({ email: `a${n}@example.com` })))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(60)
    expect(await request({ email: 'one-more@example.com' })).toMatchObject({ status: 429 })
    expect(await request({ email: 'one-more@example.com' }, undefined, '203.0.113.9')).toMatchObject({ status: 200 })
  })
})
