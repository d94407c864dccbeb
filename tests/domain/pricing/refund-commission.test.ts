import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitCents, sumCents } from '#domain/pricing/money.ts'
import { refundedCommission } from '#domain/pricing/refund-commission.ts'

const cents = fc.integer({ min: 1, max: 99_999_999 })

test('the refunded commissions of a fully refunded charge add up to its commission, and none is negative', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 10_000 }), weights, (amountCents, basisPoints, shares) => {
      const commissionCents = Math.floor((amountCents * basisPoints) / 10_000)
      const charge = { amountCents, commissionCents, refundedCents: 0, refundedCommissionCents: 0 }
      const commissions = splitCents(amountCents, shares).map((partCents) => {
        const commission = refundedCommission(charge, partCents)
        charge.refundedCents += partCents
        charge.refundedCommissionCents += commission
        return commission
      })
      expect(commissions.every((commission) => commission >= 0)).toBe(true)
      expect(sumCents(commissions)).toBe(commissionCents)
    }),
  )
})

test.each([
  [{ amountCents: 100, commissionCents: 5, refundedCents: 0, refundedCommissionCents: 0 }, 50, 3],
  [{ amountCents: 100, commissionCents: 5, refundedCents: 50, refundedCommissionCents: 3 }, 50, 2],
  [{ amountCents: 5000, commissionCents: 250, refundedCents: 0, refundedCommissionCents: 0 }, 10, 1],
  [{ amountCents: 5000, commissionCents: 250, refundedCents: 10, refundedCommissionCents: 1 }, 10, 0],
])('of the charge %o, refunding %d cents refunds %d cents of the commission', (charge, partCents, expected) => {
  expect(refundedCommission(charge, partCents)).toBe(expected)
})
