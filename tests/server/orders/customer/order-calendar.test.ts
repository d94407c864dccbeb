import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession, manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '#tests/server/payments/checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('the dates of an order on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (job: object = {}) => {
    const deps = testDeps(database(), manualClock('2027-04-15T03:00:00.000Z'))
    const app = await testApp(deps)
    const { fixtures, driver, session, checkoutId, submitBody } = await readyToPay(deps, app)
    await deps.db
      .updateTable('jobs')
      .set({ order_by: '2027-05-10', gallery_expires_on: '2027-06-01', name: 'Spring; "2027", part\nII', ...job })
      .where('id', '=', fixtures.jobId)
      .execute()
    await driver.saveDetails(checkoutId, { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } })
    const { totalCents } = await driver.totals()
    const { data } = await driver.submit(submitBody({ totalCents }))
    const orderNumber: string = data.orderNumber
    const url = (jobId = fixtures.jobId, number = orderNumber) =>
      `/api/customer/jobs/${jobId}/orders/${number}/dates.ics`
    const fetchDates = (headers: object = session.headers, requestUrl = url()) =>
      app.inject({ url: requestUrl, headers: { ...headers } })
    const dates = async () => (await driver.order(orderNumber)).dates
    const cancel = () => driver.request('POST', `orders/${orderNumber}/cancel`, { body: {} })
    return { deps, fixtures, orderNumber, url, fetchDates, dates, cancel }
  }

  it("dates are in the studio's time zone, and unknown ones are left out", async () => {
    const { dates } = await setUp({ batch_closes_at: new Date('2027-04-21T04:00:00Z') })
    expect(await dates()).toEqual([
      { name: 'Studio orders are collected until', on: '2027-04-20' },
      { name: 'Last day to order more', on: '2027-05-10' },
      { name: 'Photos are online until', on: '2027-06-01' },
    ])
  })

  it('the closing day of a batch is not shown once the batch is closed', async () => {
    const { deps, dates } = await setUp({ batch_closes_at: new Date('2027-04-21T04:00:00Z') })
    await deps.db.updateTable('batches').set({ state: 'closed' }).execute()
    expect((await dates())?.map(({ name }) => name)).not.toContain('Studio orders are collected until')
  })

  it("a date is still shown on its day in the studio's time zone", async () => {
    // 03:00 UTC on April 15th is still the 14th in New York.
    const { dates } = await setUp({ order_by: '2027-04-14', gallery_expires_on: null })
    expect(await dates()).toEqual([{ name: 'Last day to order more', on: '2027-04-14' }])
  })

  it('the calendar has all-day events, with the name of the job escaped', async () => {
    const { fetchDates, orderNumber, fixtures } = await setUp()
    const answer = await fetchDates()
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-disposition': `inline; filename="${orderNumber}.ics"`,
    })
    const lines = answer.body.replaceAll('\r\n ', '').split('\r\n')
    expect(lines[0]).toBe('BEGIN:VCALENDAR')
    expect(lines.slice(-2)).toEqual(['END:VCALENDAR', ''])
    expect(lines.filter((line) => /^(UID|DTSTART|SUMMARY|URL)/.test(line))).toEqual([
      `UID:${orderNumber}-last-day-to-order-more@fieldproof`,
      'DTSTART;VALUE=DATE:20270510',
      'SUMMARY:Last day to order more: Spring\\; "2027"\\, part II',
      `URL;VALUE=URI:https://fieldproof.test/riverside/${fixtures.jobId}/order/${orderNumber}`,
      `UID:${orderNumber}-photos-are-online-until@fieldproof`,
      'DTSTART;VALUE=DATE:20270601',
      'SUMMARY:Photos are online until: Spring\\; "2027"\\, part II',
      `URL;VALUE=URI:https://fieldproof.test/riverside/${fixtures.jobId}/order/${orderNumber}`,
    ])
    expect((await fetchDates()).body).toBe(answer.body)
  })

  it('the calendar is not found without a grant, under another job or for a cancelled order', async () => {
    const { deps, fixtures, url, fetchDates, dates, cancel } = await setUp()
    const stranger = await createTestSession(deps)
    for (const [headers, requestUrl] of [
      [{}, url()],
      [stranger.headers, url()],
      [undefined, url(fixtures.jobId + 1)],
      [undefined, url(fixtures.jobId, 'FP-00000000')],
      [undefined, '/api/customer/jobs/x/orders/y/dates.ics'],
    ] as const) {
      const answer = await fetchDates(headers, requestUrl)
      expect([requestUrl, answer.statusCode, answer.json().problem]).toEqual([requestUrl, 404, 'not-found'])
    }
    await cancel()
    expect(await dates()).toEqual([])
    expect((await fetchDates()).statusCode).toBe(404)
  })
})
