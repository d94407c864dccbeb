import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CommissionKind } from '#domain/studio/commission-rate.ts'
import { accrueAllCommissions, accrueCommissions } from '#server/commissions/accrue-commissions.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { commissionSetUp } from './commission-fixtures.ts'

const runs = process.env.LONG === '1' ? 200 : 15

describe.each(enginesFor(import.meta.filename))(
  'commissions of organizations on $name',
  { timeout: 120_000 },
  (engine) => {
    const database = freshDatabase(engine)
    const setUp = commissionSetUp(database)

    it('a percentage is of the goods, without shipping and tax, and in proportion to what was received', async () => {
      const { addRate, order, settle, read, jobId } = await setUp()
      await addRate({ basisPoints: 1_250 })
      const orderId = await order(jobId, { goodsCents: 4_000, otherCents: 1_000, placedAt: '2027-04-15T17:00:00Z' })
      const chargeId = await settle(orderId, 5_000, '2027-04-15T17:00:00Z')
      expect((await read()).owedCents).toBe(500)
      await settle(orderId, 2_500, '2027-04-16T17:00:00Z', chargeId)
      expect((await read()).owedCents).toBe(250)
      await settle(orderId, 2_500, '2027-04-17T17:00:00Z', chargeId)
      expect((await read()).owedCents).toBe(0)
    })

    it('a refund that fails after its commission was written leaves what is owed as it was', async () => {
      const { addRate, order, settle, failRefund, read, jobId } = await setUp()
      await addRate({ basisPoints: 1_000 })
      const orderId = await order(jobId, { goodsCents: 4_000, placedAt: '2027-04-15T17:00:00Z' })
      const chargeId = await settle(orderId, 4_000, '2027-04-15T17:00:00Z')
      const refundId = await settle(orderId, 1_000, '2027-04-15T18:00:00Z', chargeId)
      expect((await read()).owedCents).toBe(300)
      await failRefund(refundId, '2027-04-15T19:00:00Z')
      expect((await read()).owedCents).toBe(400)
      expect((await read()).owedCents).toBe(400)
    })

    it('an amount per order or package is owed until the whole order is refunded', async () => {
      for (const [kind, owedCents] of [
        ['order', 200],
        ['package', 600],
      ] as const) {
        const { addRate, order, settle, read, jobId } = await setUp()
        await addRate({ kind, basisPoints: null, amountCents: 200 })
        const orderId = await order(jobId, { goodsCents: 4_000, packages: 3, placedAt: '2027-04-15T17:00:00Z' })
        const chargeId = await settle(orderId, 4_000, '2027-04-15T17:00:00Z')
        await settle(orderId, 1_000, '2027-04-15T18:00:00Z', chargeId)
        expect((await read()).owedCents).toBe(owedCents)
        await settle(orderId, 3_000, '2027-04-15T19:00:00Z', chargeId)
        expect((await read()).owedCents).toBe(0)
      }
    })

    it('an order has the rate of the day in the studio’s time zone on which it was placed, its job’s own first', async () => {
      const { fixtures, organizationId, addRate, order, settle, read, jobId } = await setUp('2027-04-01T16:00:00Z')
      const ownJobId = await fixtures.addJob(organizationId, 'Own rate')
      await addRate({ startsOn: '2027-04-01', basisPoints: 1_000 })
      await addRate({ startsOn: '2027-04-10', basisPoints: 2_000 })
      await addRate({ startsOn: '2027-04-05', basisPoints: 5_000, jobId: ownJobId })
      const settleOrder = async (job: number, placedAt: string, cents: number) =>
        await settle(await order(job, { goodsCents: cents, placedAt }), cents, placedAt)
      // 23:30 on April 9th in Chicago.
      await settleOrder(jobId, '2027-04-10T04:30:00Z', 1_000)
      await settleOrder(jobId, '2027-04-10T05:30:00Z', 10_000)
      await settleOrder(ownJobId, '2027-04-04T12:00:00Z', 100_000)
      await settleOrder(ownJobId, '2027-04-20T12:00:00Z', 1_000_000)
      await settleOrder(jobId, '2027-03-31T12:00:00Z', 10_000_000)
      expect((await read()).owedCents).toBe(100 + 2_000 + 10_000 + 500_000)
    })

    it('a new rate changes no commission of an order that was placed before', async () => {
      const { addRate, order, settle, read, jobId, time } = await setUp()
      await addRate({ basisPoints: 1_000 })
      const orderId = await order(jobId, { goodsCents: 4_000, placedAt: '2027-04-15T17:00:00Z' })
      await settle(orderId, 4_000, '2027-04-15T17:00:00Z')
      expect((await read()).owedCents).toBe(400)
      time.advance(86_400_000)
      const past = await addRate({ basisPoints: 5_000, startsOn: '2027-04-15' })
      expect([past.status, past.fields]).toEqual([
        422,
        { startsOn: ['Orders of past days may be paid already. Enter today or a later day'] },
      ])
      expect((await addRate({ basisPoints: 5_000, startsOn: '2027-04-16' })).status).toBe(200)
      await settle(orderId, 1, '2027-04-16T17:00:00Z')
      expect((await read()).owedCents).toBe(400)
    })

    it('a rate that has begun cannot be deleted, one that has not can', async () => {
      const { addRate, path, fixtures, read } = await setUp()
      await addRate({})
      await addRate({ startsOn: '2027-05-01' })
      const taken = await addRate({ startsOn: '2027-05-01' })
      expect(taken.fields).toEqual({ startsOn: ['Another rate begins on this day'] })
      const [later, begun] = (await read()).rates
      expect(await fixtures.request('DELETE', `${path}/rates/${begun.id}`)).toMatchObject({
        status: 422,
        errors: ['This rate has begun. Add another one that replaces it'],
      })
      const { data } = await fixtures.request('DELETE', `${path}/rates/${later.id}`)
      expect(data.rates.map(({ id }: { id: number }) => id)).toEqual([begun.id])
    })

    it('a payment covers what is owed through its day, once, and can be taken back', async () => {
      const { addRate, order, settle, read, pay, jobId, path, fixtures, time } = await setUp()
      await addRate({})
      const orderId = await order(jobId, { goodsCents: 4_000, placedAt: '2027-04-15T17:00:00Z' })
      await settle(orderId, 4_000, '2027-04-15T17:00:00Z')
      time.advance(2 * 86_400_000)
      const laterOrderId = await order(jobId, { goodsCents: 1_000, placedAt: '2027-04-16T17:00:00Z' })
      await settle(laterOrderId, 1_000, '2027-04-16T17:00:00Z')
      expect((await pay({ amountCents: 500 })).status).toBe(409)
      expect((await pay({ throughDay: '2027-04-18', amountCents: 500 })).fields).toEqual({
        throughDay: ['Enter today or an earlier day'],
      })
      const paid = await pay({ amountCents: 400, note: ' Check 1024 ' })
      expect(paid.data).toMatchObject({ owedCents: 100, payments: [{ amountCents: 400, note: 'Check 1024' }] })
      expect((await pay({ amountCents: 400 })).errors).toEqual(['Nothing is owed through this day'])
      await fixtures.request('DELETE', `${path}/payments/${paid.data.payments[0].id}`)
      expect(await read()).toMatchObject({ owedCents: 500, payments: [] })
      expect((await fixtures.auditEntries()).map(({ action }) => action)).toEqual([
        ...['commission-rate.made', 'commission.paid', 'commission.unpaid'],
      ])
    })

    it('an organization whose orders gave it commissions is archived, not deleted', async () => {
      const { deps, addRate, order, settle, read, jobId, organizationId, studioId, fixtures } = await setUp()
      await addRate({})
      await settle(
        await order(jobId, { goodsCents: 1_000, placedAt: '2027-04-15T17:00:00Z' }),
        1_000,
        '2027-04-15T17:00:00Z',
      )
      await read()
      const otherId = await given(deps).organization(studioId, { name: 'Another' })
      await deps.db.updateTable('jobs').set({ organization_id: otherId }).where('id', '=', jobId).execute()
      const { data } = await fixtures.request('DELETE', `/organizations/${organizationId}`)
      expect(data).toEqual({ archived: true })
    })

    it('the entries of any history add up to the commission of what remains, in whatever steps they are written', async () => {
      type Step = {
        order: number
        do: 'charge' | 'earlier charge' | 'refund' | 'fail' | 'reduce' | 'write'
        cents: number
      }
      const step: fc.Arbitrary<Step> = fc.record({
        order: fc.nat({ max: 2 }),
        do: fc.constantFrom('charge', 'earlier charge', 'refund', 'fail', 'reduce', 'write'),
        cents: fc.integer({ min: 1, max: 5_000 }),
      })
      const rate = fc.constantFrom<[CommissionKind, number]>(['percent', 1_333], ['order', 150], ['package', 75])
      const play = async ([kind, value]: [CommissionKind, number], steps: readonly Step[]) => {
        const { deps, addRate, order, settle, failRefund, jobId, studioId, read } = await setUp()
        await addRate(kind === 'percent' ? { basisPoints: value } : { kind, basisPoints: null, amountCents: value })
        const orders = await Promise.all(
          [1, 2, 3].map(async (packages) => {
            const id = await order(jobId, {
              goodsCents: 6_000,
              otherCents: 777,
              packages,
              placedAt: '2027-04-15T17:00:00Z',
            })
            return {
              id,
              packages,
              goods: 6_000,
              charges: [] as { id: number; cents: number }[],
              refunds: [] as { id: number; cents: number }[],
              received: 0,
            }
          }),
        )
        let minutes = 0
        for (const { order: index, do: action, cents } of steps) {
          const sale = orders[index]
          if (!sale) throw new Error('there are three orders')
          minutes += 1
          const at = new Date(Date.UTC(2027, 3, 15, 18, minutes)).toISOString()
          const [charge] = sale.charges
          if (action === 'write') await deps.db.transaction().execute((tx) => accrueCommissions(tx, { studioId }))
          if (action === 'charge' || action === 'earlier charge') {
            // A charge may become known after others that settled later.
            const settledAt = action === 'charge' ? at : new Date(Date.UTC(2027, 3, 15, 17, 30 - minutes)).toISOString()
            sale.charges.push({ id: await settle(sale.id, cents, settledAt), cents })
            sale.received += cents
          }
          if (action === 'fail') {
            const refund = sale.refunds.pop()
            if (refund) await failRefund(refund.id, at)
            sale.received += refund?.cents ?? 0
          }
          if (action === 'refund' && charge && sale.received > 0) {
            const refunded = Math.min(cents, sale.received)
            sale.refunds.push({ id: await settle(sale.id, refunded, at, charge.id), cents: refunded })
            sale.received -= refunded
          }
          if (action === 'reduce') {
            sale.goods = Math.max(0, sale.goods - cents)
            await deps.db
              .updateTable('orders')
              .set({ packages_cents: sale.goods, total_cents: sale.goods + 777 })
              .where('id', '=', sale.id)
              .execute()
            // The commission follows with the next row of the ledger, here a charge of the difference.
            sale.charges.push({ id: await settle(sale.id, 1, at), cents: 1 })
            sale.received += 1
          }
        }
        await accrueAllCommissions(deps)
        const expected = orders.map(({ received, goods, packages }) => {
          if (received <= 0) return 0
          if (kind === 'order') return value
          if (kind === 'package') return value * packages
          const base = Math.round(goods * Math.min(1, received / (goods + 777)))
          return Math.round((base * value) / 10_000)
        })
        expect((await read()).owedCents).toBe(expected.reduce((sum, cents) => sum + cents, 0))
        expect(await deps.db.transaction().execute((tx) => accrueCommissions(tx, { studioId }))).toBe(0)
      }
      await fc.assert(fc.asyncProperty(rate, fc.array(step, { maxLength: 12 }), play), { numRuns: runs })
    })
  },
)
