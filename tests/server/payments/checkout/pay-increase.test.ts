import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { workOnOrderEmails } from '#server/orders/emails/order-emails.ts'
import { reconcilePayment } from '#server/payments/attempts/reconcile-payments.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { cartClient, newUuid } from '../../carts/cart-fixtures.ts'
import { readyToPay, unreliablePayment } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('paying for an increase of an order on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const plain = testDeps(database(), time)
    const { jobs, enqueue } = recordingQueue()
    const { payment, broken, charges } = unreliablePayment(plain.payment)
    const deps: Deps = { ...plain, jobs: { enqueue }, payment }
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    const { till, totalCents } = ready
    const { data } = await till.submit(ready.paying())
    const orderNumber: string = data.orderNumber
    const order = () => till.order(orderNumber)
    const lineId = (await order()).lines[0]?.lineId ?? 0
    const wanted = (quantity: number) => [{ lineId, quantity }]
    const price = (quantity: number, phone: Pick<typeof till, 'ask'> = till) =>
      phone.ask('POST', `orders/${orderNumber}/more/price`, { body: { packages: wanted(quantity) } })
    const sent = async (quantity: number, own: object = {}) => ({
      packages: wanted(quantity),
      attemptId: newUuid(),
      paymentToken: 'test_visa',
      chargeCents: (await price(quantity)).data?.chargeCents ?? 0,
      ...own,
    })
    const more = (body: object, phone: Pick<typeof till, 'ask'> = till) =>
      phone.ask('POST', `orders/${orderNumber}/more`, { body })
    const ledger = async () =>
      (await deps.db.selectFrom('ledger').select(['kind', 'state', 'amount_cents']).orderBy('id').execute()).map(
        ({ kind, state, amount_cents: cents }) => `${kind} ${state} ${cents}`,
      )
    const attempts = async () =>
      (await deps.db.selectFrom('payment_attempts').select('state').orderBy('created_at').orderBy('id').execute()).map(
        ({ state }) => state,
      )
    const settle = async () => {
      for (const { name, payload } of jobs.filter((job) => job.name === 'reconcile-payment')) {
        if (name) await reconcilePayment(deps, payload)
      }
    }
    const queued = (name: string) => jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    const first = `charge done ${totalCents}`
    charges.length = 0
    return {
      deps,
      app,
      jobs,
      broken,
      charges,
      advance: time.advance,
      ...ready,
      orderNumber,
      order,
      lineId,
      price,
      sent,
      more,
      ledger,
      attempts,
      settle,
      queued,
      first,
    }
  }

  it('an increase shows the difference, charges exactly that, and adds the packages', async () => {
    const { deps, price, sent, more, order, ledger, first, totalCents, queued } = await begin()
    const before = await order()
    const { data } = await price(3)
    expect(data).toMatchObject({
      totals: { packagesCents: 7500, shippingCents: 895 },
      payment: { provider: 'test' },
      payer: { customer: { firstName: 'Grace' }, billingAddress: { zip: '45402' } },
    })
    expect(data.chargeCents).toBe(data.totals.totalCents - totalCents)
    expect(await order()).toEqual(before)
    expect(await more(await sent(3))).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    const after = await order()
    expect(after).toMatchObject({ totals: data.totals, refundableCents: data.totals.totalCents })
    expect(after.lines).toMatchObject([{ quantity: 3, totalCents: 7500 }])
    expect(await ledger()).toEqual([first, `charge done ${data.chargeCents}`])
    const [line] = await deps.db.selectFrom('order_lines').selectAll().execute()
    expect(line).toMatchObject({ quantity: 3, amount_cents: 7500 })
    expect(queued('send-changed-email')).toMatchObject([{ movedCents: data.chargeCents }])
    const trail = await deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'order.grown').execute()
    expect(trail).toMatchObject([{ detail: { lines: 'Package for 25: 2 to 3', chargeCents: data.chargeCents } }])
  })

  it('an increase is charged once, however often and concurrently it is requested', async () => {
    const { sent, more, order, ledger, first, charges } = await begin()
    const body = await sent(3)
    const other = { ...body, attemptId: newUuid() }
    const answers = await Promise.all([body, body, other, body].map((one) => more(one)))
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    for (const one of [body, other, body]) expect(await more(one)).toMatchObject({ status: 200 })
    expect((await order()).lines[0]?.quantity).toBe(3)
    expect(await ledger()).toEqual([first, `charge done ${body.chargeCents}`])
    expect(new Set(charges.map(({ attemptId }) => attemptId)).size).toBe(1)
    expect(await more({ ...body, chargeCents: 1 })).toMatchObject({ status: 422, problem: 'refused' })
  })

  it('an order can be increased repeatedly, and a reduction refunds the newest charge first', async () => {
    const { deps, sent, more, order, ledger, first, lineId, till, orderNumber, queued, totalCents } = await begin()
    const one = await sent(3)
    await more(one)
    const next = await sent(4)
    expect(await more(next)).toMatchObject({ status: 200 })
    expect((await order()).lines[0]?.quantity).toBe(4)
    const packages = [{ lineId, quantity: 1 }]
    const priced = await till.ask('POST', `orders/${orderNumber}/fewer/price`, { body: { packages } })
    const { backCents } = priced.data
    expect(await till.ask('POST', `orders/${orderNumber}/fewer`, { body: { packages, backCents } })).toMatchObject({
      status: 200,
    })
    for (const payload of queued('settle-refund')) await settleRefund(deps, payload)
    const rest = backCents - next.chargeCents - one.chargeCents
    expect(await ledger()).toEqual([
      first,
      `charge done ${one.chargeCents}`,
      `charge done ${next.chargeCents}`,
      `refund done ${next.chargeCents}`,
      `refund done ${one.chargeCents}`,
      `refund done ${rest}`,
    ])
    expect((await order()).refundableCents).toBe((await order()).totals.totalCents)
    expect(totalCents - rest).toBe((await order()).totals.totalCents)
  })

  it('a declined card leaves the order unchanged, and the next card pays', async () => {
    const { sent, more, order, ledger, first } = await begin()
    const before = await order()
    const declined = await more(await sent(3, { paymentToken: 'test_declined' }))
    expect(declined).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect(await order()).toEqual(before)
    expect(await ledger()).toEqual([first])
    expect(await more(await sent(3))).toMatchObject({ status: 200 })
    expect((await order()).lines[0]?.quantity).toBe(3)
  })

  it('an increase waits for authentication and follows the answer', async () => {
    const { sent, more, order, ledger, first } = await begin()
    const body = await sent(3, { paymentToken: 'test_authenticate' })
    expect(await more(body)).toMatchObject({ status: 200, data: { outcome: 'requires-action' } })
    expect((await order()).lines[0]?.quantity).toBe(2)
    expect(await more({ ...body, authentication: 'cancelled' })).toMatchObject({ problem: 'payment-declined' })
    const again = { ...body, attemptId: newUuid() }
    expect(await more(again)).toMatchObject({ data: { outcome: 'requires-action' } })
    expect(await more({ ...again, authentication: 'confirmed' })).toMatchObject({ data: { outcome: 'ordered' } })
    expect((await order()).lines[0]?.quantity).toBe(3)
    expect(await ledger()).toEqual([first, `charge done ${body.chargeCents}`])
  })

  it('an increase is finished in the background if the connection broke after the charge', async () => {
    const { sent, more, order, ledger, first, broken, settle, attempts } = await begin()
    const body = await sent(3)
    broken.charge = 'after'
    broken.find = true
    expect(await more(body)).toMatchObject({ status: 409, problem: 'in-flight' })
    expect(await attempts()).toEqual(['succeeded', 'unknown'])
    broken.charge = 'none'
    broken.find = false
    await settle()
    await settle()
    expect((await order()).lines[0]?.quantity).toBe(3)
    expect(await ledger()).toEqual([first, `charge done ${body.chargeCents}`])
    expect(await more(body)).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
  })

  it('an increase is recovered if the server was killed before the charge', async () => {
    const { deps, sent, more, order, ledger, first, broken, advance } = await begin()
    const body = await sent(3)
    broken.charge = 'before'
    await more(body)
    broken.charge = 'none'
    // The state that a server leaves if it dies between its first transaction and the provider.
    await deps.db.updateTable('payment_attempts').set({ state: 'charging' }).where('state', '=', 'unknown').execute()
    expect(await more(body)).toMatchObject({ status: 409, problem: 'in-flight' })
    advance(5_000)
    expect(await more(body)).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    expect((await order()).lines[0]?.quantity).toBe(3)
    expect(await ledger()).toEqual([first, `charge done ${body.chargeCents}`])
  })

  it('an increase that the provider never received is closed and can be started again', async () => {
    const { sent, more, order, ledger, first, broken, advance, settle, attempts } = await begin()
    const body = await sent(3)
    broken.charge = 'before'
    await more(body)
    broken.charge = 'none'
    advance(10 * 60_000)
    await settle()
    expect(await attempts()).toEqual(['succeeded', 'declined'])
    expect(await more(body)).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect(await ledger()).toEqual([first])
    expect(await more({ ...body, attemptId: newUuid() })).toMatchObject({ status: 200 })
    expect((await order()).lines[0]?.quantity).toBe(3)
  })

  it.each<[string, (all: Awaited<ReturnType<typeof begin>>) => Promise<unknown>]>([
    ['cancelled', ({ till, orderNumber }) => till.ask('POST', `orders/${orderNumber}/cancel`, { body: {} })],
    ['handed to the lab', ({ deps }) => deps.db.updateTable('orders').set({ state: 'submitted' }).execute()],
  ])('nothing is added and the payment is refunded if the order was %s during authentication', async (_, meanwhile) => {
    const all = await begin()
    const { deps, sent, more, order, ledger, first, queued } = all
    const body = await sent(3, { paymentToken: 'test_authenticate' })
    await more(body)
    await meanwhile(all)
    const late = await more({ ...body, authentication: 'confirmed' })
    expect(late).toMatchObject({ status: 422, problem: 'refused' })
    expect(late.errors[0]).toContain('Nothing was added')
    expect((await more(body)).errors).toEqual(late.errors)
    expect((await order()).lines[0]?.quantity).toBe(2)
    for (const payload of queued('settle-refund')) await settleRefund(deps, payload)
    const money = await ledger()
    expect(money.filter((row) => row === `charge done ${body.chargeCents}`)).toHaveLength(1)
    expect(money.filter((row) => row === `refund done ${body.chargeCents}`)).toHaveLength(1)
    expect(money[0]).toBe(first)
    const handlers = new Map<string, (job: { payload: never }) => Promise<void>>()
    const work = async (name: string, _most: number, does: (job: { payload: never }) => Promise<void>) =>
      void handlers.set(name, does)
    await workOnOrderEmails({ work } as never, deps)
    for (const payload of queued('send-not-added-email')) await handlers.get('send-not-added-email')?.({ payload })
    const mails = await deps.db.selectFrom('mail_log').select('body_text').where('kind', '=', 'not-added').execute()
    expect(mails).toHaveLength(1)
    expect(mails[0]?.body_text).toContain(`$${(body.chargeCents / 100).toFixed(2)} you paid for that goes back`)
  })

  it('a text that was edited during authentication does not matter', async () => {
    const { sent, more, order, lineId, till, orderNumber, made } = await begin()
    const body = await sent(3, { paymentToken: 'test_authenticate' })
    await more(body)
    const textNodes = [{ packageItemTextNodeId: made.items[0]?.textNodes[0]?.id, value: 'Ada L.', autoFilled: false }]
    await till.ask('PATCH', `orders/${orderNumber}/lines/${lineId}/poses`, { body: { textNodes } })
    expect(await more({ ...body, authentication: 'confirmed' })).toMatchObject({ status: 200 })
    expect((await order()).lines[0]).toMatchObject({ quantity: 3, items: [{ texts: ['Ada L.'] }] })
  })

  it('an increase with an outdated amount is refused with the current one', async () => {
    const { sent, more, ledger, first } = await begin()
    const body = await sent(3)
    const refused = await more({ ...body, chargeCents: body.chargeCents - 1 })
    expect(refused).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect(refused.errors).toEqual([`By now it is $${(body.chargeCents / 100).toFixed(2)} more. Please look it over`])
    expect(await more({ ...body, attemptId: newUuid(), paymentToken: null })).toMatchObject({
      errors: ['Please enter your card'],
    })
    expect(await ledger()).toEqual([first])
  })

  it.each<[string, (deps: Deps) => Promise<unknown>, string]>([
    ['at the lab', ({ db }) => db.updateTable('orders').set({ state: 'submitted' }).execute(), 'with the lab already'],
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
      'is not on offer any more',
    ],
  ])('an increase of an order %s is refused, and nothing is charged', async (_, change, sentence) => {
    const { deps, price, sent, more, ledger, first } = await begin()
    const body = await sent(3)
    await change(deps)
    for (const refused of [await price(3), await more(body)]) {
      expect(refused).toMatchObject({ status: 422, problem: 'refused' })
      expect(refused.errors[0]).toContain(sentence)
    }
    expect(await ledger()).toEqual([first])
  })

  it('an increase has the sold price, and a percentage discount applies to it', async () => {
    const { deps, price } = await begin()
    await deps.db.updateTable('package_versions').set({ retail_cost_cents: 99_900 }).execute()
    expect((await price(3)).data.totals.packagesCents).toBe(7500)
    expect(await price(1)).toMatchObject({ status: 422 })
  })

  it('a session without a grant cannot increase an order', async () => {
    const { app, shop, price, sent, more, ledger, first } = await begin()
    const stranger = cartClient(app, shop, await shop.enter())
    expect(await price(3, stranger)).toMatchObject({ status: 404 })
    expect(await more(await sent(3), stranger)).toMatchObject({ status: 404 })
    expect(await ledger()).toEqual([first])
  })
})
