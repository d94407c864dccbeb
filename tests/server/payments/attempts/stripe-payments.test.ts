import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { stripePayment } from '#server/payments/adapters/stripe/payment-stripe.ts'
import { stripeEvents } from '#server/payments/adapters/stripe/stripe-events.ts'
import { reconcilePayment, requeueStalledPayments } from '#server/payments/attempts/reconcile-payments.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { startFakeStripe } from '#support/stripe/fake-stripe.ts'
import { readyToPay } from '../checkout-driver.ts'

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
afterEach(() => {
  stripe.behaviour.fault = () => 'none'
})

describe.each(enginesFor(import.meta.filename))('paying with Stripe on $name', (engine) => {
  const database = freshDatabase(engine)
  let accounts = 0

  const setUp = async () => {
    const { jobs: enqueued, enqueue } = recordingQueue()
    const payment = stripePayment(stripe.settings)
    const paymentEvents = stripeEvents(stripe.settings)
    // The server uses the real time, as Stripe does.
    const deps = testDeps(database(), { payment, paymentEvents, jobs: { enqueue }, clock: () => new Date() })
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    accounts += 1
    const id = `acct_${engine.name.replace(/\W/g, '')}${accounts}`
    const account = stripe.open(id)
    const { studioId } = checkout.fixtures
    await deps.db
      .updateTable('studios')
      .set({ payment_account_id: id, platform_fee_basis_points: 500 })
      .where('id', '=', studioId)
      .execute()
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const eventsUrl = `${address}/api/payment-events`
    const eventOf = (type: string) => {
      const event = stripe.events.findLast((candidate) => candidate.type === type && candidate.account === id)
      if (!event) throw new Error(`there is no ${type}`)
      return event
    }
    const deliver = (type: string) => stripe.deliver(eventOf(type), eventsUrl)
    const runJobs = async () => {
      for (const { name, payload } of enqueued.splice(0)) {
        const key = payload as { studioId: number; attemptId: string; refundLedgerId: number } // as it was enqueued
        if (name === 'reconcile-payment') await reconcilePayment(deps, key)
        if (name === 'settle-refund') await settleRefund(deps, key)
      }
    }
    return { ...checkout, deps, app, account, id, enqueued, eventsUrl, eventOf, deliver, runJobs }
  }

  const readBooks = async ({ deps: { db }, account }: Awaited<ReturnType<typeof setUp>>) => ({
    charged: account.intents.flatMap(({ charge }) => (charge ? [charge.amount] : [])),
    ledger: (await db.selectFrom('ledger').select('amount_cents').where('kind', '=', 'charge').execute()).map(
      ({ amount_cents }) => amount_cents,
    ),
    orders: (await db.selectFrom('orders').select('total_cents').execute()).map(({ total_cents }) => total_cents),
  })

  it("the studio's account is charged once and the platform keeps its fee", async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, totalCents, deps } = stripeFixtures
    const body = submitBody({ paymentToken: account.token('pays') })
    const answers = await Promise.all([driver.submit(body), driver.submit(body)])
    expect(answers.map(({ status }) => status)).toContain(200)
    expect(await readBooks(stripeFixtures)).toEqual({
      charged: [totalCents],
      ledger: [totalCents],
      orders: [totalCents],
    })
    const [row] = await deps.db.selectFrom('ledger').select(['platform_fee_cents', 'account']).execute()
    expect(row).toEqual({ platform_fee_cents: Math.round(totalCents / 20), account: stripeFixtures.id })
    expect(account.intents[0]?.feeAmount).toBe(row?.platform_fee_cents)
  })

  it('the checkout contains the Stripe account that a card is for', async () => {
    const { driver, id } = await setUp()
    expect((await driver.request('GET', 'checkout')).data).toMatchObject({
      payment: { provider: 'stripe', publishableKey: 'pk_test_fieldproof', account: id },
    })
  })

  it('the customer authenticates, also after a reload, and the order is placed', async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, totalCents, id } = stripeFixtures
    const body = submitBody({ paymentToken: account.token('authenticates') })
    const requiresAction = {
      outcome: 'requires-action',
      action: {
        provider: 'stripe',
        clientSecret: expect.stringContaining('_secret_'),
        publishableKey: 'pk_test_fieldproof',
        account: id,
      },
    }
    expect((await driver.submit(body)).data).toMatchObject(requiresAction)
    expect((await driver.submit(body)).data).toMatchObject(requiresAction)
    account.bank(account.intents[0]?.id ?? '', 'confirmed')
    expect((await driver.submit({ ...body, authentication: 'confirmed' })).data).toMatchObject({ outcome: 'ordered' })
    expect(await readBooks(stripeFixtures)).toEqual({
      charged: [totalCents],
      ledger: [totalCents],
      orders: [totalCents],
    })
  })

  it("Stripe's event alone places the order if the customer leaves after authenticating", async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, totalCents, deliver, runJobs } = stripeFixtures
    await driver.submit(submitBody({ paymentToken: account.token('authenticates') }))
    account.bank(account.intents[0]?.id ?? '', 'confirmed')
    stripeFixtures.enqueued.length = 0
    expect(await deliver('payment_intent.succeeded')).toBe(200)
    await runJobs()
    expect(await readBooks(stripeFixtures)).toEqual({
      charged: [totalCents],
      ledger: [totalCents],
      orders: [totalCents],
    })
  })

  it('an event before the response and repeated events place one order', async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, totalCents, deliver, eventOf, eventsUrl, enqueued, runJobs, deps } =
      stripeFixtures
    // The card is charged, but the response is lost.
    stripe.behaviour.fault = ({ path }) => (path.endsWith('/confirm') ? 'after' : 'none')
    const body = submitBody({ paymentToken: account.token('pays') })
    expect((await driver.submit(body)).status).toBe(409)
    stripe.behaviour.fault = () => 'none'
    expect(await Promise.all([1, 2, 3].map(() => deliver('payment_intent.succeeded')))).toEqual([200, 200, 200])
    expect(await deps.db.selectFrom('payment_events').select('kind').execute()).toHaveLength(1)
    await runJobs()
    expect((await driver.submit(body)).data).toMatchObject({ outcome: 'ordered' })
    expect(await stripe.deliver({ ...eventOf('payment_intent.succeeded'), id: 'evt_late' }, eventsUrl)).toBe(200)
    expect(enqueued.filter(({ name }) => name === 'reconcile-payment')).toEqual([])
    expect(await readBooks(stripeFixtures)).toEqual({
      charged: [totalCents],
      ledger: [totalCents],
      orders: [totalCents],
    })
  })

  it('a declined card returns to the review with everything preserved', async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, totalCents } = stripeFixtures
    const refused = await driver.submit(submitBody({ paymentToken: account.token('insufficient') }))
    expect(refused).toMatchObject({
      status: 422,
      problem: 'payment-declined',
      errors: [expect.stringContaining('enough')],
    })
    expect(await driver.cart()).toMatchObject({ state: 'open' })
    expect((await driver.submit(submitBody({ paymentToken: account.token('pays') }))).status).toBe(200)
    expect(await readBooks(stripeFixtures)).toEqual({
      charged: [totalCents],
      ledger: [totalCents],
      orders: [totalCents],
    })
  })

  it('a cancelled order refunds the payment and the platform fee once the event confirms it', async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, totalCents, deps, deliver, runJobs } = stripeFixtures
    const answer = await driver.submit(submitBody({ paymentToken: account.token('pays') }))
    account.nextRefundStatus = 'pending'
    const { orderNumber } = answer.data as { orderNumber: string }
    stripeFixtures.enqueued.length = 0
    expect((await driver.request('POST', `orders/${orderNumber}/cancel`)).status).toBe(200)
    await expect(runJobs()).rejects.toThrow('under way')
    account.settleRefunds('succeeded')
    expect(await deliver('refund.updated')).toBe(200)
    await runJobs()
    const refunds = await deps.db
      .selectFrom('ledger')
      .select(['state', 'amount_cents', 'platform_fee_cents'])
      .where('kind', '=', 'refund')
      .execute()
    const platform_fee_cents = Math.round(totalCents / 20)
    expect(refunds).toEqual([{ state: 'done', amount_cents: totalCents, platform_fee_cents }])
    expect(account.refunds.map(({ amount }) => amount)).toEqual([totalCents])
    expect(account.intents[0]?.charge?.fee?.refunds.map(({ amount }) => amount)).toEqual([platform_fee_cents])
  })

  it('staff are notified of a refund that failed after it was done, and it is marked as failed', async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, deps, deliver, runJobs, totalCents } = stripeFixtures
    const answer = await driver.submit(submitBody({ paymentToken: account.token('pays') }))
    const { orderNumber } = answer.data as { orderNumber: string }
    await driver.request('POST', `orders/${orderNumber}/cancel`)
    await runJobs()
    const state = async () =>
      (await deps.db.selectFrom('ledger').select('state').where('kind', '=', 'refund').execute())[0]
    expect(await state()).toEqual({ state: 'done' })
    account.failRefund(account.refunds[0]?.metadata.refundId ?? '')
    await deliver('refund.failed')
    await runJobs()
    expect(await state()).toEqual({ state: 'failed' })
    const errors = await deps.db.selectFrom('order_errors').select(['stage', 'order_number', 'detail']).execute()
    expect(errors).toEqual([
      { stage: 'refund', order_number: orderNumber, detail: expect.objectContaining({ amountCents: totalCents }) },
    ])
  })

  it('staff are notified once of a payment for a declined attempt', async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, deps, fixtures, deliver, runJobs, totalCents } = stripeFixtures
    const body = submitBody({ paymentToken: account.token('declines') })
    await driver.submit(body)
    const [intent] = account.intents
    if (!intent) throw new Error('no intent was created')
    // Simulates a confirmation that should be impossible.
    account.confirm(intent.id, { confirmation_token: account.token('pays') })
    for (const _ of [1, 2]) {
      const event = { ...stripeFixtures.eventOf('payment_intent.succeeded'), id: `evt_${randomUUID()}` }
      await stripe.deliver(event, stripeFixtures.eventsUrl)
      await runJobs()
    }
    expect(await deps.db.selectFrom('orders').select('id').execute()).toEqual([])
    const errors = await deps.db.selectFrom('order_errors').select(['studio_id', 'stage', 'detail']).execute()
    expect(errors).toEqual([
      { studio_id: fixtures.studioId, stage: 'payment', detail: { about: body.attemptId, amountCents: totalCents } },
    ])
    expect(await deliver('payment_intent.succeeded')).toBe(200)
  })

  it('the cart is unlocked if Stripe revokes access to the account', async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, id } = stripeFixtures
    stripe.accounts.delete(id)
    const answer = await driver.submit(submitBody({ paymentToken: account.token('pays') }))
    expect(answer).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect(await driver.cart()).toMatchObject({ state: 'open' })
  })

  it('payments that are unsettled after a day are requeued every 36 hours and shown to staff once', async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, deps, enqueued, id } = stripeFixtures
    stripe.behaviour.fault = ({ path }) => (path.endsWith('/confirm') ? 'before' : 'none')
    const body = submitBody({ paymentToken: account.token('pays') })
    expect((await driver.submit(body)).status).toBe(409)
    stripe.accounts.delete(id)
    const startedAt = Date.now()
    const hour = 60 * 60 * 1000
    const requeueAfter = async (hours: number) => {
      await requeueStalledPayments({ ...deps, clock: () => new Date(startedAt + hours * hour) })
      return enqueued.map(({ name }) => name)
    }
    enqueued.length = 0
    await requeueAfter(25)
    expect(await requeueAfter(25)).toEqual(['reconcile-payment'])
    expect(await requeueAfter(25 + 36)).toEqual(['reconcile-payment', 'reconcile-payment'])
    const errors = await deps.db.selectFrom('order_errors').select('detail').execute()
    expect(errors).toEqual([{ detail: expect.objectContaining({ about: body.attemptId }) }])
  })

  it('the next request charges the card after a short outage of Stripe', async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, totalCents, deps } = stripeFixtures
    stripe.behaviour.fault = ({ method }) => (method === 'POST' ? 'before' : 'none')
    const body = submitBody({ paymentToken: account.token('pays') })
    expect((await driver.submit(body)).status).toBe(409)
    stripe.behaviour.fault = () => 'none'
    await deps.db
      .updateTable('payment_attempts')
      .set({ created_at: new Date(Date.now() - 6_000) })
      .execute()
    expect((await driver.submit(body)).data).toMatchObject({ outcome: 'ordered' })
    expect(await readBooks(stripeFixtures)).toEqual({
      charged: [totalCents],
      ledger: [totalCents],
      orders: [totalCents],
    })
  })

  it('a studio without a payment account charges nothing', async () => {
    const stripeFixtures = await setUp()
    const { driver, submitBody, account, deps, fixtures } = stripeFixtures
    await deps.db.updateTable('studios').set({ payment_account_id: null }).where('id', '=', fixtures.studioId).execute()
    const answer = await driver.submit(submitBody({ paymentToken: account.token('pays') }))
    expect(answer).toMatchObject({ status: 422, errors: [expect.stringContaining('does not take cards yet')] })
    expect(await readBooks(stripeFixtures)).toEqual({ charged: [], ledger: [], orders: [] })
  })

  it('unsigned events and events of unknown accounts or attempts have no effect', async () => {
    const { app, deps, enqueued, account, eventsUrl, eventOf } = await setUp()
    const post = (headers: Record<string, string>, body = '{}') =>
      app.inject({
        ...{ method: 'POST', url: '/api/payment-events', body },
        headers: { 'content-type': 'application/json', ...headers },
      })
    expect((await post({})).statusCode).toBe(400)
    expect((await post({ 'stripe-signature': 't=1,v1=ab' })).statusCode).toBe(400)
    expect((await post({ 'stripe-signature': 't=1,v1=ab', 'content-type': 'text/plain' })).statusCode).toBe(415)
    account.create({ amount: '100', currency: 'usd', metadata: { attemptId: 'none of ours' } })
    account.cancel(account.intents[0]?.id ?? '', {})
    enqueued.length = 0
    const event = eventOf('payment_intent.canceled')
    expect(await stripe.deliver(event, eventsUrl)).toBe(200)
    expect(await stripe.deliver({ ...event, id: 'evt_2', account: 'acct_unknown' }, eventsUrl)).toBe(200)
    expect(enqueued).toEqual([])
    expect(await deps.db.selectFrom('orders').select('id').execute()).toEqual([])
  })
})
