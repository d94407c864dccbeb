import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { sendReceiptEmail, workOnOrderEmails } from '#server/orders/emails/order-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { newUuid } from '../../carts/cart-fixtures.ts'
import { readyToPay } from '../../payments/checkout-driver.ts'

const owner: readonly Permission[] = ['studio.crud', 'studio.financials.read']

describe.each(enginesFor(import.meta.filename))('staff actions on an order on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const plain = testDeps(database(), manualClock())
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...plain, jobs: { enqueue } }
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    const { shop, till } = ready
    const { data } = await till.submit(ready.paying())
    const orderNumber: string = data.orderNumber
    const { id } = await deps.db
      .insertInto('users')
      .values({
        email: 'owner@riverside.test',
        name: 'Owner',
        role: 'owner',
        studio_id: shop.studioId,
        password_hash: 'x',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    type Own = { permissions?: readonly Permission[]; studioId?: number; key?: string }
    const tell = async (
      what: string,
      payload: object = {},
      { permissions = owner, studioId = shop.studioId, key }: Own = {},
    ) => {
      const { token } = await signToken(deps, {
        id,
        name: 'Owner',
        email: 'owner@riverside.test',
        permissions,
        studioId,
      })
      const answer = await app.inject({
        method: 'POST',
        url: `/api/studioadmin/studios/${shop.studioId}/jobs/${shop.jobId}/orders/${orderNumber}/${what}`,
        headers: { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) },
        payload,
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    const named = (name: string) => jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    const setState = (state: 'submitted' | 'inProduction') => deps.db.updateTable('orders').set({ state }).execute()
    const mails = () => deps.db.selectFrom('mail_log').select(['kind', 'body_text']).orderBy('id').execute()
    return { deps, ...ready, orderNumber, tell, named, setState, mails }
  }

  it('an order moves from the lab to shipped, with one email that contains the tracking number', async () => {
    const { deps, tell, named, setState, till, orderNumber, mails } = await begin()
    expect(await tell('move', { to: 'shipped' })).toMatchObject({
      status: 422,
      errors: ['This order cannot go there from where it is'],
    })
    await setState('submitted')
    expect(await tell('move', { to: 'inProduction' })).toMatchObject({ status: 200, data: { state: 'inProduction' } })
    for (const trackingNumber of ['1Z 999', '1Z 999 AA']) {
      expect(await tell('move', { to: 'shipped', trackingNumber })).toMatchObject({
        status: 200,
        data: { state: 'shipped', trackingNumber },
      })
    }
    expect(named('send-shipped-email')).toHaveLength(1)
    expect(await till.order(orderNumber)).toMatchObject({ state: 'shipped', trackingNumber: '1Z 999 AA' })
    const handlers = new Map<string, (job: { payload: never }) => Promise<void>>()
    const work = async (name: string, _most: number, does: (job: { payload: never }) => Promise<void>) =>
      void handlers.set(name, does)
    await workOnOrderEmails({ work } as never, deps)
    await handlers.get('send-shipped-email')?.({ payload: named('send-shipped-email')[0] as never })
    expect((await mails())[0]).toMatchObject({
      kind: 'shipped',
      body_text: expect.stringContaining('Tracking number: 1Z 999 AA'),
    })
    const trail = await deps.db
      .selectFrom('audit_log')
      .select(['action', 'user_id'])
      .where('action', '=', 'order.moved')
      .execute()
    expect(trail.map((row) => row.user_id)).toEqual([expect.any(Number), expect.any(Number)])
  })

  it('partial refunds never exceed the charge and are made once per request', async () => {
    const { deps, tell, named, totalCents, till, orderNumber, setState } = await begin()
    const reason = 'A print was bent'
    const key = newUuid()
    for (let again = 0; again < 2; again += 1) {
      expect(await tell('refunds', { amountCents: 1000, reason }, { key })).toMatchObject({
        status: 200,
        data: { refundableCents: totalCents - 1000, refunds: [{ amountCents: 1000, state: 'pending' }] },
      })
    }
    expect(await tell('refunds', { amountCents: totalCents - 999, reason })).toMatchObject({
      status: 422,
      problem: 'refused',
    })
    expect((await tell('refunds', { amountCents: 0, reason })).status).toBe(422)
    await setState('inProduction')
    expect((await tell('refunds', { amountCents: totalCents - 1000, reason })).data.refundableCents).toBe(0)
    for (const payload of named('settle-refund')) await settleRefund(deps, payload)
    const { refunds = [] } = await till.order(orderNumber)
    expect(refunds.map(({ amountCents, state }) => [amountCents, state])).toEqual([
      [1000, 'done'],
      [totalCents - 1000, 'done'],
    ])
  })

  it('concurrent refunds never exceed the charge', async () => {
    const { tell, totalCents, deps } = await begin()
    const refundInput = { amountCents: totalCents - 100, reason: 'Twice' }
    const answers = await Promise.all([tell('refunds', refundInput), tell('refunds', refundInput)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await deps.db.selectFrom('ledger').select('id').where('kind', '=', 'refund').execute()).toHaveLength(1)
  })

  it.each(['placed', 'batched', 'submitted'] as const)(
    'staff can cancel an order that is %s, with one refund and one email',
    async (state) => {
      const { deps, tell, named, totalCents, till, orderNumber } = await begin()
      await deps.db.updateTable('orders').set({ state }).execute()
      await tell('refunds', { amountCents: 1000, reason: 'A print was bent' })
      const refunds = [{ amountCents: 1000 }, { amountCents: totalCents - 1000, state: 'pending' }]
      for (let again = 0; again < 2; again += 1) {
        expect(await tell('cancel', { reason: ' The gym was dark ' })).toMatchObject({
          status: 200,
          data: { state: 'cancelled', refundableCents: 0, refunds },
        })
      }
      expect(await till.order(orderNumber)).toMatchObject({ state: 'cancelled', mayCancel: false })
      expect(named('send-cancelled-email')).toHaveLength(1)
      const moved = await deps.db
        .selectFrom('order_moves')
        .select(['from_state', 'reason', 'moved_by'])
        .where('to_state', '=', 'cancelled')
        .execute()
      expect(moved).toEqual([{ from_state: state, reason: 'The gym was dark', moved_by: expect.any(Number) }])
    },
  )

  it('staff cannot cancel an order that the lab has started', async () => {
    const { tell, setState, till, orderNumber, named } = await begin()
    await setState('inProduction')
    expect(await tell('cancel', { reason: 'x' })).toMatchObject({ status: 422, problem: 'refused' })
    expect(await till.order(orderNumber)).toMatchObject({ state: 'inProduction', refunds: [] })
    expect(named('send-cancelled-email')).toEqual([])
  })

  it('each request to resend the receipt sends an email', async () => {
    const { deps, tell, named, mails } = await begin()
    await tell('receipt')
    await tell('receipt')
    for (const payload of [...named('send-receipt'), ...named('send-receipt')]) await sendReceiptEmail(deps, payload)
    expect((await mails()).map(({ kind }) => kind)).toEqual(['receipt', 'receipt', 'receipt'])
  })

  it.each([
    ['move', { to: 'inProduction' }, ['studio.financials.read']],
    ['refunds', { amountCents: 100, reason: 'x' }, ['studio.crud']],
    ['cancel', { reason: 'x' }, ['studio.crud']],
    ['receipt', {}, ['studio.financials.read']],
  ] satisfies [string, object, Permission[]][])(
    'the action %s requires its permission',
    async (what, body, permissions) => {
      const { tell, deps, shop, setState } = await begin()
      await setState('submitted')
      const before = await deps.db.selectFrom('audit_log').select('id').execute()
      expect((await tell(what, body, { permissions })).status).toBe(403)
      expect((await tell(what, body, { studioId: shop.studioId + 1 })).status).toBe(404)
      expect(await deps.db.selectFrom('audit_log').select('id').execute()).toEqual(before)
    },
  )
})
