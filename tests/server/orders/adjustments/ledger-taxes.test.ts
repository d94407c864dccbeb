import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Totals } from '#domain/pricing/pricing.ts'
import { taxPartsOf } from '#domain/pricing/tax-parts.ts'
import type { Deps } from '#server/deps.ts'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { createRefund, refundableCents } from '#server/orders/store/create-refund.ts'
import { readPaidTaxParts, readTaxParts } from '#server/orders/store/ledger-taxes.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import '#support/seeded-properties.ts'
import {
  addLine,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
} from '#tests/server/carts/cart-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '#tests/server/payments/checkout-driver.ts'

const runs = process.env.LONG === '1' ? 200 : 8

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('change' as const), line: fc.nat(1), quantity: fc.nat(4) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('refund' as const), percent: fc.integer({ min: 1, max: 60 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('failRefund' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

describe.each(enginesFor(import.meta.filename))('tax in the ledger on $name', { timeout: 600_000 }, (engine) => {
  const database = freshDatabase(engine)

  /** A paid order of two prints at 7.25 % and three at 3 %, shipped at 5.75 %. */
  const placeOrder = async () => {
    const defaultDeps = testDeps(database())
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...defaultDeps, jobs: { enqueue } }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    await deps.db.insertInto('tax_rates').values({ region: 'OH', tax_class: 'food', rate_millionths: 30_000 }).execute()
    const fixtures = await createCartFixtures(deps)
    const { studioId } = fixtures
    const driver = checkoutDriver(app, fixtures, await fixtures.enter())
    const [standard, food] = [await fixtures.offer(onePrint(25)), await fixtures.offer(onePrint(9.99))]
    await deps.db.updateTable('packages').set({ tax_class: 'food' }).where('id', '=', food.id).execute()
    const lines = [standard, food].map((offered, index) =>
      addLine(offered, fixtures.adaId, {
        quantity: 2 + index,
        ...completeLineContent(offered, fixtures.adaImageId),
      }),
    )
    await driver.sync(lines)
    const checkoutId = newUuid()
    await driver.saveDetails(checkoutId)
    const { totalCents } = await driver.totals()
    const submitted = await driver.submit({ checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents })
    const orderNumber: string = submitted.data.orderNumber
    const row = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    const key = { studioId, orderId: row.id }
    const readOrder = async () => {
      const { state, totals } = await deps.db.selectFrom('orders').select(['state', 'totals']).executeTakeFirstOrThrow()
      return { isCancelled: state === 'cancelled', totals: totals as unknown as Totals } // written by `priceSale`
    }
    const paidParts = () => deps.db.transaction().execute((tx) => readPaidTaxParts(tx, key))
    const settleAll = async () => {
      for (const { name, payload } of jobs.splice(0)) if (name === 'settle-refund') await settleRefund(deps, payload)
    }
    return { deps, jobs, driver, key, orderNumber, readOrder, paidParts, settleAll }
  }

  it('a charge is stored with its tax by rate, and each line of its order is taxed at its own rate', async () => {
    const { deps, paidParts, key } = await placeOrder()
    // 50.00 at 7.25 % is 3.625, and 29.97 at 3 % is 0.8991: 4.52 together. 10.95 of shipping at 5.75 % is 0.63.
    expect(await paidParts()).toEqual([
      { rate: 72_500, goodsCents: 5000, taxCents: 362 },
      { rate: 57_500, goodsCents: 1095, taxCents: 63 },
      { rate: 30_000, goodsCents: 2997, taxCents: 90 },
    ])
    const lines = await deps.db.selectFrom('order_lines').select('tax_cents').orderBy('position').execute()
    expect(lines).toEqual([{ tax_cents: 362 }, { tax_cents: 90 }])
    const { tax_state } = await deps.db
      .selectFrom('orders')
      .select('tax_state')
      .where('id', '=', key.orderId)
      .executeTakeFirstOrThrow()
    expect(tax_state).toBe('OH')
  })

  it('charges and refunds have the tax of what was bought and taken back, in random histories', async () => {
    const play = async (history: readonly Step[]): Promise<void> => {
      await database().clear()
      const { deps, jobs, driver, key, orderNumber, readOrder, paidParts, settleAll } = await placeOrder()
      /** Whether the studio refunded something that was not taken off the order. */
      let isPartlyRefunded = false
      const change = async (index: number, quantity: number) => {
        const line = (await driver.order(orderNumber)).lines[index]
        if (!line || line.quantity === quantity || (await readOrder()).isCancelled) return
        const { lineId } = line
        const kind = quantity < line.quantity ? 'fewer' : 'more'
        const packages = [{ lineId, quantity }]
        const priced = await driver.request('POST', `orders/${orderNumber}/${kind}/price`, { body: { packages } })
        expect(priced.status).toBe(200)
        const { refundCents, chargeCents } = priced.data
        const amounts =
          kind === 'fewer' ? { refundCents } : { chargeCents, attemptId: newUuid(), paymentToken: 'test_visa' }
        const changed = await driver.request('POST', `orders/${orderNumber}/${kind}`, {
          body: { packages, ...amounts },
        })
        expect(changed.status).toBe(200)
      }
      const paid = async () =>
        (await paidParts()).filter(({ goodsCents, taxCents }) => goodsCents !== 0 || taxCents !== 0)
      const refund = async (percent: number) =>
        await deps.db.transaction().execute(async (tx) => {
          const amountCents = Math.floor(((await refundableCents(tx, key)) * percent) / 100)
          if (amountCents === 0) return
          isPartlyRefunded = true
          await createRefund(tx, deps, { key, refund: { amountCents, reason: 'late' } })
        })
      const actions: { readonly [Name in Step['do']]: (step: Extract<Step, { do: Name }>) => Promise<unknown> } = {
        change: ({ line, quantity }) => change(line, quantity),
        refund: ({ percent }) => refund(percent),
        failRefund: async () => {
          const last = await deps.db
            .updateTable('ledger')
            .set({ state: 'failed', settled_at: deps.clock() })
            .where('id', '=', (refunds) =>
              refunds
                .selectFrom('ledger')
                .select((eb) => eb.fn.max('id').as('id'))
                .where('kind', '=', 'refund')
                .where('state', '=', 'done'),
            )
            .returning(['id', 'amount_cents', 'reason'])
            .executeTakeFirst()
          if (!last) return
          // As when an administrator retries it. It stays pending, because the provider, which did not fail it, would refuse it.
          await deps.db.transaction().execute(async (tx) => {
            const takenOff = await readTaxParts(tx, { studioId: key.studioId, ledgerId: last.id })
            const reason = last.reason ?? ''
            await createRefund(tx, deps, { key, refund: { amountCents: last.amount_cents, reason, takenOff } })
          })
          jobs.splice(0)
        },
      }
      const expectPaidParts = async (summary: string) => {
        const { rows } = await sql<{ amount: number; parts: number }>`
          select l.amount_cents as amount, (select coalesce(sum(t.goods_cents + t.tax_cents), 0)::int from ledger_taxes t
                   where t.studio_id = l.studio_id and t.ledger_id = l.id) as parts from ledger l`.execute(deps.db)
        for (const { amount, parts } of rows) expect(parts, summary).toBe(amount)
        for (const { goodsCents, taxCents } of await paid())
          expect(Math.min(goodsCents, taxCents), summary).toBeGreaterThanOrEqual(0)
        const { isCancelled, totals } = await readOrder()
        if (!isPartlyRefunded) expect(await paid(), summary).toEqual(isCancelled ? [] : taxPartsOf(totals))
      }
      for (const [index, each] of history.entries()) {
        await actions[each.do](each as never) // the action of this step
        await settleAll()
        await expectPaidParts(JSON.stringify(history.slice(0, index + 1)))
      }
      await refund(100)
      expect(await paid()).toEqual([])
    }
    await play([
      { do: 'refund', percent: 42 },
      { do: 'change', line: 0, quantity: 0 },
    ])
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), play), { numRuns: runs })
  })
})
