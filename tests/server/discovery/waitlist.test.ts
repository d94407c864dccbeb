import { describe, expect, it } from 'vitest'
import { enqueueWaitlistEmails, purgeNotifiedWaitlist, sendWaitlistEmail } from '#server/discovery/notify-waitlist.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures } from '../carts/cart-fixtures.ts'
import { holdWaitingMail } from './waitlist-mail.ts'

describe.each(enginesFor(import.meta.filename))('the waitlist of a job on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const { deps, toMail, mailDue } = holdWaitingMail(testDeps(database(), time))
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const set = (columns: object) => deps.db.updateTable('jobs').set(columns).where('id', '=', shop.jobId).execute()
    await set({ prepay_enabled: false, gallery_opens_at: new Date(deps.clock().getTime() + 60_000) })
    const ask = async (body: object, jobId = shop.jobId, remoteAddress = '198.51.100.1') => {
      const url = `/api/customer/jobs/${jobId}/notify-me`
      const answer = await app.inject({ method: 'POST', url, payload: body, remoteAddress })
      return { status: answer.statusCode, ...answer.json() }
    }
    const mails = () =>
      deps.db.selectFrom('mail_log').select(['kind', 'to_email', 'subject']).orderBy('to_email').execute()
    return { deps, ...time, shop, set, ask, mails, toMail, mailDue }
  }

  it('an address is saved once, and mailed once when orders can be placed', async () => {
    const { mailDue, advance, ask, mails } = await begin()
    expect(await ask({ email: ' Ada@Example.com ' })).toMatchObject({ status: 200, data: {} })
    expect(await ask({ email: 'ada@example.com' })).toMatchObject({ status: 200, data: {} })
    await mailDue()
    expect(await mails()).toEqual([])
    advance(61_000)
    await mailDue()
    await mailDue()
    expect(await mails()).toEqual([
      { kind: 'event-opened', to_email: 'ada@example.com', subject: 'Spring Portraits is open' },
    ])
  })

  it('a notified address may join again while the job is closed', async () => {
    const { deps, mailDue, advance, ask, set, mails } = await begin()
    await ask({ email: 'ada@example.com' })
    advance(61_000)
    await mailDue()
    await ask({ email: 'ada@example.com' })
    await mailDue()
    expect(await mails()).toHaveLength(1)
    await set({ gallery_opens_at: new Date(deps.clock().getTime() + 60_000) })
    for (const _ of [1, 2]) expect(await ask({ email: 'ada@example.com' })).toMatchObject({ status: 200 })
    await mailDue()
    expect(await mails()).toHaveLength(1)
    advance(61_000)
    await mailDue()
    await mailDue()
    expect(await mails()).toHaveLength(2)
  })

  it('an address is deleted thirty days after its e-mail, and waiting ones stay', async () => {
    const { deps, mailDue, advance, ask } = await begin()
    await ask({ email: 'ada@example.com' })
    await ask({ email: 'bo@example.com', orderMethod: 'prepay' })
    advance(61_000)
    await mailDue()
    const kept = async () => (await deps.db.selectFrom('notify_me').select('email').orderBy('email').execute()).length
    advance(30 * 24 * 60 * 60 * 1000 - 1)
    await purgeNotifiedWaitlist(deps)
    expect(await kept()).toBe(2)
    advance(1)
    await purgeNotifiedWaitlist(deps)
    expect(await deps.db.selectFrom('notify_me').select('email').execute()).toEqual([{ email: 'bo@example.com' }])
  })

  it('an address waits for the order method it asked about', async () => {
    const { mailDue, advance, set, ask, mails } = await begin()
    await ask({ email: 'ada@example.com', orderMethod: 'prepay' })
    advance(61_000)
    await mailDue()
    expect(await mails()).toEqual([])
    await set({ prepay_enabled: true })
    await mailDue()
    expect(await mails()).toHaveLength(1)
  })

  it('each address is mailed by its own job, however many wait for closed jobs', async () => {
    const { deps, shop, set, ask, toMail, mailDue } = await begin()
    const { studioId, jobId } = shop
    const closed = Array.from({ length: 501 }, (_, n) => ({
      studio_id: studioId,
      job_id: jobId,
      email: `a${n}@x.test`,
    }))
    await deps.db
      .insertInto('notify_me')
      .values(closed.map((one) => ({ ...one, order_method: 'gallery' })))
      .execute()
    await ask({ email: 'ada@example.com', orderMethod: 'prepay' })
    await ask({ email: 'bo@example.com', orderMethod: 'prepay' })
    await set({ prepay_enabled: true })
    await enqueueWaitlistEmails(deps)
    expect(toMail).toHaveLength(2)
    const [first] = toMail
    if (!first) throw new Error('nobody is told')
    for (const _ of [1, 2]) await sendWaitlistEmail(deps, first)
    await enqueueWaitlistEmails(deps)
    expect(toMail).toHaveLength(2)
    expect(await deps.db.selectFrom('mail_log').select('to_email').execute()).toEqual([{ to_email: 'ada@example.com' }])
    await mailDue()
    expect(await deps.db.selectFrom('mail_log').select('to_email').execute()).toHaveLength(2)
  })

  it('names are written unchanged in any letters', async () => {
    const { deps, shop, advance, set, ask, mailDue } = await begin()
    await set({ name: 'Ann’s "Best" & <b>' })
    await ask({ email: 'ada@example.com' })
    advance(61_000)
    await mailDue()
    const [mail] = await deps.db.selectFrom('mail_log').select(['subject', 'body_html', 'body_text']).execute()
    expect(mail?.body_text).toMatch(new RegExp(`\n\nhttps://fieldproof.test/riverside/${shop.jobId}$`))
    expect(mail?.subject).toBe('Ann’s "Best" & <b> is open')
    expect(mail?.body_html).toContain('order for Ann’s &quot;Best&quot; &amp; &lt;b&gt; by')
  })

  it.each([
    ['no address', { email: 'ada@' }, 422],
    ['nothing', {}, 400],
    ['more than was asked for', { email: 'ada@example.com', name: 'Ada' }, 400],
  ])('%s is refused', async (_, body, status) => {
    const { ask } = await begin()
    expect(await ask(body)).toMatchObject({ status })
  })

  it('an unknown job is refused, and the waitlist cannot be flooded with addresses', async () => {
    const { ask } = await begin()
    expect(await ask({ email: 'ada@example.com' }, 999_999)).toMatchObject({ status: 404 })
    const many = await Promise.all(Array.from({ length: 70 }, (_, n) => ask({ email: `a${n}@example.com` })))
    expect(many.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(60)
    expect(await ask({ email: 'one-more@example.com' })).toMatchObject({ status: 429 })
    expect(await ask({ email: 'one-more@example.com' }, undefined, '203.0.113.9')).toMatchObject({ status: 200 })
  })
})
