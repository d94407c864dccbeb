import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { entryForm } from '#tests/server/orders/entry/entry-form-fixtures.ts'
import { readyToPay } from '../checkout-driver.ts'

/** The last day of free shipping is over at midnight in Los Angeles. */
const lastDay = '2027-04-15'
const endOfLastDay = '2027-04-16T07:00:00.000Z'

describe.each(enginesFor(import.meta.filename))('free shipping to the studio on $name', (engine) => {
  const database = freshDatabase(engine)

  /** Two packages; shipping to the studio costs $4.50. */
  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { fixtures, driver, checkoutId } = checkout
    const { studioId, jobId } = fixtures
    await deps.db.updateTable('studios').set({ time_zone: 'America/Los_Angeles' }).execute()
    await given(deps).feature(studioId, 'orderEntry')
    const setStudioPrice = (price_cents: number, each_more_cents: number) =>
      deps.db
        .updateTable('shipping_options')
        .set({ price_cents, each_more_cents })
        .where('code', '=', 'studio')
        .execute()
    await setStudioPrice(400, 50)
    const { staffRequest } = await staffClient(deps, app, studioId, { jobId })
    const setPreorder = (body: object) => staffRequest('PATCH', 'settings/preorder', body)
    await setPreorder({ shipsBatch: true, freeShippingUntil: lastDay })
    await driver.saveDetails(checkoutId, { isPartOfBatchOrder: true })
    const goTo = (instant: string) => time.advance(Date.parse(instant) - time.clock().getTime())
    const readNotes = async () => (await driver.request('GET', '')).data.orderNotes as string[]
    const pay = (totalCents: number) =>
      driver.submit({ checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents })
    return { ...checkout, staffRequest, setStudioPrice, setPreorder, goTo, readNotes, pay }
  }

  it('shipping to the studio is free to the end of the day in the studio’s time zone, and parents read until when', async () => {
    const { driver, checkoutId, goTo, readNotes, pay } = await setUp()
    const note = 'Studio Shipping is free until 04/15/2027'
    const free = await driver.totals()
    expect(free).toMatchObject({ packagesCents: 5000, shippingCents: 0 })
    expect(await readNotes()).toEqual([note])
    goTo('2027-04-16T06:59:59.999Z')
    expect([await driver.totals(), await readNotes()]).toEqual([free, [note]])
    await driver.saveDetails(checkoutId)
    expect((await driver.totals()).shippingCents).toBe(795)
    await driver.saveDetails(checkoutId, { isPartOfBatchOrder: true })
    goTo(endOfLastDay)
    const later = await driver.totals()
    expect([later.shippingCents, await readNotes()]).toEqual([450, []])
    expect(await pay(free.totalCents)).toMatchObject({ problem: 'totals-changed' })
    const { data } = await pay(later.totalCents)
    expect((await driver.order(data.orderNumber)).totals).toEqual(later)
  })

  it('an order that was shipped free stays free when it is changed later', async () => {
    const { driver, goTo, pay } = await setUp()
    const { totalCents } = await driver.totals()
    const { data } = await pay(totalCents)
    goTo(endOfLastDay)
    const lineId = (await driver.order(data.orderNumber)).lines[0]?.lineId
    for (const [call, quantity] of [
      ['fewer', 1],
      ['more', 3],
    ] as const) {
      const body = { packages: [{ lineId, quantity }] }
      const { data: quote } = await driver.request('POST', `orders/${data.orderNumber}/${call}/price`, { body })
      expect(quote.totals).toMatchObject({ packagesCents: quantity * 2500, shippingCents: 0 })
    }
  })

  it('an order that staff enter is shipped free by the same day', async () => {
    const { fixtures, offeredPackage, staffRequest, goTo } = await setUp()
    const draft = {
      ...entryForm({ offeredPackage, subjectId: fixtures.adaId, imageId: fixtures.adaImageId }),
      shippingOption: null,
    }
    const shippingOf = async () => (await staffRequest('POST', 'entry/totals', draft)).data.totals.shippingCents
    expect(await shippingOf()).toBe(0)
    goTo(endOfLastDay)
    expect(await shippingOf()).toBeGreaterThan(0)
  })

  it('parents read nothing if that shipping is not offered or never costs anything', async () => {
    const { setStudioPrice, setPreorder, readNotes } = await setUp()
    await setPreorder({ shipsBatch: false })
    expect(await readNotes()).toEqual([])
    await setPreorder({ shipsBatch: true })
    expect(await readNotes()).toHaveLength(1)
    await setStudioPrice(0, 0)
    expect(await readNotes()).toEqual([])
    expect(await setPreorder({ freeShippingUntil: '2027-02-30' })).toMatchObject({
      status: 422,
      fields: { freeShippingUntil: [expect.any(String)] },
    })
  })
})
