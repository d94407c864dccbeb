import { draftRules } from '#client/staff/kit/form/draft-rules.ts'
import { formatHundredths, hundredthsOf } from '#client/staff/kit/form/hundredths.ts'
import type { Promotion } from '#contract/studio/promotions/promotions.ts'
import { normalisePromotionDraft, type PromotionDraft, promotionDraftRules } from '#domain/pricing/promotion-draft.ts'
import { parseNumber } from '#domain/shared/validators.ts'

/**
 * A draft as the fields of its form hold it, under the same names: numbers and days as typed, empty for none, amounts in
 * dollars.
 */
export type PromotionForm = {
  code: string
  name: string
  kind: string
  basisPoints: string
  amountCents: string
  minimumCents: string
  appliesTo: string
  packageIds: number[]
  startsOn: string
  endsOn: string
  maximumUses: string
  maximumUsesPerCustomer: string
  hasSingleUseCodes: boolean
  isAutomatic: boolean
  isStackable: boolean
  isEnabled: boolean
}

export const promotionLabels: Readonly<Record<keyof PromotionForm, string>> = {
  code: 'Code',
  name: 'Name',
  kind: 'Discount',
  basisPoints: 'Percent',
  amountCents: 'Amount, $',
  minimumCents: 'Minimum order, $',
  appliesTo: 'Applies to',
  packageIds: 'Packages',
  startsOn: 'First day',
  endsOn: 'Last day',
  maximumUses: 'Uses in all',
  maximumUsesPerCustomer: 'Uses per customer',
  hasSingleUseCodes: 'A code for each customer',
  isAutomatic: 'Automatic, without a code',
  isStackable: 'Combine with other promotions',
  isEnabled: 'Switched on',
}

/** What a new promotion begins with. */
export const newPromotion = {
  code: '',
  name: '',
  kind: 'percent',
  basisPoints: null,
  amountCents: null,
  minimumCents: 0,
  packageIds: null,
  startsOn: null,
  endsOn: null,
  maximumUses: null,
  maximumUsesPerCustomer: null,
  hasSingleUseCodes: false,
  isAutomatic: false,
  isStackable: false,
  isEnabled: true,
  version: 0,
} as const satisfies PromotionDraft & { version: number }

const isBlank = (text: string): boolean => text.trim() === ''
const numberOf = (text: string): number | null => (isBlank(text) ? null : parseNumber(text))

export const toPromotionForm = (promotion: PromotionDraft | Promotion): PromotionForm => ({
  code: promotion.code,
  name: promotion.name,
  kind: promotion.kind,
  basisPoints: formatHundredths(promotion.basisPoints, 0),
  amountCents: formatHundredths(promotion.amountCents, 2),
  minimumCents: promotion.minimumCents === 0 ? '' : formatHundredths(promotion.minimumCents, 2),
  appliesTo: promotion.packageIds === null ? 'order' : 'packages',
  packageIds: promotion.packageIds ?? [],
  startsOn: promotion.startsOn ?? '',
  endsOn: promotion.endsOn ?? '',
  maximumUses: String(promotion.maximumUses ?? ''),
  maximumUsesPerCustomer: String(promotion.maximumUsesPerCustomer ?? ''),
  hasSingleUseCodes: promotion.hasSingleUseCodes,
  isAutomatic: promotion.isAutomatic,
  isStackable: promotion.isStackable,
  isEnabled: promotion.isEnabled,
})

/** The draft of a form. Invalid text becomes NaN, which the rules refuse. */
export const toPromotionDraft = (form: PromotionForm): PromotionDraft =>
  normalisePromotionDraft({
    code: form.code,
    name: form.name,
    kind: form.kind === 'amount' ? 'amount' : 'percent',
    basisPoints: hundredthsOf(form.basisPoints),
    amountCents: hundredthsOf(form.amountCents),
    minimumCents: hundredthsOf(form.minimumCents) ?? 0,
    packageIds: form.appliesTo === 'packages' ? form.packageIds : null,
    startsOn: isBlank(form.startsOn) ? null : form.startsOn,
    endsOn: isBlank(form.endsOn) ? null : form.endsOn,
    maximumUses: numberOf(form.maximumUses),
    maximumUsesPerCustomer: numberOf(form.maximumUsesPerCustomer),
    hasSingleUseCodes: form.hasSingleUseCodes,
    isAutomatic: form.isAutomatic,
    isStackable: form.isStackable,
    isEnabled: form.isEnabled,
  })

export const promotionFormRules = draftRules(promotionDraftRules, toPromotionDraft)
