import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession, manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '../../payments/checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('the dates of an order on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (job: object = {}) => {
    const deps = testDeps(database(), manualClock('2027-04-15T03:00:00.000Z'))
    const app = await testApp(deps)
    const { shop, till, parent, checkoutId, paying } = await readyToPay(deps, app)
    await deps.db
      .updateTable('jobs')
      .set({ order_by: '2027-05-10', gallery_expires_on: '2027-06-01', name: 'Spring; "2027", part\nII', ...job })
      .where('id', '=', shop.jobId)
      .execute()
    await till.keep(checkoutId, { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } })
    const { totalCents } = await till.totals()
    const { data } = await till.submit(paying({ totalCents }))
    const orderNumber: string = data.orderNumber
    const url = (jobId = shop.jobId, number = orderNumber) => `/api/customer/jobs/${jobId}/orders/${number}/dates.ics`
    const fetchDates = (headers: object = parent.headers, at = url()) =>
      app.inject({ url: at, headers: { ...headers } })
    const dates = async () => (await till.order(orderNumber)).dates
    const cancel = () => till.ask('POST', `orders/${orderNumber}/cancel`, { body: {} })
    return { deps, shop, orderNumber, url, fetchDates, dates, cancel }
  }

  it("dates are in the studio's time zone, and unknown ones are left out", async () => {
    const { dates } = await begin({ batch_closes_at: new Date('2027-04-21T04:00:00Z') })
    expect(await dates()).toEqual([
      { name: 'Orders for the studio are gathered until', on: '2027-04-20' },
      { name: 'Last day to order more', on: '2027-05-10' },
      { name: 'Pictures are online until', on: '2027-06-01' },
    ])
  })

  it('the closing day of a batch is shown while it is open', async () => {
    const { deps, dates } = await begin({ batch_closes_at: new Date('2027-04-21T04:00:00Z') })
    await deps.db.updateTable('batches').set({ state: 'closed' }).execute()
    expect((await dates())?.map(({ name }) => name)).not.toContain('Orders for the studio are gathered until')
  })

  it("dates count from the day of the order in the studio's time zone", async () => {
    // 03:00 UTC on April 15th is still the 14th in New York.
    const { dates } = await begin({ order_by: '2027-04-14', gallery_expires_on: null })
    expect(await dates()).toEqual([{ name: 'Last day to order more', on: '2027-04-14' }])
  })

  it('the calendar has all-day events with all customer input escaped', async () => {
    const { fetchDates, orderNumber, shop } = await begin()
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
      `URL;VALUE=URI:https://fieldproof.test/riverside/${shop.jobId}/order/${orderNumber}`,
      `UID:${orderNumber}-pictures-are-online-until@fieldproof`,
      'DTSTART;VALUE=DATE:20270601',
      'SUMMARY:Pictures are online until: Spring\\; "2027"\\, part II',
      `URL;VALUE=URI:https://fieldproof.test/riverside/${shop.jobId}/order/${orderNumber}`,
    ])
    expect((await fetchDates()).body).toBe(answer.body)
  })

  it('the calendar is not found without a grant or for a cancelled order', async () => {
    const { deps, shop, url, fetchDates, dates, cancel } = await begin()
    const stranger = await createTestSession(deps)
    for (const [headers, at] of [
      [{}, url()],
      [stranger.headers, url()],
      [undefined, url(shop.jobId + 1)],
      [undefined, url(shop.jobId, 'FP-00000000')],
      [undefined, '/api/customer/jobs/x/orders/y/dates.ics'],
    ] as const) {
      const answer = await fetchDates(headers, at)
      expect([at, answer.statusCode, answer.json().problem]).toEqual([at, 404, 'not-found'])
    }
    await cancel()
    expect(await dates()).toEqual([])
    expect((await fetchDates()).statusCode).toBe(404)
  })
})
