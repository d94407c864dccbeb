import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { stripePayment } from '#server/payments/adapters/stripe/payment-stripe.ts'
import { stripeStatements } from '#server/payments/adapters/stripe/stripe-statements.ts'
import { pullStatement } from '#server/payments/statements/pull-statement.ts'
import { readPaymentBalance } from '#server/payments/statements/read-payouts.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testDeps } from '#support/server/test-app.ts'
import { startFakeStripe } from '#support/stripe/fake-stripe.ts'
import { createStripeStudio, killedAfter, type PaidCharge } from './stripe-studio.ts'

const isLong = process.env.LONG === '1'
const runs = isLong ? 2000 : 10

const stripe = await startFakeStripe()
afterAll(() => stripe.close())

/** A step of a history; numbers choose among what exists. */
const steps = fc.oneof(
  fc.record({
    do: fc.constant('charge' as const),
    cents: fc.integer({ min: 100, max: 90_000 }),
    share: fc.integer({ min: 0, max: 20 }),
  }),
  fc.record({ do: fc.constant('cash' as const), cents: fc.integer({ min: 100, max: 9000 }) }),
  fc.record({ do: fc.constant('refund' as const), pick: fc.nat(), share: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ do: fc.constantFrom('failRefund', 'dispute', 'winDispute', 'arrive', 'failPayout'), pick: fc.nat() }),
  fc.record({ do: fc.constantFrom('payOut', 'pull') }),
  fc.record({ do: fc.constant('killedPull' as const), pages: fc.integer({ min: 1, max: 5 }) }),
)
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never

const pickFrom = <Item>(items: readonly Item[], pick: number): Item | undefined =>
  items[pick % Math.max(1, items.length)]

describe.each(enginesFor(import.meta.filename))(
  'ledger and payouts on $name',
  { timeout: isLong ? 3_600_000 : 120_000 },
  (engine) => {
    const database = freshDatabase(engine)

    it('payments − refunds − fees − disputes = payouts + balance in random histories, and not after a row is changed', async () => {
      const statements = stripeStatements(stripe.settings)
      const deps = testDeps(database(), {
        ...{ payment: stripePayment(stripe.settings), paymentStatements: statements, clock: () => new Date() },
      })
      let studios = 0

      const play = async (history: readonly Step[], mutation: number): Promise<void> => {
        studios += 1
        const accountId = `acct_${engine.name}${studios}`
        const account = stripe.open(accountId)
        const studio = await createStripeStudio(deps, account, accountId)
        const { balance } = account
        const charges: PaidCharge[] = [await studio.charge(5000, 250)]
        const refunded = new Map<string, number>()
        const [refundIds, disputes]: [string[], { intent: string; cents: number }[]] = [[], []]
        const actions: { readonly [Name in Step['do']]: (step: Extract<Step, { do: Name }> & Step) => unknown } = {
          charge: async ({ cents, share }) =>
            charges.push(await studio.charge(cents, Math.floor((cents * share) / 100))),
          cash: ({ cents }) => studio.ledger.charge({ cents, at: deps.clock().toISOString(), provider: 'cash' }),
          refund: async ({ pick, share }) => {
            const charge = pickFrom(charges, pick)
            if (!charge) return
            const cents = Math.max(1, Math.floor((charge.cents * share) / 100))
            const before = refunded.get(charge.intent) ?? 0
            if (before + cents > charge.cents) return
            refunded.set(charge.intent, before + cents)
            refundIds.push(await studio.refund(charge, cents))
          },
          failRefund: async ({ pick }) => {
            const [refundId] = refundIds.splice(pick % Math.max(1, refundIds.length), 1)
            if (refundId !== undefined) await studio.failRefund(refundId)
          },
          dispute: ({ pick }) => {
            const charge = pickFrom(charges, pick)
            if (!charge) return
            balance.dispute(charge.intent, charge.cents)
            disputes.push(charge)
          },
          winDispute: ({ pick }) => {
            const [dispute] = disputes.splice(pick % Math.max(1, disputes.length), 1)
            if (dispute) balance.winDispute(dispute.intent, dispute.cents)
          },
          payOut: () => balance.payOut(),
          arrive: ({ pick }) => {
            const payout = pickFrom(
              balance.payouts.filter(({ status }) => status === 'in_transit'),
              pick,
            )
            if (payout) balance.arrive(payout)
          },
          failPayout: ({ pick }) => {
            const payout = pickFrom(
              balance.payouts.filter(({ status }) => status === 'in_transit'),
              pick,
            )
            if (payout) balance.fail(payout)
          },
          pull: () => studio.pull(),
          killedPull: ({ pages }) =>
            pullStatement({ ...deps, paymentStatements: killedAfter(statements, pages) }, studio.key).catch(
              (error: Error) => expect(error.message).toBe('killed'),
            ),
        }
        for (const step of history) await actions[step.do](step as never) // the action of this step
        await studio.pull()
        await studio.pull()

        const read = () => readPaymentBalance(deps.db, studio.studioId)
        const books = await read()
        const totals = `${JSON.stringify(history)} ${JSON.stringify(books)}`
        expect(books.balanceCents, totals).toBe(balance.amount)
        const { chargesCents, refundsCents, feesCents, platformFeesCents, disputesCents } = books
        expect(chargesCents - refundsCents - feesCents - platformFeesCents - disputesCents, totals).toBe(
          books.payoutsCents + books.balanceCents,
        )
        expect(books, totals).toMatchObject({ unmatchedCents: 0, openDifferences: 0 })
        const sentToBank = balance.payouts.filter(({ status }) => status !== 'failed')
        expect(books.payoutsCents).toBe(sentToBank.reduce((sum, { amount }) => sum + amount, 0))
        const itemized = await sql<{ differs: boolean }>`
        select p.amount_cents <> sum(e.amount_cents) as differs from payouts p
          join account_entries e on e.studio_id = p.studio_id and e.payout_id = p.id
         where p.studio_id = ${studio.studioId} and p.is_itemized group by p.studio_id, p.id`.execute(deps.db)
        expect(itemized.rows.filter(({ differs }) => differs)).toEqual([])
        expect(itemized.rows).toHaveLength(
          balance.payouts.filter(({ reconciliation }) => reconciliation === 'completed').length,
        )

        // One cent in one row of any table.
        const rows = await sql<{ table: string; id: number }>`
        select 'ledger' as table, id from ledger where studio_id = ${studio.studioId} and state = 'done' and provider = 'stripe'
         union all select 'payouts', id from payouts where studio_id = ${studio.studioId} and state <> 'failed'
         union all select 'account_entries', id from account_entries
          where studio_id = ${studio.studioId} and kind in ('charge', 'refund', 'payout')`.execute(deps.db)
        const row = pickFrom(rows.rows, mutation)
        if (!row) throw new Error('there is a charge')
        await sql`update ${sql.table(row.table)} set amount_cents = amount_cents + 1
        where studio_id = ${studio.studioId} and id = ${row.id}`.execute(deps.db)
        expect((await read()).unmatchedCents, totals).not.toBe(0)
      }
      await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 30 }), fc.nat(), play), {
        numRuns: runs,
      })
    })
  },
)
