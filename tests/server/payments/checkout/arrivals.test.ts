import { describe, expect, it } from 'vitest'
import type { JobColumns } from '#server/demo/seed-jobs.ts'
import { receiptOf } from '#server/orders/emails/receipt-email.ts'
import { readOrderWithoutImages } from '#server/orders/store/read-customer-order.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '../checkout-driver.ts'

const batch = { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } }

describe.each(enginesFor(import.meta.filename))('the arrival of an order on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (job?: JobColumns) => {
    // Still the 14th in New York.
    const time = manualClock('2027-04-15T03:00:00.000Z')
    const deps = testDeps(database(), time)
    const ready = await readyToPay(deps, await testApp(deps))
    const { fixtures, driver, checkoutId, submitBody } = ready
    const changeJob = (columns: JobColumns) =>
      deps.db.updateTable('jobs').set(columns).where('id', '=', fixtures.jobId).execute()
    if (job) await changeJob(job)
    const arrivals = async () => (await driver.request('GET', 'checkout?orderMethod=gallery')).data.arrivals
    const order = async (details: object = {}) => {
      await driver.saveDetails(checkoutId, details)
      const { totalCents } = await driver.totals()
      const { data } = await driver.submit(submitBody({ totalCents }))
      return data.orderNumber as string
    }
    return { deps, time, fixtures, driver, changeJob, arrivals, order }
  }

  it('a mailed order arrives some days after the day of the order', async () => {
    const { driver, arrivals, order } = await setUp({ delivery_days_from: 5, delivery_days_to: 8 })
    const expected = 'Arrives about 04/19–04/22'
    expect(await arrivals()).toEqual({ home: expected, batch: null })
    expect((await driver.order(await order())).arrival).toEqual(expected)
  })

  it('an order in the batch is handed out at the school on its day, and a later order has no day', async () => {
    const { deps, time, fixtures, driver, changeJob, arrivals, order } = await setUp({ handed_out_on: '2027-04-14' })
    const expected = 'Handed out at Lincoln Elementary about 04/14'
    expect(await arrivals()).toMatchObject({ batch: expect.any(String) })
    await changeJob({
      organization_id: await given(deps).organization(fixtures.studioId, { name: 'Lincoln Elementary' }),
    })
    expect(await arrivals()).toEqual({ home: null, batch: expected })
    const orderNumber = await order(batch)
    expect((await driver.order(orderNumber)).arrival).toEqual(expected)
    // One in the morning of the 15th.
    time.advance(2 * 60 * 60 * 1000)
    expect(await arrivals()).toEqual({ home: null, batch: null })
    expect((await driver.order(orderNumber)).arrival).toBeNull()
  })

  it('a studio that says nothing about it is not quoted, and a shipped order has arrived', async () => {
    const { deps, driver, arrivals, changeJob, order } = await setUp()
    expect(await arrivals()).toEqual({ home: null, batch: null })
    const orderNumber = await order()
    expect((await driver.order(orderNumber)).arrival).toBeNull()
    await changeJob({ delivery_days_from: 0, delivery_days_to: 0 })
    expect((await driver.order(orderNumber)).arrival).toBe('Arrives about 04/14')
    await deps.db.updateTable('orders').set({ state: 'shipped' }).execute()
    expect((await driver.order(orderNumber)).arrival).toBeNull()
  })

  it('the days of a prepaid order count from the picture day', async () => {
    const { deps, driver, changeJob, order } = await setUp({ delivery_days_from: 5, delivery_days_to: 8 })
    const orderNumber = await order()
    await deps.db.updateTable('orders').set({ order_method: 'prepay' }).execute()
    await changeJob({ event_date: '2027-05-01' })
    expect((await driver.order(orderNumber)).arrival).toBe('Arrives about 05/06–05/09')
    await changeJob({ event_date: '2027-04-01' })
    expect((await driver.order(orderNumber)).arrival).toBe('Arrives about 04/19–04/22')
    await changeJob({ event_date: null })
    expect((await driver.order(orderNumber)).arrival).toBeNull()
  })

  it('the receipt says when the order arrives', async () => {
    const { deps, fixtures, order } = await setUp({ delivery_days_from: 5, delivery_days_to: 8 })
    await order()
    const { id } = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    const placed = await readOrderWithoutImages(deps, { studioId: fixtures.studioId, orderId: id })
    const receipt = placed && receiptOf(placed, { address: 'https://fieldproof.test', chargedOrRefundedCents: null })
    expect(receipt?.text).toContain('Arrives about 04/19–04/22.')
  })
})
