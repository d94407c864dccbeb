import { addDays } from 'date-fns/addDays'
import { subDays } from 'date-fns/subDays'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { toPage } from '#domain/shared/paging.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Deps } from '#server/deps.ts'
import { stripePayment } from '#server/payments/adapters/stripe/payment-stripe.ts'
import { stripeEvents } from '#server/payments/adapters/stripe/stripe-events.ts'
import { stripeStatements } from '#server/payments/adapters/stripe/stripe-statements.ts'
import { closeDifference } from '#server/payments/statements/close-difference.ts'
import { enqueueStatementPulls, pullStatement } from '#server/payments/statements/pull-statement.ts'
import { listPaymentDifferences, readPaymentBalance } from '#server/payments/statements/read-payouts.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { startFakeStripe } from '#support/stripe/fake-stripe.ts'
import { netOf } from '#support/stripe/fake-stripe-balance.ts'
import { createStripeStudio, killedAfter, type PaidCharge } from './stripe-studio.ts'

const isLong = process.env.LONG === '1'
const payoutCount = isLong ? 500 : 24

const stripe = await startFakeStripe()
afterAll(() => stripe.close())

describe.each(enginesFor(import.meta.filename))(
  'pulling statements on $name',
  { timeout: isLong ? 3_600_000 : 120_000 },
  (engine) => {
    const database = freshDatabase(engine)
    let accounts = 0

    const setUp = async () => {
      const { jobs, enqueue } = recordingQueue()
      const statements = stripeStatements(stripe.settings)
      const deps = testDeps(database(), {
        ...{ payment: stripePayment(stripe.settings), paymentStatements: statements, jobs: { enqueue } },
        ...{ paymentEvents: stripeEvents(stripe.settings), clock: () => new Date() },
      })
      accounts += 1
      const accountId = `acct_pull${engine.name}${accounts}`
      const studio = await createStripeStudio(deps, stripe.open(accountId), accountId)
      return { deps, jobs, statements, studio, accountId }
    }

    type Fixtures = Awaited<ReturnType<typeof setUp>>

    /** Payments, refunds of payments that were paid out before, and payouts that arrive or fail. */
    const playPayouts = async ({ studio }: Fixtures, count: number): Promise<void> => {
      const { balance } = studio.account
      const charges: PaidCharge[] = []
      for (let day = 0; day < count; day += 1) {
        for (let sale = 0; sale < 2 + (day % 3); sale += 1)
          charges.push(await studio.charge(2000 + 137 * day + sale, sale === 0 ? 100 : 0))
        const earlier = charges[Math.floor(day / 2)]
        if (earlier && day % 2 === 1) await studio.refund(earlier, 500)
        const disputed = charges[day]
        if (disputed && day % 11 === 5) balance.dispute(disputed.intent, disputed.cents)
        if (disputed && day % 11 === 8) balance.winDispute(disputed.intent, disputed.cents)
        const payout = balance.payOut()
        if (payout && day % 7 === 6) balance.fail(payout)
        else if (payout && day < count - 1) balance.arrive(payout)
      }
    }

    const openDifferences = async ({ db }: Deps, studioId: number) =>
      toPage(await listPaymentDifferences(db, studioId, {})).resultItems.filter(({ resolvedAt }) => resolvedAt === null)

    /** Expects that entries and payouts are those of the fake Stripe. */
    const expectSameBooks = async ({ deps, studio }: Fixtures): Promise<void> => {
      const { balance } = studio.account
      const { rows } = await sql<{ reference: string; net: number; payout: string | null }>`
      select e.reference, sum(e.amount_cents) as net, max(p.reference) as payout from account_entries e
        left join payouts p on p.studio_id = e.studio_id and p.id = e.payout_id
       where e.studio_id = ${studio.studioId} group by e.reference`.execute(deps.db)
      const completed = new Set(
        balance.payouts.filter(({ reconciliation }) => reconciliation === 'completed').map(({ id }) => id),
      )
      const payoutOf = ({ payout, category }: (typeof balance.transactions)[number]): string | null =>
        payout !== null && completed.has(payout) && category !== 'payout' ? payout : null
      const sort = <Row extends { reference: string }>(list: readonly Row[]): Row[] =>
        list.toSorted((a, b) => (a.reference < b.reference ? -1 : 1))
      expect(sort(rows)).toEqual(
        sort(
          balance.transactions.map((transaction) => ({
            ...{ reference: transaction.id, net: netOf(transaction), payout: payoutOf(transaction) },
          })),
        ),
      )
      const payouts = await deps.db
        .selectFrom('payouts')
        .select(['reference', 'state', 'amount_cents as amount', 'is_itemized as isItemized'])
        .where('studio_id', '=', studio.studioId)
        .execute()
      const states = { in_transit: 'pending', paid: 'paid', failed: 'failed' } as const
      expect(sort(payouts)).toEqual(
        sort(
          balance.payouts.map(({ id, status, amount }) => ({
            ...{ reference: id, state: states[status], amount, isItemized: completed.has(id) },
          })),
        ),
      )
    }

    it('the books are those of Stripe although the pull is killed between any two pages, and the differences are those injected', async () => {
      const fixtures = await setUp()
      const { deps, statements, studio } = fixtures
      const { key, studioId, ledger } = studio
      await playPayouts(fixtures, payoutCount)
      const unknownCharge = studio.chargeAtStripe(4321)
      const wrong = await studio.charge(3000)
      await deps.db.updateTable('ledger').set({ amount_cents: 3100 }).where('id', '=', wrong.id).execute()
      const refundedElsewhere = await studio.charge(2500)
      studio.refundAtStripe(refundedElsewhere.intent, 700)
      const longAgo = subDays(deps.clock(), 4).toISOString()
      await studio.chargeInLedger(1999, 'pi_missing', longAgo)
      await studio.chargeInLedger(1888, 'pi_recent')
      const topUp = studio.account.balance.add('topup', 600, { id: 'tu_1', object: 'topup' })

      let killed = 0
      for (let isFinished = false; !isFinished; ) {
        isFinished = await pullStatement({ ...deps, paymentStatements: killedAfter(statements, 1) }, key).then(
          () => true,
          () => false,
        )
        if (!isFinished) killed += 1
      }
      expect(killed).toBeGreaterThan(payoutCount)
      await expectSameBooks(fixtures)
      const refund = studio.account.refunds.find(({ intent }) => intent === refundedElsewhere.intent)
      const injected = [
        { reason: 'unknownCharge', reference: unknownCharge, ourCents: 0, providerCents: 4321 },
        { reason: 'amountDiffers', reference: wrong.intent, ourCents: 3100, providerCents: 3000 },
        { reason: 'unknownRefund', reference: refund?.id, ourCents: 0, providerCents: -700 },
        { reason: 'missingAtProvider', reference: 'pi_missing', ourCents: 1999, providerCents: 0 },
        { reason: 'otherEntry', reference: topUp.id, ourCents: 0, providerCents: 600 },
      ]
      const found = await openDifferences(deps, studioId)
      const reasons = injected.map(({ reason }) => reason)
      const inOrder = found.toSorted((a, b) => reasons.indexOf(a.reason) - reasons.indexOf(b.reason))
      expect(inOrder).toMatchObject(injected)
      expect(found).toHaveLength(injected.length)
      // The recent charge may still appear at Stripe, so it is not a difference yet.
      const differing = injected.reduce((sum, { ourCents, providerCents }) => sum + ourCents - providerCents, 1888)
      expect((await readPaymentBalance(deps.db, studioId)).unmatchedCents).toBe(differing)

      await studio.chargeInLedger(4321, unknownCharge)
      await deps.db.updateTable('ledger').set({ amount_cents: 3000 }).where('id', '=', wrong.id).execute()
      await ledger.refund({ chargeId: refundedElsewhere.id, cents: 700, at: longAgo, key: refund?.id ?? '' })
      await studio.pull()
      expect((await openDifferences(deps, studioId)).map(({ reason }) => reason).sort()).toEqual([
        'missingAtProvider',
        'otherEntry',
      ])
    })

    it('events in any order, and repeated, lead to the same books', async () => {
      const fixtures = await setUp()
      const { deps, jobs, studio, accountId } = fixtures
      const app = await testApp(deps)
      const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/payment-events`
      await playPayouts(fixtures, 12)
      const events = stripe.events.filter(({ account }) => account === accountId).toReversed()
      for (const event of [...events, ...events.slice(0, 10)]) expect(await stripe.deliver(event, url)).toBe(200)
      const pulls = jobs.filter(({ name }) => name === 'pull-statement')
      const changing = events.filter(({ type }) => type.startsWith('payout.') || type.startsWith('charge.dispute.'))
      expect(pulls).toHaveLength(changing.length)
      for (const { payload } of pulls.slice(0, 5))
        await pullStatement(deps, { ...(payload as { studioId: number; account: string }), provider: 'stripe' })
      await expectSameBooks(fixtures)
      expect(await openDifferences(deps, studio.studioId)).toEqual([])
    })

    it('two pulls of one account at the same time store each page once', async () => {
      const fixtures = await setUp()
      await playPayouts(fixtures, 8)
      await Promise.all([fixtures.studio.pull(), fixtures.studio.pull()])
      await fixtures.studio.pull()
      await expectSameBooks(fixtures)
    })

    it('a payout whose entries do not add up is listed with both sums', async () => {
      const { deps, studio, statements } = await setUp()
      await studio.charge(2500)
      const payout = studio.account.balance.payOut()
      if (!payout) throw new Error('there is something to pay out')
      studio.account.balance.arrive(payout)
      const incomplete = {
        ...statements,
        listPayoutEntries: async () => ({ items: [], next: null }),
      }
      await pullStatement({ ...deps, paymentStatements: incomplete }, studio.key)
      expect(await openDifferences(deps, studio.studioId)).toMatchObject([
        { reason: 'payoutDiffers', reference: payout.id, ourCents: 0, providerCents: payout.amount },
      ])
    })

    it('a difference that staff close stays closed as long as its amounts are the same', async () => {
      const { deps, studio } = await setUp()
      const { studioId } = studio
      const email = 'rosa@riverside.test'
      const { id: userId } = await given(deps).user(studioId, { name: 'Rosa', email })
      const user: User = { id: userId, studioId, name: 'Rosa', email, permissions: [] }
      const wrong = await studio.charge(3000)
      const setAmount = (amount_cents: number) =>
        deps.db.updateTable('ledger').set({ amount_cents }).where('id', '=', wrong.id).execute()
      const close = (id: number, note: string) => closeDifference(deps, { studioId, id, note, user })
      await setAmount(3100)
      await studio.pull()
      const [difference] = await openDifferences(deps, studioId)
      if (!difference) throw new Error('the amounts differ')
      expect(await close(difference.id, ' ')).toMatchObject({ name: 'refused' })
      expect(await close(difference.id + 1, 'Typed wrong')).toMatchObject({ name: 'not-found' })
      expect(await close(difference.id, ' Typed wrong ')).toEqual({})
      expect(await close(difference.id, 'A second time')).toEqual({})
      await studio.pull()
      expect(toPage(await listPaymentDifferences(deps.db, studioId, {})).resultItems).toMatchObject([
        { closedBy: 'Rosa', note: 'Typed wrong', ourCents: 3100, resolvedAt: expect.any(String) },
      ])
      expect((await readPaymentBalance(deps.db, studioId)).openDifferences).toBe(0)
      await setAmount(3200)
      await studio.pull()
      expect(await openDifferences(deps, studioId)).toMatchObject([{ closedBy: null, note: '', ourCents: 3200 }])
    })

    it('each account is pulled once a day', async () => {
      const { deps, jobs, studio, accountId } = await setUp()
      await enqueueStatementPulls(deps)
      await enqueueStatementPulls(deps)
      expect(jobs).toEqual([{ name: 'pull-statement', payload: { studioId: studio.studioId, account: accountId } }])
    })

    it('an account that was disconnected is pulled as long as refunds and disputes of its charges may follow', async () => {
      const { deps, jobs, studio } = await setUp()
      await studio.charge(2500)
      await deps.db.updateTable('studios').set({ payment_account_id: null }).where('id', '=', studio.studioId).execute()
      const pullsAfter = async (days: number): Promise<number> => {
        jobs.splice(0)
        await enqueueStatementPulls({ ...deps, clock: () => addDays(deps.clock(), days) })
        return jobs.length
      }
      expect([await pullsAfter(179), await pullsAfter(182)]).toEqual([1, 0])
    })
  },
)
