import { describe, expect, it } from 'vitest'
import { sendYearBookReminder } from '#server/orders/emails/remind-of-year-book.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { cartClient } from '#tests/server/carts/cart-fixtures.ts'
import { choosePose } from '#tests/server/carts/order-service-fixtures.ts'
import { createStaffOrderFixtures } from '../orders/staff/staff-order-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('the yearbook of a job on $name', (engine) => {
  const database = freshDatabase(engine)

  /** Ada has two images, Bo one, Cy none, and the hidden Di two. */
  const setUp = async () => {
    const staffOrders = await createStaffOrderFixtures(database())
    const { deps, fixtures, app, staffRequest } = staffOrders
    const { studioId, jobId, adaId, adaImageId } = fixtures
    const job = { studioId, jobId }
    await given(deps).feature(studioId, 'yearbookPose')
    await given(deps).feature(studioId, 'digitalDownloads')
    const secondImageId = await fixtures.addImage({ subjectId: adaId })
    const bo = await fixtures.addSubject('Bo')
    const boImageId = await fixtures.addImage({ subjectId: bo })
    const cy = await fixtures.addSubject('Cy')
    const di = await given(deps).subject(job, { name: 'Di Lovelace', hidden_at: deps.clock() })
    for (const _ of ['first', 'second']) await fixtures.addImage({ subjectId: di })
    const groupId = await given(deps).group(job, 'Grade 3', [adaId, bo, di])
    const updateJob = (columns: object) => deps.db.updateTable('jobs').set(columns).where('id', '=', jobId).execute()
    await updateJob({ enable_year_book_pose_selection: true, year_book_pose_expires_at: '2027-04-16T03:59:00Z' })
    const yearBook = async () => (await staffRequest('GET', 'yearbook')).data
    const choose = (subjectId: number, imageId: number | null) =>
      staffRequest('PUT', `yearbook/subjects/${subjectId}`, { imageId })
    const listIds = async (query: string): Promise<number[]> =>
      (await staffRequest('GET', `yearbook/subjects?${query}`)).data.map(({ id }: { id: number }) => id)
    const next = async (query = '') => (await staffRequest('GET', `yearbook/next?${query}`)).data.subject?.id ?? null
    /** A customer with grants to Ada and Bo. */
    const customer = async () => cartClient(app, fixtures, await fixtures.enter([adaId, bo]))
    const emails = () => deps.db.selectFrom('mail_log').select(['to_email', 'subject', 'body_text']).execute()
    const ids = { studioId, jobId, adaId, adaImageId, secondImageId, bo, boImageId, cy, di, groupId }
    return { ...staffOrders, ...ids, updateJob, yearBook, choose, listIds, next, customer, emails }
  }

  it('counts the choices of parents and staff, in all and in each group, without hidden subjects', async () => {
    const { yearBook, choose, adaId, adaImageId, secondImageId, customer, groupId } = await setUp()
    expect(await yearBook()).toMatchObject({
      isOffered: true,
      isExpired: false,
      expiresAt: '2027-04-16T03:59:00.000Z',
      counts: { missing: 1, chosen: 0, single: 1, without: 1 },
      chosenByStaff: 0,
      groups: [{ id: groupId, name: 'Grade 3', counts: { missing: 1, chosen: 0, single: 1, without: 0 } }],
    })
    await (await customer()).sync([choosePose(adaId, secondImageId)])
    expect(await yearBook()).toMatchObject({ counts: { missing: 0, chosen: 1 }, chosenByStaff: 0 })
    expect((await choose(adaId, adaImageId)).data).toMatchObject({
      chosenImageId: adaImageId,
      chosenBy: 'staff',
      images: [{ id: adaImageId }, { id: secondImageId }],
    })
    expect(await yearBook()).toMatchObject({ counts: { missing: 0, chosen: 1 }, chosenByStaff: 1 })
    await choose(adaId, null)
    expect(await yearBook()).toMatchObject({ counts: { missing: 1, chosen: 0 } })
  })

  it('a choice no longer counts when its image is withdrawn', async () => {
    const { deps, yearBook, choose, adaId, adaImageId } = await setUp()
    await choose(adaId, adaImageId)
    await deps.db
      .updateTable('image_lookups')
      .set({ withdrawn_at: deps.clock() })
      .where('id', '=', adaImageId)
      .execute()
    expect(await yearBook()).toMatchObject({ counts: { missing: 0, chosen: 0, single: 2 } })
    expect((await choose(adaId, adaImageId)).errors).toEqual(['This image can’t be chosen for this person'])
  })

  it('staff cannot choose another subject’s image, or for a hidden subject', async () => {
    const { choose, adaId, boImageId, di } = await setUp()
    expect(await choose(adaId, boImageId)).toMatchObject({
      status: 422,
      errors: ['This image can’t be chosen for this person'],
    })
    expect((await choose(di, boImageId)).status).toBe(404)
  })

  it('lists subjects by choice and group, and steps through those whose image is missing', async () => {
    const { fixtures, listIds, next, choose, adaId, bo, cy, groupId } = await setUp()
    const ed = await fixtures.addSubject('Ed')
    for (const _ of ['first', 'second']) await fixtures.addImage({ subjectId: ed })
    expect(await listIds('')).toEqual([adaId, bo, cy, ed])
    expect(await listIds('choice=missing')).toEqual([adaId, ed])
    expect(await listIds(`choice=missing&groupId=${groupId}`)).toEqual([adaId])
    expect(await listIds('choice=single')).toEqual([bo])
    expect([await next(), await next(`after=${adaId}`), await next(`after=${ed}`)]).toEqual([adaId, ed, adaId])
    expect(await next(`after=${adaId}&groupId=${groupId}`)).toBeNull()
    await choose(adaId, fixtures.adaImageId)
    expect([await next(), await next(`after=${ed}`)]).toEqual([ed, null])
  })

  it('after the deadline parents are rejected and no one is reminded, but staff may still choose', async () => {
    const { time, yearBook, choose, adaId, adaImageId, secondImageId, customer, order, staffRequest } = await setUp()
    await order()
    const parent = await customer()
    time.advance(20 * 60 * 60 * 1000)
    const { results } = await parent.sync([choosePose(adaId, secondImageId)])
    expect(results).toMatchObject([
      { problem: 'pose-closed', errors: ['The yearbook photo can no longer be chosen here'] },
    ])
    expect(await yearBook()).toMatchObject({ isExpired: true, customersToRemind: 0, counts: { missing: 1 } })
    expect(await staffRequest('POST', 'yearbook/reminders', {})).toMatchObject({
      status: 422,
      errors: ['There is no one to remind now'],
    })
    expect((await choose(adaId, adaImageId)).data).toMatchObject({ choice: 'chosen', chosenBy: 'staff' })
  })

  it('reminds each customer with an order for a missing subject once per request', async () => {
    const { deps, yearBook, order, staffRequest, queued, emails, bo, studioId, jobId, time } = await setUp()
    await order({ subjectId: bo, method: 'prepay' })
    expect(await yearBook()).toMatchObject({ customersToRemind: 0 })
    await order()
    await order()
    const other = { firstName: 'Edith', lastName: 'Clarke', email: 'edith@example.com', phone: '937-555-0143' }
    await order({ checkoutDetails: { customer: other } })
    expect(await yearBook()).toMatchObject({ customersToRemind: 2 })
    const options = { idempotencyKey: '00000000-0000-4000-8000-00000000abcd' }
    for (const _ of ['request', 'replay'])
      expect((await staffRequest('POST', 'yearbook/reminders', {}, options)).data).toEqual({ sent: 2 })
    const reminders = queued('send-yearbook-reminder')
    expect(reminders).toHaveLength(2)
    for (const reminder of [...reminders, ...reminders]) await sendYearBookReminder(deps, reminder)
    const sent = (await emails()).filter(({ subject }) => subject.includes('yearbook'))
    expect(sent.map(({ to_email }) => to_email).toSorted()).toEqual(['Grace@Example.com', 'edith@example.com'])
    expect(sent[0]).toMatchObject({ subject: 'Choose the yearbook photo of Ada Lovelace' })
    expect(sent[0]?.body_text).toContain('Please choose it by 04/15/2027, 11:59 PM.')
    expect(sent[0]?.body_text).toContain(`https://fieldproof.test/riverside/${jobId}/select-subject`)
    const audit = deps.db
      .selectFrom('audit_log')
      .select(['studio_id', 'detail'])
      .where('action', '=', 'yearbook.reminded')
    expect(await audit.execute()).toEqual([{ studio_id: studioId, detail: { sent: 2 } }])
    time.advance(20 * 60 * 60 * 1000)
    for (const reminder of reminders)
      await sendYearBookReminder(deps, { ...(reminder as object), remindedAt: 'late' } as never)
    expect((await emails()).filter(({ subject }) => subject.includes('yearbook'))).toHaveLength(2)
  })

  it('customers whose images are not published yet are not reminded', async () => {
    const { deps, yearBook, order, secondImageId } = await setUp()
    await order()
    await deps.db.updateTable('image_lookups').set({ published_at: null }).where('id', '=', secondImageId).execute()
    expect(await yearBook()).toMatchObject({ counts: { missing: 1 }, customersToRemind: 0 })
  })
})
