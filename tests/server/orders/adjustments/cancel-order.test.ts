import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { requeueStalledRefunds, settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { sendReceiptEmail, startOrderEmailWorkers } from '#server/orders/emails/order-emails.ts'
import type { RefundOutcome } from '#server/payments/port/payment-provider.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '#tests/server/payments/checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('cancelling an order on $name', (engine) => {
  const database = freshDatabase(engine)

  /** Replaces the built-in provider's refund. */
  type RefundOverride = (refundByProvider: () => Promise<RefundOutcome>) => Promise<RefundOutcome>

  const setUp = async (overrideRefund: RefundOverride = (refundByProvider) => refundByProvider()) => {
    const time = manualClock()
    const defaultDeps = testDeps(database(), time)
    const { jobs, enqueue } = recordingQueue()
    const payment = {
      ...defaultDeps.payment,
      refund: (refund: never) => overrideRefund(() => defaultDeps.payment.refund(refund)),
    }
    const deps: Deps = { ...defaultDeps, jobs: { enqueue }, payment }
    const checkout = await readyToPay(deps, await testApp(deps))
    const { data } = await checkout.driver.submit(checkout.submitBody())
    const orderNumber: string = data.orderNumber
    const cancel = () => checkout.driver.request('POST', `orders/${orderNumber}/cancel`, { body: {} })
    const refundJobs = () => jobs.filter(({ name }) => name === 'settle-refund').map(({ payload }) => payload)
    const settle = async () => {
      for (const payload of refundJobs()) await settleRefund(deps, payload)
    }
    const ledger = () =>
      deps.db
        .selectFrom('ledger')
        .select(['kind', 'state', 'amount_cents', 'platform_fee_cents'])
        .orderBy('id')
        .execute()
    const setState = (state: 'submitted' | 'inProduction' | 'shipped' | 'batched') =>
      deps.db.updateTable('orders').set({ state }).execute()
    return { deps, jobs, advance: time.advance, ...checkout, orderNumber, cancel, refundJobs, settle, ledger, setState }
  }

  it('repeated and concurrent cancellations make one refund of the whole payment and queue one email', async () => {
    const { driver, orderNumber, cancel, settle, ledger, totalCents, jobs } = await setUp()
    expect(await driver.order(orderNumber)).toMatchObject({ state: 'placed', mayCancel: true, refunds: [] })
    const refunds = [{ amountCents: totalCents, state: 'pending' }]
    const answers = await Promise.all([cancel(), cancel()])
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, data: { state: 'cancelled', mayCancel: false, refunds } })
    }
    await settle()
    await settle()
    expect(await ledger()).toMatchObject([
      { kind: 'charge', state: 'done', amount_cents: totalCents },
      { kind: 'refund', state: 'done', amount_cents: totalCents },
    ])
    expect(await driver.order(orderNumber)).toMatchObject({ refunds: [{ amountCents: totalCents, state: 'done' }] })
    expect(jobs.map(({ name }) => name).filter((name) => name === 'send-cancelled-email')).toHaveLength(1)
  })

  it('the refund of a cancellation includes the whole platform fee', async () => {
    const { deps, cancel, ledger } = await setUp()
    await deps.db.updateTable('ledger').set({ platform_fee_cents: 123 }).execute()
    await cancel()
    expect((await ledger()).map((row) => row.platform_fee_cents)).toEqual([123, 123])
  })

  it.each(['submitted', 'inProduction', 'shipped'] as const)(
    'an order that is %s cannot be cancelled',
    async (state) => {
      const { driver, orderNumber, cancel, ledger, setState, jobs } = await setUp()
      await setState(state)
      expect(await cancel()).toMatchObject({
        status: 422,
        errors: ['This order is already at the lab. Ask the studio if you need to change something'],
      })
      expect(await driver.order(orderNumber)).toMatchObject({ state, mayCancel: false, refunds: [] })
      expect(await ledger()).toHaveLength(1)
      expect(jobs.map(({ name }) => name)).not.toContain('settle-refund')
    },
  )

  it('an order in an open batch can be cancelled', async () => {
    const { cancel, setState } = await setUp()
    await setState('batched')
    expect(await cancel()).toMatchObject({ status: 200, data: { state: 'cancelled' } })
  })

  it('a refund is retried while the provider is unreachable or undecided', async () => {
    const answers: ('throw' | 'pending')[] = ['throw', 'pending']
    const { cancel, refundJobs, settle, deps, ledger } = await setUp(async (refundByProvider) => {
      const step = answers.shift()
      const outcome = await refundByProvider()
      if (step === 'throw') throw new Error('the connection was lost')
      return step === 'pending' ? { state: 'pending', reference: 'later' } : outcome
    })
    await cancel()
    const [job] = refundJobs()
    await expect(settleRefund(deps, job as never)).rejects.toThrow('the connection was lost')
    await expect(settleRefund(deps, job as never)).rejects.toThrow('under way')
    expect(await ledger()).toMatchObject([{ kind: 'charge' }, { kind: 'refund', state: 'pending' }])
    await settle()
    expect(await ledger()).toMatchObject([{ kind: 'charge' }, { kind: 'refund', state: 'done' }])
  })

  it('a refund that the provider rejects is marked as failed and shown to staff', async () => {
    const { cancel, settle, deps, orderNumber, ledger } = await setUp(async () => ({
      state: 'failed',
      message: 'The card is gone',
    }))
    await cancel()
    await settle()
    expect(await ledger()).toMatchObject([{ kind: 'charge' }, { kind: 'refund', state: 'failed' }])
    expect(await deps.db.selectFrom('order_errors').select(['order_number', 'stage', 'message']).execute()).toEqual([
      { order_number: orderNumber, stage: 'refund', message: 'The card is gone' },
    ])
  })

  it('a refund that is unsettled after a day is requeued every 36 hours until it is settled, and shown to staff once', async () => {
    const { cancel, refundJobs, deps, advance, orderNumber } = await setUp()
    await cancel()
    await requeueStalledRefunds(deps)
    expect(refundJobs()).toHaveLength(1)
    advance(25 * 60 * 60_000)
    await requeueStalledRefunds(deps)
    await requeueStalledRefunds(deps)
    expect(refundJobs()).toHaveLength(2)
    advance(36 * 60 * 60_000)
    await requeueStalledRefunds(deps)
    expect(refundJobs()).toHaveLength(3)
    const errors = await deps.db.selectFrom('order_errors').select(['order_number', 'stage', 'message']).execute()
    const message = 'The payment provider has not said for a day whether this refund was made'
    expect(errors).toEqual([{ order_number: orderNumber, stage: 'refund', message }])
    await settleRefund(deps, refundJobs()[2] as never)
    advance(36 * 60 * 60_000)
    await requeueStalledRefunds(deps)
    expect(refundJobs()).toHaveLength(3)
  })

  it('every step of an order and its refund is in the audit log', async () => {
    const { cancel, settle, deps, orderNumber, totalCents } = await setUp()
    await cancel()
    await settle()
    const auditEntries = await deps.db
      .selectFrom('audit_log')
      .select(['action', 'entity_id', 'detail'])
      .orderBy('id')
      .execute()
    expect(auditEntries.map(({ action }) => action)).toEqual([
      'payment.begun',
      'payment.succeeded',
      'order.placed',
      'order.moved',
      'refund.owed',
      'refund.done',
    ])
    expect(auditEntries[2]).toMatchObject({ entity_id: orderNumber, detail: { totalCents } })
    expect(auditEntries[3]).toMatchObject({ entity_id: orderNumber, detail: { from: 'placed', to: 'cancelled' } })
    expect(auditEntries[5]).toMatchObject({ detail: { amountCents: totalCents } })
  })

  it('another session cannot cancel an order', async () => {
    const { deps, orderNumber, fixtures, driver } = await setUp()
    const app = await testApp(deps)
    const stranger = await fixtures.enter()
    const response = await app.inject({
      method: 'POST',
      url: `/api/customer/jobs/${fixtures.jobId}/orders/${orderNumber}/cancel`,
      headers: stranger.headers,
      payload: {},
    })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ errors: ['Could not find this order'] })
    expect(await driver.order(orderNumber)).toMatchObject({ state: 'placed' })
  })

  it('the customer gets one email about the cancellation, and can still get the receipt', async () => {
    const { cancel, deps, jobs, totalCents, orderNumber } = await setUp()
    await cancel()
    const handlers = new Map<string, (job: { payload: never }) => Promise<void>>()
    const work = async (name: string, _concurrency: number, handler: (job: { payload: never }) => Promise<void>) =>
      void handlers.set(name, handler)
    await startOrderEmailWorkers({ work } as never, deps)
    const payload = jobs.find(({ name }) => name === 'send-cancelled-email')?.payload as never
    await handlers.get('send-cancelled-email')?.({ payload })
    await handlers.get('send-cancelled-email')?.({ payload })
    const mails = await deps.db.selectFrom('mail_log').select(['kind', 'subject', 'body_text']).execute()
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({
      kind: 'cancelled',
      subject: `Your order ${orderNumber} with riverside is cancelled`,
    })
    expect(mails[0]?.body_text).toContain(`We’ll refund $${(totalCents / 100).toFixed(2)} to the card ending in 4242`)
    await sendReceiptEmail(deps, payload)
    expect(await deps.db.selectFrom('mail_log').select('kind').where('kind', '=', 'receipt').execute()).toHaveLength(1)
  })
})
