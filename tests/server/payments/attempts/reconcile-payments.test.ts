import { describe, expect, it } from 'vitest'
import { workOnOrderEmails } from '#server/orders/emails/order-emails.ts'
import { workOnPayments } from '#server/payments/attempts/reconcile-payments.ts'
import { type BackgroundJobs, startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { queues } from '#server/queue/queues.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { add, statuses } from '../../carts/cart-fixtures.ts'
import { readyToPay, unreliablePayment } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('background payments on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the next server after a kill settles payments and emails their receipts', async () => {
    const provider = testDeps(database()).payment
    const line = unreliablePayment(provider)
    line.broken.charge = 'after'
    const first = await startBackgroundJobs({ database: database(), log: silentLog, queues })
    // Its clock is behind, so that its delayed jobs are due at once.
    const clock = () => new Date(Date.now() - 60_000)
    const killed = testDeps(database(), { jobs: first, payment: line.payment, clock })
    const { till, paying, totalCents } = await readyToPay(killed, await testApp(killed))
    expect((await till.submit(paying())).status).toBe(409)
    await first.stop()

    const second = await startBackgroundJobs({ database: database(), log: silentLog, queues, pollSeconds: 0.5 })
    const deps = testDeps(database(), { jobs: second, payment: provider, clock: () => new Date() })
    await workOnPayments(second, deps)
    await workOnOrderEmails(second, deps)
    await expect
      .poll(() => deps.db.selectFrom('mail_log').select('kind').execute(), { timeout: 20_000 })
      .toHaveLength(1)
    expect(await deps.db.selectFrom('ledger').select('amount_cents').execute()).toEqual([{ amount_cents: totalCents }])
    expect(await deps.db.selectFrom('orders').select('total_cents').execute()).toEqual([{ total_cents: totalCents }])
    expect(line.charges).toHaveLength(1)
    await second.stop()
  })

  it('mutations during the recovery end up in the order, in the next cart, or rejected', async () => {
    const jobs: Pick<BackgroundJobs<typeof queues>, 'enqueue'> = { enqueue: async () => {} }
    const deps = testDeps(database(), { jobs })
    const { till, paying, made, shop } = await readyToPay(deps, await testApp(deps))
    const late = add(made, shop.adaId)
    const body = paying()
    const [paid, told] = await Promise.all([till.submit(body), till.sync([late])])
    const order = await deps.db.selectFrom('order_lines').select('line_id').execute()
    const { cartPackages } = await till.cart()
    const places = [...order.map((line) => line.line_id), ...cartPackages.map((line) => line.lineId)]
    expect(places.filter((lineId) => lineId === late.lineId)).toHaveLength(statuses(told.results)[0] === 'done' ? 1 : 0)
    expect([200, 409, 422]).toContain(paid.status)
    // Nothing is half done, whatever was rejected.
    expect(order.length === 0 ? 422 : 200).toBe((await till.submit(body)).status)
  })
})
