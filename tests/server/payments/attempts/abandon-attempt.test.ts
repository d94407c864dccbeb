import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { newUuid } from '../../carts/cart-fixtures.ts'
import { checkoutDriver, pausing, readyToPay, unreliablePayment } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('abandoning a payment attempt on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (own: (deps: Deps) => Partial<Deps> = () => ({})) => {
    const time = manualClock()
    const plain = testDeps(database(), time)
    const deps = { ...plain, ...own(plain) }
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    const { till, checkoutId } = ready
    const path = (attemptId: string) => `checkout/${checkoutId}/attempts/${attemptId}`
    const outcome = (attemptId: string) => till.ask('GET', path(attemptId))
    const giveUp = (attemptId: string) => till.ask('DELETE', path(attemptId))
    return { deps, app, outcome, giveUp, path, ...ready }
  }
  const money = async ({ db }: Deps) => (await db.selectFrom('ledger').select('amount_cents').execute()).length

  it('an attempt is unfinished until its request arrives, and reading it charges nothing', async () => {
    const { deps, outcome, till, paying } = await begin()
    const body = paying()
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'unfinished', orderNumber: null })
    expect(await money(deps)).toBe(0)
    const { data } = await till.submit(body)
    const { orderNumber } = data as { orderNumber: string }
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'ordered', orderNumber })
    expect((await outcome(newUuid())).data).toEqual({ state: 'ordered', orderNumber })
  })

  it('a late request of an abandoned attempt never charges, and the next attempt pays', async () => {
    const line = unreliablePayment(testDeps(database()).payment)
    const { deps, giveUp, outcome, till, paying, totalCents } = await begin(() => ({ payment: line.payment }))
    const body = paying()
    for (let time = 0; time < 2; time += 1)
      expect((await giveUp(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    for (let time = 0; time < 2; time += 1) {
      const late = await till.submit(body)
      expect(late).toMatchObject({ status: 422, problem: 'payment-declined' })
      expect(late.errors).toEqual(['You chose not to pay this. Nothing was charged'])
    }
    expect([line.charges.length, await money(deps)]).toEqual([0, 0])
    expect(await till.cart()).toMatchObject({ state: 'open' })
    expect(await till.submit(paying())).toMatchObject({ status: 200 })
    expect(line.charges.map(({ amountCents }) => amountCents)).toEqual([totalCents])
  })

  it('an attempt abandoned while its request is priced never charges', async () => {
    const line = unreliablePayment(testDeps(database()).payment)
    const { deps, giveUp, shop, parent, till, paying } = await begin(() => ({ payment: line.payment }))
    const body = paying()
    let isGivenUp = false
    const db = pausing(deps.db, async (statement) => {
      if (isGivenUp || !statement.includes('from jobs j join studios s')) return
      isGivenUp = true
      await giveUp(body.attemptId)
    })
    const slow = checkoutDriver(await testApp({ ...deps, db }), shop, parent)
    expect(await slow.submit(body)).toMatchObject({ status: 409, problem: 'in-flight' })
    expect(isGivenUp).toBe(true)
    expect(await slow.submit(body)).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect([line.charges.length, await money(deps)]).toEqual([0, 0])
    expect(await till.cart()).toMatchObject({ state: 'open' })
  })

  it('abandoning an attempt that was charged returns its order', async () => {
    const line = unreliablePayment(testDeps(database()).payment)
    const { deps, giveUp, till, paying } = await begin(() => ({ payment: line.payment }))
    line.broken.charge = 'after'
    const body = paying()
    expect((await till.submit(body)).status).toBe(409)
    expect((await giveUp(body.attemptId)).data).toMatchObject({ state: 'ordered', orderNumber: expect.any(String) })
    expect(await money(deps)).toBe(1)
  })

  it('a submit and an abandonment at once lead to one order or to no charge', async () => {
    const line = unreliablePayment(testDeps(database()).payment)
    const { deps, giveUp, outcome, till, paying } = await begin(() => ({ payment: line.payment }))
    const body = paying()
    await Promise.all([till.submit(body), giveUp(body.attemptId)])
    const { data } = await outcome(body.attemptId)
    const { state } = data as { state: string }
    expect(['ordered', 'ended']).toContain(state)
    expect(await money(deps)).toBe(state === 'ordered' ? 1 : 0)
    const late = await till.submit(body)
    expect(late.status).toBe(state === 'ordered' ? 200 : 422)
  })

  it('abandoning ends the authentication, and a later answer charges nothing', async () => {
    const { deps, giveUp, outcome, till, paying } = await begin()
    const body = paying({ paymentToken: 'test_authenticate' })
    await till.submit(body)
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'unfinished', orderNumber: null })
    expect((await giveUp(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    expect((await till.submit({ ...body, authentication: 'confirmed' })).problem).toBe('payment-declined')
    expect(await money(deps)).toBe(0)
    expect(await till.cart()).toMatchObject({ state: 'open' })
  })

  it('an attempt stays charging while the provider is silent and becomes the order later', async () => {
    const line = unreliablePayment(testDeps(database()).payment)
    const { outcome, till, paying } = await begin(() => ({ payment: line.payment }))
    Object.assign(line.broken, { charge: 'after', find: true })
    const body = paying()
    await till.submit(body)
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'charging', orderNumber: null })
    line.broken.find = false
    expect((await outcome(body.attemptId)).data).toMatchObject({ state: 'ordered' })
  })

  it('another session cannot read or abandon an attempt', async () => {
    const { app, shop, till, paying, path } = await begin()
    const body = paying({ paymentToken: 'test_authenticate' })
    await till.submit(body)
    const stranger = checkoutDriver(app, shop, await shop.enter())
    expect((await stranger.ask('GET', path(body.attemptId))).problem).toBe('not-found')
    expect((await stranger.ask('DELETE', path(body.attemptId))).problem).toBe('not-found')
    // An unknown id is not reserved under another session's checkout.
    const next = newUuid()
    await stranger.ask('DELETE', path(next))
    expect((await till.submit({ ...body, authentication: 'confirmed' })).status).toBe(200)
  })
})
