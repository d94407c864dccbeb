import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { sendReceiptEmail, startOrderEmailWorkers } from '#server/orders/emails/order-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { readyToPay } from '#tests/server/payments/checkout-driver.ts'

const ownerPermissions: readonly Permission[] = ['studio.crud', 'studio.financials.read']

describe.each(enginesFor(import.meta.filename))('staff actions on an order on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const defaultDeps = testDeps(database(), manualClock())
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...defaultDeps, jobs: { enqueue } }
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { fixtures, driver } = checkout
    const { data } = await driver.submit(checkout.submitBody())
    const orderNumber: string = data.orderNumber
    const user = { email: 'owner@riverside.test', name: 'Owner' }
    const { jobId } = fixtures
    const owner = await staffClient(deps, app, fixtures.studioId, { jobId, permissions: ownerPermissions, user })
    type RequestOptions = Parameters<typeof owner.staffRequest>[3]
    const staffRequest = (action: string, payload: object = {}, options?: RequestOptions) =>
      owner.staffRequest('POST', `orders/${orderNumber}/${action}`, payload, options)
    const queued = (name: string) => jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    const setState = (state: 'submitted' | 'inProduction') => deps.db.updateTable('orders').set({ state }).execute()
    const mails = () => deps.db.selectFrom('mail_log').select(['kind', 'body_text']).orderBy('id').execute()
    return { deps, ...checkout, orderNumber, staffRequest, queued, setState, mails }
  }

  it('an order moves from the lab to shipped, with one email that contains the tracking number', async () => {
    const { deps, staffRequest, queued, setState, driver, orderNumber, mails } = await setUp()
    expect(await staffRequest('move', { to: 'shipped' })).toMatchObject({
      status: 422,
      errors: ['This order cannot go there from where it is'],
    })
    await setState('submitted')
    expect(await staffRequest('move', { to: 'inProduction' })).toMatchObject({
      status: 200,
      data: { state: 'inProduction' },
    })
    for (const trackingNumber of ['1Z 999', '1Z 999 AA']) {
      expect(await staffRequest('move', { to: 'shipped', trackingNumber })).toMatchObject({
        status: 200,
        data: { state: 'shipped', trackingNumber },
      })
    }
    expect(queued('send-shipped-email')).toHaveLength(1)
    expect(await driver.order(orderNumber)).toMatchObject({ state: 'shipped', trackingNumber: '1Z 999 AA' })
    const handlers = new Map<string, (job: { payload: never }) => Promise<void>>()
    const work = async (name: string, _concurrency: number, handler: (job: { payload: never }) => Promise<void>) =>
      void handlers.set(name, handler)
    await startOrderEmailWorkers({ work } as never, deps)
    await handlers.get('send-shipped-email')?.({ payload: queued('send-shipped-email')[0] as never })
    expect((await mails())[0]).toMatchObject({
      kind: 'shipped',
      body_text: expect.stringContaining('Tracking number: 1Z 999 AA'),
    })
    const auditEntries = await deps.db
      .selectFrom('audit_log')
      .select(['action', 'user_id'])
      .where('action', '=', 'order.moved')
      .execute()
    expect(auditEntries.map((row) => row.user_id)).toEqual([expect.any(Number), expect.any(Number)])
  })

  it('partial refunds never exceed the charge and are made once per request', async () => {
    const { deps, staffRequest, queued, totalCents, driver, orderNumber, setState } = await setUp()
    const reason = 'A print was bent'
    const key = newUuid()
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await staffRequest('refunds', { amountCents: 1000, reason }, { idempotencyKey: key })).toMatchObject({
        status: 200,
        data: { refundableCents: totalCents - 1000, refunds: [{ amountCents: 1000, state: 'pending' }] },
      })
    }
    expect(await staffRequest('refunds', { amountCents: totalCents - 999, reason })).toMatchObject({
      status: 422,
      problem: 'refused',
    })
    expect((await staffRequest('refunds', { amountCents: 0, reason })).status).toBe(422)
    await setState('inProduction')
    expect((await staffRequest('refunds', { amountCents: totalCents - 1000, reason })).data.refundableCents).toBe(0)
    for (const payload of queued('settle-refund')) await settleRefund(deps, payload)
    const { refunds = [] } = await driver.order(orderNumber)
    expect(refunds.map(({ amountCents, state }) => [amountCents, state])).toEqual([
      [1000, 'done'],
      [totalCents - 1000, 'done'],
    ])
  })

  it('concurrent refunds never exceed the charge', async () => {
    const { staffRequest, totalCents, deps } = await setUp()
    const refundInput = { amountCents: totalCents - 100, reason: 'Twice' }
    const answers = await Promise.all([staffRequest('refunds', refundInput), staffRequest('refunds', refundInput)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await deps.db.selectFrom('ledger').select('id').where('kind', '=', 'refund').execute()).toHaveLength(1)
  })

  it.each(['placed', 'batched', 'submitted'] as const)(
    'staff can cancel an order that is %s, with one refund and one email',
    async (state) => {
      const { deps, staffRequest, queued, totalCents, driver, orderNumber } = await setUp()
      await deps.db.updateTable('orders').set({ state }).execute()
      await staffRequest('refunds', { amountCents: 1000, reason: 'A print was bent' })
      const refunds = [{ amountCents: 1000 }, { amountCents: totalCents - 1000, state: 'pending' }]
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await staffRequest('cancel', { reason: ' The gym was dark ' })).toMatchObject({
          status: 200,
          data: { state: 'cancelled', refundableCents: 0, refunds },
        })
      }
      expect(await driver.order(orderNumber)).toMatchObject({ state: 'cancelled', mayCancel: false })
      expect(queued('send-cancelled-email')).toHaveLength(1)
      const moved = await deps.db
        .selectFrom('order_moves')
        .select(['from_state', 'reason', 'moved_by'])
        .where('to_state', '=', 'cancelled')
        .execute()
      expect(moved).toEqual([{ from_state: state, reason: 'The gym was dark', moved_by: expect.any(Number) }])
    },
  )

  it('staff cannot cancel an order that the lab has started', async () => {
    const { staffRequest, setState, driver, orderNumber, queued } = await setUp()
    await setState('inProduction')
    expect(await staffRequest('cancel', { reason: 'x' })).toMatchObject({
      status: 422,
      problem: 'refused',
      errors: ['The lab has already started this order: you can refund it, but not cancel it'],
    })
    expect(await driver.order(orderNumber)).toMatchObject({ state: 'inProduction', refunds: [] })
    expect(queued('send-cancelled-email')).toEqual([])
  })

  it('each request to resend the receipt sends an email', async () => {
    const { deps, staffRequest, queued, mails } = await setUp()
    await staffRequest('receipt')
    await staffRequest('receipt')
    for (const payload of [...queued('send-receipt'), ...queued('send-receipt')]) await sendReceiptEmail(deps, payload)
    expect((await mails()).map(({ kind }) => kind)).toEqual(['receipt', 'receipt', 'receipt'])
  })

  it.each([
    ['move', { to: 'inProduction' }, ['studio.financials.read']],
    ['refunds', { amountCents: 100, reason: 'x' }, ['studio.crud']],
    ['cancel', { reason: 'x' }, ['studio.crud']],
    ['receipt', {}, ['studio.financials.read']],
  ] satisfies [string, object, Permission[]][])(
    'the action %s requires its permission, and staff of the order’s studio',
    async (action, body, permissions) => {
      const { staffRequest, deps, fixtures, setState } = await setUp()
      await setState('submitted')
      const before = await deps.db.selectFrom('audit_log').select('id').orderBy('id').execute()
      expect((await staffRequest(action, body, { permissions })).status).toBe(403)
      expect((await staffRequest(action, body, { callerStudioId: fixtures.studioId + 1 })).status).toBe(404)
      expect(await deps.db.selectFrom('audit_log').select('id').orderBy('id').execute()).toEqual(before)
    },
  )
})
