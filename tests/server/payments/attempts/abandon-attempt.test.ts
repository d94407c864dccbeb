import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { checkoutDriver, readyToPay, unreliablePayment, withPauses } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('abandoning a payment attempt on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (overrides: (deps: Deps) => Partial<Deps> = () => ({})) => {
    const time = manualClock()
    const defaultDeps = testDeps(database(), time)
    const deps = { ...defaultDeps, ...overrides(defaultDeps) }
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { driver, checkoutId } = checkout
    const path = (attemptId: string) => `checkout/${checkoutId}/attempts/${attemptId}`
    const outcome = (attemptId: string) => driver.request('GET', path(attemptId))
    const abandon = (attemptId: string) => driver.request('DELETE', path(attemptId))
    return { deps, app, outcome, abandon, path, ...checkout }
  }
  const countLedgerRows = async ({ db }: Deps) =>
    (await db.selectFrom('ledger').select('amount_cents').execute()).length

  it('an attempt is unfinished until its request arrives, and reading it charges nothing', async () => {
    const { deps, outcome, driver, submitBody } = await setUp()
    const body = submitBody()
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'unfinished', orderNumber: null })
    expect(await countLedgerRows(deps)).toBe(0)
    const { data } = await driver.submit(body)
    const { orderNumber } = data as { orderNumber: string }
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'ordered', orderNumber })
    expect((await outcome(newUuid())).data).toEqual({ state: 'ordered', orderNumber })
  })

  it('a late request of an abandoned attempt never charges, and the next attempt pays', async () => {
    const connection = unreliablePayment(testDeps(database()).payment)
    const { deps, abandon, outcome, driver, submitBody, totalCents } = await setUp(() => ({
      payment: connection.payment,
    }))
    const body = submitBody()
    for (let n = 0; n < 2; n += 1)
      expect((await abandon(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    for (let n = 0; n < 2; n += 1) {
      const lateAnswer = await driver.submit(body)
      expect(lateAnswer).toMatchObject({ status: 422, problem: 'payment-declined' })
      expect(lateAnswer.errors).toEqual(['You chose not to pay this. You weren’t charged'])
    }
    expect([connection.charges.length, await countLedgerRows(deps)]).toEqual([0, 0])
    expect(await driver.cart()).toMatchObject({ state: 'open' })
    expect(await driver.submit(submitBody())).toMatchObject({ status: 200 })
    expect(connection.charges.map(({ amountCents }) => amountCents)).toEqual([totalCents])
  })

  it('an attempt abandoned while its request is priced never charges', async () => {
    const connection = unreliablePayment(testDeps(database()).payment)
    const { deps, abandon, fixtures, session, driver, submitBody } = await setUp(() => ({
      payment: connection.payment,
    }))
    const body = submitBody()
    let isAbandoned = false
    const db = withPauses(deps.db, async (statement) => {
      if (isAbandoned || !statement.includes('from jobs j join studios s')) return
      isAbandoned = true
      await abandon(body.attemptId)
    })
    const slowDriver = checkoutDriver(await testApp({ ...deps, db }), fixtures, session)
    expect(await slowDriver.submit(body)).toMatchObject({ status: 409, problem: 'in-flight' })
    expect(isAbandoned).toBe(true)
    expect(await slowDriver.submit(body)).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect([connection.charges.length, await countLedgerRows(deps)]).toEqual([0, 0])
    expect(await driver.cart()).toMatchObject({ state: 'open' })
  })

  it('abandoning an attempt that was charged returns its order', async () => {
    const connection = unreliablePayment(testDeps(database()).payment)
    const { deps, abandon, driver, submitBody } = await setUp(() => ({ payment: connection.payment }))
    connection.broken.charge = 'after'
    const body = submitBody()
    expect((await driver.submit(body)).status).toBe(409)
    expect((await abandon(body.attemptId)).data).toMatchObject({ state: 'ordered', orderNumber: expect.any(String) })
    expect(await countLedgerRows(deps)).toBe(1)
  })

  it('a concurrent submission and abandonment lead to one order or to no charge', async () => {
    const connection = unreliablePayment(testDeps(database()).payment)
    const { deps, abandon, outcome, driver, submitBody } = await setUp(() => ({ payment: connection.payment }))
    const body = submitBody()
    await Promise.all([driver.submit(body), abandon(body.attemptId)])
    const { data } = await outcome(body.attemptId)
    const { state } = data as { state: string }
    expect(['ordered', 'ended']).toContain(state)
    expect(await countLedgerRows(deps)).toBe(state === 'ordered' ? 1 : 0)
    const lateAnswer = await driver.submit(body)
    expect(lateAnswer.status).toBe(state === 'ordered' ? 200 : 422)
  })

  it('abandoning ends the authentication, and a later answer charges nothing', async () => {
    const { deps, abandon, outcome, driver, submitBody } = await setUp()
    const body = submitBody({ paymentToken: 'test_authenticate' })
    await driver.submit(body)
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'unfinished', orderNumber: null })
    expect((await abandon(body.attemptId)).data).toEqual({ state: 'ended', orderNumber: null })
    expect((await driver.submit({ ...body, authentication: 'confirmed' })).problem).toBe('payment-declined')
    expect(await countLedgerRows(deps)).toBe(0)
    expect(await driver.cart()).toMatchObject({ state: 'open' })
  })

  it('an attempt stays charging while the provider is silent and becomes the order later', async () => {
    const connection = unreliablePayment(testDeps(database()).payment)
    const { outcome, driver, submitBody } = await setUp(() => ({ payment: connection.payment }))
    Object.assign(connection.broken, { charge: 'after', find: true })
    const body = submitBody()
    await driver.submit(body)
    expect((await outcome(body.attemptId)).data).toEqual({ state: 'charging', orderNumber: null })
    connection.broken.find = false
    expect((await outcome(body.attemptId)).data).toMatchObject({ state: 'ordered' })
  })

  it('another session cannot read or abandon an attempt', async () => {
    const { app, fixtures, driver, submitBody, path } = await setUp()
    const body = submitBody({ paymentToken: 'test_authenticate' })
    await driver.submit(body)
    const stranger = checkoutDriver(app, fixtures, await fixtures.enter())
    expect((await stranger.request('GET', path(body.attemptId))).problem).toBe('not-found')
    expect((await stranger.request('DELETE', path(body.attemptId))).problem).toBe('not-found')
    // An unknown id is not reserved under another session's checkout.
    const unknownId = newUuid()
    await stranger.request('DELETE', path(unknownId))
    expect((await driver.submit({ ...body, authentication: 'confirmed' })).status).toBe(200)
  })
})
