import { describe, expect, it } from 'vitest'
import { checkPromotion, promotionErrorMessages } from '#domain/pricing/promotion.ts'

const context = {
  now: '2027-04-01T12:00:00Z',
  jobId: 1,
  goodsCents: 5_000,
  packageIds: [1],
  uses: 3,
  usesByCustomer: 1,
  isCodeUsed: false,
}

describe('the message of a promotion that cannot be used', () => {
  it('disabled codes and codes of other jobs read like an unknown code', () => {
    const promotion = {
      kind: 'percent',
      basisPoints: 1_000,
      code: 'SAVE10',
      jobId: 2,
      isAutomatic: false,
      isStackable: false,
      isEnabled: true,
      startsAt: null,
      endsAt: null,
      minimumCents: 0,
      packageIds: null,
      maximumUses: null,
      maximumUsesPerCustomer: null,
    } as const
    const errors = [null, { ...promotion, isEnabled: false }, promotion].map((candidate) =>
      checkPromotion(candidate, context),
    )
    expect(errors).toEqual(['unknown', 'not-enabled', 'other-job'])
    expect(new Set(errors.map((error) => error && promotionErrorMessages[error]))).toEqual(
      new Set(['We don’t know this code']),
    )
  })

  it('each reason that a customer can act on has a message of its own', () => {
    const actionableErrors = [
      'not-yet',
      'over',
      'used-up',
      'used-by-customer',
      'other-packages',
      'below-minimum',
    ] as const
    expect(new Set(actionableErrors.map((error) => promotionErrorMessages[error])).size).toBe(actionableErrors.length)
  })
})
