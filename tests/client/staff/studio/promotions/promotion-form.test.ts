import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  newPromotion,
  promotionFormRules,
  toPromotionDraft,
  toPromotionForm,
} from '#client/staff/studio/promotions/promotion-form.ts'
import { type PromotionDraft, promotionDraftMessages } from '#domain/pricing/promotion-draft.ts'
import { validate, validationMessages } from '#domain/shared/validators.ts'
import { rateMessages } from '#domain/studio/rates.ts'

const emptyForm = toPromotionForm(newPromotion)
const errorsOf = (values: Partial<typeof emptyForm>) =>
  validate({ ...emptyForm, code: 'SAVE10', basisPoints: '10', ...values }, promotionFormRules)

const anyLimit = fc.option(fc.integer({ min: 1, max: 1_000_000 }))
const anyDraft: fc.Arbitrary<PromotionDraft> = fc
  .record({
    kind: fc.constantFrom('percent' as const, 'amount' as const),
    basisPoints: fc.integer({ min: 1, max: 10_000 }),
    amountCents: fc.integer({ min: 1, max: 99_999_999 }),
    minimumCents: fc.integer({ min: 0, max: 99_999_999 }),
    packageIds: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1 })),
    maximumUses: anyLimit,
    maximumUsesPerCustomer: anyLimit,
    startsOn: fc.constantFrom(null, '2027-04-15'),
    endsOn: fc.constantFrom(null, '2027-04-15', '2027-12-31'),
    howGiven: fc.constantFrom('code', 'single-use', 'automatic'),
    isStackable: fc.boolean(),
    isEnabled: fc.boolean(),
  })
  .map(({ howGiven, ...draft }) => ({
    ...{ hasSingleUseCodes: howGiven === 'single-use', isAutomatic: howGiven === 'automatic' },
    ...{ ...draft, code: 'SAVE10', name: 'Early birds' },
    basisPoints: draft.kind === 'percent' ? draft.basisPoints : null,
    amountCents: draft.kind === 'amount' ? draft.amountCents : null,
  }))

describe('the form of a promotion', () => {
  test('every valid promotion is the same after it was shown in the form, and has no errors there', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        const form = toPromotionForm(draft)
        expect(toPromotionDraft(form)).toEqual(draft)
        expect(validate(form, promotionFormRules)).toEqual({})
      }),
    )
  })

  test.each([
    [{ code: '' }, 'code', validationMessages.required],
    [{ code: 'save 10%' }, 'code', promotionDraftMessages.code],
    [{ basisPoints: '' }, 'basisPoints', rateMessages.percent],
    [{ basisPoints: '12.345' }, 'basisPoints', rateMessages.percent],
    [{ kind: 'amount', amountCents: '0' }, 'amountCents', rateMessages.amount],
    [{ kind: 'amount', amountCents: 'five' }, 'amountCents', rateMessages.amount],
    [{ minimumCents: '-1' }, 'minimumCents', promotionDraftMessages.minimum],
    [{ startsOn: '2027-04-16', endsOn: '2027-04-15' }, 'endsOn', promotionDraftMessages.daysReversed],
    [{ appliesTo: 'packages', packageIds: [] }, 'packageIds', validationMessages.requiredList],
    [{ maximumUses: '1.5' }, 'maximumUses', promotionDraftMessages.uses],
  ])('%o has one error, at its field', (values, field, message) => {
    expect(errorsOf(values)).toEqual({ [field]: [message] })
  })

  test('the value of the other kind is ignored', () => {
    expect(errorsOf({ kind: 'amount', amountCents: '5', basisPoints: 'ten' })).toEqual({})
    expect(toPromotionDraft({ ...emptyForm, kind: 'amount', amountCents: '19.99', basisPoints: '10' })).toMatchObject({
      ...{ kind: 'amount', amountCents: 1999, basisPoints: null },
    })
  })
})
