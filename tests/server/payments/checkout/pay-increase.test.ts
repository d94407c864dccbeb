import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { startOrderEmailWorkers } from '#server/orders/emails/order-emails.ts'
import { reconcilePayment } from '#server/payments/attempts/reconcile-payments.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { cartClient, newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { readyToPay, unreliablePayment } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('paying for an increase of an order on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const defaultDeps = testDeps(database(), time)
    const { jobs, enqueue } = recordingQueue()
    const { payment, broken, charges } = unreliablePayment(defaultDeps.payment)
    const deps: Deps = { ...defaultDeps, jobs: { enqueue }, payment }
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { driver, totalCents } = checkout
    const { data } = await driver.submit(checkout.submitBody())
    const orderNumber: string = data.orderNumber
    const order = () => driver.order(orderNumber)
    const lineId = (await order()).lines[0]?.lineId ?? 0
    const packagesWith = (quantity: number) => [{ lineId, quantity }]
    const price = (quantity: number, client: Pick<typeof driver, 'request'> = driver) =>
      client.request('POST', `orders/${orderNumber}/more/price`, { body: { packages: packagesWith(quantity) } })
    const increaseBody = async (quantity: number, overrides: object = {}) => ({
      packages: packagesWith(quantity),
      attemptId: newUuid(),
      paymentToken: 'test_visa',
      chargeCents: (await price(quantity)).data?.chargeCents ?? 0,
      ...overrides,
    })
    const increase = (body: object, client: Pick<typeof driver, 'request'> = driver) =>
      client.request('POST', `orders/${orderNumber}/more`, { body })
    const ledger = async () =>
      (await deps.db.selectFrom('ledger').select(['kind', 'state', 'amount_cents']).orderBy('id').execute()).map(
        ({ kind, state, amount_cents: cents }) => `${kind} ${state} ${cents}`,
      )
    const attempts = async () =>
      (await deps.db.selectFrom('payment_attempts').select('state').orderBy('created_at').orderBy('id').execute()).map(
        ({ state }) => state,
      )
    const queued = (name: string) => jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    const settle = async () => {
      for (const payload of queued('reconcile-payment')) await reconcilePayment(deps, payload)
    }
    const firstCharge = `charge done ${totalCents}`
    charges.length = 0
    return {
      deps,
      app,
      jobs,
      broken,
      charges,
      advance: time.advance,
      ...checkout,
      orderNumber,
      order,
      lineId,
      price,
      increaseBody,
      increase,
      ledger,
      attempts,
      settle,
      queued,
      firstCharge,
    }
  }

  it('an increase shows the difference, charges exactly that, and adds the packages', async () => {
    const { deps, price, increaseBody, increase, order, ledger, firstCharge, totalCents, queued } = await setUp()
    const before = await order()
    const { data } = await price(3)
    expect(data).toMatchObject({
      totals: { packagesCents: 7500, shippingCents: 895 },
      payment: { provider: 'test' },
      payer: { customer: { firstName: 'Grace' }, billingAddress: { zip: '45402' } },
    })
    expect(data.chargeCents).toBe(data.totals.totalCents - totalCents)
    expect(await order()).toEqual(before)
    expect(await increase(await increaseBody(3))).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    const after = await order()
    expect(after).toMatchObject({ totals: data.totals, refundableCents: data.totals.totalCents })
    expect(after.lines).toMatchObject([{ quantity: 3, totalCents: 7500 }])
    expect(await ledger()).toEqual([firstCharge, `charge done ${data.chargeCents}`])
    const [line] = await deps.db.selectFrom('order_lines').selectAll().execute()
    expect(line).toMatchObject({ quantity: 3, amount_cents: 7500 })
    expect(queued('send-changed-email')).toMatchObject([{ chargedOrRefundedCents: data.chargeCents }])
    const auditEntries = await deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'order.grown').execute()
    expect(auditEntries).toMatchObject([{ detail: { lines: 'Package for 25: 2 to 3', chargeCents: data.chargeCents } }])
  })

  it('an increase is charged once even if it is requested repeatedly and concurrently', async () => {
    const { increaseBody, increase, order, ledger, firstCharge, charges } = await setUp()
    const body = await increaseBody(3)
    const otherAttempt = { ...body, attemptId: newUuid() }
    const answers = await Promise.all([body, body, otherAttempt, body].map((sentBody) => increase(sentBody)))
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    for (const sentBody of [body, otherAttempt, body]) expect(await increase(sentBody)).toMatchObject({ status: 200 })
    expect((await order()).lines[0]?.quantity).toBe(3)
    expect(await ledger()).toEqual([firstCharge, `charge done ${body.chargeCents}`])
    expect(new Set(charges.map(({ attemptId }) => attemptId)).size).toBe(1)
    expect(await increase({ ...body, chargeCents: 1 })).toMatchObject({ status: 422, problem: 'refused' })
  })

  it('an order can be increased repeatedly, and a reduction refunds the newest charge first', async () => {
    const {
      deps,
      increaseBody,
      increase,
      order,
      ledger,
      firstCharge,
      lineId,
      driver,
      orderNumber,
      queued,
      totalCents,
    } = await setUp()
    const firstBody = await increaseBody(3)
    await increase(firstBody)
    const next = await increaseBody(4)
    expect(await increase(next)).toMatchObject({ status: 200 })
    expect((await order()).lines[0]?.quantity).toBe(4)
    const packages = [{ lineId, quantity: 1 }]
    const priced = await driver.request('POST', `orders/${orderNumber}/fewer/price`, { body: { packages } })
    const { refundCents } = priced.data
    expect(
      await driver.request('POST', `orders/${orderNumber}/fewer`, { body: { packages, refundCents } }),
    ).toMatchObject({
      status: 200,
    })
    for (const payload of queued('settle-refund')) await settleRefund(deps, payload)
    const remaining = refundCents - next.chargeCents - firstBody.chargeCents
    expect(await ledger()).toEqual([
      firstCharge,
      `charge done ${firstBody.chargeCents}`,
      `charge done ${next.chargeCents}`,
      `refund done ${next.chargeCents}`,
      `refund done ${firstBody.chargeCents}`,
      `refund done ${remaining}`,
    ])
    expect((await order()).refundableCents).toBe((await order()).totals.totalCents)
    expect(totalCents - remaining).toBe((await order()).totals.totalCents)
  })

  it('a declined card leaves the order unchanged, and the next card pays', async () => {
    const { increaseBody, increase, order, ledger, firstCharge } = await setUp()
    const before = await order()
    const declined = await increase(await increaseBody(3, { paymentToken: 'test_declined' }))
    expect(declined).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect(await order()).toEqual(before)
    expect(await ledger()).toEqual([firstCharge])
    expect(await increase(await increaseBody(3))).toMatchObject({ status: 200 })
    expect((await order()).lines[0]?.quantity).toBe(3)
  })

  it('an increase waits for authentication and follows the answer', async () => {
    const { increaseBody, increase, order, ledger, firstCharge } = await setUp()
    const body = await increaseBody(3, { paymentToken: 'test_authenticate' })
    expect(await increase(body)).toMatchObject({ status: 200, data: { outcome: 'requires-action' } })
    expect((await order()).lines[0]?.quantity).toBe(2)
    expect(await increase({ ...body, authentication: 'cancelled' })).toMatchObject({ problem: 'payment-declined' })
    const secondBody = { ...body, attemptId: newUuid() }
    expect(await increase(secondBody)).toMatchObject({ data: { outcome: 'requires-action' } })
    expect(await increase({ ...secondBody, authentication: 'confirmed' })).toMatchObject({
      data: { outcome: 'ordered' },
    })
    expect((await order()).lines[0]?.quantity).toBe(3)
    expect(await ledger()).toEqual([firstCharge, `charge done ${body.chargeCents}`])
  })

  it('an increase is finished in the background if the connection broke after the charge', async () => {
    const { increaseBody, increase, order, ledger, firstCharge, broken, settle, attempts } = await setUp()
    const body = await increaseBody(3)
    broken.charge = 'after'
    broken.find = true
    expect(await increase(body)).toMatchObject({ status: 409, problem: 'in-flight' })
    expect(await attempts()).toEqual(['succeeded', 'unknown'])
    broken.charge = 'none'
    broken.find = false
    await settle()
    await settle()
    expect((await order()).lines[0]?.quantity).toBe(3)
    expect(await ledger()).toEqual([firstCharge, `charge done ${body.chargeCents}`])
    expect(await increase(body)).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
  })

  it('an increase is recovered if the server was killed before the charge', async () => {
    const { deps, increaseBody, increase, order, ledger, firstCharge, broken, advance } = await setUp()
    const body = await increaseBody(3)
    broken.charge = 'before'
    await increase(body)
    broken.charge = 'none'
    // The state that a server leaves if it dies between its first transaction and the provider.
    await deps.db.updateTable('payment_attempts').set({ state: 'charging' }).where('state', '=', 'unknown').execute()
    expect(await increase(body)).toMatchObject({ status: 409, problem: 'in-flight' })
    advance(5_000)
    expect(await increase(body)).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    expect((await order()).lines[0]?.quantity).toBe(3)
    expect(await ledger()).toEqual([firstCharge, `charge done ${body.chargeCents}`])
  })

  it('an increase that the provider never received is closed and can be started again', async () => {
    const { increaseBody, increase, order, ledger, firstCharge, broken, advance, settle, attempts } = await setUp()
    const body = await increaseBody(3)
    broken.charge = 'before'
    await increase(body)
    broken.charge = 'none'
    advance(10 * 60_000)
    await settle()
    expect(await attempts()).toEqual(['succeeded', 'declined'])
    expect(await increase(body)).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect(await ledger()).toEqual([firstCharge])
    expect(await increase({ ...body, attemptId: newUuid() })).toMatchObject({ status: 200 })
    expect((await order()).lines[0]?.quantity).toBe(3)
  })

  it.each<[string, (increaseFixtures: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>]>([
    ['cancelled', ({ driver, orderNumber }) => driver.request('POST', `orders/${orderNumber}/cancel`, { body: {} })],
    ['handed to the lab', ({ deps }) => deps.db.updateTable('orders').set({ state: 'submitted' }).execute()],
  ])(
    'nothing is added and the payment is refunded if the order was %s during authentication',
    async (_, changeOrder) => {
      const increaseFixtures = await setUp()
      const { deps, increaseBody, increase, order, ledger, firstCharge, queued } = increaseFixtures
      const body = await increaseBody(3, { paymentToken: 'test_authenticate' })
      await increase(body)
      await changeOrder(increaseFixtures)
      const lateAnswer = await increase({ ...body, authentication: 'confirmed' })
      expect(lateAnswer).toMatchObject({ status: 422, problem: 'refused' })
      expect(lateAnswer.errors[0]).toContain('Nothing was added')
      expect((await increase(body)).errors).toEqual(lateAnswer.errors)
      expect((await order()).lines[0]?.quantity).toBe(2)
      for (const payload of queued('settle-refund')) await settleRefund(deps, payload)
      const ledgerRows = await ledger()
      expect(ledgerRows.filter((row) => row === `charge done ${body.chargeCents}`)).toHaveLength(1)
      expect(ledgerRows.filter((row) => row === `refund done ${body.chargeCents}`)).toHaveLength(1)
      const parts = await deps.db
        .selectFrom('ledger_taxes')
        .select(['rate_millionths', 'goods_cents', 'tax_cents'])
        .where('ledger_id', 'in', (ids) =>
          ids.selectFrom('ledger').select('id').where('amount_cents', '=', body.chargeCents),
        )
        .orderBy('ledger_id')
        .orderBy('rate_millionths')
        .execute()
      expect(parts.slice(parts.length / 2)).toEqual(parts.slice(0, parts.length / 2))
      expect(parts.length).toBeGreaterThan(0)
      expect(ledgerRows[0]).toBe(firstCharge)
      const handlers = new Map<string, (job: { payload: never }) => Promise<void>>()
      const work = async (name: string, _concurrency: number, handler: (job: { payload: never }) => Promise<void>) =>
        void handlers.set(name, handler)
      await startOrderEmailWorkers({ work } as never, deps)
      for (const payload of queued('send-increase-failed-email'))
        await handlers.get('send-increase-failed-email')?.({ payload })
      const mails = await deps.db.selectFrom('mail_log').select('body_text').where('kind', '=', 'not-added').execute()
      expect(mails).toHaveLength(1)
      expect(mails[0]?.body_text).toContain(
        `We’ll refund the $${(body.chargeCents / 100).toFixed(2)} you paid for that`,
      )
    },
  )

  it('an increase is made even if a text of the line was edited during authentication', async () => {
    const { increaseBody, increase, order, lineId, driver, orderNumber, offeredPackage } = await setUp()
    const body = await increaseBody(3, { paymentToken: 'test_authenticate' })
    await increase(body)
    const textNodes = [
      { packageItemTextNodeId: offeredPackage.items[0]?.textNodes[0]?.id, value: 'Ada L.', autoFilled: false },
    ]
    await driver.request('PATCH', `orders/${orderNumber}/lines/${lineId}/poses`, { body: { textNodes } })
    expect(await increase({ ...body, authentication: 'confirmed' })).toMatchObject({ status: 200 })
    expect((await order()).lines[0]).toMatchObject({ quantity: 3, items: [{ texts: ['Ada L.'] }] })
  })

  it('an increase is refused with the current amount if its amount is outdated, and without a card', async () => {
    const { increaseBody, increase, ledger, firstCharge } = await setUp()
    const body = await increaseBody(3)
    const refused = await increase({ ...body, chargeCents: body.chargeCents - 1 })
    expect(refused).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect(refused.errors).toEqual([`The difference is now $${(body.chargeCents / 100).toFixed(2)}. Please check it`])
    expect(await increase({ ...body, attemptId: newUuid(), paymentToken: null })).toMatchObject({
      errors: ['Please enter your card'],
    })
    expect(await ledger()).toEqual([firstCharge])
  })

  it.each<[string, (deps: Deps) => Promise<unknown>, string]>([
    ['at the lab', ({ db }) => db.updateTable('orders').set({ state: 'submitted' }).execute(), 'already at the lab'],
    [
      'in a closed job',
      ({ db }) =>
        db
          .updateTable('jobs')
          .set({ gallery_closes_at: new Date('2020-01-01') })
          .execute(),
      '',
    ],
    [
      'with a package that is no longer sold',
      ({ db, clock }) => db.updateTable('packages').set({ archived_at: clock() }).execute(),
      'is no longer offered',
    ],
  ])('an increase of an order %s is refused, and nothing is charged', async (_, change, message) => {
    const { deps, price, increaseBody, increase, ledger, firstCharge } = await setUp()
    const body = await increaseBody(3)
    await change(deps)
    for (const refused of [await price(3), await increase(body)]) {
      expect(refused).toMatchObject({ status: 422, problem: 'refused' })
      expect(refused.errors[0]).toContain(message)
    }
    expect(await ledger()).toEqual([firstCharge])
  })

  it('an increase has the sold price even if the price has changed, and a lower quantity is refused', async () => {
    const { deps, price } = await setUp()
    await deps.db.updateTable('package_versions').set({ retail_cost_cents: 99_900 }).execute()
    expect((await price(3)).data.totals.packagesCents).toBe(7500)
    expect(await price(1)).toMatchObject({ status: 422 })
  })

  it('a session without a grant cannot increase an order', async () => {
    const { app, fixtures, price, increaseBody, increase, ledger, firstCharge } = await setUp()
    const stranger = cartClient(app, fixtures, await fixtures.enter())
    expect(await price(3, stranger)).toMatchObject({ status: 404 })
    expect(await increase(await increaseBody(3), stranger)).toMatchObject({ status: 404 })
    expect(await ledger()).toEqual([firstCharge])
  })
})
