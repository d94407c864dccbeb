import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { stripePayment } from '#server/payments/adapters/payment-stripe.ts'
import { stripeEvents } from '#server/payments/adapters/stripe-events.ts'
import { reconcilePayment, requeueStalledPayments } from '#server/payments/attempts/reconcile-payments.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { queues } from '#server/queue/queues.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { startFakeStripe } from '#support/stripe/fake-stripe.ts'
import { readyToPay } from '../checkout-driver.ts'

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
afterEach(() => {
  stripe.ways.fault = () => 'none'
})

type Enqueued = { name: string; payload: object }

describe.each(enginesFor(import.meta.filename))('paying with Stripe on $name', (engine) => {
  const database = freshDatabase(engine)
  let accounts = 0

  const begin = async () => {
    const enqueued: Enqueued[] = []
    const jobs: Pick<BackgroundJobs<typeof queues>, 'enqueue'> = {
      enqueue: async (_tx, name, payload) => void enqueued.push({ name, payload }),
    }
    const payment = stripePayment(stripe.settings)
    // Stripe has its own clock.
    const paymentEvents = stripeEvents(stripe.settings)
    const deps = testDeps(database(), { payment, paymentEvents, jobs, clock: () => new Date() })
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    accounts += 1
    const id = `acct_${engine.name.replace(/\W/g, '')}${accounts}`
    const account = stripe.open(id)
    const { studioId } = ready.shop
    await deps.db
      .updateTable('studios')
      .set({ stripe_account_id: id, commission_basis_points: 500 })
      .where('id', '=', studioId)
      .execute()
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const eventsUrl = `${address}/api/payment-events`
    const eventOf = (type: string) => {
      const event = stripe.events.findLast((one) => one.type === type && one.account === id)
      if (!event) throw new Error(`there is no ${type}`)
      return event
    }
    const deliver = (type: string) => stripe.deliver(eventOf(type), eventsUrl)
    const work = async () => {
      for (const { name, payload } of enqueued.splice(0)) {
        const key = payload as { studioId: number; attemptId: string; refundRow: number } // as it was enqueued
        if (name === 'reconcile-payment') await reconcilePayment(deps, key)
        if (name === 'settle-refund') await settleRefund(deps, key)
      }
    }
    return { ...ready, deps, app, account, id, enqueued, eventsUrl, eventOf, deliver, work }
  }

  const books = async ({ deps: { db }, account }: Awaited<ReturnType<typeof begin>>) => ({
    charged: account.intents.flatMap(({ charge }) => (charge ? [charge.amount] : [])),
    ledger: (await db.selectFrom('ledger').select('amount_cents').where('kind', '=', 'charge').execute()).map(
      ({ amount_cents }) => amount_cents,
    ),
    orders: (await db.selectFrom('orders').select('total_cents').execute()).map(({ total_cents }) => total_cents),
  })

  it("the studio's account is charged once and the platform keeps its commission", async () => {
    const all = await begin()
    const { till, paying, account, totalCents, deps } = all
    const body = paying({ paymentToken: account.token('pays') })
    const answers = await Promise.all([till.submit(body), till.submit(body)])
    expect(answers.map(({ status }) => status)).toContain(200)
    expect(await books(all)).toEqual({ charged: [totalCents], ledger: [totalCents], orders: [totalCents] })
    const [row] = await deps.db.selectFrom('ledger').select(['commission_cents', 'account']).execute()
    expect(row).toEqual({ commission_cents: Math.round(totalCents / 20), account: all.id })
    expect(account.intents[0]?.feeAmount).toBe(row?.commission_cents)
  })

  it('the browser learns which account a card is for', async () => {
    const { till, id } = await begin()
    expect((await till.ask('GET', 'checkout')).data).toMatchObject({
      payment: { provider: 'stripe', publishableKey: 'pk_test_fieldproof', account: id },
    })
  })

  it('the customer authenticates, also after a reload, and the order is placed', async () => {
    const all = await begin()
    const { till, paying, account, totalCents, id } = all
    const body = paying({ paymentToken: account.token('authenticates') })
    const asked = {
      outcome: 'requires-action',
      action: { clientSecret: expect.stringContaining('_secret_'), publishableKey: 'pk_test_fieldproof', account: id },
    }
    expect((await till.submit(body)).data).toMatchObject(asked)
    expect((await till.submit(body)).data).toMatchObject(asked)
    account.bank(account.intents[0]?.id ?? '', 'confirmed')
    expect((await till.submit({ ...body, authentication: 'confirmed' })).data).toMatchObject({ outcome: 'ordered' })
    expect(await books(all)).toEqual({ charged: [totalCents], ledger: [totalCents], orders: [totalCents] })
  })

  it("Stripe's event alone places the order if the customer leaves after authenticating", async () => {
    const all = await begin()
    const { till, paying, account, totalCents, deliver, work } = all
    await till.submit(paying({ paymentToken: account.token('authenticates') }))
    account.bank(account.intents[0]?.id ?? '', 'confirmed')
    all.enqueued.length = 0
    expect(await deliver('payment_intent.succeeded')).toBe(200)
    await work()
    expect(await books(all)).toEqual({ charged: [totalCents], ledger: [totalCents], orders: [totalCents] })
  })

  it('an event before the response and repeated events place one order', async () => {
    const all = await begin()
    const { till, paying, account, totalCents, deliver, eventOf, eventsUrl, enqueued, work, deps } = all
    // The card is charged, but the response is lost.
    stripe.ways.fault = ({ path }) => (path.endsWith('/confirm') ? 'after' : 'none')
    const body = paying({ paymentToken: account.token('pays') })
    expect((await till.submit(body)).status).toBe(409)
    stripe.ways.fault = () => 'none'
    expect(await Promise.all([1, 2, 3].map(() => deliver('payment_intent.succeeded')))).toEqual([200, 200, 200])
    expect(await deps.db.selectFrom('payment_events').select('kind').execute()).toHaveLength(1)
    await work()
    expect((await till.submit(body)).data).toMatchObject({ outcome: 'ordered' })
    expect(await stripe.deliver({ ...eventOf('payment_intent.succeeded'), id: 'evt_late' }, eventsUrl)).toBe(200)
    expect(enqueued.filter(({ name }) => name === 'reconcile-payment')).toEqual([])
    expect(await books(all)).toEqual({ charged: [totalCents], ledger: [totalCents], orders: [totalCents] })
  })

  it('a declined card returns to the review with everything preserved', async () => {
    const all = await begin()
    const { till, paying, account, totalCents } = all
    const refused = await till.submit(paying({ paymentToken: account.token('insufficient') }))
    expect(refused).toMatchObject({
      status: 422,
      problem: 'payment-declined',
      errors: [expect.stringContaining('enough')],
    })
    expect(await till.cart()).toMatchObject({ state: 'open' })
    expect((await till.submit(paying({ paymentToken: account.token('pays') }))).status).toBe(200)
    expect(await books(all)).toEqual({ charged: [totalCents], ledger: [totalCents], orders: [totalCents] })
  })

  it('a cancelled order refunds the payment and the commission once the event confirms it', async () => {
    const all = await begin()
    const { till, paying, account, totalCents, deps, deliver, work } = all
    const answer = await till.submit(paying({ paymentToken: account.token('pays') }))
    account.refundsAre = 'pending'
    const { orderNumber } = answer.data as { orderNumber: string }
    all.enqueued.length = 0
    expect((await till.ask('POST', `orders/${orderNumber}/cancel`)).status).toBe(200)
    await expect(work()).rejects.toThrow('under way')
    account.settleRefunds('succeeded')
    expect(await deliver('refund.updated')).toBe(200)
    await work()
    const refunds = await deps.db
      .selectFrom('ledger')
      .select(['state', 'amount_cents', 'commission_cents'])
      .where('kind', '=', 'refund')
      .execute()
    const commission_cents = Math.round(totalCents / 20)
    expect(refunds).toEqual([{ state: 'done', amount_cents: totalCents, commission_cents }])
    expect(account.refunds.map(({ amount }) => amount)).toEqual([totalCents])
    expect(account.intents[0]?.charge?.fee?.refunds.map(({ amount }) => amount)).toEqual([commission_cents])
  })

  it('staff are notified of a refund that failed days later, and it is owed again', async () => {
    const all = await begin()
    const { till, paying, account, deps, deliver, work, totalCents } = all
    const answer = await till.submit(paying({ paymentToken: account.token('pays') }))
    const { orderNumber } = answer.data as { orderNumber: string }
    await till.ask('POST', `orders/${orderNumber}/cancel`)
    await work()
    const state = async () =>
      (await deps.db.selectFrom('ledger').select('state').where('kind', '=', 'refund').execute())[0]
    expect(await state()).toEqual({ state: 'done' })
    account.failRefund(account.refunds[0]?.metadata.refundId ?? '')
    await deliver('refund.failed')
    await work()
    expect(await state()).toEqual({ state: 'failed' })
    const errors = await deps.db.selectFrom('order_errors').select(['stage', 'order_number', 'detail']).execute()
    expect(errors).toEqual([
      { stage: 'refund', order_number: orderNumber, detail: expect.objectContaining({ amountCents: totalCents }) },
    ])
  })

  it('staff are notified once of a payment for an abandoned attempt', async () => {
    const all = await begin()
    const { till, paying, account, deps, shop, deliver, work, totalCents } = all
    const body = paying({ paymentToken: account.token('declines') })
    await till.submit(body)
    const [intent] = account.intents
    if (!intent) throw new Error('nothing was asked')
    // Simulates a confirmation that should be impossible.
    account.confirm(intent.id, { confirmation_token: account.token('pays') })
    for (const _ of [1, 2]) {
      const event = { ...all.eventOf('payment_intent.succeeded'), id: `evt_${randomUUID()}` }
      await stripe.deliver(event, all.eventsUrl)
      await work()
    }
    expect(await deps.db.selectFrom('orders').select('id').execute()).toEqual([])
    const errors = await deps.db.selectFrom('order_errors').select(['studio_id', 'stage', 'detail']).execute()
    expect(errors).toEqual([
      { studio_id: shop.studioId, stage: 'payment', detail: { about: body.attemptId, amountCents: totalCents } },
    ])
    expect(await deliver('payment_intent.succeeded')).toBe(200)
  })

  it('the cart is unlocked if Stripe revokes access to the account', async () => {
    const all = await begin()
    const { till, paying, account, id } = all
    stripe.accounts.delete(id)
    const answer = await till.submit(paying({ paymentToken: account.token('pays') }))
    expect(answer).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect(await till.cart()).toMatchObject({ state: 'open' })
  })

  it('unsettled payments are queried again after a day and shown to staff once', async () => {
    const all = await begin()
    const { till, paying, account, deps, enqueued, id } = all
    stripe.ways.fault = ({ path }) => (path.endsWith('/confirm') ? 'before' : 'none')
    const body = paying({ paymentToken: account.token('pays') })
    expect((await till.submit(body)).status).toBe(409)
    stripe.accounts.delete(id)
    const later = { ...deps, clock: () => new Date(Date.now() + 25 * 60 * 60 * 1000) }
    enqueued.length = 0
    await requeueStalledPayments(later)
    await requeueStalledPayments(later)
    expect(enqueued.map(({ name }) => name)).toEqual(['reconcile-payment', 'reconcile-payment'])
    const errors = await deps.db.selectFrom('order_errors').select('detail').execute()
    expect(errors).toEqual([{ detail: expect.objectContaining({ about: body.attemptId }) }])
  })

  it('a short outage of Stripe is recovered by the next request, not after minutes', async () => {
    const all = await begin()
    const { till, paying, account, totalCents, deps } = all
    stripe.ways.fault = ({ method }) => (method === 'POST' ? 'before' : 'none')
    const body = paying({ paymentToken: account.token('pays') })
    expect((await till.submit(body)).status).toBe(409)
    stripe.ways.fault = () => 'none'
    await deps.db
      .updateTable('payment_attempts')
      .set({ created_at: new Date(Date.now() - 6_000) })
      .execute()
    expect((await till.submit(body)).data).toMatchObject({ outcome: 'ordered' })
    expect(await books(all)).toEqual({ charged: [totalCents], ledger: [totalCents], orders: [totalCents] })
  })

  it('a studio without a payment account charges nothing', async () => {
    const all = await begin()
    const { till, paying, account, deps, shop } = all
    await deps.db.updateTable('studios').set({ stripe_account_id: null }).where('id', '=', shop.studioId).execute()
    const answer = await till.submit(paying({ paymentToken: account.token('pays') }))
    expect(answer).toMatchObject({ status: 422, errors: [expect.stringContaining('does not take cards yet')] })
    expect(await books(all)).toEqual({ charged: [], ledger: [], orders: [] })
  })

  it('unsigned events and events of unknown accounts or attempts have no effect', async () => {
    const { app, deps, enqueued, account, eventsUrl, eventOf } = await begin()
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
