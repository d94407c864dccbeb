import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitCents, sumCents } from '#domain/pricing/money.ts'
import { refundedPlatformFee } from '#domain/pricing/refund-platform-fee.ts'

const cents = fc.integer({ min: 1, max: 99_999_999 })

test('the refunded platform fees of a fully refunded charge add up to its fee, and none is negative', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 10_000 }), weights, (amountCents, basisPoints, shares) => {
      const platformFeeCents = Math.floor((amountCents * basisPoints) / 10_000)
      const charge = { amountCents, platformFeeCents, refundedCents: 0, refundedPlatformFeeCents: 0 }
      const fees = splitCents(amountCents, shares).map((partCents) => {
        const fee = refundedPlatformFee(charge, partCents)
        charge.refundedCents += partCents
        charge.refundedPlatformFeeCents += fee
        return fee
      })
      expect(fees.every((fee) => fee >= 0)).toBe(true)
      expect(sumCents(fees)).toBe(platformFeeCents)
    }),
  )
})

test.each([
  [{ amountCents: 100, platformFeeCents: 5, refundedCents: 0, refundedPlatformFeeCents: 0 }, 50, 3],
  [{ amountCents: 100, platformFeeCents: 5, refundedCents: 50, refundedPlatformFeeCents: 3 }, 50, 2],
  [{ amountCents: 5000, platformFeeCents: 250, refundedCents: 0, refundedPlatformFeeCents: 0 }, 10, 1],
  [{ amountCents: 5000, platformFeeCents: 250, refundedCents: 10, refundedPlatformFeeCents: 1 }, 10, 0],
])('of the charge %o, refunding %d cents refunds %d cents of the platform fee', (charge, partCents, expected) => {
  expect(refundedPlatformFee(charge, partCents)).toBe(expected)
})
