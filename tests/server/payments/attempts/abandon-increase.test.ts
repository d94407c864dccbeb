import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { cartClient, newUuid } from '../../carts/cart-fixtures.ts'
import { checkoutDriver, pausing, readyToPay, unreliablePayment } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('abandoning the payment of an increase on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const plain = testDeps(database(), time)
    const { payment, broken, charges } = unreliablePayment(plain.payment)
    const deps: Deps = { ...plain, payment }
    const app = await testApp(deps)
    const { till, paying, ...ready } = await readyToPay(deps, app)
    const placed = paying()
    const { data } = await till.submit(placed)
    const { orderNumber } = data as { orderNumber: string }
    charges.length = 0
    const quantity = async () => (await till.order(orderNumber)).lines[0]?.quantity
    const packages = [{ lineId: (await till.order(orderNumber)).lines[0]?.lineId ?? 0, quantity: 3 }]
    const priced = await till.ask('POST', `orders/${orderNumber}/more/price`, { body: { packages } })
    const sent = (own: object = {}) => ({
      packages,
      attemptId: newUuid(),
      paymentToken: 'test_visa',
      chargeCents: priced.data.chargeCents as number,
      ...own,
    })
    const more = (body: object, phone: Pick<typeof till, 'ask'> = till) =>
      phone.ask('POST', `orders/${orderNumber}/more`, { body })
    const path = (attemptId: string) => `orders/${orderNumber}/attempts/${attemptId}`
    const outcome = (attemptId: string) => till.ask('GET', path(attemptId))
    const giveUp = (attemptId: string) => till.ask('DELETE', path(attemptId))
    return {
      deps,
      app,
      broken,
      charges,
      till,
      ...ready,
      placed,
      orderNumber,
      quantity,
      sent,
      more,
      path,
      outcome,
      giveUp,
    }
  }

  it('an attempt is unfinished until its request arrives, and reading it charges nothing', async () => {
    const { outcome, sent, more, charges, orderNumber, quantity } = await begin()
    const body = sent()
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'unfinished', orderNumber: null })
    expect([charges.length, await quantity()]).toEqual([0, 2])
    await more(body)
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'ordered', orderNumber })
    expect((await outcome(newUuid())).data).toEqual({ state: 'unfinished', orderNumber: null })
    expect([charges.length, await quantity()]).toEqual([1, 3])
  })

  it('a late request of an abandoned attempt never charges, and the next attempt pays', async () => {
    const { giveUp, outcome, sent, more, charges, quantity } = await begin()
    const body = sent()
    for (let time = 0; time < 2; time += 1)
      expect((await giveUp(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    for (let time = 0; time < 2; time += 1) {
      const late = await more(body)
      expect(late).toMatchObject({ status: 422, problem: 'payment-declined' })
      expect(late.errors).toEqual(['You chose not to pay this. Nothing was charged'])
    }
    expect([charges.length, await quantity()]).toEqual([0, 2])
    expect(await more(sent())).toMatchObject({ status: 200 })
    expect([charges.length, await quantity()]).toEqual([1, 3])
  })

  it('an attempt abandoned while its request begins never charges', async () => {
    const { deps, shop, parent, giveUp, sent, more, charges, quantity } = await begin()
    const body = sent()
    let isGivenUp = false
    const db = pausing(deps.db, async (statement) => {
      if (isGivenUp || !statement.includes('a.settled_at is null')) return
      isGivenUp = true
      await giveUp(body.attemptId)
    })
    const slow = checkoutDriver(await testApp({ ...deps, db }), shop, parent)
    expect(await more(body, slow)).toMatchObject({ status: 409, problem: 'in-flight' })
    expect(isGivenUp).toBe(true)
    expect(await more(body, slow)).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect([charges.length, await quantity()]).toEqual([0, 2])
  })

  it('abandoning an attempt that was charged reports it as paid', async () => {
    const { giveUp, sent, more, broken, orderNumber, quantity } = await begin()
    broken.charge = 'after'
    const body = sent()
    expect((await more(body)).status).toBe(409)
    expect((await giveUp(body.attemptId)).data).toEqual({ state: 'ordered', orderNumber })
    expect(await quantity()).toBe(3)
  })

  it('a request and an abandonment at once lead to one charge or none', async () => {
    const { giveUp, outcome, sent, more, charges, quantity } = await begin()
    const body = sent()
    await Promise.all([more(body), giveUp(body.attemptId)])
    const { state } = (await outcome(body.attemptId)).data as { state: string }
    expect(['ordered', 'ended']).toContain(state)
    expect([charges.length, await quantity()]).toEqual(state === 'ordered' ? [1, 3] : [0, 2])
    expect((await more(body)).status).toBe(state === 'ordered' ? 200 : 422)
  })

  it('abandoning ends the authentication, and a later answer charges nothing', async () => {
    const { giveUp, outcome, sent, more, quantity } = await begin()
    const body = sent({ paymentToken: 'test_authenticate' })
    await more(body)
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'unfinished', orderNumber: null })
    expect((await giveUp(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    expect((await more({ ...body, authentication: 'confirmed' })).problem).toBe('payment-declined')
    expect(await quantity()).toBe(2)
  })

  it('the response says what is refunded if the order changed meanwhile', async () => {
    const { deps, giveUp, outcome, sent, more, quantity } = await begin()
    const body = sent({ paymentToken: 'test_authenticate' })
    await more(body)
    await deps.db.updateTable('orders').set({ state: 'submitted' }).execute()
    await more({ ...body, authentication: 'confirmed' })
    for (const said of [await outcome(body.attemptId), await giveUp(body.attemptId)]) {
      expect(said).toMatchObject({ status: 422, problem: 'refused' })
      expect(said.errors[0]).toContain('Nothing was added, and $')
    }
    expect(await quantity()).toBe(2)
  })

  it('a session without a grant and calls of another kind cannot reach the attempt', async () => {
    const { app, shop, sent, more, path, placed, checkoutId, outcome, till } = await begin()
    const body = sent({ paymentToken: 'test_authenticate' })
    await more(body)
    const stranger = cartClient(app, shop, await shop.enter())
    const next = newUuid()
    for (const method of ['GET', 'DELETE'] as const)
      for (const id of [body.attemptId, next]) expect((await stranger.ask(method, path(id))).status).toBe(404)
    // The attempt of the order itself belongs to its checkout; this one only to the increase.
    expect((await outcome(placed.attemptId)).status).toBe(404)
    expect((await till.ask('DELETE', `checkout/${checkoutId}/attempts/${body.attemptId}`)).status).toBe(404)
    expect((await more({ ...body, authentication: 'confirmed' })).status).toBe(200)
  })
})
