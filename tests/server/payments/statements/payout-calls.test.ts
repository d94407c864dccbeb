import { describe, expect, it } from 'vitest'
import { pullStatement } from '#server/payments/statements/pull-statement.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '../checkout-driver.ts'

const dayMs = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('payouts of the built-in provider on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const { advance, ...time } = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { studioId } = checkout.fixtures
    await given(deps).feature(studioId, 'reports')
    await deps.db.updateTable('studios').set({ platform_fee_basis_points: 500 }).where('id', '=', studioId).execute()
    const permissions = ['studio.crud', 'studio.financials.read'] as const
    const { staffRequest } = await staffClient(deps, app, studioId, { permissions })
    const read = (path: string) => staffRequest('GET', `reports/payouts${path}`)
    const pull = () => pullStatement(deps, { studioId, provider: 'test', account: `studio-${studioId}` })
    return { ...checkout, advance, pull, read, staffRequest }
  }

  it('an order that is paid by card is in the payout of the next day, with sums that add up', async () => {
    const { driver, submitBody, totalCents, advance, pull, read } = await setUp()
    const { data: order } = await driver.submit(submitBody())
    await pull()
    expect((await read('')).data).toEqual([])
    expect((await read('/balance')).data).toMatchObject({
      chargesCents: totalCents,
      payoutsCents: 0,
      unmatchedCents: 0,
    })
    advance(dayMs)
    await pull()
    const feeCents = Math.round(totalCents * 0.029) + 30
    const platformFeeCents = Math.round(totalCents / 20)
    const amountCents = totalCents - feeCents - platformFeeCents
    const { data: payouts } = await read('')
    expect(payouts).toMatchObject([{ state: 'paid', amountCents, transactionCount: 1, arrivesOn: '2027-04-16' }])
    const [{ id }] = payouts
    const { data: payout } = await read(`/${id}`)
    expect(payout).toMatchObject({
      ...{ isItemized: true, chargesCents: totalCents, feesCents: -feeCents, platformFeesCents: -platformFeeCents },
      ...{ refundsCents: 0, disputesCents: 0, otherCents: 0 },
    })
    expect((await read(`/${id}/transactions?filter=${order.orderNumber}`)).data.resultItems).toMatchObject([
      {
        ...{ kind: 'charge', orderNumber: order.orderNumber, amountCents: totalCents, netCents: amountCents },
        ...{ feeCents: -feeCents - platformFeeCents, customerName: 'Grace Hopper' },
      },
    ])
    expect((await read('/balance')).data).toMatchObject({
      payoutsCents: amountCents,
      balanceCents: 0,
      unmatchedCents: 0,
    })
    expect((await read('/differences')).data).toEqual([])
  })

  it('the calls refuse staff without the permission, studios without reports, and unknown payouts', async () => {
    const { read, staffRequest } = await setUp()
    expect(await read('/999')).toMatchObject({ status: 404 })
    expect(await read('/999/transactions')).toMatchObject({ status: 404 })
    for (const path of ['', '/1', '/1/transactions', '/differences', '/balance']) {
      const answer = await staffRequest('GET', `reports/payouts${path}`, undefined, { permissions: ['studio.crud'] })
      expect([path, answer.status]).toEqual([path, 403])
    }
    await database().db.deleteFrom('studio_features').execute()
    for (const path of ['', '/1', '/1/transactions', '/differences', '/balance'])
      expect(await read(path)).toMatchObject({ status: 403, errors: ['Reports are not switched on for this studio'] })
  })
})
