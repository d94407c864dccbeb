import { describe, expect, it } from 'vitest'
import { startOrderEmailWorkers } from '#server/orders/emails/order-emails.ts'
import { startPaymentWorkers } from '#server/payments/attempts/reconcile-payments.ts'
import { type BackgroundJobs, startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { queues } from '#server/queue/queues.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addLine, statuses } from '#tests/server/carts/cart-fixtures.ts'
import { readyToPay, unreliablePayment } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('background payments on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the next server after a kill settles payments and emails their receipts', async () => {
    const provider = testDeps(database()).payment
    const connection = unreliablePayment(provider)
    connection.broken.charge = 'after'
    const first = await startBackgroundJobs({ database: database(), log: silentLog, queues })
    // The killed server's clock is behind, so that its delayed jobs are due at once.
    const clock = () => new Date(Date.now() - 60_000)
    const killedDeps = testDeps(database(), { jobs: first, payment: connection.payment, clock })
    const { driver, submitBody, totalCents } = await readyToPay(killedDeps, await testApp(killedDeps))
    expect((await driver.submit(submitBody())).status).toBe(409)
    await first.stop()

    const second = await startBackgroundJobs({ database: database(), log: silentLog, queues, pollSeconds: 0.5 })
    const deps = testDeps(database(), { jobs: second, payment: provider, clock: () => new Date() })
    await startPaymentWorkers(second, deps)
    await startOrderEmailWorkers(second, deps)
    await expect
      .poll(() => deps.db.selectFrom('mail_log').select('kind').execute(), { timeout: 20_000 })
      .toHaveLength(1)
    expect(await deps.db.selectFrom('ledger').select('amount_cents').execute()).toEqual([{ amount_cents: totalCents }])
    expect(await deps.db.selectFrom('orders').select('total_cents').execute()).toEqual([{ total_cents: totalCents }])
    expect(connection.charges).toHaveLength(1)
    await second.stop()
  })

  it('a mutation concurrent with the payment ends up in the order or the next cart, or is rejected', async () => {
    const jobs: Pick<BackgroundJobs<typeof queues>, 'enqueue'> = { enqueue: async () => {} }
    const deps = testDeps(database(), { jobs })
    const { driver, submitBody, offeredPackage, fixtures } = await readyToPay(deps, await testApp(deps))
    const lateLine = addLine(offeredPackage, fixtures.adaId)
    const body = submitBody()
    const [paid, synced] = await Promise.all([driver.submit(body), driver.sync([lateLine])])
    const order = await deps.db.selectFrom('order_lines').select('line_id').execute()
    const { cartPackages } = await driver.cart()
    const lineIds = [...order.map((line) => line.line_id), ...cartPackages.map((line) => line.lineId)]
    expect(lineIds.filter((lineId) => lineId === lateLine.lineId)).toHaveLength(
      statuses(synced.results)[0] === 'done' ? 1 : 0,
    )
    expect([200, 409, 422]).toContain(paid.status)
    // The order is either complete or was never placed.
    expect(order.length === 0 ? 422 : 200).toBe((await driver.submit(body)).status)
  })
})
