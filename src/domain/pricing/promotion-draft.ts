import { oneOf, type Rules, required, requiredList, type Validator, when } from '../shared/validators.ts'
import { addDaysTo, startOfDayAt, wallClock } from '../shared/wall-clock.ts'
import { amount, calendarDay, maxAmountCents, percentage, wholeNumber } from '../studio/rates.ts'
import type { Cents } from './money.ts'
import { normalisePromotionCode, type PromotionValue } from './promotion.ts'

/** The state of a promotion at a moment; each promotion is in exactly one. */
export const promotionStates = ['running', 'scheduled', 'used-up', 'ended', 'off'] as const
export type PromotionState = (typeof promotionStates)[number]

export const promotionStateNames: Readonly<Record<PromotionState, string>> = {
  running: 'Running',
  scheduled: 'Scheduled',
  'used-up': 'Used up',
  ended: 'Ended',
  off: 'Off',
}

export const promotionKinds = ['percent', 'amount'] as const satisfies readonly PromotionValue['kind'][]

/** The first and the last day of a promotion (`2027-04-15`) in the studio's time zone; null means unlimited. */
export type PromotionDays = { startsOn: string | null; endsOn: string | null }

/** A promotion while staff edit it. Of the two values, only that of its kind is used. */
export type PromotionDraft = PromotionDays & {
  code: string
  name: string
  kind: PromotionValue['kind']
  /** Hundredths of a per cent. */
  basisPoints: number | null
  amountCents: Cents | null
  minimumCents: Cents
  /** The packages that it applies to, and to no services; null: to the whole order. */
  packageIds: number[] | null
  maximumUses: number | null
  maximumUsesPerCustomer: number | null
  /** Each customer gets a code of their own, of which `code` is the prefix. Cannot be changed later. */
  hasSingleUseCodes: boolean
  /** Applied to every cart that qualifies; `code` is the name that customers see. Cannot be changed later. */
  isAutomatic: boolean
  /** Combines with other stackable promotions; otherwise it applies alone. */
  isStackable: boolean
  isEnabled: boolean
}

export const maxPromotionCodeLength = 20
export const maxPromotionNameLength = 100
const maxUses = 1_000_000
/** How many single-use codes are generated at once, and how many a promotion has. */
export const maxCodesAtOnce = 500
export const maxPromotionCodes = 5_000

export const promotionDraftMessages = {
  code: 'Use only letters, digits and hyphens, and begin and end with a letter or digit',
  longCode: `A code has at most ${maxPromotionCodeLength} characters`,
  longName: `A name has at most ${maxPromotionNameLength} characters`,
  minimum: 'Enter an amount from $0.00 to $999,999.99',
  daysReversed: 'The last day must not be before the first',
  automaticCodes: 'An automatic promotion has no codes',
  uses: 'Enter a whole number from 1 to 1,000,000, or leave it empty',
} as const

const isSet = (name: keyof PromotionDraft) => (draft: PromotionDraft) => draft[name] !== null

const uses = wholeNumber<PromotionDraft>(1, maxUses, promotionDraftMessages.uses)

const codeSyntax: Validator<PromotionDraft> = (_, { code }) => {
  if (code === '') return null
  if (code.length > maxPromotionCodeLength) return promotionDraftMessages.longCode
  return /^[A-Z0-9](?:[A-Z0-9-]*[A-Z0-9])?$/.test(code) ? null : promotionDraftMessages.code
}

const daysInOrder: Validator<PromotionDraft> = (_, { startsOn, endsOn }) =>
  startsOn !== null && endsOn !== null && endsOn < startsOn ? promotionDraftMessages.daysReversed : null

const noCodesIfAutomatic: Validator<PromotionDraft> = (_, { isAutomatic, hasSingleUseCodes }) =>
  isAutomatic && hasSingleUseCodes ? promotionDraftMessages.automaticCodes : null

/** The rules of a normalised draft, for the form and the server. That its code is free only the server knows. */
export const promotionDraftRules: Rules<PromotionDraft> = {
  code: [required(), codeSyntax],
  name: (_, { name }) => (name.length > maxPromotionNameLength ? promotionDraftMessages.longName : null),
  kind: oneOf(promotionKinds),
  basisPoints: when(({ kind }) => kind === 'percent', percentage()),
  amountCents: when(({ kind }) => kind === 'amount', amount()),
  minimumCents: wholeNumber(0, maxAmountCents, promotionDraftMessages.minimum),
  packageIds: requiredList(isSet('packageIds')),
  startsOn: when(isSet('startsOn'), calendarDay()),
  endsOn: [when(isSet('endsOn'), calendarDay()), daysInOrder],
  maximumUses: when(isSet('maximumUses'), uses),
  maximumUsesPerCustomer: when(isSet('maximumUsesPerCustomer'), uses),
  hasSingleUseCodes: noCodesIfAutomatic,
}

/** A draft as it is stored: the code in upper case without spaces, and only the value of its kind. */
export const normalisePromotionDraft = (draft: PromotionDraft): PromotionDraft => ({
  ...draft,
  code: normalisePromotionCode(draft.code),
  name: draft.name.trim(),
  packageIds: draft.packageIds && [...new Set(draft.packageIds)],
  basisPoints: draft.kind === 'percent' ? draft.basisPoints : null,
  amountCents: draft.kind === 'amount' ? draft.amountCents : null,
})

/** The instants (ISO 8601) between which a promotion is valid; `endsAt` is the first at which it no longer is. */
export type PromotionPeriod = { startsAt: string | null; endsAt: string | null }

/** The period from the start of the first day to the end of the last one in a time zone. */
export const periodOfDays = ({ startsOn, endsOn }: PromotionDays, timeZone: string): PromotionPeriod => ({
  startsAt: startsOn === null ? null : startOfDayAt(startsOn, timeZone),
  endsAt: endsOn === null ? null : startOfDayAt(addDaysTo(endsOn, 1), timeZone),
})

/** The first and the last day of a period in a time zone. */
export const daysOfPeriod = ({ startsAt, endsAt }: PromotionPeriod, timeZone: string): PromotionDays => {
  const dayAt = (time: number): string => wallClock(new Date(time).toISOString(), timeZone).slice(0, 10)
  return {
    startsOn: startsAt === null ? null : dayAt(Date.parse(startsAt)),
    endsOn: endsAt === null ? null : dayAt(Date.parse(endsAt) - 1),
  }
}

/** The next code for a copy: `SAVE10` becomes `SAVE10-2`, `SAVE10-2` becomes `SAVE10-3`. */
export const copiedPromotionCode = (code: string): string => {
  const [, base = code, number] = /^(.+)-(\d{1,6})$/.exec(code) ?? []
  const suffix = `-${Number(number ?? 1) + 1}`
  return `${base.slice(0, maxPromotionCodeLength - suffix.length)}${suffix}`
}
