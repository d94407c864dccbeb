import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { cartClient, newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { checkoutDriver, readyToPay, unreliablePayment, withPauses } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('abandoning the payment of an increase on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const defaultDeps = testDeps(database(), time)
    const { payment, broken, charges } = unreliablePayment(defaultDeps.payment)
    const deps: Deps = { ...defaultDeps, payment }
    const app = await testApp(deps)
    const { driver, submitBody, ...checkout } = await readyToPay(deps, app)
    const placedBody = submitBody()
    const { data } = await driver.submit(placedBody)
    const { orderNumber } = data as { orderNumber: string }
    charges.length = 0
    const readQuantity = async () => (await driver.order(orderNumber)).lines[0]?.quantity
    const packages = [{ lineId: (await driver.order(orderNumber)).lines[0]?.lineId ?? 0, quantity: 3 }]
    const quote = await driver.request('POST', `orders/${orderNumber}/more/price`, { body: { packages } })
    const increaseBody = (overrides: object = {}) => ({
      packages,
      attemptId: newUuid(),
      paymentToken: 'test_visa',
      chargeCents: quote.data.chargeCents as number,
      ...overrides,
    })
    const increase = (body: object, client: Pick<typeof driver, 'request'> = driver) =>
      client.request('POST', `orders/${orderNumber}/more`, { body })
    const path = (attemptId: string) => `orders/${orderNumber}/attempts/${attemptId}`
    const outcome = (attemptId: string) => driver.request('GET', path(attemptId))
    const abandon = (attemptId: string) => driver.request('DELETE', path(attemptId))
    return {
      deps,
      app,
      broken,
      charges,
      driver,
      ...checkout,
      placedBody,
      orderNumber,
      readQuantity,
      increaseBody,
      increase,
      path,
      outcome,
      abandon,
    }
  }

  it('an attempt is unfinished until its request arrives, and reading it charges nothing', async () => {
    const { outcome, increaseBody, increase, charges, orderNumber, readQuantity } = await setUp()
    const body = increaseBody()
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'unfinished', orderNumber: null })
    expect([charges.length, await readQuantity()]).toEqual([0, 2])
    await increase(body)
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'ordered', orderNumber })
    expect((await outcome(newUuid())).data).toEqual({ state: 'unfinished', orderNumber: null })
    expect([charges.length, await readQuantity()]).toEqual([1, 3])
  })

  it('a late request of an abandoned attempt never charges, and the next attempt pays', async () => {
    const { abandon, outcome, increaseBody, increase, charges, readQuantity } = await setUp()
    const body = increaseBody()
    for (let n = 0; n < 2; n += 1)
      expect((await abandon(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    for (let n = 0; n < 2; n += 1) {
      const lateAnswer = await increase(body)
      expect(lateAnswer).toMatchObject({ status: 422, problem: 'payment-declined' })
      expect(lateAnswer.errors).toEqual(['You chose not to pay this. You weren’t charged'])
    }
    expect([charges.length, await readQuantity()]).toEqual([0, 2])
    expect(await increase(increaseBody())).toMatchObject({ status: 200 })
    expect([charges.length, await readQuantity()]).toEqual([1, 3])
  })

  it('an attempt abandoned while its request begins never charges', async () => {
    const { deps, fixtures, session, abandon, increaseBody, increase, charges, readQuantity } = await setUp()
    const body = increaseBody()
    let isAbandoned = false
    const db = withPauses(deps.db, async (statement) => {
      if (isAbandoned || !statement.includes('a.settled_at is null')) return
      isAbandoned = true
      await abandon(body.attemptId)
    })
    const slowDriver = checkoutDriver(await testApp({ ...deps, db }), fixtures, session)
    expect(await increase(body, slowDriver)).toMatchObject({ status: 409, problem: 'in-flight' })
    expect(isAbandoned).toBe(true)
    expect(await increase(body, slowDriver)).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect([charges.length, await readQuantity()]).toEqual([0, 2])
  })

  it('abandoning an attempt that was charged reports it as paid', async () => {
    const { abandon, increaseBody, increase, broken, orderNumber, readQuantity } = await setUp()
    broken.charge = 'after'
    const body = increaseBody()
    expect((await increase(body)).status).toBe(409)
    expect((await abandon(body.attemptId)).data).toEqual({ state: 'ordered', orderNumber })
    expect(await readQuantity()).toBe(3)
  })

  it('a concurrent request and abandonment lead to one charge or to none', async () => {
    const { abandon, outcome, increaseBody, increase, charges, readQuantity } = await setUp()
    const body = increaseBody()
    await Promise.all([increase(body), abandon(body.attemptId)])
    const { state } = (await outcome(body.attemptId)).data as { state: string }
    expect(['ordered', 'ended']).toContain(state)
    expect([charges.length, await readQuantity()]).toEqual(state === 'ordered' ? [1, 3] : [0, 2])
    expect((await increase(body)).status).toBe(state === 'ordered' ? 200 : 422)
  })

  it('abandoning ends the authentication, and a later answer charges nothing', async () => {
    const { abandon, outcome, increaseBody, increase, readQuantity } = await setUp()
    const body = increaseBody({ paymentToken: 'test_authenticate' })
    await increase(body)
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'unfinished', orderNumber: null })
    expect((await abandon(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    expect((await increase({ ...body, authentication: 'confirmed' })).problem).toBe('payment-declined')
    expect(await readQuantity()).toBe(2)
  })

  it('the response says what is refunded if the order changed meanwhile', async () => {
    const { deps, abandon, outcome, increaseBody, increase, readQuantity } = await setUp()
    const body = increaseBody({ paymentToken: 'test_authenticate' })
    await increase(body)
    await deps.db.updateTable('orders').set({ state: 'submitted' }).execute()
    await increase({ ...body, authentication: 'confirmed' })
    for (const answer of [await outcome(body.attemptId), await abandon(body.attemptId)]) {
      expect(answer).toMatchObject({ status: 422, problem: 'refused' })
      expect(answer.errors[0]).toContain('Nothing was added, and $')
    }
    expect(await readQuantity()).toBe(2)
  })

  it('a session without a grant and calls of another kind cannot reach the attempt', async () => {
    const { app, fixtures, increaseBody, increase, path, placedBody, checkoutId, outcome, driver } = await setUp()
    const body = increaseBody({ paymentToken: 'test_authenticate' })
    await increase(body)
    const stranger = cartClient(app, fixtures, await fixtures.enter())
    const unknownId = newUuid()
    for (const method of ['GET', 'DELETE'] as const)
      for (const id of [body.attemptId, unknownId]) expect((await stranger.request(method, path(id))).status).toBe(404)
    // The attempt of the order itself belongs to its checkout; this one only to the increase.
    expect((await outcome(placedBody.attemptId)).status).toBe(404)
    expect((await driver.request('DELETE', `checkout/${checkoutId}/attempts/${body.attemptId}`)).status).toBe(404)
    expect((await increase({ ...body, authentication: 'confirmed' })).status).toBe(200)
  })
})
