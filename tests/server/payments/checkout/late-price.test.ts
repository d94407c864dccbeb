import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { entryForm } from '#tests/server/orders/entry/entry-form-fixtures.ts'
import { readyToPay } from '../checkout-driver.ts'

/** The last day to order is over at midnight in Los Angeles. */
const lastDay = '2027-04-15'
const endOfLastDay = '2027-04-16T07:00:00.000Z'

describe.each(enginesFor(import.meta.filename))('late prices on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { fixtures, driver } = checkout
    const { studioId, jobId } = fixtures
    await deps.db.updateTable('studios').set({ time_zone: 'America/Los_Angeles' }).execute()
    await given(deps).feature(studioId, 'orderEntry')
    const { staffRequest } = await staffClient(deps, app, studioId, { jobId })
    const goTo = (instant: string) => time.advance(Date.parse(instant) - time.clock().getTime())
    const setGeneral = (body: object) => staffRequest('PATCH', 'settings/general', body)
    const readNotes = async () => (await driver.request('GET', '')).data.orderNotes as string[]
    const pay = (totalCents: number) =>
      driver.submit({ checkoutId: checkout.checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents })
    return { ...checkout, deps, studioId, staffRequest, goTo, setGeneral, readNotes, pay }
  }

  it('after the last day to order, in the studio’s time zone, a percentage is added, and parents read it before and after', async () => {
    const { driver, goTo, setGeneral, readNotes, pay } = await setUp()
    expect(await setGeneral({ orderBy: lastDay, lateBasisPoints: 1000 })).toMatchObject({
      data: { general: { orderBy: lastDay, lateBasisPoints: 1000, lateCents: null } },
    })
    const inTime = await driver.totals()
    expect(inTime).toMatchObject({ packagesCents: 5000, lateFeeCents: 0, totalCents: 5000 + 795 + 409 })
    expect(await readNotes()).toEqual(['Prices go up 10% after 04/15/2027'])
    goTo('2027-04-16T06:59:59.999Z')
    expect(await driver.totals()).toEqual(inTime)
    goTo(endOfLastDay)
    const late = await driver.totals()
    // 7.25 % tax on 55 dollars, and 5.75 % on shipping.
    expect(late).toMatchObject({
      packagesCents: 5000,
      lateFeeCents: 500,
      taxCents: 399 + 46,
      totalCents: 5500 + 795 + 445,
    })
    expect(await readNotes()).toEqual(['Late price: 10% is added to your order at checkout'])
    expect(await pay(inTime.totalCents)).toMatchObject({ problem: 'totals-changed' })
    const { data } = await pay(late.totalCents)
    const order = await driver.order(data.orderNumber)
    expect(order.totals).toEqual(late)
    const body = { packages: [{ lineId: order.lines[0]?.lineId, quantity: 1 }] }
    const { data: quote } = await driver.request('POST', `orders/${data.orderNumber}/fewer/price`, { body })
    expect(quote.totals).toMatchObject({ packagesCents: 2500, lateFeeCents: 250 })
  })

  it('an amount is added to each order, and stays when the order is reduced by the terms of its sale', async () => {
    const { deps, driver, goTo, setGeneral, pay } = await setUp()
    await setGeneral({ orderBy: lastDay, lateCents: 750 })
    goTo(endOfLastDay)
    const late = await driver.totals()
    expect(late.lateFeeCents).toBe(750)
    const { data } = await pay(late.totalCents)
    const { lines } = await driver.order(data.orderNumber)
    await setGeneral({ lateCents: 900 })
    const packages = [{ lineId: lines[0]?.lineId, quantity: 1 }]
    const { data: quote } = await driver.request('POST', `orders/${data.orderNumber}/fewer/price`, {
      body: { packages },
    })
    expect(quote.totals).toMatchObject({ packagesCents: 2500, lateFeeCents: 750 })
    const body = { packages, refundCents: quote.refundCents }
    expect((await driver.request('POST', `orders/${data.orderNumber}/fewer`, { body })).status).toBe(200)
    expect((await driver.order(data.orderNumber)).totals).toEqual(quote.totals)
    const ledger = await deps.db.selectFrom('ledger').select(['kind', 'amount_cents']).orderBy('id').execute()
    expect(ledger).toEqual([
      { kind: 'charge', amount_cents: late.totalCents },
      { kind: 'refund', amount_cents: late.totalCents - quote.totals.totalCents },
    ])
  })

  it('an order in time stays without a late price when it is changed later', async () => {
    const { driver, goTo, setGeneral, pay } = await setUp()
    await setGeneral({ orderBy: lastDay, lateBasisPoints: 1000 })
    const { data } = await pay((await driver.totals()).totalCents)
    goTo(endOfLastDay)
    const lineId = (await driver.order(data.orderNumber)).lines[0]?.lineId
    const priceOf = async (call: string, quantity: number) =>
      (
        await driver.request('POST', `orders/${data.orderNumber}/${call}/price`, {
          body: { packages: [{ lineId, quantity }] },
        })
      ).data
    expect((await priceOf('fewer', 1)).totals).toMatchObject({ packagesCents: 2500, lateFeeCents: 0 })
    expect((await priceOf('more', 3)).totals).toMatchObject({ packagesCents: 7500, lateFeeCents: 0 })
  })

  it('without a late price, ordering ends with the last day; with one, it goes on until the gallery ends', async () => {
    const { driver, goTo, setGeneral } = await setUp()
    const isOpen = async () =>
      (await driver.request('GET', 'availability')).data.gallery as { available: boolean; closes: string | null }
    await setGeneral({ orderBy: lastDay })
    expect(await isOpen()).toMatchObject({ available: true, closes: endOfLastDay })
    await setGeneral({ lateBasisPoints: 1000 })
    expect(await isOpen()).toMatchObject({ available: true, closes: null })
    goTo(endOfLastDay)
    expect(await isOpen()).toMatchObject({ available: true })
    await setGeneral({ lateBasisPoints: null })
    expect(await isOpen()).toMatchObject({ available: false })
  })

  it('a paper order that staff enter has no late price', async () => {
    const { fixtures, offeredPackage, staffRequest, goTo, setGeneral } = await setUp()
    await setGeneral({ orderBy: lastDay, lateCents: 750 })
    goTo(endOfLastDay)
    const draft = entryForm({ offeredPackage, subjectId: fixtures.adaId, imageId: fixtures.adaImageId })
    expect((await staffRequest('POST', 'entry/totals', draft)).data.totals).toMatchObject({ lateFeeCents: 0 })
  })

  it('a late price needs a last day to order, and is a percentage or an amount', async () => {
    const { setGeneral } = await setUp()
    const errorsOf = async (body: object) => (await setGeneral(body)).fields
    expect(await errorsOf({ lateCents: 500 })).toEqual({
      orderBy: ['Choose the last day to order at the usual prices'],
    })
    expect(await errorsOf({ orderBy: lastDay, lateBasisPoints: 10_001 })).toEqual({
      lateBasisPoints: ['Enter a percentage from 0.01 to 100, with at most two decimals'],
    })
    expect(await errorsOf({ orderBy: lastDay, lateCents: 0 })).toEqual({
      lateCents: ['Enter an amount from $0.01 to $999,999.99'],
    })
    expect((await setGeneral({ orderBy: lastDay, lateCents: 500 })).status).toBe(200)
    expect(await errorsOf({ lateBasisPoints: 1000 })).toEqual({
      lateCents: ['Choose a percentage or an amount, not both'],
    })
    expect(await errorsOf({ orderBy: null })).toEqual({ orderBy: ['Choose the last day to order at the usual prices'] })
  })
})
